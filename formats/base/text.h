/* Text for others to read: UTF-8 a character at a time, what a terminal may be shown, names near to a mistyped one. */
#ifndef KANE_BASE_TEXT_H
#define KANE_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/clip/skeleton.h"
#include "analysis/math/vec.h"

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

/* Name of library number i that kane runs with, its version in version; NULL behind the last. */
const char *library_version(size_t i, char *version, size_t size);

/* Writes JSON (RFC 8259) to a stream: brackets, keys and values in their order; commas, colons, quotes and escapes are
 * put here. A member is a key and then a value; elements of an array are values alone. */

typedef struct Json {
    FILE *stream;
    int is_spaced;    /* a space behind commas and colons */
    int depth;        /* brackets that are open, at most 63 */
    uint64_t begun;   /* bit d: the bracket at depth d has something in it */
    int has_key;      /* the next value belongs to the key before it */
    const char *line; /* what the next line begins with; NULL: no new line */
} Json;

static inline Json json_compact(FILE *stream) { return (Json){.stream = stream}; }
static inline Json json_spaced(FILE *stream) { return (Json){.stream = stream, .is_spaced = 1}; }

/* bracket: '{' or '[', closed by '}' or ']'. */
void json_open(Json *json, char bracket);
void json_close(Json *json, char bracket);

void json_key(Json *json, const char *key);

/* NULL: null. Bytes that are no UTF-8 become U+FFFD. */
void json_text(Json *json, const char *text);

/* A number that reads back to the same double; null where it is not finite. */
void json_number(Json *json, double value);
void json_integer(Json *json, long long value);
void json_vector(Json *json, Vec3 v); /* [x, y, z] */

/* A value, or members side by side, as printf writes them: names and numbers that need no escapes. */
void json_print(Json *json, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The next member or element begins a line, with this indent. */
void json_line(Json *json, const char *indent);

/* A key and its value. */
void json_member_open(Json *json, const char *key, char bracket);
void json_member_text(Json *json, const char *key, const char *text);
void json_member_number(Json *json, const char *key, double value);
void json_member_integer(Json *json, const char *key, long long value);
void json_member_vector(Json *json, const char *key, Vec3 v);

/* One string or number, where nothing else of JSON is written. */
void json_put_bytes(FILE *stream, const char *text, size_t size);
void json_put_text(FILE *stream, const char *text);
void json_put_number(FILE *stream, double value);

#endif
