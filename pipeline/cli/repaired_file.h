/* What check prints of a file, and what its --repair writes: FILE.bvh mended, and FILE.bvh.log with what was done. */
#ifndef KANE_CLI_REPAIRED_FILE_H
#define KANE_CLI_REPAIRED_FILE_H

#include <stdio.h>

#include "analysis/detect/import_guess.h"
#include "formats/source/source.h"
#include "pipeline/cli/output.h"

/* What kane check finds in a file: as lines for a person, as objects for a script, as lines of a repair's log. */

/* A finding of a file of any kind. */
typedef struct CheckLine {
    const FindingInfo *info;
    FilePlace at;
    const char *repair; /* what --repair does about the kind; NULL: nothing */
    int mended;         /* 1: it did */
    const char *text;
} CheckLine;

/* What is printed of a finding that a reader of motion, or take_inspect, made. */
CheckLine check_line_of(const SourceFormat *format, const Finding *finding);

typedef enum Severity {
    SEVERITY_NOTE,    /* nothing that kane computes feels it */
    SEVERITY_WARNING,
    SEVERITY_ERROR    /* import refuses the file */
} Severity;

extern const char *const severity_names[]; /* in the order of Severity, ends with NULL */

Severity check_line_severity(const FindingInfo *info);

/* "path:line:column: text", with explain followed by what it means and what a repair does. */
void check_line_print(FILE *stream, const char *path, const CheckLine *line, int explain);

/* One JSON object in one line. */
void check_line_print_json(FILE *stream, const char *path, const CheckLine *line);

/* A line of the repair log: the finding and what was done about it. */
void check_line_log(FILE *stream, const char *path, const CheckLine *line);

/* A take that was read with def.tolerant and inspected. */
typedef struct RepairedTake {
    const SourceFormat *format; /* which has a repair */
    Take *take;
} RepairedTake;

/* Mends the take by the repair of its format and writes both. target: a file, or a folder (made where it ends in
 * "/") in which the source's name is kept; err names the file. */
Status repaired_file_write(const OutputCall *call, const ImportGuessDef *def, RepairedTake *repaired,
                           const char *source, const char *target, Error *err);

/* STATUS_USAGE where a file cannot be called so; asked before any is read. */
Status repaired_file_check(const char *target, Error *err);

#endif
