/* What check --repair writes: FILE.bvh mended, and FILE.bvh.log with what was done to it. */
#ifndef KANE_CLI_REPAIRED_FILE_H
#define KANE_CLI_REPAIRED_FILE_H

#include <stdio.h>

#include "analysis/detect/import_guess.h"
#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_findings.h"
#include "pipeline/cli/output.h"

/* What kane check finds in a file: as lines for a person, as objects for a script, as lines of a repair's log. */

/* A finding of a file of either kind. */
typedef struct Finding {
    const BvhFaultInfo *info;
    int line, column; /* 1-based, 0: not known */
    int mended;       /* 1: --repair did what info says */
    const char *text;
} Finding;

typedef enum Severity {
    SEVERITY_NOTE,    /* nothing that kane computes feels it */
    SEVERITY_WARNING,
    SEVERITY_ERROR    /* import refuses the file */
} Severity;

extern const char *const severity_names[]; /* in the order of Severity, ends with NULL */

Severity finding_severity(const BvhFaultInfo *info);

/* "path:line:column: text", with explain followed by what it means and what a repair does. */
void finding_print(FILE *stream, const char *path, const Finding *finding, int explain);

/* One JSON object in one line. */
void finding_print_json(FILE *stream, const char *path, const Finding *finding);

/* A line of the repair log: the finding and what was done about it. */
void finding_log(FILE *stream, const char *path, const Finding *finding);

/* Mends the BVH by bvh_repair and writes both. target: a file, or a folder (made where it ends in "/") in which the
 * source's name is kept; err names the file. */
Status repaired_file_write(const OutputCall *call, const ImportGuessDef *def, Bvh *bvh, const char *source,
                           const char *target, Error *err);

/* STATUS_USAGE where a file cannot be called so; asked before any is read. */
Status repaired_file_check(const char *target, Error *err);

#endif
