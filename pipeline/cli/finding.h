/* What kane check finds in a file: as lines for a person, as objects for a script, as lines of a repair's log. */
#ifndef KANE_PIPELINE_FINDING_H
#define KANE_PIPELINE_FINDING_H

#include <stdio.h>

#include "formats/bvh/bvh_findings.h"

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

#endif
