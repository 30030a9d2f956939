/* Writes JSON (RFC 8259) to a stream: brackets, keys and values in their order; commas, colons, quotes and escapes are
 * put here. A member is a key and then a value; elements of an array are values alone. */
#ifndef KANE_FORMATS_JSON_H
#define KANE_FORMATS_JSON_H

#include <stdint.h>
#include <stdio.h>

#include "analysis/math/vec.h"

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
