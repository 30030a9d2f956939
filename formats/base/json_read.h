/* Reads JSON (RFC 8259) into a table of values that point into the text; numbers and strings are decoded on request.
 *
 * JsonText json;
 *     Status status = json_parse(text, size, &json, err);
 *     int nodes = json_find(&json, 0, "nodes");
 *     for (int i = json_first(&json, nodes); i >= 0; i = json.value[i].next)
 *         ...
 *
 * Value 0 is the whole text. Functions accept the value -1 and return what they return for a missing member. */
#ifndef KANE_BASE_JSON_READ_H
#define KANE_BASE_JSON_READ_H

#include <stddef.h>

#include "analysis/base/status.h"

enum { JSON_DEPTH_MAX = 64 };

typedef enum JsonType { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } JsonType;

typedef struct JsonValue {
    JsonType type;
    int first, next;     /* first member or element; next sibling; -1: none */
    int count;           /* members or elements */
    size_t key, key_end; /* bytes between the quotes of its key; equal: an element */
    size_t begin, end;   /* bytes of the value; of a string those between its quotes */
} JsonValue;

typedef struct JsonText {
    const char *text; /* of the caller */
    JsonValue *value; /* [count] owned; a value precedes its members */
    int count;
} JsonText;

/* text needs no terminator. STATUS_BAD_INPUT with line and column. On failure *out is empty. */
Status json_parse(const char *text, size_t size, JsonText *out, Error *err);
void json_text_free(JsonText *json);

/* The member of an object with a key without escapes; -1: none. */
int json_find(const JsonText *json, int object, const char *key);

/* The member at the end of a path "a/b/c"; -1: none. */
int json_find_path(const JsonText *json, int object, const char *path);

int json_first(const JsonText *json, int value);
int json_count(const JsonText *json, int value);

/* Fills item[0..max) with the elements of an array; returns their number, at most max. */
int json_items(const JsonText *json, int array, int *item, int max);

/* Returns whether a value is a string of exactly this text. */
int json_is(const JsonText *json, int value, const char *text);

/* The number of a value, or of a member; `otherwise` if it is none. */
double json_value(const JsonText *json, int value, double otherwise);
double json_member_value(const JsonText *json, int object, const char *key, double otherwise);

/* A member that is an integer in 0..max; -1: none or another. */
int json_member_index(const JsonText *json, int object, const char *key, int max);

/* Fills out[0..count) with an array of `count` numbers; returns 0, and leaves out, if it is none. */
int json_numbers(const JsonText *json, int array, double *out, int count);

/* Copies a string, decoded to UTF-8, to be freed by the caller; NULL in *out if the value is no string. */
Status json_copy(const JsonText *json, int value, char **out, Error *err);

#endif
