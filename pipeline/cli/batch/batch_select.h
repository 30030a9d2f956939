/* Which files a batch takes, and what it does with what it finds: --include, --exclude, --files-from, --dry-run,
 * --redo, --prune, --store, --summary. */
#ifndef KANE_PIPELINE_BATCH_SELECT_H
#define KANE_PIPELINE_BATCH_SELECT_H

#include "pipeline/cli/paths.h"
#include "pipeline/stages/option.h"

/* Which groups of a container are kept; of index there is no container. */
typedef enum BatchStore { STORE_FULL = 0, STORE_DYNAMICS, STORE_INDEX } BatchStore;

typedef struct BatchSelect {
    const char *include, *exclude; /* patterns with commas between them; NULL: everything, nothing */
    const char *files_from;        /* a list of files, "-": standard input; NULL: none */
    int dry_run, redo, prune;
    BatchStore store;
    const char *clips;             /* table of options and tags; NULL: none */
    const char *summary;           /* file; NULL: none */
} BatchSelect;

extern const Option batch_select_options[];

/* Adds the files of --files-from, a line each. */
Status batch_select_add(const BatchSelect *select, FoundFiles *files, Error *err);

/* Leaves those that --include and --exclude leave, by their relative names; passes over "._NAME", which macOS writes
 * beside NAME, and says how many. */
void batch_select_keep(const BatchSelect *select, FoundFiles *files, size_t *passed_over);

/* "full". Valid for the life of the program. */
const char *batch_store_name(BatchStore store);

/* Whether a relative path, or its last part, is like one of the patterns, which have commas between them. */
int batch_select_is_like(const char *patterns, const char *relative);

#endif
