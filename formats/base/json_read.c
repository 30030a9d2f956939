/* See json_read.h. */
#include "formats/base/json_read.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/number.h"

typedef struct Parser {
    const char *text;
    size_t size, at;
    JsonText *out;
    int capacity;
    int open[JSON_DEPTH_MAX], last[JSON_DEPTH_MAX]; /* brackets, and their last elements */
    int depth;
    Error *err;
} Parser;

static Status refuse(const Parser *p, const char *what)
{
    int line = 1, column = 1;
    for (size_t i = 0; i < p->at && i < p->size; i++) {
        column = p->text[i] == '\n' ? 1 : column + 1;
        line += p->text[i] == '\n';
    }
    return error_set_at(p->err, STATUS_BAD_INPUT, line, column, "JSON: %s", what);
}

static void skip_blanks(Parser *p)
{
    while (p->at < p->size && (p->text[p->at] == ' ' || (p->text[p->at] >= '\t' && p->text[p->at] <= '\r')))
        p->at++;
}

static int next_is(const Parser *p, char c)
{
    return p->at < p->size && p->text[p->at] == c;
}

/* Passes a string from its quote on; its bytes are [*begin, *end). */
static Status pass_string(Parser *p, size_t *begin, size_t *end)
{
    *begin = ++p->at;
    while (p->at < p->size && p->text[p->at] != '"') {
        if ((unsigned char)p->text[p->at] < ' ')
            return refuse(p, "a control character in a string");
        p->at += p->text[p->at] == '\\' ? 2 : 1;
    }
    if (p->at >= p->size)
        return refuse(p, "a string without its end");
    *end = p->at++;
    return STATUS_OK;
}

static Status add_value(Parser *p, JsonValue value, int *index)
{
    JsonText *out = p->out;
    if (out->count == p->capacity) {
        int capacity = p->capacity ? 2 * p->capacity : 256;
        JsonValue *grown = p->capacity > INT_MAX / 2 ? NULL
                                                     : realloc(out->value, (size_t)capacity * sizeof *grown);
        if (!grown)
            return error_no_memory(p->err);
        out->value = grown;
        p->capacity = capacity;
    }
    *index = out->count;
    out->value[out->count++] = value;
    if (p->depth > 0) {
        int parent = p->open[p->depth - 1], *last = &p->last[p->depth - 1];
        *(*last < 0 ? &out->value[parent].first : &out->value[*last].next) = *index;
        *last = *index;
        out->value[parent].count++;
    }
    return STATUS_OK;
}

/* Passes a word or number. */
static Status pass_scalar(Parser *p, JsonValue *value)
{
    static const struct { const char *word; JsonType type; } words[] = {{"null", JSON_NULL}, {"false", JSON_FALSE},
                                                                        {"true", JSON_TRUE}};
    double number;
    value->begin = p->at;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i].word);
        if (p->size - p->at >= length && memcmp(p->text + p->at, words[i].word, length) == 0) {
            value->type = words[i].type;
            value->end = p->at += length;
            return STATUS_OK;
        }
    }
    const char *end = number_scan(p->text + p->at, p->text + p->size, &number);
    if (!end)
        return refuse(p, "expected a value");
    value->type = JSON_NUMBER;
    value->end = p->at = (size_t)(end - p->text);
    return STATUS_OK;
}

static Status pass_key(Parser *p, JsonValue *value)
{
    skip_blanks(p);
    if (!next_is(p, '"'))
        return refuse(p, "expected the name of a member");
    Status status = pass_string(p, &value->key, &value->key_end);
    if (status)
        return status;
    skip_blanks(p);
    if (!next_is(p, ':'))
        return refuse(p, "expected a colon");
    p->at++;
    return STATUS_OK;
}

/* Passes a value up to its end, or into its bracket. */
static Status pass_value(Parser *p)
{
    JsonValue value = {.first = -1, .next = -1};
    int index, is_member = p->depth > 0 && p->out->value[p->open[p->depth - 1]].type == JSON_OBJECT;
    Status status = is_member ? pass_key(p, &value) : STATUS_OK;
    if (status)
        return status;
    skip_blanks(p);
    if (next_is(p, '{') || next_is(p, '[')) {
        if (p->depth == JSON_DEPTH_MAX)
            return refuse(p, "too many brackets");
        value.type = next_is(p, '{') ? JSON_OBJECT : JSON_ARRAY;
        value.begin = value.end = p->at++;
        if ((status = add_value(p, value, &index)))
            return status;
        p->open[p->depth] = index;
        p->last[p->depth++] = -1;
        return STATUS_OK;
    }
    value.type = JSON_STRING;
    status = next_is(p, '"') ? pass_string(p, &value.begin, &value.end) : pass_scalar(p, &value);
    return status ? status : add_value(p, value, &index);
}

/* Closes the brackets that end here, and passes the comma before a next value; *more: there is one. */
static Status pass_ends(Parser *p, int *more)
{
    for (*more = 0; p->depth > 0 && !*more;) {
        JsonValue *open = &p->out->value[p->open[p->depth - 1]];
        skip_blanks(p);
        if (next_is(p, open->type == JSON_OBJECT ? '}' : ']')) {
            open->end = ++p->at;
            p->depth--;
        } else if (open->count == 0)
            *more = 1;
        else if (next_is(p, ','))
            *more = 1, p->at++;
        else
            return refuse(p, "expected a comma or a closing bracket");
    }
    return STATUS_OK;
}

