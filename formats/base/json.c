/* See json.h. */
#include "formats/base/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/number.h"
#include "formats/base/text.h"

static void put_escaped(FILE *stream, unsigned char c)
{
    switch (c) {
    case '"': fputs("\\\"", stream); break;
    case '\\': fputs("\\\\", stream); break;
    case '\n': fputs("\\n", stream); break;
    case '\t': fputs("\\t", stream); break;
    case '\r': fputs("\\r", stream); break;
    default: fprintf(stream, "\\u%04x", c);
    }
}

void json_put_bytes(FILE *stream, const char *text, size_t size)
{
    putc_unlocked('"', stream);
    for (const unsigned char *c = (const unsigned char *)text, *end = c + size; c < end; c++) {
        int more = *c < 0x80 ? 0 : utf8_length(c, (size_t)(end - c)) - 1;
        if (more < 0)
            fputs("\\ufffd", stream);
        else if (*c < 0x20 || *c == '"' || *c == '\\' || *c == 0x7f)
            put_escaped(stream, *c);
        else
            fwrite_unlocked(c, 1, (size_t)more + 1, stream);
        c += more > 0 ? more : 0;
    }
    putc_unlocked('"', stream);
}

void json_put_text(FILE *stream, const char *text)
{
    json_put_bytes(stream, text, strlen(text));
}

void json_put_number(FILE *stream, double value)
{
    char text[NUMBER_TEXT_SIZE];
    if (isfinite(value))
        fwrite_unlocked(text, 1, (size_t)number_print(value, text), stream);
    else
        fputs("null", stream);
}

/* Writes the separator before a member or an element. */
static void begin(Json *json)
{
    int is_first = !(json->begun >> json->depth & 1);
    if (json->has_key) {
        json->has_key = 0;
        return;
    }
    if (!is_first && json->depth > 0)
        putc(',', json->stream);
    if (json->line)
        fprintf(json->stream, "\n%s", json->line);
    else if (!is_first && json->is_spaced && json->depth > 0)
        putc(' ', json->stream);
    json->begun |= UINT64_C(1) << json->depth;
    json->line = NULL;
}

void json_open(Json *json, char bracket)
{
    begin(json);
    putc(bracket, json->stream);
    json->depth++;
    json->begun &= ~(UINT64_C(1) << json->depth);
}

void json_close(Json *json, char bracket)
{
    if (json->line)
        fprintf(json->stream, "\n%s", json->line);
    putc(bracket, json->stream);
    json->depth--;
    json->line = NULL;
}

void json_key(Json *json, const char *key)
{
    begin(json);
    json_put_text(json->stream, key);
    fputs(json->is_spaced ? ": " : ":", json->stream);
    json->has_key = 1;
}

void json_text(Json *json, const char *text)
{
    begin(json);
    if (text)
        json_put_text(json->stream, text);
    else
        fputs("null", json->stream);
}

void json_number(Json *json, double value)
{
    begin(json);
    json_put_number(json->stream, value);
}

void json_integer(Json *json, long long value)
{
    begin(json);
    fprintf(json->stream, "%lld", value);
}

void json_vector(Json *json, Vec3 v)
{
    json_open(json, '[');
    json_number(json, v.x);
    json_number(json, v.y);
    json_number(json, v.z);
    json_close(json, ']');
}

void json_print(Json *json, const char *format, ...)
{
    va_list list;
    begin(json);
    va_start(list, format);
    vfprintf(json->stream, format, list);
    va_end(list);
}

void json_line(Json *json, const char *indent)
{
    json->line = indent;
}

void json_member_open(Json *json, const char *key, char bracket)
{
    json_key(json, key);
    json_open(json, bracket);
}

void json_member_text(Json *json, const char *key, const char *text)
{
    json_key(json, key);
    json_text(json, text);
}

void json_member_number(Json *json, const char *key, double value)
{
    json_key(json, key);
    json_number(json, value);
}

void json_member_integer(Json *json, const char *key, long long value)
{
    json_key(json, key);
    json_integer(json, value);
}

void json_member_vector(Json *json, const char *key, Vec3 v)
{
    json_key(json, key);
    json_vector(json, v);
}
