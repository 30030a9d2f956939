/* What a batch has done, as JSON for the program that started it. */
#ifndef KANE_PIPELINE_BATCH_SUMMARY_H
#define KANE_PIPELINE_BATCH_SUMMARY_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "pipeline/cli/batch/batch_remarks.h"
#include "pipeline/cli/output_file.h"

typedef struct BatchCounts {
    size_t done, unchanged, failed;
    long long frames;
    double seconds;
    const BatchRemarks *remarks;
} BatchCounts;

/* {0} is empty. */
typedef struct BatchSummary {
    FILE *failures; /* rows so far, into text */
    char *text;
    size_t size;
} BatchSummary;

void batch_summary_fail(BatchSummary *summary, const char *input, const char *stage, const Error *cause);

/* Writes {"done", "with_warnings", "unchanged", "failed", "frames", "seconds", "warnings": {KIND: clips}, "unsure",
 * "unsure_decisions": {DECISION: clips}, "failures": [{"source", "stage", "message", "line"}]}; the
 * index has what each clip is warned of. */
Status batch_summary_write(BatchSummary *summary, const BatchCounts *counts, const OutputCall *call, const char *path,
                           Error *err);

/* Whether it may be written where something is in the way, before any work is done for it. */
Status batch_summary_check(const OutputCall *call, const char *path, Error *err);

void batch_summary_free(BatchSummary *summary);

#endif
