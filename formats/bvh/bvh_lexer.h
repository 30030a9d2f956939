/* Lexer of BVH files: keywords, names, braces and numbers, each with line and column.
 *
 * Lines end in LF, CRLF or CR, in any mixture. Columns count bytes from 1; a byte order mark is not counted. */
#ifndef KANE_BVH_BVH_LEXER_H
#define KANE_BVH_BVH_LEXER_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_gaps.h"

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

/* Return line and 1-based column of a position in the current line, or of the lexer. */
BvhLocation bvh_lexer_location(const BvhLexer *l, const char *at);
BvhLocation bvh_lexer_here(const BvhLexer *l);

/* Skips blanks within the line. */
void bvh_lexer_skip_blanks(BvhLexer *l);

/* Skips one line end; returns 1 if there was one. */
int bvh_lexer_next_line(BvhLexer *l);

/* Skips blanks and line ends. */
void bvh_lexer_skip(BvhLexer *l);

/* Skips blanks and line ends; if the keyword (in lower case) is next, in any case, reads it and returns 1. */
int bvh_lexer_keyword(BvhLexer *l, const char *keyword);

/* Likewise for one character. */
int bvh_lexer_character(BvhLexer *l, char c);

/* Reads the text up to a line end or '{', without surrounding blanks; length 0 if there is none. */
const char *bvh_lexer_name(BvhLexer *l, size_t *length);

/* Reads a finite number. *glued is 1 if the next number follows without a blank, as in "0.0-7.5". */
Status bvh_lexer_number(BvhLexer *l, double *value, int *glued, Error *err);

/* Returns STATUS_BAD_INPUT with this text and the lexer's position. */
Status bvh_lexer_error(const BvhLexer *l, Error *err, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Returns `expected WHAT, found "TEXT"` for the next word. */
Status bvh_lexer_expected(BvhLexer *l, const char *what, Error *err);

/* Reads the MOTION section, frame count, frame time and the rows, to the end of the file: fills frame_time, frame_count
 * and value of *out, whose hierarchy was read before; if def->tolerant also location, gap and texts. */
Status bvh_read_motion(BvhLexer *l, const SourceDef *def, Bvh *out, BvhGapTexts *texts, Error *err);

#endif
