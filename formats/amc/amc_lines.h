/* Lines and words of ASF and AMC files. Lines end in LF, CRLF or CR; empty ones and comments (#) are skipped. */
#ifndef KANE_AMC_AMC_LINES_H
#define KANE_AMC_AMC_LINES_H

#include <stddef.h>

#include "analysis/base/status.h"

enum { AMC_NAME_MAX = 255 }; /* bytes */

/* Limit of lengths (file units) and angles (deg). */
#define AMC_LARGEST 1e9

typedef struct AmcLines {
    const char *at, *end; /* rest of the line */
    const char *next;     /* beginning of the next line */
    const char *text_end;
    const char *file;     /* prefix of messages, "walk.asf: ", or "" */
    int line;             /* 1-based; 0 before the first */
} AmcLines;

/* text needs no terminator. file: path of a companion, which messages name; NULL: none. */
AmcLines amc_lines_new(const char *text, size_t size, const char *file);

/* Goes to the next line with words; returns 0 at the end of the file. */
int amc_next_line(AmcLines *l);

/* Reads the next word of the line; *size 0 at its end. */
const char *amc_word(AmcLines *l, size_t *size);

/* Reads the next word if it is `word`, in any case; returns whether it was. */
int amc_skip_word(AmcLines *l, const char *word);

/* Whether the line has no more words. */
int amc_is_line_end(AmcLines *l);

/* Reads a number within AMC_LARGEST. what: "an angle". */
Status amc_number(AmcLines *l, const char *what, double *value, Error *err);

/* Reads a name; the caller frees it. STATUS_BAD_INPUT if it is too long or no UTF-8. */
Status amc_name(AmcLines *l, char **name, Error *err);

/* STATUS_BAD_INPUT with this text and the line. */
Status amc_error(const AmcLines *l, Error *err, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* `expected WHAT, found "WORD"` for the next word. */
Status amc_expected(AmcLines *l, const char *what, Error *err);

#endif
