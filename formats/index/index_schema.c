#include "formats/index/index_schema.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/clip/role.h"
#include "analysis/stats/clip_stats.h"
#include "formats/index/database.h"

static const char *const names[TABLE_COUNT] = {
    [TABLE_CLIP] = "clip",
    [TABLE_JOINT] = "joint",
    [TABLE_JOINT_STAT] = "joint_stat",
    [TABLE_WINDOW] = "window",
    [TABLE_WINDOW_STAT] = "window_stat",
    [TABLE_EVENT] = "event",
    [TABLE_PROFILE] = "profile",
    [TABLE_TRACE] = "trace",
    [TABLE_CLIP_SUMMARY] = "clip_summary",
    [TABLE_FAILURE] = "failure",
};

const char *index_table_name(IndexTable table)
{
    return names[table];
}

static void print_figures(FILE *sql, const char *prefix, const char *separator, FigureList list)
{
    for (int i = 0; i < list.count; i++)
        fprintf(sql, ",\n  %s%s%s %s", prefix, separator, list.figure[i].name,
                list.figure[i].is_integer ? "INTEGER" : "REAL");
}

#define OF_CLIP "clip_id INTEGER NOT NULL REFERENCES clip(id) ON UPDATE CASCADE ON DELETE CASCADE"

static void print_clip(FILE *sql)
{
    fprintf(sql, "CREATE TABLE clip(\n  id INTEGER PRIMARY KEY,\n  path TEXT NOT NULL UNIQUE,\n"
                 "  source TEXT NOT NULL,\n  tags TEXT NOT NULL,\n  source_sha256 TEXT NOT NULL,\n  skeleton TEXT NOT NULL,\n"
                 "  joints INTEGER NOT NULL,\n  options TEXT NOT NULL");
    print_figures(sql, "", "", clip_figures());
    fprintf(sql, "\n) STRICT;\n");
}

static void print_joints(FILE *sql)
{
    fprintf(sql, "CREATE TABLE joint(\n  " OF_CLIP ",\n  joint INTEGER NOT NULL,\n  name TEXT NOT NULL,\n  role TEXT,\n"
                 "  segment TEXT,\n  parent INTEGER,\n  mass_kg REAL,\n  PRIMARY KEY (clip_id, joint)\n"
                 ") STRICT, WITHOUT ROWID;\n");
    fprintf(sql, "CREATE TABLE joint_stat(\n  " OF_CLIP ",\n  joint INTEGER NOT NULL,\n  role TEXT");
    print_figures(sql, "", "", peak_figures());
    fprintf(sql, ",\n  PRIMARY KEY (clip_id, joint)\n) STRICT, WITHOUT ROWID;\n");
}

static void print_windows(FILE *sql)
{
    fprintf(sql, "CREATE TABLE window(\n  " OF_CLIP ",\n  t0 REAL NOT NULL,\n  t1 REAL NOT NULL,\n"
                 "  frame0 INTEGER NOT NULL,\n  frame1 INTEGER NOT NULL,\n  PRIMARY KEY (clip_id, t0)\n"
                 ") STRICT, WITHOUT ROWID;\n");
    fprintf(sql, "CREATE TABLE window_stat(\n  " OF_CLIP ",\n  t0 REAL NOT NULL,\n  role TEXT NOT NULL");
    print_figures(sql, "", "", window_figures());
    fprintf(sql, ",\n  PRIMARY KEY (clip_id, t0, role)\n) STRICT, WITHOUT ROWID;\n");
}

