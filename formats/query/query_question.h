/* A question as a SELECT over one index: what query.h says, put into SQL and guarded. */
#ifndef KANE_FORMATS_QUERY_QUESTION_H
#define KANE_FORMATS_QUERY_QUESTION_H

#include "formats/query/query.h"
#include "formats/query/query_guard.h"
#include "formats/query/query_source.h"

/* A question on its way to a SELECT. */
typedef struct Question {
    const QueryDef *def;
    const char *database;
    sqlite3 *db;
    QueryGuard guard;
    QuerySource source; /* clip_summary, and the tags that the question names */
    char *from;    /* of a preset: its SELECT in parentheses; else NULL. This and the next are owned (sqlite3_free) */
    char *columns;
    char *select;  /* the whole statement */
    const char *order; /* what select is ordered by */
    const char *beside; /* columns that are asked for of the rows later; NULL: none */
    long long limit;
    int is_own_limit; /* 1: the preset's, not the person's */
} Question;

/* Fills select from def, db and database, which are set; from here on the connection is guarded. */
Status question_make(Question *q, Error *err);

/* query_guard_prepare that tells a damaged index from a wrong question, and names the columns near to an unknown
 * one. */
Status question_prepare(Question *q, const char *sql, sqlite3_stmt **statement, Error *err);

/* What a step gave that is neither a row nor the end, as an error. */
Status question_step_error(const Question *q, int code, Error *err);

/* Steps through the rows and writes them: STATUS_NO_RESULT where there is none. */
Status question_answer(Question *q, sqlite3_stmt *rows, FILE *out, Error *err);

/* Takes the guard off. */
void question_free(Question *q);

#endif
