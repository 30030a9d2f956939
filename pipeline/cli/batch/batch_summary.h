/* Summary of a batch as JSON, for the calling program. */
#ifndef KANE_CLI_BATCH_BATCH_SUMMARY_H
#define KANE_CLI_BATCH_BATCH_SUMMARY_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "formats/base/json.h"
#include "pipeline/cli/batch/batch_remarks.h"
#include "pipeline/cli/batch/batch_worker.h"
#include "pipeline/cli/output_file.h"

typedef struct BatchCounts {
    size_t done, unchanged, failed;
    long long frames;
    double seconds;
    long long index, free; /* bytes: of the index, free on its file system; -1: unknown */
    const BatchRemarks *remarks;
} BatchCounts;

typedef struct SlowClip {
    const char *source, *clip; /* not owned */
    double seconds;
    int frames;
} SlowClip;

enum { SLOWEST = 5 };

/* Initialise with {0}. */
typedef struct BatchSummary {
    size_t lost, pruned; /* clips and failures dropped from the index, clip files removed: their source is gone */
    long long stale;     /* clips in the index whose source can no longer be read */
    long long written;   /* bytes of clip files */
    int slow_count;
    SlowClip slow[SLOWEST]; /* [slow_count] in descending order */
    Json failures; /* elements so far, written to text */
    char *text;
    size_t size;
    char *last;    /* summary of the previous call, owned; NULL: none */
} BatchSummary;

/* Adds a failed job. */
void batch_summary_fail(BatchSummary *s, const BatchJob *job, const char *stage, const Error *cause);

/* Adds a completed clip. Texts of the job are used until batch_summary_write. */
void batch_summary_add(BatchSummary *s, const BatchJob *job, const BatchReply *reply);

/* Writes the summary (docs/formats/exports.md); warnings of clips are in the index. */
Status batch_summary_write(BatchSummary *s, const BatchCounts *c, const OutputCall *call, const char *path, Error *err);

/* Checks, before any work, that an existing file may be replaced by the summary. */
Status batch_summary_check(const OutputCall *call, const char *path, Error *err);

void batch_summary_free(BatchSummary *s);

#endif
