/* The words of a BVH file: keywords, names, braces and numbers, each with its line and column.
 *
 * Lines end in LF, CRLF or CR, in any mixture. Columns count bytes from 1; a byte order mark is not counted. */
#ifndef KANE_BVH_BVH_LEXER_H
#define KANE_BVH_BVH_LEXER_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "formats/bvh/bvh.h"

typedef struct BvhLexer {
    const char *at, *end;
    const char *line_start;
    int line;
} BvhLexer;

/* A blank other than a line end. */
static inline int bvh_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static inline int bvh_is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

BvhLexer bvh_lexer_new(const char *text, size_t size);

/* Line and 1-based column of a position on the current line, and of the lexer. */
BvhPlace bvh_lexer_place(const BvhLexer *l, const char *place);
BvhPlace bvh_lexer_here(const BvhLexer *l);

/* Skips blanks inside the line. */
void bvh_lexer_skip_blanks(BvhLexer *l);

/* Steps over one line end: 1 where there was one. */
int bvh_lexer_next_line(BvhLexer *l);

/* Skips blanks and line ends. */
void bvh_lexer_skip(BvhLexer *l);

/* Reads the keyword (given in lower case), case-insensitive: 1 if it is next, else only blanks are skipped. */
int bvh_lexer_keyword(BvhLexer *l, const char *keyword);

/* The same for one character. */
int bvh_lexer_character(BvhLexer *l, char c);

/* Takes the text up to a line end or '{' without the blanks around it; length 0 where there is none. */
const char *bvh_lexer_name(BvhLexer *l, size_t *length);

/* Takes a finite number. *glued is set where the next number follows without a blank, as in "0.0-7.5". */
Status bvh_lexer_number(BvhLexer *l, double *value, int *glued, Error *err);

/* STATUS_BAD_INPUT with the caller's text and the lexer's position. */
Status bvh_lexer_error(const BvhLexer *l, Error *err, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* `expected WHAT, found "TEXT"` at the next word. */
Status bvh_lexer_expected(BvhLexer *l, const char *what, Error *err);

/* The MOTION section of a BVH file: frame count, frame time and the rows. */

/* Fills frame_time, frame_count and value of *out, whose hierarchy is read, and reads to the end of the file. */
Status bvh_read_motion(BvhLexer *l, const SourceDef *def, Bvh *out, Error *err);

#endif
