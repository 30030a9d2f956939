/* See amc_lines.h. */
#include "formats/amc/amc_lines.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "formats/base/number.h"
#include "formats/base/text.h"

AmcLines amc_lines_new(const char *text, size_t size, const char *file)
{
    size_t mark = size >= 3 && memcmp(text, "\357\273\277", 3) == 0 ? 3 : 0;
    return (AmcLines){.at = text + mark, .end = text + mark, .next = text + mark, .text_end = text + size,
                      .file = file ? base_name(file) : ""};
}

static int is_blank(char c) { return c == 0 || strchr(" \t\v\f", c) != NULL; }

static void skip_blanks(AmcLines *l)
{
    while (l->at < l->end && is_blank(*l->at))
        l->at++;
}

int amc_next_line(AmcLines *l)
{
    while (l->next < l->text_end) {
        l->at = l->end = l->next;
        while (l->end < l->text_end && *l->end != '\n' && *l->end != '\r')
            l->end++;
        l->next = l->end < l->text_end ? l->end + 1 : l->end;
        l->next += l->next < l->text_end && *l->end == '\r' && *l->next == '\n';
        l->line++;
        skip_blanks(l);
        if (l->at < l->end && *l->at != '#')
            return 1;
    }
    l->at = l->end = l->text_end;
    return 0;
}

const char *amc_word(AmcLines *l, size_t *size)
{
    skip_blanks(l);
    const char *word = l->at;
    while (l->at < l->end && !is_blank(*l->at))
        l->at++;
    *size = (size_t)(l->at - word);
    return word;
}

int amc_skip_word(AmcLines *l, const char *word)
{
    AmcLines before = *l;
    size_t size;
    const char *found = amc_word(l, &size);
    if (size == strlen(word) && strncasecmp(found, word, size) == 0)
        return 1;
    *l = before;
    return 0;
}

int amc_is_line_end(AmcLines *l)
{
    skip_blanks(l);
    return l->at == l->end;
}

Status amc_number(AmcLines *l, const char *what, double *value, Error *err)
{
    AmcLines before = *l;
    size_t size;
    const char *word = amc_word(l, &size), *end = size ? number_scan(word, word + size, value) : NULL;
    if (end == word + size && end && fabs(*value) <= AMC_LARGEST)
        return STATUS_OK;
    *l = before;
    return amc_expected(l, what, err);
}

Status amc_name(AmcLines *l, char **name, Error *err)
{
    size_t size;
    const char *word = amc_word(l, &size);
    *name = NULL;
    if (size == 0)
        return amc_expected(l, "a name", err);
    if (size > AMC_NAME_MAX)
        return amc_error(l, err, "name of %zu bytes, at most %d", size, AMC_NAME_MAX);
    const unsigned char *bytes = (const unsigned char *)word;
    for (size_t at = 0, length; at < size; at += length)
        if (!(length = (size_t)utf8_length(bytes + at, size - at)) || bytes[at] < ' ')
            return amc_error(l, err, "a name is not UTF-8 text");
    *name = strndup(word, size);
    return *name ? STATUS_OK : error_no_memory(err);
}

Status amc_error(const AmcLines *l, Error *err, const char *format, ...)
{
    char text[ERROR_TEXT_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!*l->file)
        return error_set_at(err, STATUS_BAD_INPUT, l->line, 0, "%s", text);
    return error_set(err, STATUS_BAD_INPUT, "%.120s:%d: %.380s", l->file, l->line, text);
}

Status amc_expected(AmcLines *l, const char *what, Error *err)
{
    size_t size;
    const char *word = amc_word(l, &size);
    if (size == 0)
        return amc_error(l, err, "expected %s, found the end of the line", what);
    return amc_error(l, err, "expected %s, found \"%.*s\"%s", what, (int)(size < 40 ? size : 40), word,
                     number_hint(word, size));
}
