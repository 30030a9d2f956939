/* See query.h. */
#include "formats/query/query.h"

#include <stdio.h>
#include <string.h>

#include "formats/base/database.h"
#include "formats/container/container.h"
#include "formats/index/index.h"
#include "formats/index/index_file.h"
#include "formats/query/question.h"
#include "formats/frames/frames_table.h"

QueryDef query_default_def(void)
{
    return (QueryDef){.limit = -1, .min_seconds = 0, .time_limit = 60, .format = QUERY_TABLE};
}

Status query_ask(sqlite3 *db, const char *database, const QueryDef *def, FILE *out, Error *err)
{
    Question q = {.def = def, .database = database, .db = db, .limit = def->limit};
    sqlite3_stmt *rows = NULL;
    Status status = question_make(&q, err);
    if (!status)
        status = question_prepare(&q, q.select, &rows, err);
    if (!status)
        status = question_answer(&q, rows, out, err);
    sqlite3_finalize(rows);
    question_free(&q);
    return status;
}

Status query_open(const char *database, sqlite3 **db, Error *err)
{
    Status status = index_file_read(database, db, err);
    if (!status && frames_table_register(*db) != SQLITE_OK)
        status = error_no_memory(err);
    if (status)
        database_close(db);
    return status;
}

Status query_run(const char *database, const QueryDef *def, FILE *out, Error *err)
{
    sqlite3 *db;
    Status status = query_open(database, &db, err);
    if (!status)
        status = query_ask(db, database, def, out, err);
    database_close(&db);
    return status;
}
