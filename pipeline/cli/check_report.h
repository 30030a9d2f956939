/* Findings of kane check as lines for a person or objects for a script. */
#ifndef KANE_PIPELINE_CHECK_REPORT_H
#define KANE_PIPELINE_CHECK_REPORT_H

#include <stdio.h>

#include "formats/bvh/bvh_findings.h"

/* A finding of a file of either kind. */
typedef struct Finding {
    const BvhFaultInfo *info;
    int line, column; /* 1-based, 0: not known */
    int mended;       /* 1: --repair did what info says */
    const char *text;
} Finding;

/* "path:line:column: text", with explain followed by what it means and what a repair does. */
void finding_print(FILE *stream, const char *path, const Finding *finding, int explain);

/* One JSON object in one line. */
void finding_print_json(FILE *stream, const char *path, const Finding *finding);

/* A line of the repair log: the finding and what was done about it. */
void finding_log(FILE *stream, const char *path, const Finding *finding);

#endif
