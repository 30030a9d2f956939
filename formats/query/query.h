/* Questions to an index: a WHERE expression over clip_summary, a preset, or a SELECT of one's own.
 *
 * Nothing but reading is possible: the file is opened read-only, an authorizer admits SELECT, columns and functions
 * alone, the schema is not trusted. */
#ifndef KANE_FORMATS_QUERY_H
#define KANE_FORMATS_QUERY_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/stats/sketch_match.h"
#include "formats/query/query_output.h"

typedef struct QueryDef {
    const char *where;    /* expression over clip_summary, "@hardest" and other presets, or NULL: every clip */
    const char *argument; /* @within, @over: table of limits or "left_knee=2.5"; @like, @calmer: container, or path of
                             a clip, with @FROM-TO behind it a stretch of it */
    const char *among;    /* @like, @calmer: expression over clip_summary, which clips come into question; NULL: all */
    LikenessOf by;        /* @like FILE@FROM-TO; default both */
    int with_mirror;      /* 1: stretches that are like the mirrored one too; default 0 */
    const char *columns;  /* comma-separated; NULL: path and the columns that where and order name */
    const char *order;    /* NULL: by path; presets: their own */
    const char *sql;      /* a SELECT instead of all of the above */
    long long limit;      /* rows; -1: all, of some presets 10; default -1 */
    double min_seconds;   /* @within, @over; default 0: 1 s and any */
    double time_limit;    /* s; 0: none; default 60 */
    QueryFormat format;   /* default table */
    const char *const *databases; /* [database_count] indexes that are asked together, in any of which @like finds its
                                     clip; query_run_over sets it */
    int database_count;
    const char *const *tags; /* [tag_count] names of tags of any of them; set by it too */
    int tag_count;
    int *is_cut;          /* set to 1 where the preset's own limit left rows out; may be NULL */
} QueryDef;

QueryDef query_default_def(void);

/* One line a preset, for --help: "@hardest    clips by ..."; NULL past the last. */
const char *query_preset_help(int index);

/* Writes the answer to out. STATUS_NO_RESULT where no row matches (a header is written all the same), STATUS_USAGE for
 * a wrong expression: an unknown column is named together with the near ones. A question that fails at its first row
 * writes nothing, a table not even at a later one. */
Status query_run(const char *database, const QueryDef *def, FILE *out, Error *err);

/* Whether a word names a database, and no expression. */
int query_is_database(const char *word);

/* Asks several indexes as one, such as the shards of a batch: rows of all in one order, paths as seen from the first. A
 * column may be any expression over clip_summary, but not a SELECT over other tables. */
Status query_run_over(const char *const *databases, int count, const QueryDef *def, FILE *out, Error *err);

/* The same in two steps, for questions one after another over one connection. A preset that leaves a temporary table
 * behind can be asked once. The caller closes *db (database_close), which is NULL after failure. */
struct sqlite3;
Status query_open(const char *database, struct sqlite3 **db, Error *err);
Status query_ask(struct sqlite3 *db, const char *database, const QueryDef *def, FILE *out, Error *err);

#endif
