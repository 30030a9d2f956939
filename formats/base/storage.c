/* See storage.h. */
#include "formats/base/storage.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char end_of_header[] = "endheader";

/* Returns the end of the line at `at`: its '\n', or end. */
static const char *line_end(const char *at, const char *end)
{
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    return stop ? stop : end;
}

static int begins_with(const char *at, const char *stop, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(stop - at) >= length && strncasecmp(at, word, length) == 0;
}

/* Returns the first byte after the header; NULL if it does not end. in_degrees NULL: not needed. */
static const char *skip_header(const char *at, const char *end, int *in_degrees)
{
    static const char degrees[] = "indegrees=";
    while (at < end) {
        const char *stop = line_end(at, end), *after = stop < end ? stop + 1 : end;
        while (at < stop && (*at == ' ' || *at == '\t'))
            at++;
        if (begins_with(at, stop, end_of_header))
            return after;
        if (in_degrees && begins_with(at, stop, degrees))
            *in_degrees = begins_with(at + sizeof degrees - 1, stop, "yes");
        at = after;
    }
    return NULL;
}

int storage_begins(const char *front, size_t size)
{
    return !memchr(front, 0, size) && skip_header(front, front + size, NULL) != NULL;
}

/* The line, from 1, of the row of names of a table whose header does not end: the first that begins with "time". */
static int line_of_names(const char *at, const char *end)
{
    for (int line = 1; at < end; line++) {
        const char *stop = line_end(at, end);
        while (at < stop && (*at == ' ' || *at == '\t'))
            at++;
        if (begins_with(at, stop, "time") && stop > at + 4 && (at[4] == '\t' || at[4] == ' '))
            return line;
        at = stop + 1;
    }
    return 0;
}

static Status endless_header(const char *text, const char *end, Error *err)
{
    int line = line_of_names(text, end);
    return error_set_at(err, STATUS_BAD_INPUT, line, 0, "the header does not end: expected a line \"%s\"%s",
                        end_of_header, line ? " before the names of the columns" : "");
}

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Leaves one tab between cells, so that the line is a row of a table, and each cell in its column. */
static void separate(char *at, char *stop)
{
    int has_tabs = memchr(at, '\t', (size_t)(stop - at)) != NULL;
    while (stop > at && is_blank(stop[-1]))
        *--stop = ' ';
    while (at < stop && is_blank(*at))
        *at++ = ' ';
    for (; at < stop; at++) {
        char *first = at;
        int separates = 0;
        while (at < stop && is_blank(*at)) {
            separates |= !has_tabs || *at == '\t';
            *at++ = ' ';
        }
        if (separates)
            *first = '\t';
    }
}

static void blank_out(char *at, const char *stop)
{
    for (; at < stop; at++)
        if (*at != '\n')
            *at = ' ';
}

static Status make_table(char *text, size_t size, Storage *out, Error *err)
{
    char *end = text + size;
    const char *rows = skip_header(text, end, &out->in_degrees);
    if (!rows)
        return endless_header(text, end, err);
    blank_out(text, rows);
    for (char *at = text + (rows - text); at < end;) {
        char *stop = at + (line_end(at, end) - at);
        separate(at, stop);
        at = stop + 1;
    }
    Status status = table_parse(text, size, &out->table, err);
    if (!status && strcasecmp(out->table.header[0], "time") != 0)
        status = error_set(err, STATUS_BAD_INPUT, "the first column is \"%.40s\", expected \"time\"",
                           out->table.header[0]);
    return status;
}

Status storage_parse(const char *text, size_t size, Storage *out, Error *err)
{
    *out = (Storage){.in_degrees = 0};
    char *copy = malloc(size + 1);
    if (!copy)
        return error_no_memory(err);
    memcpy(copy, text, size);
    Status status = make_table(copy, size, out, err);
    free(copy);
    if (status)
        storage_free(out);
    return status;
}

void storage_free(Storage *s)
{
    table_free(&s->table);
    *s = (Storage){.in_degrees = 0};
}
