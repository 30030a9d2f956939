/* See index_schema.h. */
#include "formats/index/index_schema.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/fnv.h"
#include "analysis/stats/clip_stats.h"
#include "analysis/stats/joint_peaks.h"
#include "analysis/stats/metric.h"
#include "analysis/stats/windows.h"
#include "formats/base/bytes.h"
#include "formats/base/database.h"

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

/* Adds the statistics of a list at an offset into a part. */
static void add_metrics(IndexSchema *s, IndexTable table, MetricList list, int part, size_t offset)
{
    for (int i = 0; i < list.count; i++) {
        const Metric *metric = &list.metric[i];
        int is_integer = metric->is_integer;
        add_column(s, table, (Column){metric->name, is_integer ? "INTEGER" : "REAL",
                                      is_integer ? COLUMN_INDEX : COLUMN_REAL, part, offset + metric->offset,
                                      metric->unit, metric->meaning});
    }
}

/* Returns <role><between><text>, in the arena. */
static const char *join_role(IndexSchema *s, Role role, const char *between, const char *text)
{
    size_t size = strlen(role_name(role)) + strlen(between) + strlen(text) + 1;
    char *longer = arena_array(&s->arena, size, 1, 1);
    if (longer)
        snprintf(longer, size, "%s%s%s", role_name(role), between, text);
    return longer;
}

/* Adds <role>_<metric> for every statistic of a list, in the part of the role. */
static void add_role(IndexSchema *s, IndexTable table, Role role, MetricList list, size_t offset)
{
    int first = s->count[table];
    add_metrics(s, table, list, PART_ROLE + (int)role, offset);
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
    add_metrics(s, TABLE_CLIP, clip_metrics(), PART_ROW, offsetof(ClipStats, metrics));
    add_metrics(s, TABLE_JOINT_STAT, peak_metrics(), PART_ROW, offsetof(JointStat, peaks));
    add_metrics(s, TABLE_DOF_STAT, dof_metrics(), PART_ROW, 0);
    add_metrics(s, TABLE_CLIP_SUMMARY, clip_metrics(), PART_ROW, offsetof(ClipStats, metrics));
    const Column *hardest = hardest_joint_columns(&count);
    add_columns(s, TABLE_CLIP_SUMMARY, hardest, count);
    for (int r = ROLE_NONE + 1; r < ROLE_COUNT; r++) {
        add_role(s, TABLE_WINDOW, (Role)r, window_metrics(), 0);
        add_role(s, TABLE_CLIP_SUMMARY, (Role)r, peak_metrics(), offsetof(JointStat, peaks));
    }
}

static void print_table(const IndexSchema *s, IndexTable table, FILE *sql)
{
    fprintf(sql, "CREATE TABLE %s(", table_columns(table)->name);
    for (int c = 0; c < s->count[table]; c++) {
        fputs(c > 0 ? ",\n  " : "\n  ", sql); /* faster than printf: hundreds of columns per query */
        fputs(s->column[table][c].name, sql);
        putc_unlocked(' ', sql);
        fputs(s->column[table][c].type, sql);
    }
    if (table_columns(table)->key)
        fprintf(sql, ",\n  PRIMARY KEY (%s)", table_columns(table)->key);
    fprintf(sql, "\n) %s;\n", table_columns(table)->kind);
}

/* Indexes, so that @hardest, @peaks and @jumps need not read every row, and the curves of a clip are found. */
static const char indexes[] = "CREATE INDEX profile_by_clip ON profile(clip_id);\n"
                              "CREATE INDEX trace_by_clip ON trace(clip_id);\n"
                              "CREATE INDEX clip_summary_by_torque ON clip_summary(torque_peak_low_nm_kg);\n"
                              "CREATE INDEX clip_summary_by_peak ON clip_summary(peak_event_low_nm_kg);\n"
                              "CREATE INDEX flight_by_height ON flight(height_m);\n";

