/* Final report of a batch: warnings, uncertain detections and failures by kind. */
#ifndef KANE_CLI_BATCH_BATCH_REMARKS_H
#define KANE_CLI_BATCH_BATCH_REMARKS_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/stats/clip_stats.h"

/* Lines shown per kind. */
enum { REMARKS_SHOWN = 10 };

/* In print order. */
typedef enum RemarkSort { REMARK_WARNING, REMARK_UNSURE, REMARK_FAILURE } RemarkSort;

typedef struct RemarkKind {
    char name[48]; /* kind of warning, detection, or failed stage */
    RemarkSort sort;
    size_t clips, shown, last; /* last: number of the latest clip with it */
    char *line[REMARKS_SHOWN]; /* [shown] owned */
} RemarkKind;

/* Initialise with (BatchRemarks){0}. */
typedef struct BatchRemarks {
    size_t seen, warned, unsure; /* clips; with warnings; with an uncertain detection */
    size_t unsure_of[DECISION_COUNT]; /* clips per detection */
    int count;
    RemarkKind *kind; /* [count] owned */
} BatchRemarks;

/* Adds warnings and uncertain detections of a clip. */
Status batch_remarks_add(BatchRemarks *remarks, const char *source, const ClipStats *stats, Error *err);

/* Adds the failure of a stage, "12:3: message" or a message. */
Status batch_remarks_fail(BatchRemarks *remarks, const char *source, const char *stage, const char *words, Error *err);

/* Prints one line per kind, then its first clips by path. */
void batch_remarks_tell(const BatchRemarks *remarks);

void batch_remarks_free(BatchRemarks *remarks);

#endif
