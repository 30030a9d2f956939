/* Queries of an index: a WHERE expression over clip_summary, a preset, or a user's SELECT.
 *
 * Queries can only read: the file is opened read-only, an authorizer permits only SELECT, columns and functions, and
 * the schema is not trusted. */
#ifndef KANE_QUERY_QUERY_H
#define KANE_QUERY_QUERY_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "formats/query/query_def.h"

QueryDef query_default_def(void);

/* Returns the help of a preset: "@hardest    clips by ..."; NULL past the last. */
const char *query_preset_help(int index);

/* Writes the result to out. STATUS_NO_RESULT if no row matches (the header is still written), STATUS_USAGE for a wrong
 * expression; the error of an unknown column suggests similar names. If the first row fails, nothing is written; a
 * table is not written if any row fails. */
Status query_run(const char *database, const QueryDef *def, FILE *out, Error *err);

/* Returns 1 if word is the path of an SQLite file. */
int query_is_database(const char *word);

/* Queries several indexes, such as the shards of a batch, as one: merges and orders their rows, with paths relative to
 * the first. A column may be any expression over clip_summary, but not a SELECT from other tables. */
Status query_run_over(const char *const *databases, int count, const QueryDef *def, FILE *out, Error *err);

/* The two steps of query_run, for several queries over one connection. A preset that creates a temporary table can run
 * once per connection. The caller closes *db (database_close), which is NULL after failure. */
struct sqlite3;
Status query_open(const char *database, struct sqlite3 **db, Error *err);
Status query_ask(struct sqlite3 *db, const char *database, const QueryDef *def, FILE *out, Error *err);

#endif
