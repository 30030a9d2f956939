/* Writes JSON (RFC 8259) to a stream: the caller gives brackets, keys and values in order; commas, colons, quotes and
 * escapes are added. A member is a key followed by a value; array elements are values. */
#ifndef KANE_BASE_JSON_H
#define KANE_BASE_JSON_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/math/vec.h"

typedef struct Json {
    FILE *stream;
    int is_spaced;    /* 1: spaces after commas and colons */
    int depth;        /* open brackets, at most 63 */
    uint64_t begun;   /* bit d: the bracket at depth d is not empty */
    int has_key;      /* 1: a key was written, its value follows */
    const char *line; /* indent of a new line before the next element; NULL: no new line */
} Json;

static inline Json json_compact(FILE *stream) { return (Json){.stream = stream}; }
static inline Json json_spaced(FILE *stream) { return (Json){.stream = stream, .is_spaced = 1}; }

/* bracket: '{' or '[', closed by '}' or ']'. */
void json_open(Json *json, char bracket);
void json_close(Json *json, char bracket);

void json_key(Json *json, const char *key);

/* NULL is written as null; invalid UTF-8 becomes U+FFFD. */
void json_text(Json *json, const char *text);

/* Writes a number that parses to the same double; null if not finite. */
void json_number(Json *json, double value);
void json_integer(Json *json, long long value);
void json_vector(Json *json, Vec3 v); /* [x, y, z] */

/* Writes a value, or several members, with printf: names and numbers that need no escapes. */
void json_print(Json *json, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Starts a new line with this indent before the next member or element. */
void json_line(Json *json, const char *indent);

/* Write a key and its value. */
void json_member_open(Json *json, const char *key, char bracket);
void json_member_text(Json *json, const char *key, const char *text);
void json_member_number(Json *json, const char *key, double value);
void json_member_integer(Json *json, const char *key, long long value);
void json_member_vector(Json *json, const char *key, Vec3 v);

/* Write a single string or number. */
void json_put_bytes(FILE *stream, const char *text, size_t size);
void json_put_text(FILE *stream, const char *text);
void json_put_number(FILE *stream, double value);

#endif
