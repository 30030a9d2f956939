/* What a batch prints at its end: warnings, decisions that are unsure, and failures, grouped by kind. */
#ifndef KANE_CLI_BATCH_BATCH_REMARKS_H
#define KANE_CLI_BATCH_BATCH_REMARKS_H

#include <stddef.h>

#include "analysis/stats/clip_stats.h"

/* Lines that are shown of a kind. */
enum { REMARKS_SHOWN = 10 };

/* In the order in which they are printed. */
typedef enum RemarkSort { REMARK_WARNING, REMARK_UNSURE, REMARK_FAILURE } RemarkSort;

typedef struct RemarkKind {
    char name[48]; /* kind of warning, decision, or stage that failed */
    RemarkSort sort;
    size_t clips, shown, last; /* last: of the clip that it was last met in */
    char *line[REMARKS_SHOWN]; /* [shown] owned */
} RemarkKind;

/* (BatchRemarks){0} is empty. */
typedef struct BatchRemarks {
    size_t seen, warned, unsure; /* clips; those with warnings; those with an unsure decision */
    size_t unsure_of[DECISION_COUNT]; /* clips */
    int count;
    RemarkKind *kind; /* [count] owned */
} BatchRemarks;

/* Takes what is odd of the clip of a source. */
Status batch_remarks_add(BatchRemarks *remarks, const char *source, const ClipStats *stats, Error *err);

/* Takes a failure of a stage: "12:3: words" or words. */
Status batch_remarks_fail(BatchRemarks *remarks, const char *source, const char *stage, const char *words, Error *err);

/* Prints a line per kind, then its first clips by path. */
void batch_remarks_tell(const BatchRemarks *remarks);

void batch_remarks_free(BatchRemarks *remarks);

/* How far a batch has come: a bar with rate and time left on a terminal, a plain line now and then elsewhere. */

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

/* The remarks, then one last line. stopped: what ended the batch early ("SIGINT"); NULL: nothing. */
void batch_progress_finish(BatchProgress *p, size_t unchanged, const BatchRemarks *remarks, const char *stopped);

#endif
