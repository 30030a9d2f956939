/* Queries of an index: a WHERE expression over clip_summary, a preset, or a user's SELECT.
 *
 * Queries can only read: the file is opened read-only, an authorizer permits only SELECT, columns and functions, and
 * the schema is not trusted. */
#ifndef KANE_QUERY_QUERY_H
#define KANE_QUERY_QUERY_H

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/stats/clip_stats.h"
#include "analysis/stats/motion_features.h"
#include "formats/query/query_guard.h"

/* Rows of a query as text: aligned table, TSV, CSV (RFC 4180), JSON, JSON lines.
 *
 * All formats except the table print doubles that parse to the same bits. NULL is "-" in a table, empty in TSV and CSV,
 * null in JSON. TSV escapes tab, line end and backslash as \t \n \r \\; the table shows control characters as \xNN. */

typedef enum QueryFormat {
    QUERY_TABLE = 0,
    QUERY_TSV,
    QUERY_CSV,
    QUERY_JSON,
    QUERY_JSONL,
    QUERY_FORMAT_COUNT
} QueryFormat;

/* Returns "table", "tsv"...; NULL past the last. */
const char *query_format_name(QueryFormat format);
/* Returns 0 if there is no such format. */
int query_format_from_name(const char *name, QueryFormat *format);

typedef enum CellKind { CELL_NULL = 0, CELL_INTEGER, CELL_REAL, CELL_TEXT, CELL_BLOB } CellKind;

typedef struct Cell {
    CellKind kind;
    int64_t integer;
    double real;
    const char *bytes; /* text or blob, not terminated */
    size_t size;
} Cell;

typedef struct QueryOutput QueryOutput;

/* Writes the header; a table is buffered until close. names: [column], copied. */
Status query_output_open(QueryFormat format, int column_count, const char *const *names, FILE *out,
                         QueryOutput **output, Error *err);
Status query_output_row(QueryOutput *output, const Cell *cells, Error *err);
/* Writes a buffered table and flushes; STATUS_IO if the stream failed. Always frees output. */
Status query_output_close(QueryOutput *output, Error *err);
/* Frees output without writing a buffered table. */
void query_output_abandon(QueryOutput *output);

typedef struct QueryDef {
    const char *where;    /* expression over clip_summary, "@hardest" and other presets, or NULL: every clip */
    const char *argument; /* @within, @over: table of limits or "left_knee=2.5"; @similar, @lower-torque: clip file
                             or path of a clip, optionally with @FROM-TO for an interval */
    const char *among;    /* condition that selects clips for a preset with an argument, over clip_summary (@failed:
                             over failure); NULL: all clips. Without an argument, the condition is in argument */
    LikenessOf by;        /* @similar FILE@FROM-TO; default both */
    int with_mirror;      /* 1: also match the mirrored interval; default 0 */
    const char *columns;  /* comma-separated; NULL: path and the columns that where and order name */
    const char *order;    /* NULL: by path; presets: their own */
    const char *sql;      /* a SELECT that replaces all of the above */
    long long limit;      /* rows; -1: all, or the preset's limit; default -1 */
    double min_seconds;   /* of @within and @over; 0 (default): 1 s for @within, any for @over */
    double time_limit;    /* s; 0: none; default 60 */
    QueryFormat format;   /* default table */
    const char *const *databases; /* [database_count] indexes that are queried together; @similar finds its clip in
                                     any of them. query_run_over sets it */
    int database_count;
    const char *const *tags; /* [tag_count] tag names of these indexes; query_run_over sets it */
    int tag_count;
    int *is_cut;          /* set to 1 if the preset's own limit cut rows; may be NULL */
} QueryDef;

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

/* Presets, named queries: @hardest, @peaks, @jumps, @within, @over, @similar, @lower-torque.
 *
 * A preset is a SELECT. What SQL cannot express well is first computed into a temporary table that the SELECT reads. */

typedef struct QueryPreset {
    const char *name;     /* with leading @ */
    const char *old_name; /* name in earlier versions: accepted, not shown; NULL: none */
    const char *argument; /* description of its argument: "LIMITS.tsv"; NULL: takes none */
    const char *help;
    const char *select;
    const char *shortcut; /* faster equivalent of select for the default order and a row limit (%lld, at least 1);
                             NULL: none */
    const char *order;
    long long limit;      /* default row limit; -1: all */
    const char *chosen;   /* table that a condition selects from; NULL: clip_summary */
    int is_of_span;       /* 1: the argument is CLIP@FROM-TO */
    Status (*prepare)(sqlite3 *db, const QueryDef *def, const char *database, Error *err); /* NULL: none */
} QueryPreset;

