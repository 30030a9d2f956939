#include "pipeline/cli/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "formats/base/utf8.h"

void message_place(const char *path, int line, int column, char *text, unsigned size)
{
    const char *name = path && !strcmp(path, "-") ? "standard input" : path;
    if (!name)
        text[0] = 0;
    else if (line > 0 && column > 0)
        snprintf(text, size, "%s:%d:%d: ", name, line, column);
    else if (line > 0)
        snprintf(text, size, "%s:%d: ", name, line);
    else
        snprintf(text, size, "%s: ", name);
}

Status message_of_file(Error *err, const char *path, Status status)
{
    char place[4400], text[ERROR_TEXT_SIZE];
    if (status == STATUS_OK)
        return status;
    snprintf(text, sizeof text, "%s", err->text);
    message_place(path, err->line, err->column, place, sizeof place);
    return error_set(err, status, "%s%s", place, text);
}

/* One write a line, so that lines of several processes do not mix. Names of files and texts of containers may hold
 * anything: a line stays a line, and nothing steers the terminal. */
static void say(const char *verb, const char *place, const char *text)
{
    char plain[8192], line[4 * sizeof plain + 2] = ""; /* \xNN for a byte */
    snprintf(plain, sizeof plain, "kane %s: %s%s", verb, place, text);
    FILE *shown = fmemopen(line, sizeof line, "w");
    if (shown) {
        utf8_put_shown(shown, plain, strlen(plain));
        putc('\n', shown);
        fclose(shown);
    }
    fputs(shown ? line : "kane: out of memory\n", stderr);
}

int message_error(const char *verb, const char *path, const Error *err)
{
    char place[4400];
    message_place(path, err->line, err->column, place, sizeof place);
    say(verb, place, *err->text ? err->text : status_name(err->status));
    return status_exit_code(err->status);
}

void message_note(const char *verb, const char *path, const char *format, ...)
{
    char place[4400], text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    message_place(path, 0, 0, place, sizeof place);
    say(verb, place, text);
}

void message_note_at(const char *verb, const char *path, int line, int column, const char *text)
{
    char place[4400];
    message_place(path, line, column, place, sizeof place);
    say(verb, place, text);
}

int message_usage(const char *verb, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    say(verb, "", text);
    return status_exit_code(STATUS_USAGE);
}

int exit_code_worse(int a, int b)
{
    return a > b ? a : b;
}