Status json_parse(const char *text, size_t size, JsonText *out, Error *err)
{
    Parser p = {.text = text, .size = size, .out = out, .err = err};
    int more = 1;
    Status status = STATUS_OK;
    *out = (JsonText){.text = text};
    p.at = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (!status && more) {
        status = pass_value(&p);
        if (!status)
            status = pass_ends(&p, &more);
    }
    skip_blanks(&p);
    if (!status && p.at < size && text[p.at])
        status = refuse(&p, "text after the end");
    if (status)
        json_text_free(out);
    return status;
}

void json_text_free(JsonText *json)
{
    free(json->value);
    *json = (JsonText){0};
}

int json_first(const JsonText *json, int value)
{
    return value < 0 ? -1 : json->value[value].first;
}

int json_count(const JsonText *json, int value)
{
    return value < 0 ? 0 : json->value[value].count;
}

static int is_key(const JsonText *json, int value, const char *key, size_t length)
{
    const JsonValue *v = &json->value[value];
    return v->key_end - v->key == length && memcmp(json->text + v->key, key, length) == 0;
}

static int find(const JsonText *json, int object, const char *key, size_t length)
{
    if (object < 0 || json->value[object].type != JSON_OBJECT)
        return -1;
    for (int i = json->value[object].first; i >= 0; i = json->value[i].next)
        if (is_key(json, i, key, length))
            return i;
    return -1;
}

int json_find(const JsonText *json, int object, const char *key)
{
    return find(json, object, key, strlen(key));
}

int json_find_path(const JsonText *json, int object, const char *path)
{
    while (object >= 0 && *path) {
        size_t length = strcspn(path, "/");
        object = find(json, object, path, length);
        path += length + (path[length] == '/');
    }
    return object;
}

int json_items(const JsonText *json, int array, int *item, int max)
{
    int count = 0;
    for (int i = json_first(json, array); i >= 0 && count < max; i = json->value[i].next)
        item[count++] = i;
    return count;
}

int json_is(const JsonText *json, int value, const char *text)
{
    if (value < 0 || json->value[value].type != JSON_STRING)
        return 0;
    const JsonValue *v = &json->value[value];
    return v->end - v->begin == strlen(text) && memcmp(json->text + v->begin, text, v->end - v->begin) == 0;
}

double json_value(const JsonText *json, int value, double otherwise)
{
    double number = otherwise;
    if (value < 0 || json->value[value].type != JSON_NUMBER)
        return otherwise;
    const JsonValue *v = &json->value[value];
    return number_scan(json->text + v->begin, json->text + v->end, &number) ? number : otherwise;
}

double json_member_value(const JsonText *json, int object, const char *key, double otherwise)
{
    return json_value(json, json_find(json, object, key), otherwise);
}

int json_member_index(const JsonText *json, int object, const char *key, int max)
{
    double number = json_member_value(json, object, key, -1);
    return number >= 0 && number <= max && number == floor(number) ? (int)number : -1;
}

int json_numbers(const JsonText *json, int array, double *out, int count)
{
    if (array < 0 || json->value[array].type != JSON_ARRAY || json->value[array].count != count)
        return 0;
    for (int i = json->value[array].first, k = 0; i >= 0; i = json->value[i].next, k++)
        out[k] = json_value(json, i, 0);
    return 1;
}

/* ---- Strings ---- */

static int hex_digits(const char *at, const char *end, unsigned *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdefABCDEF", *digit = at + i < end ? strchr(digits, at[i]) : NULL;
        if (!digit || !*digit)
            return 0;
        unsigned value = (unsigned)(digit - digits);
        *code = *code << 4 | (value < 16 ? value : value - 6);
    }
    return 1;
}

static char *put_code(char *to, unsigned code)
{
    if (code < 0x80)
        *to++ = (char)code;
    else if (code < 0x800)
        *to++ = (char)(0xC0 | code >> 6), *to++ = (char)(0x80 | (code & 0x3F));
    else if (code < 0x10000)
        *to++ = (char)(0xE0 | code >> 12), *to++ = (char)(0x80 | (code >> 6 & 0x3F)),
        *to++ = (char)(0x80 | (code & 0x3F));
    else
        *to++ = (char)(0xF0 | code >> 18), *to++ = (char)(0x80 | (code >> 12 & 0x3F)),
        *to++ = (char)(0x80 | (code >> 6 & 0x3F)), *to++ = (char)(0x80 | (code & 0x3F));
    return to;
}

/* Decodes \uXXXX at `at`, or a pair of surrogates; returns the position after it, NULL if it is none. */
static const char *decode_unicode(const char *at, const char *end, char **to)
{
    unsigned code, low;
    if (!hex_digits(at + 2, end, &code))
        return NULL;
    at += 6;
    if (code >= 0xD800 && code < 0xDC00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u' &&
        hex_digits(at + 2, end, &low) && low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        at += 6;
    }
    *to = put_code(*to, code >= 0xD800 && code < 0xE000 ? 0xFFFD : code ? code : '_');
    return at;
}

Status json_copy(const JsonText *json, int value, char **out, Error *err)
{
    static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    *out = NULL;
    if (value < 0 || json->value[value].type != JSON_STRING)
        return STATUS_OK;
    const JsonValue *v = &json->value[value];
    const char *at = json->text + v->begin, *end = json->text + v->end;
    char *copy = malloc(v->end - v->begin + 1), *to = copy;
    if (!copy)
        return error_no_memory(err);
    while (at < end) {
        const char *escape = *at == '\\' && end - at > 1 && at[1] ? strchr(escapes, at[1]) : NULL, *after = NULL;
        if (*at == '\\' && end - at >= 6 && at[1] == 'u')
            after = decode_unicode(at, end, &to);
        if (!after) {
            *to++ = escape ? meant[escape - escapes] : *at;
            after = at + (escape ? 2 : 1);
        }
        at = after;
    }
    *to = 0;
    *out = copy;
    return STATUS_OK;
}
