/* kane batch --clips TABLE: options and tags of single clips.
 *
 * A row is for the clips that its glob is like, below the folder or by their names. A column that is named as an
 * option of `kane run` ("body-mass") sets it; any other is a tag of the index ("actor"). Empty cells say nothing; of
 * several rows the last one that says something holds. */
#ifndef KANE_PIPELINE_BATCH_CLIPS_H
#define KANE_PIPELINE_BATCH_CLIPS_H

#include "formats/base/table.h"
#include "formats/index/index_tags.h"
#include "pipeline/stages/stage_chain.h"

/* What a column of the table does. */
typedef struct ClipColumn {
    const Option *option; /* NULL: a tag, or the column of globs */
    size_t place;         /* of the option's value, bytes into a StageChain */
} ClipColumn;

/* {0}: no table, which says nothing. */
typedef struct BatchClips {
    Table table;
    int glob, has_tags;  /* glob: its column */
    ClipColumn *column;  /* [column] owned */
    int *literal;        /* [literal_count] rows whose glob is a name, in its order; owned */
    int *pattern;        /* [pattern_count] the others; owned */
    int literal_count, pattern_count;
} BatchClips;

/* STATUS_USAGE for a column that is neither, STATUS_BAD_INPUT for a cell that its option does not take, each with its
 * place. base: the chain as the command line leaves it. */
Status batch_clips_read(const char *path, const StageChain *base, BatchClips *out, Error *err);
void batch_clips_free(BatchClips *clips);

/* The rows for the container "takes/walk.bvh.h5", in their order, into rows[table.row_count]; how many. */
int batch_clips_rows(const BatchClips *clips, const char *output, int *rows);

/* Sets what these rows say. */
Status batch_clips_apply(const BatchClips *clips, const int *rows, int count, StageChain *chain, Error *err);

/* Their tags into tags[table.column_count]; how many. Texts belong to the table. */
int batch_clips_tags(const BatchClips *clips, const int *rows, int count, IndexTag *tags);

#endif
