/* The rows of one clip: from ClipStats to the tables of the index. */
#ifndef KANE_FORMATS_INDEX_ROWS_H
#define KANE_FORMATS_INDEX_ROWS_H

#include <sqlite3.h>

#include "analysis/base/status.h"
#include "analysis/stats/clip_stats.h"
#include "formats/index/index_schema.h"

typedef struct IndexRows {
    sqlite3_stmt *insert[TABLE_COUNT]; /* prepared once */
} IndexRows;

Status index_rows_prepare(IndexRows *rows, sqlite3 *db, Error *err);
void index_rows_finalize(IndexRows *rows);

/* Inserts clip id; neither it nor its path may be there. */
Status index_rows_insert(IndexRows *rows, sqlite3_int64 id, const char *path, const ClipStats *stats, Error *err);

#endif
