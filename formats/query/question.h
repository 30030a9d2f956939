/* A query of one index as guarded SQL. */
#ifndef KANE_QUERY_QUESTION_H
#define KANE_QUERY_QUESTION_H

#include <sqlite3.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "formats/query/query_def.h"
#include "formats/query/query_guard.h"
#include "formats/query/query_source.h"

/* A query while its SELECT is built. */
typedef struct Question {
    const QueryDef *def;
    const char *database;
    sqlite3 *db;
    QueryGuard guard;
    QuerySource source; /* clip_summary and the tags that the query names */
    char *from;    /* SELECT of a preset in parentheses, else NULL; from, columns and select are owned (sqlite3_free) */
    char *columns;
    char *select;  /* the whole statement */
    const char *order; /* ORDER BY expression of select */
    const char *beside; /* columns to be selected later from the merged rows; NULL: none */
    long long limit;
    int is_own_limit; /* 1: limit is the preset's default, not the user's */
} Question;

/* Builds select from def, db and database, and installs the guard on the connection. */
Status question_make(Question *q, Error *err);

/* Like query_guard_prepare, but distinguishes a damaged index from a wrong query and suggests names for an unknown
 * column. */
Status question_prepare(Question *q, const char *sql, sqlite3_stmt **statement, Error *err);

/* Returns the error of a step code that is neither SQLITE_ROW nor SQLITE_DONE. */
Status question_step_error(const Question *q, int code, Error *err);

/* Writes all rows; STATUS_NO_RESULT if there are none. */
Status question_answer(Question *q, sqlite3_stmt *rows, FILE *out, Error *err);

/* Removes the guard and frees the query. */
void question_free(Question *q);

#endif
