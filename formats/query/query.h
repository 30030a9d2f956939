/* Questions to an index: a WHERE expression over clip_summary, a preset, or a SELECT of one's own.
 *
 * Nothing but reading is possible: the file is opened read-only, an authorizer admits SELECT, columns and functions
 * alone, the schema is not trusted. */
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
 * All but the table write doubles so that reading them back gives the same bits. NULL is "-" in a table, empty in TSV
 * and CSV, null in JSON. TSV writes tab, line end and backslash as \t \n \r \\; the table shows control characters
 * as \xNN. */

typedef enum QueryFormat {
    QUERY_TABLE = 0,
    QUERY_TSV,
    QUERY_CSV,
    QUERY_JSON,
    QUERY_JSONL,
    QUERY_FORMAT_COUNT
} QueryFormat;

/* "table", "tsv"...; NULL past the last. */
const char *query_format_name(QueryFormat format);
/* 0 where there is no such format. */
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

/* Writes the header, or keeps it (table). names: [column], copied. */
Status query_output_open(QueryFormat format, int column_count, const char *const *names, FILE *out,
                         QueryOutput **output, Error *err);
Status query_output_row(QueryOutput *output, const Cell *cells, Error *err);
/* Writes what was kept; STATUS_IO where the stream refused. Frees output on success and failure. */
Status query_output_close(QueryOutput *output, Error *err);
/* Frees output without writing what was kept. */
void query_output_abandon(QueryOutput *output);

typedef struct QueryDef {
    const char *where;    /* expression over clip_summary, "@hardest" and other presets, or NULL: every clip */
    const char *argument; /* @within, @over: table of limits or "left_knee=2.5"; @similar, @lower-torque: clip file, or
                             path of a clip, with @FROM-TO behind it a stretch of it */
    const char *among;    /* condition of a preset with an argument, over clip_summary (@failed: over failure): which
                             clips come into question; NULL: all. Of a preset without one it is argument */
    LikenessOf by;        /* @similar FILE@FROM-TO; default both */
    int with_mirror;      /* 1: stretches that are like the mirrored one too; default 0 */
    const char *columns;  /* comma-separated; NULL: path and the columns that where and order name */
    const char *order;    /* NULL: by path; presets: their own */
    const char *sql;      /* a SELECT instead of all of the above */
    long long limit;      /* rows; -1: all, of some presets 10; default -1 */
    double min_seconds;   /* @within, @over; default 0: 1 s and any */
    double time_limit;    /* s; 0: none; default 60 */
    QueryFormat format;   /* default table */
    const char *const *databases; /* [database_count] indexes that are asked together, in any of which @similar finds
                                     its clip; query_run_over sets it */
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

/* Questions with a name: @hardest, @peaks, @jumps, @within, @over, @similar, @lower-torque.
 *
 * A preset is a SELECT. What SQL cannot express well is computed first, into a temporary table that the SELECT
 * reads. */

typedef struct QueryPreset {
    const char *name;     /* with the @ */
    const char *old_name; /* of earlier versions, accepted and not shown; NULL: none */
    const char *argument; /* its argument: "LIMITS.tsv", or NULL */
    const char *help;
    const char *select;
    const char *shortcut; /* the same for its own order and most rows given (%lld, from 1); NULL: none */
    const char *order;
    long long limit;      /* rows where the query has none; -1: all */
    const char *chosen;   /* the table over which a condition chooses; NULL: clip_summary */
    int is_of_span;       /* 1: the argument is a clip with @FROM-TO behind it */
    Status (*prepare)(sqlite3 *db, const QueryDef *def, const char *database, Error *err); /* NULL: nothing to do */
} QueryPreset;

/* Presets without an argument, which need no preparation: "SELECT ... ORDER BY order LIMIT limit". */
enum { QUERY_PLAIN_PRESETS = 5 };
extern const QueryPreset query_plain_presets[QUERY_PLAIN_PRESETS];

/* Decisions of import to look at, of the clip of each row: a column of every preset. */
#define QUERY_UNSURE "nullif(c.unsure, '') AS unsure"

/* STATUS_USAGE where there is none of that name, or its argument is missing. */
Status query_preset_find(const QueryDef *def, const QueryPreset **preset, Error *err);

/* Puts the file of the argument, and the place in it, before the text of a failure: the index is not to blame. */
Status query_preset_blame(const QueryDef *def, Status status, Error *err);

/* query_stretch.c: the table temp.stretch. A stretch is a run of frames, all of them to be trusted, in which every
 * limited role that the clip has stays at or below its limit (within), or in each of which one is above (over); it ends
 * where the next frame would begin. A trusted frame of a clip with a limited role is in one or the other. */
Status query_within_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err);
Status query_over_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err);

