#include "formats/index/index_schema.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stats/clip_stats.h"
#include "formats/base/grow.h"
#include "formats/index/database.h"

#define KEY(member) PART_KEY, offsetof(RowKey, member)
#define ROW(type, member) PART_ROW, offsetof(type, member)
#define BESIDE(type, member) PART_BESIDE, offsetof(type, member)
#define OF_CLIP "REFERENCES clip(id) ON UPDATE CASCADE ON DELETE CASCADE"
#define CLIP_ID {"clip_id", "INTEGER NOT NULL " OF_CLIP, COLUMN_ID, KEY(clip)}

/* name, type, how the value is filled; build() adds the columns of figures. */
static const Column clip_columns[] = {
    {"id", "INTEGER PRIMARY KEY", COLUMN_ID, KEY(clip)},
    {"path", "TEXT NOT NULL UNIQUE", COLUMN_WORDS, KEY(path)},
    {"source", "TEXT NOT NULL", COLUMN_TEXT, ROW(ClipStats, source)},
    {"tags", "TEXT NOT NULL", COLUMN_WORDS, KEY(tags)},
    {"source_sha256", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, figures.source_sha256)},
    {"skeleton", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, figures.skeleton)},
    {"joints", "INTEGER NOT NULL", COLUMN_INT, ROW(ClipStats, joint_count)},
    {"unsure", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, figures.unsure)},
    {"options", "TEXT NOT NULL", COLUMN_TEXT, ROW(ClipStats, options)},
    {"untrusted_reason", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, figures.untrusted_reason)},
};

static const Column joint_columns[] = {
    CLIP_ID,
    {"joint", "INTEGER NOT NULL", COLUMN_INT, KEY(number)},
    {"name", "TEXT NOT NULL", COLUMN_TEXT, ROW(JointStat, name)},
    {"role", "TEXT", COLUMN_ROLE, ROW(JointStat, role)},
    {"segment", "TEXT", COLUMN_ROLE, ROW(JointStat, segment)},
    {"parent", "INTEGER", COLUMN_INDEX, ROW(JointStat, parent)},
    {"mass_kg", "REAL", COLUMN_REAL, ROW(JointStat, mass_kg)},
};

static const Column joint_stat_columns[] = {
    CLIP_ID,
    {"joint", "INTEGER NOT NULL", COLUMN_INT, KEY(number)},
    {"role", "TEXT", COLUMN_ROLE, ROW(JointStat, role)},
};

static const Column window_columns[] = {
    CLIP_ID,
    {"t0", "REAL NOT NULL", COLUMN_REAL, ROW(Window, t0)},
    {"t1", "REAL NOT NULL", COLUMN_REAL, ROW(Window, t1)},
    {"frame0", "INTEGER NOT NULL", COLUMN_INT, ROW(Window, frame0)},
    {"frame1", "INTEGER NOT NULL", COLUMN_INT, ROW(Window, frame1)},
};

static const Column window_stat_columns[] = {
    CLIP_ID,
    {"t0", "REAL NOT NULL", COLUMN_REAL, BESIDE(Window, t0)},
    {"role", "TEXT NOT NULL", COLUMN_ROLE, ROW(WindowStat, role)},
};

static const Column event_columns[] = {
    CLIP_ID,
    {"event", "INTEGER NOT NULL", COLUMN_INT, KEY(number)},
    {"kind", "TEXT NOT NULL", COLUMN_EVENT, ROW(Event, kind)},
    {"role", "TEXT", COLUMN_ROLE, ROW(Event, role)},
    {"joint", "INTEGER", COLUMN_INDEX, ROW(Event, joint)},
    {"t0", "REAL NOT NULL", COLUMN_REAL, ROW(Event, t0)},
    {"t1", "REAL NOT NULL", COLUMN_REAL, ROW(Event, t1)},
    {"frame0", "INTEGER NOT NULL", COLUMN_INT, ROW(Event, frame0)},
    {"frame1", "INTEGER NOT NULL", COLUMN_INT, ROW(Event, frame1)},
    {"value", "REAL", COLUMN_REAL, ROW(Event, value)},
    {"height_m", "REAL", COLUMN_REAL, ROW(Event, flight.height_m)},
    {"landing_peak_bw", "REAL", COLUMN_REAL, ROW(Event, flight.landing_peak_bw)},
};

