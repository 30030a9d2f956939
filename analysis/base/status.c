#include "analysis/base/status.h"

#include <stdarg.h>
#include <stdio.h>

static const struct {
    const char *name;
    int exit_code;
} status_table[STATUS_COUNT] = {
    [STATUS_OK] = {"ok", 0},
    [STATUS_BAD_INPUT] = {"bad input", 1},
    [STATUS_IO] = {"input/output error", 1},
    [STATUS_LIMIT] = {"limit exceeded", 1},
    [STATUS_NO_MEMORY] = {"out of memory", 1},
    [STATUS_NO_RESULT] = {"no result", 1},
    [STATUS_USAGE] = {"wrong usage", 2},
    [STATUS_INTERNAL] = {"internal error", 3},
};

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
