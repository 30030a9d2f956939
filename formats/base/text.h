/* Text for others to read: UTF-8 a character at a time, what a terminal may be shown, names near to a mistyped one. */
#ifndef KANE_FORMATS_TEXT_H
#define KANE_FORMATS_TEXT_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/clip/skeleton.h"

/* Bytes of the UTF-8 sequence at p, of which size (1 or more) may be read; 0 where it is none (RFC 3629: no overlong
 * form, no surrogate, up to U+10FFFF). */
int utf8_length(const unsigned char *p, size_t size);

/* Writes text for a terminal: what could steer it, and bytes that are no UTF-8, as \xNN. Returns the width in
 * characters. */
int utf8_put_shown(FILE *stream, const char *text, size_t size);

/* Insertions, deletions, replacements and swaps of neighbours that lead from a to b, regardless of case. Long names are
 * compared by their first 63 bytes. */
int edit_distance(const char *a, const char *b);

/* Writes up to three of the names nearest to wrong into text, "a, b, c"; "" where none is near. A name that contains
 * the wrong one is near; one at twice the distance of the nearest is left out. */
void near_names(const char *wrong, const char *const *names, size_t count, char *text, size_t size);

/* The same as the end of a message: "; did you mean a, b or c?". */
void did_you_mean(const char *wrong, const char *const *names, size_t count, char *text, size_t size);

/* The same among the roles, and among the joints and roles of a skeleton. */
void did_you_mean_role(const char *wrong, char *text, size_t size);
void did_you_mean_joint(const char *wrong, const Skeleton *skeleton, char *text, size_t size);
/* The nearest of them, one of names; NULL: none is near. */
const char *nearest_name(const char *wrong, const char *const *names, size_t count);

#endif