static const Column profile_columns[] = {
    CLIP_ID,
    {"role", "TEXT NOT NULL", COLUMN_ROLE, ROW(RoleCurve, role)},
    {"nm_kg", "BLOB NOT NULL", COLUMN_CURVE, PART_ROW, 0},
};

static const Column trace_columns[] = {
    CLIP_ID,
    {"role", "TEXT NOT NULL", COLUMN_ROLE, ROW(RoleCurve, role)},
    {"nm", "BLOB NOT NULL", COLUMN_CURVE, PART_ROW, 0},
};

static const Column summary_columns[] = {
    {"clip_id", "INTEGER PRIMARY KEY " OF_CLIP, COLUMN_ID, KEY(clip)},
    {"path", "TEXT NOT NULL", COLUMN_WORDS, KEY(path)},
    {"source", "TEXT NOT NULL", COLUMN_TEXT, ROW(ClipStats, source)},
    {"tags", "TEXT NOT NULL", COLUMN_WORDS, KEY(tags)},
    {"skeleton", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, figures.skeleton)},
    {"joints", "INTEGER NOT NULL", COLUMN_INT, ROW(ClipStats, joint_count)},
    {"unsure", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, figures.unsure)},
    {"untrusted_reason", "TEXT NOT NULL", COLUMN_STRING, ROW(ClipStats, figures.untrusted_reason)},
};

static const Column hardest_columns[] = {
    {"torque_peak_nm", "REAL", COLUMN_REAL, BESIDE(JointStat, peaks.torque_peak_nm)},
    {"torque_peak_nm_kg", "REAL", COLUMN_REAL, BESIDE(JointStat, peaks.torque_peak_nm_kg)},
    {"torque_peak_t", "REAL", COLUMN_REAL, BESIDE(JointStat, peaks.torque_peak_t)},
    {"torque_peak_frame", "INTEGER", COLUMN_INDEX, BESIDE(JointStat, peaks.torque_peak_frame)},
    {"torque_peak_role", "TEXT", COLUMN_ROLE, BESIDE(JointStat, role)},
    {"torque_peak_joint", "TEXT", COLUMN_TEXT, BESIDE(JointStat, name)},
};

static const Column failure_columns[] = {
    {"path", "TEXT PRIMARY KEY NOT NULL", COLUMN_WORDS, ROW(FailureRow, path)},
    {"stage", "TEXT NOT NULL", COLUMN_WORDS, ROW(FailureRow, stage)},
    {"message", "TEXT NOT NULL", COLUMN_WORDS, ROW(FailureRow, message)},
};

/* What stands behind the columns of a table. */
static const struct {
    const char *name, *key, *kind;
} tables[] = {
    [TABLE_CLIP] = {"clip", NULL, "STRICT"},
    [TABLE_JOINT] = {"joint", "clip_id, joint", "STRICT, WITHOUT ROWID"},
    [TABLE_JOINT_STAT] = {"joint_stat", "clip_id, joint", "STRICT, WITHOUT ROWID"},
    [TABLE_WINDOW] = {"window", "clip_id, t0", "STRICT, WITHOUT ROWID"},
    [TABLE_WINDOW_STAT] = {"window_stat", "clip_id, t0, role", "STRICT, WITHOUT ROWID"},
    [TABLE_EVENT] = {"event", "clip_id, event", "STRICT, WITHOUT ROWID"},
    [TABLE_PROFILE] = {"profile", "clip_id, role", "STRICT, WITHOUT ROWID"},
    [TABLE_TRACE] = {"trace", "clip_id, role", "STRICT"},
    [TABLE_CLIP_SUMMARY] = {"clip_summary", NULL, "STRICT"},
    [TABLE_FAILURE] = {"failure", NULL, "STRICT, WITHOUT ROWID"},
};
_Static_assert(sizeof tables / sizeof *tables == TABLE_COUNT, "a table of the index has no name");

