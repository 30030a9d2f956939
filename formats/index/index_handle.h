/* The handle of an index, shared by the files that implement it. */
#ifndef KANE_INDEX_INDEX_HANDLE_H
#define KANE_INDEX_INDEX_HANDLE_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/base/status.h"
#include "formats/index/batch_stamps.h"
#include "formats/index/index_file.h"
#include "formats/index/index_rows.h"
#include "formats/index/index_schema.h"
#include "formats/index/index_type.h"
#include "formats/index/row_sums.h"

struct Index {
    char *path; /* owned */
    IndexSchema schema;
    IndexFile file;
    IndexRows rows;
    RowSums sums;
    BatchStamps stamps;
    sqlite3_stmt *delete_clip;    /* by ID; cascades delete its other rows */
    sqlite3_stmt *add_text;       /* adds a clip, by ID, to the full-text index */
    sqlite3_stmt *drop_text;      /* removes it, before the clip is deleted */
    sqlite3_stmt *delete_failure; /* by path */
    sqlite3_stmt *find_clip;      /* ID by path */
    sqlite3_stmt *find_failure;   /* by path */
    sqlite3_stmt *find_checksum;  /* by clip ID */
    int (*is_asked_to_stop)(void);
    char **outdated;              /* [outdated_count] owned: paths of clips in the replaced file */
    size_t outdated_count;
};

/* Prepare and finalize the statements; schema and file must be open. Finalize also after a failure of prepare. */
Status index_handle_prepare(Index *index, Error *err);
void index_handle_finalize(Index *index);

/* Returns STATUS_OK with *id 0 if there is no clip of this path. */
Status index_find_clip(Index *index, const char *path, sqlite3_int64 *id, Error *err);

/* Updates the checksum of a clip after rows of a table were added or removed; before: their sum before that. */
Status index_seal_again(Index *index, IndexTable table, sqlite3_int64 id, uint64_t before, Error *err);

#endif
