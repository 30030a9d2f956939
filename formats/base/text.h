/* Text utilities: UTF-8, escaping for terminals, suggestions for mistyped names. */
#ifndef KANE_BASE_TEXT_H
#define KANE_BASE_TEXT_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/clip/skeleton.h"

/* Returns the length of the UTF-8 sequence at p, reading at most size (>= 1) bytes; 0 if invalid (RFC 3629: no overlong
 * form, no surrogate, up to U+10FFFF). */
int utf8_length(const unsigned char *p, size_t size);

/* Writes text for a terminal, with control characters and invalid UTF-8 as \xNN, and characters that reverse the
 * direction of text as \uNNNN. Returns the width in characters. */
int utf8_put_shown(FILE *stream, const char *text, size_t size);

/* Writes a text cell of a CSV table (RFC 4180: quoted if it contains a comma, quote or line end, quotes doubled). One
 * that a spreadsheet would read as a formula, with = + - @ first and not a number, gets an apostrophe before it. */
void csv_put_text(FILE *stream, const char *text, size_t size);

/* Returns the number of insertions, deletions, replacements and swaps of neighbours from a to b, ignoring case. Only
 * the first 63 bytes are compared. */
int edit_distance(const char *a, const char *b);

/* Writes up to three names similar to wrong, nearest first, "a, b, c"; "" if none is similar. A name that contains
 * wrong is similar; names at twice the distance of the nearest are omitted. */
void near_names(const char *wrong, const char *const *names, size_t count, char *text, size_t size);

/* Likewise as the end of a message: "; did you mean a, b or c?". */
void did_you_mean(const char *wrong, const char *const *names, size_t count, char *text, size_t size);

/* Likewise among all roles, or among the joints and roles of a skeleton. */
void did_you_mean_role(const char *wrong, char *text, size_t size);
void did_you_mean_joint(const char *wrong, const Skeleton *skeleton, char *text, size_t size);
/* Returns the most similar of names, or NULL if none is similar. */
const char *nearest_name(const char *wrong, const char *const *names, size_t count);

/* Returns the name of library number i and writes its version; NULL past the last. */
const char *library_version(size_t i, char *version, size_t size);

#endif