static void add_column(IndexSchema *s, IndexTable table, Column column)
{
    if (!column.name || !array_grow(&s->column[table], s->count[table], sizeof column))
        s->arena.failed = 1;
    else
        s->column[table][s->count[table]++] = column;
}

static void add_columns(IndexSchema *s, IndexTable table, const Column *column, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_column(s, table, column[i]);
}
#define ADD(s, table, columns) add_columns(s, table, columns, sizeof(columns) / sizeof *(columns))

/* The figures of a list that lies at an offset into a part. */
static void add_figures(IndexSchema *s, IndexTable table, FigureList list, int part, size_t offset)
{
    for (int i = 0; i < list.count; i++) {
        const Figure *figure = &list.figure[i];
        int is_integer = figure->is_integer;
        add_column(s, table, (Column){figure->name, is_integer ? "INTEGER" : "REAL",
                                      is_integer ? COLUMN_INDEX : COLUMN_REAL, part, offset + figure->offset});
    }
}

/* <role>_<figure> for every figure of joint_stat. */
static void add_role(IndexSchema *s, Role role)
{
    int first = s->count[TABLE_CLIP_SUMMARY];
    add_figures(s, TABLE_CLIP_SUMMARY, peak_figures(), PART_ROLE + (int)role, offsetof(JointStat, peaks));
    for (int c = first; c < s->count[TABLE_CLIP_SUMMARY]; c++) {
        const char **name = &s->column[TABLE_CLIP_SUMMARY][c].name;
        size_t size = strlen(role_name(role)) + strlen(*name) + 2;
        char *longer = arena_array(&s->arena, size, 1, 1);
        if (longer)
            snprintf(longer, size, "%s_%s", role_name(role), *name);
        *name = longer;
    }
}

static void build(IndexSchema *s)
{
    ADD(s, TABLE_CLIP, clip_columns);
    add_figures(s, TABLE_CLIP, clip_figures(), PART_ROW, offsetof(ClipStats, figures));
    ADD(s, TABLE_JOINT, joint_columns);
    ADD(s, TABLE_JOINT_STAT, joint_stat_columns);
    add_figures(s, TABLE_JOINT_STAT, peak_figures(), PART_ROW, offsetof(JointStat, peaks));
    ADD(s, TABLE_WINDOW, window_columns);
    ADD(s, TABLE_WINDOW_STAT, window_stat_columns);
    add_figures(s, TABLE_WINDOW_STAT, window_figures(), PART_ROW, 0);
    ADD(s, TABLE_EVENT, event_columns);
    ADD(s, TABLE_PROFILE, profile_columns);
    ADD(s, TABLE_TRACE, trace_columns);
    ADD(s, TABLE_CLIP_SUMMARY, summary_columns);
    add_figures(s, TABLE_CLIP_SUMMARY, clip_figures(), PART_ROW, offsetof(ClipStats, figures));
    ADD(s, TABLE_CLIP_SUMMARY, hardest_columns);
    for (int r = ROLE_NONE + 1; r < ROLE_COUNT; r++)
        add_role(s, (Role)r);
    ADD(s, TABLE_FAILURE, failure_columns);
}

static void print_table(const IndexSchema *s, IndexTable table, FILE *sql)
{
    fprintf(sql, "CREATE TABLE %s(", tables[table].name);
    for (int c = 0; c < s->count[table]; c++) {
        fputs(c > 0 ? ",\n  " : "\n  ", sql); /* hundreds of columns for every question: printf would take its time */
        fputs(s->column[table][c].name, sql);
        putc_unlocked(' ', sql);
        fputs(s->column[table][c].type, sql);
    }
    if (tables[table].key)
        fprintf(sql, ",\n  PRIMARY KEY (%s)", tables[table].key);
    fprintf(sql, "\n) %s;\n", tables[table].kind);
}

