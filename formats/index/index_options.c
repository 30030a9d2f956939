/* See index_options.h. Differences are found in two temporary tables. temp.coming: paths that a merge replaces;
 * temp.option_value: the values in each index, number 0 being what stays in the index that is written. Stages have rows
 * too; a flag is yes or no. */
#include "formats/index/index_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stats/clip_settings.h"
#include "formats/base/database.h"
#include "formats/base/relative_path.h"
#include "formats/index/index.h"
#include "formats/index/index_handle.h"

#define CREATE_VALUES "CREATE TEMP TABLE coming(path TEXT PRIMARY KEY) WITHOUT ROWID;" \
    "CREATE TEMP TABLE option_value(option TEXT, number INTEGER, value TEXT, clips INTEGER," \
    " PRIMARY KEY (option, number, value)) WITHOUT ROWID"
#define DROP_VALUES "DROP TABLE temp.coming; DROP TABLE temp.option_value"

/* Histories without their import line, of which a library has few different ones, and versions. */
#define HISTORIES "SELECT CASE WHEN history LIKE 'import %'" \
    " THEN substr(history, instr(history || char(10), char(10))) ELSE history END AS text, count(*), kane_version" \
    " FROM clip"
#define GROUPS " GROUP BY text, kane_version"

/* Adds "no" for clips of a stage without a flag that other clips have. */
#define FLAGS "INSERT INTO temp.option_value SELECT f.option, s.number, 'no', s.clips - coalesce(h.clips, 0)" \
    " FROM (SELECT DISTINCT option FROM temp.option_value WHERE value = 'yes' AND instr(option, ' --')) f" \
    " JOIN temp.option_value s ON s.option = substr(f.option, 1, instr(f.option, ' --') - 1)" \
    " LEFT JOIN temp.option_value h ON h.option = f.option AND h.number = s.number" \
    " WHERE s.clips > coalesce(h.clips, 0)"

/* Compares each index with the first that has the option. If both have several values, or one several and the other a
 * single clip, a table sets them per clip; a single value for all clips is meant for all. */
#define DIFFERENCES \
    "WITH summary AS (SELECT option, number, count(*) AS variety, min(value) AS low, sum(clips) AS clips" \
    " FROM temp.option_value GROUP BY option, number)," \
    " first AS (SELECT option, min(number) AS number FROM temp.option_value GROUP BY option)" \
    " SELECT a.number, b.number, a.option, a.low, b.low, a.variety, b.variety, a.clips, b.clips" \
    " FROM first f JOIN summary a ON a.option = f.option AND a.number = f.number" \
    " JOIN summary b ON b.option = f.option AND b.number > f.number" \
    " WHERE (a.variety = 1 AND (b.variety = 1 OR a.clips > 1) OR b.variety = 1 AND b.clips > 1)" \
    " AND NOT EXISTS (SELECT 1 FROM temp.option_value x JOIN temp.option_value y" \
    " ON y.option = x.option AND y.number = b.number AND y.value = x.value" \
    " WHERE x.option = a.option AND x.number = a.number) ORDER BY b.number, a.option"

/* Settings with more than one value, most frequent first. */
#define MIXED \
    "SELECT option, group_concat(value || ' (' || clips || ' clip' || substr('s', 1, clips > 1) || ')', ', ')" \
    " FROM (SELECT option, value, clips FROM temp.option_value ORDER BY option, clips DESC, value)" \
    " GROUP BY option HAVING count(*) > 1 ORDER BY option"

static Status print_option(void *context, const char *stage, const char *name, const char *value, Error *err)
{
    FILE *out = context;
    (void)err;
    if (name)
        fprintf(out, " --%s%s%s", name, *value ? " " : "", value);
    else
        fprintf(out, "%s%s", ftell(out) > 0 ? "; " : "", stage);
    return STATUS_OK;
}

static Status put_kind(sqlite3_stmt *insert, sqlite3_int64 id, const char *history, Error *err)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return error_no_memory(err);
    Status status = history_visit_options(history ? history : "", print_option, out, err);
    if (fclose(out))
        status = error_no_memory(err);
    if (!status) {
        sqlite3_bind_int64(insert, 1, id);
        sqlite3_bind_text(insert, 2, text, -1, SQLITE_STATIC);
        status = database_step(insert, err);
    }
    free(text);
    return status;
}