static void print_events_and_traces(FILE *sql)
{
    fprintf(sql, "CREATE TABLE event(\n  " OF_CLIP ",\n  event INTEGER NOT NULL,\n  kind TEXT NOT NULL,\n  role TEXT,\n"
                 "  joint INTEGER,\n  t0 REAL NOT NULL,\n  t1 REAL NOT NULL,\n  frame0 INTEGER NOT NULL,\n"
                 "  frame1 INTEGER NOT NULL,\n  value REAL,\n  height_m REAL,\n  landing_peak_bw REAL,\n"
                 "  PRIMARY KEY (clip_id, event)\n"
                 ") STRICT, WITHOUT ROWID;\n");
    fprintf(sql, "CREATE TABLE profile(\n  " OF_CLIP ",\n  role TEXT NOT NULL,\n  nm_kg BLOB NOT NULL,\n"
                 "  PRIMARY KEY (clip_id, role)\n) STRICT, WITHOUT ROWID;\n");
    fprintf(sql, "CREATE TABLE trace(\n  " OF_CLIP ",\n  role TEXT NOT NULL,\n  nm BLOB NOT NULL,\n"
                 "  PRIMARY KEY (clip_id, role)\n) STRICT;\n");
}

static void print_summary(FILE *sql)
{
    fprintf(sql, "CREATE TABLE clip_summary(\n"
                 "  clip_id INTEGER PRIMARY KEY REFERENCES clip(id) ON UPDATE CASCADE ON DELETE CASCADE,\n"
                 "  path TEXT NOT NULL,\n  source TEXT NOT NULL,\n  tags TEXT NOT NULL,\n  skeleton TEXT NOT NULL,\n"
                 "  joints INTEGER NOT NULL");
    print_figures(sql, "", "", clip_figures());
    fprintf(sql, ",\n  torque_peak_nm REAL,\n  torque_peak_nm_kg REAL,\n  torque_peak_t REAL,\n"
                 "  torque_peak_frame INTEGER,\n  torque_peak_role TEXT,\n  torque_peak_joint TEXT");
    for (int r = ROLE_NONE + 1; r < ROLE_COUNT; r++)
        print_figures(sql, role_name((Role)r), "_", peak_figures());
    fprintf(sql, "\n) STRICT;\n");
}

static void print_rest(FILE *sql)
{
    fprintf(sql, "CREATE TABLE failure(\n  path TEXT PRIMARY KEY NOT NULL,\n  stage TEXT NOT NULL,\n"
                 "  message TEXT NOT NULL\n) STRICT, WITHOUT ROWID;\n");
    fprintf(sql, "CREATE VIRTUAL TABLE clip_text USING fts5(path, source, tags, content='clip',"
                 " content_rowid='id');\n");
    fprintf(sql, "PRAGMA application_id = %d;\nPRAGMA user_version = %d;\n", DATABASE_APPLICATION_ID, DATABASE_SCHEMA);
}

Status index_schema_create(sqlite3 *db, Error *err)
{
    char *text = NULL;
    size_t size;
    FILE *sql = open_memstream(&text, &size);
    if (!sql)
        return error_no_memory(err);
    print_clip(sql);
    print_joints(sql);
    print_windows(sql);
    print_events_and_traces(sql);
    print_summary(sql);
    print_rest(sql);
    int failed = ferror(sql);
    if (fclose(sql) != 0 || failed) {
        free(text);
        return error_no_memory(err);
    }
    Status status = database_exec(db, text, err);
    free(text);
    return status;
}

Status index_schema_prepare_insert(sqlite3 *db, IndexTable table, sqlite3_stmt **statement, Error *err)
{
    char question[128], *text = NULL;
    size_t size;
    sqlite3_int64 columns = 0;
    snprintf(question, sizeof question, "SELECT count(*) FROM pragma_table_info('%s')", names[table]);
    Status status = database_integer(db, question, 0, &columns, err);
    if (status)
        return status;
    FILE *sql = open_memstream(&text, &size);
    if (!sql)
        return error_no_memory(err);
    fprintf(sql, "INSERT INTO %s VALUES (", names[table]);
    for (sqlite3_int64 c = 0; c < columns; c++)
        fprintf(sql, "%s?", c > 0 ? ", " : "");
    fprintf(sql, ")");
    status = fclose(sql) == 0 ? database_prepare(db, text, statement, err) : error_no_memory(err);
    free(text);
    return status;
}
