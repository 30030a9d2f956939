/* The request for each clip of a batch: the pipeline of the command line with changes from the table of clips. */
#ifndef KANE_CLI_BATCH_BATCH_REQUEST_H
#define KANE_CLI_BATCH_BATCH_REQUEST_H

#include "formats/base/table.h"
#include "formats/index/index.h"
#include "pipeline/cli/input.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"

/* Selection of files and outputs: --include, --exclude, --files-from, --dry-run, --redo, --prune, --store, --no-trace,
 * --summary. */

/* Groups of a clip to store; STORE_INDEX writes no clip file. */
typedef enum BatchStore { STORE_FULL = 0, STORE_DYNAMICS, STORE_INDEX } BatchStore;

typedef struct BatchSelect {
    const char *include, *exclude; /* comma-separated patterns; NULL: everything, nothing */
    const char *files_from;        /* list of files, "-": standard input; NULL: none */
    int dry_run, redo, prune, no_trace;
    BatchStore store;
    const char *clips;             /* table of options and tags; NULL: none */
    const char *summary;           /* file; NULL: none */
} BatchSelect;

extern const Option batch_select_options[];

/* Adds the files of --files-from, one per line. */
Status batch_select_add(const BatchSelect *select, FoundFiles *files, Error *err);

/* Keeps the files selected by --include and --exclude, by relative name; skips and counts "._NAME", which macOS writes
 * beside NAME. */
void batch_select_keep(const BatchSelect *select, FoundFiles *files, size_t *passed_over);

/* Returns a name such as "full"; static. */
const char *batch_store_name(BatchStore store);

/* Returns whether a relative path, or its last part, matches one of the comma-separated patterns. */
int batch_select_is_like(const char *patterns, const char *relative);

/* kane batch --clips TABLE: options and tags per clip.
 *
 * A row applies to clips whose relative path or file name matches its glob. A column named like an option of `kane run`
 * ("body-mass") sets it; "tag:actor" sets a tag in the index. Empty cells are ignored; if several rows match, the last
 * non-empty cell wins. */

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

/* Writes the rows that match the clip file "takes/walk.bvh.h5", in table order, to rows[table.row_count]; returns their
 * count. */
int batch_clips_rows(const BatchClips *clips, const char *output, int *rows);

/* Sets the options of these rows. */
Status batch_clips_apply(const BatchClips *clips, const int *rows, int count, Pipeline *chain, Error *err);

/* Writes the tags of these rows to tags[table.column_count]; returns their count. Texts belong to the table. */
int batch_clips_tags(const BatchClips *clips, const int *rows, int count, IndexTag *tags);

typedef struct BatchRequest {
    Pipeline chain; /* of the command line */
    BatchStore store;
    BatchClips clips;
    char *text;       /* of the latest clip; this and the next are owned */
    int *row;         /* [row_count] rows that match it */
    int *other;       /* [clips.table.row_count] scratch, like the next */
    IndexTag *tag;    /* [clips.table.column_count] */
    int row_count;
} BatchRequest;

/* Reads the table of clips, if any. */
Status batch_request_init(BatchRequest *request, const Pipeline *chain, const BatchSelect *select, Error *err);
void batch_request_free(BatchRequest *request);

/* Returns the pipeline of a clip. */
Status batch_request_chain(BatchRequest *request, const char *output, Pipeline *chain, Error *err);

/* Describes every option that affects the bytes of a clip file, and what is stored. Valid until the next call. */
Status batch_request_text(BatchRequest *request, const char *output, const char **text, Error *err);

/* Sets the tags of a clip in the index, if the table has tags. *changed is set to 1 if they differ. */
Status batch_request_tag(BatchRequest *request, Index *index, const char *output, int *changed, Error *err);

/* Counts the rows that match none of these files; *line: the first. */
Status batch_request_unused(BatchRequest *request, const FoundFiles *files, int *unused, int *line, Error *err);

#endif
