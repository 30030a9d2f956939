/* The rows of one clip: from ClipStats to the tables of the index, column by column as index_schema.c says. */
#ifndef KANE_FORMATS_INDEX_ROWS_H
#define KANE_FORMATS_INDEX_ROWS_H

#include <sqlite3.h>

#include "analysis/base/status.h"
#include "analysis/stats/clip_stats.h"
#include "formats/index/index_schema.h"

typedef struct IndexRows {
    const IndexSchema *schema;         /* not owned */
    sqlite3_stmt *insert[TABLE_COUNT]; /* prepared once */
} IndexRows;

/* schema must live as long as the rows. */
Status index_rows_prepare(IndexRows *rows, const IndexSchema *schema, sqlite3 *db, Error *err);
void index_rows_finalize(IndexRows *rows);

/* Inserts clip *id, or, where that is 0, one whose id no clip has had, and says which; neither it nor its path may be
 * there. */
Status index_rows_insert(IndexRows *rows, sqlite3_int64 *id, const char *path, const ClipStats *stats, Error *err);

/* Inserts a warning of clip id, with a number that none of its others has. */
Status index_rows_insert_warning(IndexRows *rows, sqlite3_int64 id, int number, const char *kind, const char *message,
                                 Error *err);

/* Inserts a tag of clip id, of a name that none of its others has. */
Status index_rows_insert_tag(IndexRows *rows, sqlite3_int64 id, const TagRow *tag, Error *err);

/* Inserts a decision of a skeleton, which may not be there. */
Status index_rows_insert_family(IndexRows *rows, const FamilyRow *family, Error *err);

/* Inserts a failure; its path may not be there. */
Status index_rows_insert_failure(IndexRows *rows, const FailureRow *failure, Error *err);

#endif
