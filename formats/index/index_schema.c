#include "formats/index/index_schema.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stats/clip_stats.h"
#include "formats/base/grow.h"
#include "formats/index/database.h"

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

/* The figures of a list that lies at an offset into a part. */
static void add_figures(IndexSchema *s, IndexTable table, FigureList list, int part, size_t offset)
{
    for (int i = 0; i < list.count; i++) {
        const Figure *figure = &list.figure[i];
        int is_integer = figure->is_integer;
        add_column(s, table, (Column){figure->name, is_integer ? "INTEGER" : "REAL",
                                      is_integer ? COLUMN_INDEX : COLUMN_REAL, part, offset + figure->offset,
                                      figure->unit, figure->meaning});
    }
}

/* <role><between><text> in the arena. */
static const char *join_role(IndexSchema *s, Role role, const char *between, const char *text)
{
    size_t size = strlen(role_name(role)) + strlen(between) + strlen(text) + 1;
    char *longer = arena_array(&s->arena, size, 1, 1);
    if (longer)
        snprintf(longer, size, "%s%s%s", role_name(role), between, text);
    return longer;
}

/* <role>_<figure> for every figure of a list, in the role's part. */
static void add_role(IndexSchema *s, IndexTable table, Role role, FigureList list, size_t offset)
{
    int first = s->count[table];
    add_figures(s, table, list, PART_ROLE + (int)role, offset);
    for (int c = first; c < s->count[table]; c++) {
        Column *column = &s->column[table][c];
        column->name = join_role(s, role, "_", column->name);
        column->meaning = join_role(s, role, ": ", column->meaning);
    }
}

static void build(IndexSchema *s)
{
    size_t count;
    for (int t = 0; t < TABLE_COUNT; t++) {
        const TableColumns *table = table_columns((IndexTable)t);
        add_columns(s, (IndexTable)t, table->column, table->count);
    }
    add_figures(s, TABLE_CLIP, clip_figures(), PART_ROW, offsetof(ClipStats, figures));
    add_figures(s, TABLE_JOINT_STAT, peak_figures(), PART_ROW, offsetof(JointStat, peaks));
    add_figures(s, TABLE_CLIP_SUMMARY, clip_figures(), PART_ROW, offsetof(ClipStats, figures));
    const Column *hardest = hardest_joint_columns(&count);
    add_columns(s, TABLE_CLIP_SUMMARY, hardest, count);
    for (int r = ROLE_NONE + 1; r < ROLE_COUNT; r++) {
        add_role(s, TABLE_WINDOW, (Role)r, window_figures(), 0);
        add_role(s, TABLE_CLIP_SUMMARY, (Role)r, peak_figures(), offsetof(JointStat, peaks));
    }
}

static void print_table(const IndexSchema *s, IndexTable table, FILE *sql)
{
    fprintf(sql, "CREATE TABLE %s(", table_columns(table)->name);
    for (int c = 0; c < s->count[table]; c++) {
        fputs(c > 0 ? ",\n  " : "\n  ", sql); /* hundreds of columns for every question: printf would take its time */
        fputs(s->column[table][c].name, sql);
        putc_unlocked(' ', sql);
        fputs(s->column[table][c].type, sql);
    }
    if (table_columns(table)->key)
        fprintf(sql, ",\n  PRIMARY KEY (%s)", table_columns(table)->key);
    fprintf(sql, "\n) %s;\n", table_columns(table)->kind);
}

/* So that @hardest, @peaks and @jumps need not look at every row. */
static const char indexes[] = "CREATE INDEX clip_summary_by_torque ON clip_summary(torque_peak_nm_kg);\n"
                              "CREATE INDEX clip_summary_by_peak ON clip_summary(peak_event_nm_kg);\n"
                              "CREATE INDEX flight_by_height ON flight(height_m);\n";

/* Of tables that no clip fills. */
static const char *const other_docs[][4] = {
    {"meta", "name", "", "`schema`"},
    {"meta", "value", "", "16 digits, a hash of the text that made the tables"},
    {"clip_text", "path", "", "as in clip"},
    {"clip_text", "source", "", "as in clip"},
    {"clip_text", "tags", "", "as in clip"},
    {"column_doc", "table_name", "", "a table of this index"},
    {"column_doc", "column_name", "", "a column of it"},
    {"column_doc", "unit", "", "of the column; empty: none"},
    {"column_doc", "meaning", "", "what the column holds"},
};

