/* The handle of an index, shared by the files that work on it. */
#ifndef KANE_FORMATS_INDEX_HANDLE_H
#define KANE_FORMATS_INDEX_HANDLE_H

#include <sqlite3.h>

#include "analysis/base/status.h"
#include "formats/index/batch_stamps.h"
#include "formats/index/index_file.h"
#include "formats/index/index_rows.h"
#include "formats/index/index_schema.h"

typedef struct Index Index;

struct Index {
    char *path; /* owned */
    IndexSchema schema;
    IndexFile file;
    IndexRows rows;
    BatchStamps stamps;
    sqlite3_stmt *delete_clip;    /* by id; cascades take its other rows */
    sqlite3_stmt *add_text;       /* of a clip, by id, for the text search */
    sqlite3_stmt *drop_text;      /* before the clip goes */
    sqlite3_stmt *delete_failure; /* by path */
    sqlite3_stmt *find_clip;      /* id by path */
    int (*is_asked_to_stop)(void);
    char **outdated;              /* [outdated_count] owned: paths of clips in the file that is replaced */
    size_t outdated_count;
};

/* The statements, of a schema and a file that are open; finalize also where preparing failed. */
Status index_handle_prepare(Index *index, Error *err);
void index_handle_finalize(Index *index);

/* Without a clip, its tags say nothing. */
Status index_tags_drop(Index *index, sqlite3_int64 id, Error *err);

/* Clips that are here get the tags that they have in the index that is replaced: no container holds them. A failure
 * where those cannot be read, so that the old file stays. */
Status index_tags_keep(Index *index, Error *err);

/* STATUS_OK with *id 0 where there is no clip of that path. */
Status index_find_clip(Index *index, const char *path, sqlite3_int64 *id, Error *err);

#endif
