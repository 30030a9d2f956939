/* How far a batch has come: a bar with rate and time left on a terminal, a plain line now and then elsewhere. */
#ifndef KANE_PIPELINE_BATCH_PROGRESS_H
#define KANE_PIPELINE_BATCH_PROGRESS_H

#include <stddef.h>

#include "pipeline/cli/batch/batch_remarks.h"

typedef struct BatchProgress {
    size_t total, done, failed; /* jobs; failed ones count as done */
    long long frames;
    double start, shown; /* s, of a clock that only goes forward */
    int terminal;        /* standard error is one */
} BatchProgress;

/* Seconds of a clock that only goes forward. */
double batch_clock(void);

void batch_progress_start(BatchProgress *p, size_t total);

/* Shows where things stand, if it is time. within: how far a long clip has come ("walk.bvh: contact 40 %"), or "". */
void batch_progress_show(BatchProgress *p, const char *within);

/* Takes the bar off the terminal, so that a message can be printed. */
void batch_progress_clear(BatchProgress *p);

/* One last line. */
void batch_progress_finish(BatchProgress *p, size_t unchanged, const BatchRemarks *remarks);

#endif
