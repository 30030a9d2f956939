/* What is asked for of each clip of a batch: the chain of the command line, changed by the table of clips. */
#ifndef KANE_PIPELINE_BATCH_REQUEST_H
#define KANE_PIPELINE_BATCH_REQUEST_H

#include "pipeline/cli/batch/batch_clips.h"
#include "pipeline/cli/batch/batch_select.h"

typedef struct BatchRequest {
    StageChain chain; /* of the command line */
    BatchStore store;
    BatchClips clips;
    char *text;       /* of the clip that was asked for last; this and the next are owned */
    int *row;         /* [row_count] rows of the table for it */
    int *other;       /* [clips.table.row_count] scratch, as is the next */
    IndexTag *tag;    /* [clips.table.column_count] */
    int row_count;
} BatchRequest;

/* Reads the table of clips; table NULL: there is none. */
Status batch_request_init(BatchRequest *request, const StageChain *chain, const BatchSelect *select, Error *err);
void batch_request_free(BatchRequest *request);

/* The chain of a clip. */
Status batch_request_chain(BatchRequest *request, const char *output, StageChain *chain, Error *err);

/* Every option that bears on a clip's bytes, and what is kept of it, as text. Valid until the next call. */
Status batch_request_text(BatchRequest *request, const char *output, const char **text, Error *err);

/* Gives a clip of the index its tags, where there is a table with tags. *changed is set to 1 where that is news. */
Status batch_request_tag(BatchRequest *request, Index *index, const char *output, int *changed, Error *err);

/* How many rows of the table are for none of these files, and the line of the first. */
Status batch_request_unused(BatchRequest *request, const FoundFiles *files, int *unused, int *line, Error *err);

#endif
