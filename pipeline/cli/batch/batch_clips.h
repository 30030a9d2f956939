/* kane batch --clips TABLE: options and tags per clip.
 *
 * A row applies to clips whose relative path or file name matches its glob. A column named like an option of `kane run`
 * ("body-mass") sets it; "tag:actor" sets a tag in the index. Empty cells are ignored; if several rows match, the last
 * non-empty cell wins. */
#ifndef KANE_CLI_BATCH_BATCH_CLIPS_H
#define KANE_CLI_BATCH_BATCH_CLIPS_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "formats/base/table.h"
#include "formats/index/index.h"
#include "formats/index/index_tags.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/pipeline.h"

/* Meaning of a column. */
typedef struct ClipColumn {
    const Option *option; /* NULL: a tag or the glob */
    const char *tag;      /* its name, owned by the table */
    size_t place;         /* of the option's value: byte offset into a Pipeline */
} ClipColumn;

/* {0}: no table. */
typedef struct BatchClips {
    Table table;
    int glob, has_tags;  /* glob: index of its column */
    ClipColumn *column;  /* [column] owned */
    int *literal;        /* [literal_count] rows whose glob is a name, sorted by it; owned */
    int *pattern;        /* [pattern_count] the others; owned */
    int literal_count, pattern_count;
} BatchClips;

/* STATUS_USAGE for an unknown column, STATUS_BAD_INPUT for an invalid cell, each with its position. base: pipeline of
 * the command line. */
Status batch_clips_read(const char *path, const Pipeline *base, BatchClips *out, Error *err);
void batch_clips_free(BatchClips *clips);

/* Writes the rows that match the clip file "hero/takes/walk.bvh.h5", or clip, its path without the folder of a target,
 * in table order, to rows[table.row_count]; returns their count. clip is output if there is no such folder. */
int batch_clips_rows(const BatchClips *clips, const char *output, const char *clip, int *rows);

/* Sets the options of these rows. */
Status batch_clips_apply(const BatchClips *clips, const int *rows, int count, Pipeline *pipeline, Error *err);

/* Writes the tags of these rows to tags[table.column_count]; returns their count. Texts belong to the table. */
int batch_clips_tags(const BatchClips *clips, const int *rows, int count, IndexTag *tags);

#endif