/* Presets without argument and preparation: "SELECT ... ORDER BY order LIMIT limit". */
enum { QUERY_PLAIN_PRESETS = 5 };
extern const QueryPreset query_plain_presets[QUERY_PLAIN_PRESETS];

/* The low-confidence detections of the row's clip, a column of every preset. */
#define QUERY_UNSURE "nullif(c.unsure, '') AS unsure"

/* STATUS_USAGE for an unknown preset or a missing argument. */
Status query_preset_find(const QueryDef *def, const QueryPreset **preset, Error *err);

/* Prefixes an error with the argument's file and position, because the index is not its cause. */
Status query_preset_blame(const QueryDef *def, Status status, Error *err);

/* query_stretch.c: fills the table temp.stretch. An interval is a run of trusted frames in which all limited roles of
 * the clip are at or below their limits (within), or in each of which at least one role is above (over). t1 is the time
 * of the frame after the last. If a clip has a limited role, every trusted frame is in one or the other. */
Status query_within_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err);
Status query_over_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err);

#define STRETCH_TABLE \
    "CREATE TEMP TABLE stretch(path TEXT, t0 REAL, t1 REAL, seconds REAL, frame0 INTEGER, frame1 INTEGER," \
    " limiting_role TEXT, limit_fraction REAL)"

/* query_stretch.c: STATUS_BAD_INPUT if the index has no traces. */
Status query_traces_check(sqlite3 *db, Error *err);

/* query_stretch.c: fills temp.stretch with intervals in which the utilization of a trusted joint exceeds share. */
Status query_strength_prepare(sqlite3 *db, const QueryDef *def, double fraction, Error *err);

/* query_like.c: returns the index of the role of this name, or -1. The search begins at *next, which is set to the
 * index after the one found: rows of a clip are in the order of roles. */
int query_find_role(const Role *role, int count, int *next, const char *name);

/* query_like.c: fills the table temp.likeness with RMS distances of torque profiles. */
Status query_like_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err);

/* query_like.c: fill the table temp.alike with similar intervals or whole clips, compared by motion features. */
Status query_window_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err);
Status query_calmer_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err);

/* The table expression of a condition: clip_summary, with a column for each tag that the query names. */

typedef struct QuerySource {
    char *sql;         /* text after FROM; owned (sqlite3_free) */
    QueryColumns tags; /* tags that are columns */
} QuerySource;

/* Appends the tag names of an index. */
Status query_tags(sqlite3 *db, QueryColumns *names, Error *err);

/* Call before the guard is installed. STATUS_BAD_INPUT if the index has no tag table. */
Status query_source_init(QuerySource *source, sqlite3 *db, const QueryDef *def, Error *err);
void query_source_free(QuerySource *source);

/* A query of one index as guarded SQL. */

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

/* The reference clip of a query: from the index, from another index of the same query, or from a clip file. */

/* Functions that read what a query needs of the clip; both fill out. */
typedef struct ClipReader {
    Status (*from_index)(sqlite3 *db, sqlite3_int64 id, void *out, Error *err);
    Status (*from_stats)(const ClipStats *stats, void *out, Error *err);
} ClipReader;

typedef struct ClipRequest {
    const QueryDef *def;
    const char *database; /* path of the index */
    const char *file;     /* path as in the index, or relative to the current folder */
    const ClipReader *reader;
} ClipRequest;

/* Reads the reference clip. *self: its ID in this index; 0: not in it. */
Status query_clip_read(sqlite3 *db, const ClipRequest *request, void *out, sqlite3_int64 *self, Error *err);

/* A clip and an interval of it: "walk.bvh.h5@1.2-1.7", s of source time. */
typedef struct ClipSpan {
    char *file; /* owned */
    double from, to;
} ClipSpan;

/* Returns 1 if text ends in @FROM-TO. */
int query_has_span(const char *text);

/* STATUS_USAGE unless FROM < TO. The caller frees span->file. */
Status query_span_parse(const char *text, ClipSpan *span, Error *err);

#endif
