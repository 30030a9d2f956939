/* Names near to a mistyped one. */
#ifndef KANE_FORMATS_NEAR_NAMES_H
#define KANE_FORMATS_NEAR_NAMES_H

#include <stddef.h>

/* Insertions, deletions, replacements and swaps of neighbours that lead from a to b, regardless of case. Long names are
 * compared by their first 63 bytes. */
int edit_distance(const char *a, const char *b);

/* Writes up to three of the names nearest to wrong into text, "a, b, c"; "" where none is near. A name that contains
 * the wrong one is near. */
void near_names(const char *wrong, const char *const *names, size_t count, char *text, size_t size);

#endif