#define STRETCH_TABLE \
    "CREATE TEMP TABLE stretch(path TEXT, t0 REAL, t1 REAL, seconds REAL, frame0 INTEGER, frame1 INTEGER," \
    " limiting_role TEXT, limit_fraction REAL)"

/* query_stretch.c: STATUS_BAD_INPUT where the index is one without traces. */
Status query_traces_check(sqlite3 *db, Error *err);

/* query_stretch.c: the same table of the frames in which the utilization of some trusted joint is above share. */
Status query_strength_prepare(sqlite3 *db, const QueryDef *def, double share, Error *err);

/* query_like.c: the place of a role of this name, -1 where there is none. *next is where the search begins, and becomes
 * the place behind the one found: the rows of a clip come in the order of roles. */
int query_find_role(const Role *role, int count, int *next, const char *name);

/* query_like.c: the table temp.likeness, RMS distance of the torque profiles. */
Status query_like_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err);

/* query_like.c: the table temp.alike, of windows of clips or of whole clips, by their sketches. */
Status query_window_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err);
Status query_calmer_prepare(sqlite3 *db, const QueryDef *def, const char *database, Error *err);

/* What an expression is over: clip_summary, with a column for every tag that the question names. */

typedef struct QuerySource {
    char *sql;         /* behind FROM; owned (sqlite3_free) */
    QueryColumns tags; /* that it has */
} QuerySource;

/* Appends the names of an index's tags. */
Status query_tags(sqlite3 *db, QueryColumns *names, Error *err);

/* Before the connection is guarded. STATUS_BAD_INPUT for an index without its table of tags. */
Status query_source_init(QuerySource *source, sqlite3 *db, const QueryDef *def, Error *err);
void query_source_free(QuerySource *source);

/* A question as a SELECT over one index: what query.h states, put into SQL and guarded. */

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

/* query_guard_prepare that distinguishes a damaged index from a wrong query, and names the columns near to an unknown
 * one. */
Status question_prepare(Question *q, const char *sql, sqlite3_stmt **statement, Error *err);

/* What a step gave that is neither a row nor the end, as an error. */
Status question_step_error(const Question *q, int code, Error *err);

/* Steps through the rows and writes them: STATUS_NO_RESULT where there is none. */
Status question_answer(Question *q, sqlite3_stmt *rows, FILE *out, Error *err);

/* Takes the guard off. */
void question_free(Question *q);

/* The clip that a question is about: of the index, of another that is asked with it, or a container by its path. */

/* What to take of the clip, from where it is: both fill out. */
typedef struct ClipReader {
    Status (*from_index)(sqlite3 *db, sqlite3_int64 id, void *out, Error *err);
    Status (*from_stats)(const ClipStats *stats, void *out, Error *err);
} ClipReader;

typedef struct ClipRequest {
    const QueryDef *def;
    const char *database; /* path of the index */
    const char *file;     /* a path as in the index, or relative to the current folder */
    const ClipReader *reader;
} ClipRequest;

/* *self: the clip's id in this index; 0: it is not of it. */
Status query_clip_read(sqlite3 *db, const ClipRequest *request, void *out, sqlite3_int64 *self, Error *err);

/* A file and a stretch of it: "walk.bvh.h5@1.2-1.7", s of source time. */
typedef struct ClipSpan {
    char *file; /* owned */
    double from, to;
} ClipSpan;

/* Whether a text ends in @FROM-TO. */
int query_has_span(const char *text);

/* STATUS_USAGE where the stretch does not go forward. The caller frees span->file. */
Status query_span_parse(const char *text, ClipSpan *span, Error *err);

#endif
