/* Progress of a batch: on a terminal a bar with rate and remaining time, otherwise an occasional line. */
#ifndef KANE_CLI_BATCH_BATCH_PROGRESS_H
#define KANE_CLI_BATCH_BATCH_PROGRESS_H

#include <stddef.h>

#include "pipeline/cli/batch/batch_remarks.h"

typedef struct BatchProgress {
    size_t total, done, failed; /* jobs; failed ones count as done */
    long long frames;
    double start, shown; /* s of a monotonic clock */
    int terminal;        /* 1: standard error is a terminal */
} BatchProgress;

/* Seconds of a monotonic clock. */
double batch_clock(void);

void batch_progress_start(BatchProgress *p, size_t total);

/* Shows the progress if it is due. within: progress of a long clip ("walk.bvh: contact 40 %"), or "". */
void batch_progress_show(BatchProgress *p, const char *within);

/* Clears the bar for a message. */
void batch_progress_clear(BatchProgress *p);

/* Prints the remarks and a summary line. stopped: what ended the batch early ("SIGINT"); NULL: nothing. */
void batch_progress_finish(BatchProgress *p, size_t unchanged, const BatchRemarks *remarks, const char *stopped);

#endif
