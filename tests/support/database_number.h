/* Reads one number from an SQLite file. */
#ifndef KANE_TESTS_DATABASE_NUMBER_H
#define KANE_TESTS_DATABASE_NUMBER_H

#include "formats/base/database.h"

/* Returns the first column of the first row; -1 if there is no row. */
static inline long long database_number(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    sqlite3_int64 value = -1;
    assert_int_equal(database_open(path, SQLITE_OPEN_READONLY, &db, NULL), STATUS_OK);
    assert_int_equal(database_integer(db, sql, -1, &value, NULL), STATUS_OK);
    database_close(&db);
    return value;
}

#endif