static Status print_schema(IndexSchema *s, Error *err)
{
    size_t size;
    FILE *sql = open_memstream(&s->text, &size);
    if (!sql)
        return error_no_memory(err);
    for (int t = 0; t < TABLE_COUNT; t++)
        print_table(s, (IndexTable)t, sql);
    fprintf(sql, "CREATE VIRTUAL TABLE clip_text USING fts5(path, source, tags, content='clip', content_rowid='id');\n"
                 "CREATE TABLE meta(\n  name TEXT PRIMARY KEY NOT NULL,\n  value TEXT NOT NULL\n"
                 ") STRICT, WITHOUT ROWID;\n");
    int failed = ferror(sql);
    return fclose(sql) == 0 && !failed ? STATUS_OK : error_no_memory(err);
}

/* FNV-1a, 64 bits (Fowler, Noll, Vo; public domain): nobody gains by a collision, and libcrypto would take a
 * millisecond to start for every question to an index. */
static uint64_t hash_of(const char *text)
{
    uint64_t hash = 14695981039346656037u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    return hash;
}

Status index_schema_init(IndexSchema *s, Error *err)
{
    *s = (IndexSchema){0};
    build(s);
    Status status = s->arena.failed ? error_no_memory(err) : print_schema(s, err);
    if (status)
        index_schema_free(s);
    else
        snprintf(s->fingerprint, sizeof s->fingerprint, "%016llx", (unsigned long long)hash_of(s->text));
    return status;
}

void index_schema_free(IndexSchema *s)
{
    for (int t = 0; t < TABLE_COUNT; t++)
        free(s->column[t]);
    free(s->text);
    arena_free(&s->arena);
    *s = (IndexSchema){0};
}

Status index_schema_create(const IndexSchema *s, sqlite3 *db, Error *err)
{
    char marks[256];
    snprintf(marks, sizeof marks,
             "INSERT INTO meta(name, value) VALUES ('schema', '%s');"
             "PRAGMA application_id = %d; PRAGMA user_version = %d",
             s->fingerprint, INDEX_APPLICATION_ID, INDEX_SCHEMA);
    Status status = database_exec(db, s->text, err);
    return status ? status : database_exec(db, marks, err);
}

static void print_names(const IndexSchema *s, IndexTable table, FILE *sql)
{
    for (int c = 0; c < s->count[table]; c++)
        fprintf(sql, "%s%s", c > 0 ? ", " : "", s->column[table][c].name);
}

static void print_insert(const IndexSchema *s, IndexTable table, FILE *sql)
{
    fprintf(sql, "INSERT INTO %s(", tables[table].name);
    print_names(s, table, sql);
    fprintf(sql, ") VALUES (");
    for (int c = 0; c < s->count[table]; c++)
        fprintf(sql, "%s?", c > 0 ? ", " : "");
    fprintf(sql, ")");
}

static void print_select(const IndexSchema *s, IndexTable table, FILE *sql)
{
    fprintf(sql, "SELECT ");
    print_names(s, table, sql);
    fprintf(sql, " FROM %s ORDER BY 1", tables[table].name);
}

typedef void PrintStatement(const IndexSchema *s, IndexTable table, FILE *sql);

static Status prepare(const IndexSchema *s, sqlite3 *db, IndexTable table, PrintStatement *print, sqlite3_stmt **out,
                      Error *err)
{
    char *text = NULL;
    size_t size;
    FILE *sql = open_memstream(&text, &size);
    if (!sql)
        return error_no_memory(err);
    print(s, table, sql);
    Status status = fclose(sql) == 0 ? database_prepare(db, text, out, err) : error_no_memory(err);
    free(text);
    return status;
}

Status index_schema_prepare_insert(const IndexSchema *s, sqlite3 *db, IndexTable table, sqlite3_stmt **out, Error *err)
{
    return prepare(s, db, table, print_insert, out, err);
}

Status index_schema_prepare_select(const IndexSchema *s, sqlite3 *db, IndexTable table, sqlite3_stmt **out, Error *err)
{
    return prepare(s, db, table, print_select, out, err);
}
