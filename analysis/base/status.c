/* See status.h. */
#include "analysis/base/status.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static const struct {
    const char *name;
    int exit_code;
} status_table[] = {
    {"ok", 0},
    {"bad input", 1},
    {"input/output error", 1},
    {"limit exceeded", 1},
    {"out of memory", 1},
    {"no result", 1},
    {"wrong usage", 2},
    {"internal error", 3},
};
_Static_assert(sizeof status_table / sizeof *status_table == STATUS_COUNT, "a row for every Status, in its order");

const char *status_name(Status status)
{
    return (unsigned)status < STATUS_COUNT ? status_table[status].name : "unknown status";
}

int status_exit_code(Status status)
{
    return (unsigned)status < STATUS_COUNT ? status_table[status].exit_code : 3;
}

static Status fill(Error *err, Status status, int line, int column, const char *format, va_list args)
{
    if (err) {
        err->status = status;
        err->line = line;
        err->column = column;
        vsnprintf(err->text, sizeof err->text, format, args);
    }
    return status;
}

Status error_set(Error *err, Status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(err, status, 0, 0, format, args);
    va_end(args);
    return status;
}

Status error_set_at(Error *err, Status status, int line, int column, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(err, status, line, column, format, args);
    va_end(args);
    return status;
}

void error_location(const char *path, int line, int column, char *text, size_t size)
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

Status error_of_file(Error *err, const char *path, Status status)
{
    char location[4400], text[ERROR_TEXT_SIZE];
    if (!status || !err)
        return status;
    snprintf(text, sizeof text, "%s", err->text);
    error_location(path, err->line, err->column, location, sizeof location);
    return error_set(err, status, "%s%s", location, text);
}