Status index_option_kinds(sqlite3 *db, Error *err)
{
    sqlite3_stmt *list = NULL, *insert = NULL;
    int code = SQLITE_DONE;
    Status status;
    if ((status = database_exec(db, "CREATE TEMP TABLE option_kind(clip_id INTEGER PRIMARY KEY, options TEXT)", err)) ||
        (status = database_prepare(db, "SELECT id, history FROM clip", &list, err)))
        return status;
    status = database_prepare(db, "INSERT INTO temp.option_kind VALUES (?, ?)", &insert, err);
    while (!status && (code = sqlite3_step(list)) == SQLITE_ROW)
        status = put_kind(insert, sqlite3_column_int64(list, 0), (const char *)sqlite3_column_text(list, 1), err);
    if (!status && code != SQLITE_DONE)
        status = database_error(db, code, err);
    sqlite3_finalize(list);
    sqlite3_finalize(insert);
    return status;
}

typedef struct ValueCount {
    sqlite3_stmt *add; /* inserts into temp.option_value */
    int number;
    int only_settings;
    sqlite3_int64 clips;
} ValueCount;

static Status count_value(void *context, const char *stage, const char *name, const char *value, Error *err)
{
    const ValueCount *count = context;
    char option[160];
    if (count->only_settings && !option_is_setting(stage, name))
        return STATUS_OK;
    snprintf(option, sizeof option, "%.60s%s%.80s", stage, name ? " --" : "", name ? name : "");
    sqlite3_bind_text(count->add, 1, option, -1, SQLITE_STATIC);
    sqlite3_bind_int(count->add, 2, count->number);
    sqlite3_bind_text(count->add, 3, value && *value ? value : "yes", -1, SQLITE_STATIC);
    sqlite3_bind_int64(count->add, 4, count->clips);
    return database_step(count->add, err);
}

/* Adds the version that wrote the clip files, as a value of "kane --version". */
static Status count_version(const ValueCount *count, const char *version, Error *err)
{
    ValueCount all = *count;
    all.only_settings = 0;
    return count_value(&all, "kane", "version", version, err);
}

/* Adds the option values of the index opened as db, of all options or of settings alone. */
static Status count_values(Index *index, sqlite3 *db, const char *select, ValueCount count, Error *err)
{
    sqlite3_stmt *list = NULL;
    int code = SQLITE_DONE;
    Status status = database_prepare(index->file.db, "INSERT INTO temp.option_value VALUES (?, ?, ?, ?)"
                                     " ON CONFLICT DO UPDATE SET clips = clips + excluded.clips", &count.add, err);
    if (!status)
        status = database_prepare(db, select, &list, err);
    while (!status && (code = sqlite3_step(list)) == SQLITE_ROW) {
        const char *history = (const char *)sqlite3_column_text(list, 0);
        count.clips = sqlite3_column_int64(list, 1);
        const char *version = (const char *)sqlite3_column_text(list, 2);
        status = count_version(&count, version ? version : "", err);
        if (!status)
            status = history_visit_options(history ? history : "", count_value, &count, err);
    }
    if (!status && code != SQLITE_DONE)
        status = database_error(db, code, err);
    sqlite3_finalize(list);
    sqlite3_finalize(count.add);
    return status;
}

static Status note_coming(void *context, const char *path, Error *err)
{
    sqlite3_stmt *insert = context;
    sqlite3_bind_text(insert, 1, path, -1, SQLITE_STATIC);
    return database_step(insert, err);
}

/* Inserts the paths of a shard's clips, relative to the index. */
static Status move_paths(sqlite3 *db, const PathMove *move, sqlite3_stmt *insert, Error *err)
{
    sqlite3_stmt *list = NULL;
    int code = SQLITE_DONE;
    Status status = database_prepare(db, "SELECT path FROM clip WHERE path IS NOT NULL", &list, err);
    while (!status && (code = sqlite3_step(list)) == SQLITE_ROW) {
        char *path = NULL;
        status = path_move(move, (const char *)sqlite3_column_text(list, 0), &path, err);
        if (!status)
            status = note_coming(insert, path, err);
        free(path);
    }
    if (!status && code != SQLITE_DONE)
        status = database_error(db, code, err);
    sqlite3_finalize(list);
    return status;
}

