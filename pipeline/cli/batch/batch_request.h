/* What is asked for of each clip of a batch: the chain of the command line, changed by the table of clips. */
#ifndef KANE_CLI_BATCH_BATCH_REQUEST_H
#define KANE_CLI_BATCH_BATCH_REQUEST_H

#include "formats/base/table.h"
#include "formats/index/index.h"
#include "pipeline/cli/input.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"

/* Which files a batch takes, and what it does with what it finds: --include, --exclude, --files-from, --dry-run,
 * --redo, --prune, --store, --no-trace, --summary. */

/* Which groups of a container are kept; of index there is no container. */
typedef enum BatchStore { STORE_FULL = 0, STORE_DYNAMICS, STORE_INDEX } BatchStore;

typedef struct BatchSelect {
    const char *include, *exclude; /* patterns with commas between them; NULL: everything, nothing */
    const char *files_from;        /* a list of files, "-": standard input; NULL: none */
    int dry_run, redo, prune, no_trace;
    BatchStore store;
    const char *clips;             /* table of options and tags; NULL: none */
    const char *summary;           /* file; NULL: none */
} BatchSelect;

extern const Option batch_select_options[];

/* Adds the files of --files-from, a line each. */
Status batch_select_add(const BatchSelect *select, FoundFiles *files, Error *err);

/* Leaves those that --include and --exclude leave, by their relative names; passes over "._NAME", which macOS writes
 * beside NAME, and states how many. */
void batch_select_keep(const BatchSelect *select, FoundFiles *files, size_t *passed_over);

/* "full". Valid for the life of the program. */
const char *batch_store_name(BatchStore store);

/* Whether a relative path, or its last part, is like one of the patterns, which have commas between them. */
int batch_select_is_like(const char *patterns, const char *relative);

/* kane batch --clips TABLE: options and tags of single clips.
 *
 * A row is for the clips that its glob is like, below the folder or by their names. A column that is named as an
 * option of `kane run` ("body-mass") sets it; "tag:actor" is a tag of the index. Empty cells are ignored; of
 * several rows the last non-empty one wins. */

/* What a column of the table does. */
typedef struct ClipColumn {
    const Option *option; /* NULL: a tag, or the column of globs */
    const char *tag;      /* its name; belongs to the table */
    size_t place;         /* of the option's value, bytes into a Pipeline */
} ClipColumn;

/* {0}: no table. */
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
Status batch_clips_read(const char *path, const Pipeline *base, BatchClips *out, Error *err);
void batch_clips_free(BatchClips *clips);

/* The rows for the container "takes/walk.bvh.h5", in their order, into rows[table.row_count]; how many. */
int batch_clips_rows(const BatchClips *clips, const char *output, int *rows);

/* Sets what these rows state. */
Status batch_clips_apply(const BatchClips *clips, const int *rows, int count, Pipeline *chain, Error *err);

/* Their tags into tags[table.column_count]; how many. Texts belong to the table. */
int batch_clips_tags(const BatchClips *clips, const int *rows, int count, IndexTag *tags);

typedef struct BatchRequest {
    Pipeline chain; /* of the command line */
    BatchStore store;
    BatchClips clips;
    char *text;       /* of the clip that was asked for last; this and the next are owned */
    int *row;         /* [row_count] rows of the table for it */
    int *other;       /* [clips.table.row_count] scratch, as is the next */
    IndexTag *tag;    /* [clips.table.column_count] */
    int row_count;
} BatchRequest;

/* Reads the table of clips; table NULL: there is none. */
Status batch_request_init(BatchRequest *request, const Pipeline *chain, const BatchSelect *select, Error *err);
void batch_request_free(BatchRequest *request);

/* The chain of a clip. */
Status batch_request_chain(BatchRequest *request, const char *output, Pipeline *chain, Error *err);

/* Every option that affects a clip's bytes, and what is kept of it, as text. Valid until the next call. */
Status batch_request_text(BatchRequest *request, const char *output, const char **text, Error *err);

/* Gives a clip of the index its tags, where there is a table with tags. *changed is set to 1 where that is news. */
Status batch_request_tag(BatchRequest *request, Index *index, const char *output, int *changed, Error *err);

/* How many rows of the table are for none of these files, and the line of the first. */
Status batch_request_unused(BatchRequest *request, const FoundFiles *files, int *unused, int *line, Error *err);

#endif