/* Documentation of tables that are not filled from clips. */
static const char *const other_docs[][4] = {
    {"meta", "name", "", "`schema`; `trace` in an index without traces"},
    {"meta", "value", "", "of `schema` 16 digits, a hash of the text that made the tables; of `trace` `none`"},
    {"clip_text", "path", "", "as in clip"},
    {"clip_text", "source", "", "as in clip"},
    {"clip_text", "path_words", "", "as in clip"},
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
    fprintf(sql, "CREATE VIRTUAL TABLE clip_text USING fts5(path, source, path_words, content='clip',"
                 " content_rowid='id');\n"
                 "CREATE TABLE meta(\n  name TEXT PRIMARY KEY NOT NULL,\n  value TEXT NOT NULL\n"
                 ") STRICT, WITHOUT ROWID;\n"
                 "CREATE TABLE column_doc(\n  table_name TEXT NOT NULL,\n  column_name TEXT NOT NULL,\n"
                 "  unit TEXT NOT NULL,\n  meaning TEXT NOT NULL,\n  PRIMARY KEY (table_name, column_name)\n"
                 ") STRICT, WITHOUT ROWID;\n");
    int failed = ferror(sql);
    return fclose(sql) == 0 && !failed ? STATUS_OK : error_no_memory(err);
}

Status index_schema_init(IndexSchema *s, Error *err)
{
    *s = (IndexSchema){0};
    build(s);
    Status status = s->arena.failed ? error_no_memory(err) : print_schema(s, err);
    if (status) {
        index_schema_free(s);
        return status;
    }
    uint64_t fingerprint = fnv_bytes(FNV_START, s->text, strlen(s->text));
    snprintf(s->fingerprint, sizeof s->fingerprint, "%016" PRIx64, fingerprint);
    return STATUS_OK;
}

void index_schema_free(IndexSchema *s)
{
    for (int t = 0; t < TABLE_COUNT; t++)
        free(s->column[t]);
    free(s->text);
    arena_free(&s->arena);
    *s = (IndexSchema){0};
}

/* Units by the suffix of a name, for statistics from a list of names. */
static const char *column_unit(const Column *column)
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
                                                             column_unit(column), column->meaning}, err);
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

int index_column_renamed(const char *old, char *name, size_t size)
{
    static const char *const renamed[][2] = {
        {"root_residual_force_rms_bw", "hand_force_rms_bw"},
        {"root_residual_torque_rms_nm_kg", "hand_torque_rms_nm_kg"},
        {"positive_work_j_kg", "effort_j_kg"}, {"positive_work_j_kg_m", "effort_j_kg_m"},
        {"utilization_peak", "use_peak"}, {"utilization_peak_t", "use_peak_t"}, {"utilization_1", "use_1"},
        {"utilization_2", "use_2"}, {"utilization_3", "use_3"}, {"trusted_fraction", "trusted_share"},
        {"limit_fraction", "part_of_limit"}, {"limiting_role", "tightest_role"}, {"history", "options"},
        {"path_words", "tags"}, {"meters_per_unit", "metres_per_unit"},
        {"slide_increase_cm_s", "slide_added_cm_s"}, {"penetration_increase_cm", "penetration_added_cm"},
        {"wrist_depth_increase_cm", "wrist_depth_added_cm"}, {"overlap_increase_cm", "overlap_added_cm"},
        {"rest_asymmetry_deg", "rest_unlike_deg"}, {"retarget_bone_direction_deg", "retarget_direction_deg"},
    };
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++) {
        size_t length = strlen(old), part = strlen(renamed[i][1]), before = length - part;
        if (length < part || strcmp(old + before, renamed[i][1]) != 0 || (before > 0 && old[before - 1] != '_'))
            continue;
        snprintf(name, size, "%.*s%s", (int)before, old, renamed[i][0]);
        return 1;
    }
    return 0;
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
