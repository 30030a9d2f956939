/* The request for each clip of a batch: the pipeline of the command line with changes from the table of clips. */
#ifndef KANE_CLI_BATCH_BATCH_REQUEST_H
#define KANE_CLI_BATCH_BATCH_REQUEST_H

#include "analysis/base/status.h"
#include "formats/index/index.h"
#include "formats/index/index_tags.h"
#include "pipeline/cli/batch/batch_clips.h"
#include "pipeline/cli/batch/batch_select.h"
#include "pipeline/cli/batch/batch_targets.h"
#include "pipeline/cli/found_files.h"
#include "pipeline/stages/pipeline.h"

typedef struct BatchRequest {
    Pipeline pipeline; /* of the command line */
    BatchStore store;
    BatchClips clips;
    const BatchTargets *targets; /* not owned */
    const FoundFile *target;     /* of text; NULL: no list of targets */
    char *text;       /* of the latest clip; this and the next are owned */
    int *row;         /* [row_count] rows that match it */
    int *other;       /* [clips.table.row_count] scratch, like the next */
    IndexTag *tag;    /* [clips.table.column_count] */
    int row_count;
} BatchRequest;

/* Reads the table of clips, if any. targets is used until batch_request_free. STATUS_USAGE if a table sets the target
 * beside a list of targets. */
Status batch_request_init(BatchRequest *request, const Pipeline *pipeline, const BatchSelect *select,
                          const BatchTargets *targets, Error *err);
void batch_request_free(BatchRequest *request);

/* Returns the pipeline of a clip. */
Status batch_request_pipeline(BatchRequest *request, const char *output, Pipeline *pipeline, Error *err);

/* Describes every option that affects the bytes of a clip file, and what is stored. Valid until the next call. */
Status batch_request_text(BatchRequest *request, const char *output, const char **text, Error *err);

/* Sets the tags of a clip in the index, if the table has tags. *changed is set to 1 if they differ. */
Status batch_request_tag(BatchRequest *request, Index *index, const char *output, int *changed, Error *err);

/* Counts the rows that match none of these files; *line: the first. */
Status batch_request_unused(BatchRequest *request, const FoundFiles *files, int *unused, int *line, Error *err);

#endif
