/* Indexes of version 0.1, and with tables of other versions. */
#ifndef KANE_TESTS_OLD_INDEX_H
#define KANE_TESTS_OLD_INDEX_H

#include <sqlite3.h>
#include <stdlib.h>

#include "formats/base/bytes.h"

/* Creates the index of tests/unit/index/older_index.sql if is_older, then applies sql. */
static inline void old_index_make(const char *path, int is_older, const char *sql)
{
    char *text = NULL, *message = NULL;
    size_t size;
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(bytes_read_path("tests/unit/index/older_index.sql", &text, &size, NULL), STATUS_OK);
    if (is_older && sqlite3_exec(db, text, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s", message);
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s", message);
    sqlite3_close(db);
    free(text);
}

#endif
