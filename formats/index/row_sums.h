/* Sums of the row hashes of a clip (index_rows.h), read from an index. */
#ifndef KANE_INDEX_ROW_SUMS_H
#define KANE_INDEX_ROW_SUMS_H

#include <sqlite3.h>
#include <stdint.h>

#include "analysis/base/status.h"
#include "formats/index/index_schema.h"

typedef struct RowSums {
    const IndexSchema *schema;        /* not owned */
    sqlite3_stmt *read[TABLE_COUNT];  /* by clip ID; NULL until needed, and for tables without clips */
} RowSums;

/* Sums the hashes of a clip's rows in a table. */
Status row_sums_add_clip(RowSums *sums, sqlite3 *db, IndexTable table, sqlite3_int64 id, uint64_t *sum, Error *err);
void row_sums_finalize(RowSums *sums);

/* Returns the hash of the current row of a statement from index_schema_prepare_select. */
uint64_t index_hash_row(const IndexSchema *schema, IndexTable table, sqlite3_stmt *row);

#endif
