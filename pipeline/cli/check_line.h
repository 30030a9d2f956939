/* A finding of a file of any kind: as text, as JSON, or as a line of the repair log. */
#ifndef KANE_CLI_CHECK_LINE_H
#define KANE_CLI_CHECK_LINE_H

#include <stdio.h>

#include "formats/source/source.h"
#include "formats/source/source_table.h"

/* A finding of a file of any kind. */
typedef struct CheckLine {
    const FindingInfo *info;
    FileLocation at;
    const char *repair; /* description of the repair of this kind; NULL: none */
    int repaired;         /* 1: repaired */
    const char *text;
} CheckLine;

typedef enum Severity {
    SEVERITY_NOTE,    /* does not affect results */
    SEVERITY_WARNING,
    SEVERITY_ERROR    /* import rejects the file */
} Severity;

extern const char *const severity_names[]; /* by Severity, terminated by NULL */

/* Prints "path:line:column: text"; with explain also the meaning of the kind and its repair. */
void check_line_print(FILE *stream, const char *path, const CheckLine *line, int explain);

/* Prints one JSON object on one line. */
void check_line_print_json(FILE *stream, const char *path, const CheckLine *line);

/* Writes a line of the repair log: the finding and whether it was repaired. */
void check_line_log(FILE *stream, const char *path, const CheckLine *line);

Severity check_line_severity(const FindingInfo *info);

/* Returns the line of a finding from a reader or take_inspect. */
CheckLine check_line(const SourceFormat *format, const Finding *f);

#endif
