/* Inserts the rows of one clip: from ClipStats into the tables of the index, by the columns of index_schema.c. */
#ifndef KANE_INDEX_INDEX_ROWS_H
#define KANE_INDEX_INDEX_ROWS_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/base/status.h"
#include "analysis/stats/clip_stats.h"
#include "formats/index/index_schema.h"

typedef struct IndexRows {
    const IndexSchema *schema;         /* not owned */
    sqlite3_stmt *insert[TABLE_COUNT]; /* prepared once, as is seal */
    sqlite3_stmt *seal;
    int lacks_traces;                  /* 1: no traces are inserted; 0 after index_rows_prepare */
    uint64_t sum;                      /* of the hashes of rows inserted since it was set */
} IndexRows;

/* The checksum of a clip is the sum modulo 2^64 of the hash of its path and the hashes of its rows in all tables,
 * without IDs, paths and path words, so it does not depend on where the clip is stored. The hash of a row is XXH64
 * value by value, each seeded with the previous one, starting with the table's number. This function hashes a value of
 * an SQLite type: SQLITE_INTEGER (8 bytes), ... */
uint64_t index_hash(uint64_t hash, int type, const void *bytes, size_t size);
uint64_t index_hash_path(const char *path);

/* Returns 1 if a column is part of the hash of its row. */
int index_column_is_hashed(const Column *column);

/* Stores the checksum of a clip. */
Status index_rows_seal(IndexRows *rows, sqlite3_int64 id, uint64_t checksum, Error *err);

/* schema must outlive the rows. */
Status index_rows_prepare(IndexRows *rows, const IndexSchema *schema, sqlite3 *db, Error *err);
void index_rows_finalize(IndexRows *rows);

/* Inserts a clip with ID *id, or if that is 0, with a new ID, which is returned. Neither ID nor path may exist. */
Status index_rows_insert(IndexRows *rows, sqlite3_int64 *id, const char *path, const ClipStats *stats, Error *err);

/* Inserts a warning of clip id with a number that is new for the clip. */
Status index_rows_insert_warning(IndexRows *rows, sqlite3_int64 id, int number, const char *kind, const char *message,
                                 Error *err);

/* Inserts a tag of clip id with a name that is new for the clip. */
Status index_rows_insert_tag(IndexRows *rows, sqlite3_int64 id, const TagRow *tag, Error *err);

/* Inserts a detection of a skeleton, which must be new. */
Status index_rows_insert_family(IndexRows *rows, const FamilyRow *family, Error *err);

/* Inserts a failure; its path must be new. */
Status index_rows_insert_failure(IndexRows *rows, const FailureRow *failure, Error *err);

#endif
