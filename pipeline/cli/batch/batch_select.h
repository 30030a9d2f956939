/* Selection of files and outputs: --include, --exclude, --files-from, --dry-run, --redo, --prune, --store, --no-trace,
 * --summary. */
#ifndef KANE_CLI_BATCH_BATCH_SELECT_H
#define KANE_CLI_BATCH_BATCH_SELECT_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "pipeline/cli/found_files.h"
#include "pipeline/stages/option.h"

/* What of a clip to store; STORE_INDEX writes no clip file. */
typedef enum BatchStore { STORE_LEAN = 0, STORE_FULL, STORE_DYNAMICS, STORE_INDEX } BatchStore;

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

#endif
