/* The handle of an index, shared by the files that implement it. */
#ifndef KANE_INDEX_INDEX_INTERNAL_H
#define KANE_INDEX_INDEX_INTERNAL_H

#include <sqlite3.h>
#include <stddef.h>

#include "analysis/base/status.h"
#include "formats/index/batch_stamps.h"
#include "formats/index/index.h"
#include "formats/index/index_file.h"
#include "formats/index/index_rows.h"
#include "formats/index/index_schema.h"

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

/* Deletes the tags of a clip that was removed. */
Status index_tags_drop(Index *index, sqlite3_int64 id, Error *err);

/* Copies the tags of existing clips from the replaced index, because no clip file contains them. Fails if they cannot
 * be read, so that the old file is kept. */
Status index_tags_keep(Index *index, Error *err);

/* Returns STATUS_OK with *id 0 if there is no clip of this path. */
Status index_find_clip(Index *index, const char *path, sqlite3_int64 *id, Error *err);

/* Copies the detections of the replaced index. */
Status index_families_keep(Index *index, Error *err);

#endif