static Status print_schema(IndexSchema *s, Error *err)
{
    size_t size;
    FILE *sql = open_memstream(&s->text, &size);
    if (!sql)
        return error_no_memory(err);
    for (int t = 0; t < TABLE_COUNT; t++)
        print_table(s, (IndexTable)t, sql);
    fputs(indexes, sql);
    fprintf(sql, "CREATE VIRTUAL TABLE clip_text USING fts5(path, source, tags, content='clip', content_rowid='id');\n"
                 "CREATE TABLE meta(\n  name TEXT PRIMARY KEY NOT NULL,\n  value TEXT NOT NULL\n"
                 ") STRICT, WITHOUT ROWID;\n"
                 "CREATE TABLE column_doc(\n  table_name TEXT NOT NULL,\n  column_name TEXT NOT NULL,\n"
                 "  unit TEXT NOT NULL,\n  meaning TEXT NOT NULL,\n  PRIMARY KEY (table_name, column_name)\n"
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

/* What the end of a name tells: of figures that come from a list of names. */
static const char *unit_of(const Column *column)
{
    static const char *const unit[][2] = {{"_cm_s", "cm/s"}, {"_cm", "cm"}, {"_deg", "degrees"}, {"_frame", "frame"},
                                           {"_bw", "body weights"}};
    size_t length = strlen(column->name);
    for (size_t i = 0; i < sizeof unit / sizeof *unit && !column->unit; i++) {
        size_t size = strlen(unit[i][0]);
        if (length > size && strcmp(column->name + length - size, unit[i][0]) == 0)
            return unit[i][1];
    }
    return column->unit ? column->unit : "1";
}

static Status insert_doc(sqlite3_stmt *insert, const char *const doc[4], Error *err)
{
    for (int i = 0; i < 4; i++)
        sqlite3_bind_text(insert, i + 1, doc[i] ? doc[i] : "", -1, SQLITE_STATIC);
    return database_step(insert, err);
}

static Status insert_docs(const IndexSchema *s, sqlite3 *db, Error *err)
{
    sqlite3_stmt *insert = NULL;
    Status status = database_prepare(db, "INSERT INTO column_doc VALUES (?, ?, ?, ?)", &insert, err);
    for (int t = 0; t < TABLE_COUNT; t++)
        for (int c = 0; c < s->count[t] && !status; c++) {
            const Column *column = &s->column[t][c];
            status = insert_doc(insert, (const char *const[]){table_columns((IndexTable)t)->name, column->name,
                                                             unit_of(column), column->meaning}, err);
        }
    for (size_t i = 0; i < sizeof other_docs / sizeof *other_docs && !status; i++)
        status = insert_doc(insert, other_docs[i], err);
    sqlite3_finalize(insert);
    return status;
}

Status index_schema_create(const IndexSchema *s, sqlite3 *db, Error *err)
{
    char marks[256];
    snprintf(marks, sizeof marks,
             "INSERT INTO meta(name, value) VALUES ('schema', '%s');"
             "PRAGMA application_id = %d; PRAGMA user_version = %d",
             s->fingerprint, INDEX_APPLICATION_ID, INDEX_SCHEMA);
    Status status = database_exec(db, s->text, err);
    if (!status)
        status = insert_docs(s, db, err);
    return status ? status : database_exec(db, marks, err);
}

static void print_names(const IndexSchema *s, IndexTable table, FILE *sql)
{
    for (int c = 0; c < s->count[table]; c++)
        fprintf(sql, "%s%s", c > 0 ? ", " : "", s->column[table][c].name);
}

static void print_insert(const IndexSchema *s, IndexTable table, FILE *sql)
{
    fprintf(sql, "INSERT INTO %s(", table_columns(table)->name);
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
    fprintf(sql, " FROM %s", index_table_name(table));
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

const char *index_table_name(IndexTable table)
{
    return table_columns(table)->name;
}