/* Records what a merge replaces: the clips of a shard, and those that an earlier merge took from it. */
static Status note_replaced(Index *index, sqlite3 *db, const char *shard, Error *err)
{
    sqlite3_stmt *insert = NULL;
    PathMove move = {0};
    char *seen = NULL;
    if (index_is_empty(index))
        return STATUS_OK;
    Status status;
    if ((status = path_move_init(&move, shard, index->path, err)) ||
        (status = relative_path(shard, index->path, &seen, err)) ||
        (status = database_prepare(index->file.db, "INSERT OR IGNORE INTO temp.coming VALUES (?)", &insert, err)) ||
        (status = move_paths(db, &move, insert, err)) ||
        (status = batch_stamps_origins(&index->stamps, seen, note_coming, insert, err)))
        status = error_of_file(err, index->path, status);
    path_move_free(&move);
    free(seen);
    sqlite3_finalize(insert);
    return status;
}

static Status count_shard(Index *index, const char *shard, int number, Error *err)
{
    sqlite3 *db = NULL;
    Status status = index_file_read(shard, &db, err);
    if (!status)
        status = note_replaced(index, db, shard, err);
    if (!status)
        status = count_values(index, db, HISTORIES GROUPS, (ValueCount){.number = number}, err);
    database_close(&db);
    return status;
}

static Status visit_differences(Index *index, const char *const *shards, VisitDifference *visit, void *context,
                                Error *err)
{
    sqlite3_stmt *row = NULL;
    int code = SQLITE_DONE;
    Status status = database_exec(index->file.db, FLAGS, err);
    if (!status)
        status = database_prepare(index->file.db, DIFFERENCES, &row, err);
    while (!status && (code = sqlite3_step(row)) == SQLITE_ROW) {
        int number = sqlite3_column_int(row, 0);
        OptionDifference difference = {(const char *)sqlite3_column_text(row, 2), {
            {number ? shards[number - 1] : index->path, (const char *)sqlite3_column_text(row, 3),
             sqlite3_column_int64(row, 5), sqlite3_column_int64(row, 7)},
            {shards[sqlite3_column_int(row, 1) - 1], (const char *)sqlite3_column_text(row, 4),
             sqlite3_column_int64(row, 6), sqlite3_column_int64(row, 8)}}};
        status = visit(context, &difference, err);
    }
    if (!status && code != SQLITE_DONE)
        status = database_error(index->file.db, code, err);
    sqlite3_finalize(row);
    return status;
}

Status index_compare_options(Index *index, const char *const *shards, size_t count, VisitDifference *visit,
                             void *context, Error *err)
{
    Status status = database_exec(index->file.db, CREATE_VALUES, err);
    for (size_t i = 0; i < count && !status; i++)
        status = error_of_file(err, shards[i], count_shard(index, shards[i], (int)i + 1, err));
    if (!status)
        status = count_values(index, index->file.db, HISTORIES " WHERE path NOT IN (SELECT path FROM temp.coming)"
                              GROUPS, (ValueCount){0}, err);
    if (!status)
        status = visit_differences(index, shards, visit, context, err);
    return status ? status : database_exec(index->file.db, DROP_VALUES, err);
}

Status index_visit_mixed(Index *index, VisitMixed *visit, void *context, Error *err)
{
    sqlite3 *db = index->file.db;
    sqlite3_stmt *row = NULL;
    int code = SQLITE_DONE;
    Status status;
    if ((status = database_exec(db, CREATE_VALUES, err)) ||
        (status = count_values(index, db, HISTORIES GROUPS, (ValueCount){.only_settings = 1}, err)) ||
        (status = database_exec(db, FLAGS, err)) ||
        (status = database_prepare(db, MIXED, &row, err)))
        return status;
    while (!status && (code = sqlite3_step(row)) == SQLITE_ROW)
        status = visit(context, (const char *)sqlite3_column_text(row, 0), (const char *)sqlite3_column_text(row, 1),
                       err);
    if (!status && code != SQLITE_DONE)
        status = database_error(db, code, err);
    sqlite3_finalize(row);
    return status ? status : database_exec(db, DROP_VALUES, err);
}
