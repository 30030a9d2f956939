#include "formats/query/query_question.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/text.h"
#include "formats/index/database.h"
#include "formats/index/index_schema.h"
#include "formats/query/query_preset.h"

/* Columns of an answer to a WHERE that names none. */
#define PLAIN_COLUMNS "path, duration_s, torque_peak_nm_kg, torque_peak_role, torque_peak_t"

/* Text in owned storage; NULL without memory. */
static Status make_text(char **text, Error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sqlite3_free(*text);
    *text = sqlite3_vmprintf(format, args);
    va_end(args);
    return *text ? STATUS_OK : error_no_memory(err);
}

/* Every name that the question can see: the columns of a preset, of clip_summary, or of all tables. */
static void collect_names(const Question *q, QueryColumns *names)
{
    static const char every[] = "SELECT i.name FROM pragma_table_list l, pragma_table_info(l.name) i"
                                " WHERE l.schema = 'main' AND l.type IN ('table', 'virtual')"
                                " UNION SELECT name FROM pragma_table_info('kane_frames')";
    static const char summary[] = "SELECT name FROM pragma_table_info('clip_summary')"
                                  " UNION ALL SELECT DISTINCT name FROM tag";
    sqlite3_stmt *list = NULL;
    char *source = q->from ? sqlite3_mprintf("SELECT * FROM %s", q->from)
                           : sqlite3_mprintf("%s", q->def->sql ? every : summary);
    if (source && query_guard_prepare(q->db, source, &list, NULL) == STATUS_OK) {
        for (int c = 0; q->from && c < sqlite3_column_count(list); c++)
            query_columns_append(names, sqlite3_column_name(list, c));
        while (!q->from && sqlite3_step(list) == SQLITE_ROW)
            query_columns_append(names, (const char *)sqlite3_column_text(list, 0));
    }
    sqlite3_finalize(list);
    sqlite3_free(source);
}

/* STATUS_BAD_INPUT where tables of the index or their columns are not there: then it is not the question that is wrong.
 * The authorizer notes no columns here. */
static Status check_tables(const Question *q, Error *err)
{
    IndexSchema schema;
    Status status = index_schema_init(&schema, err);
    if (status)
        return status;
    for (int t = 0; t < TABLE_COUNT && !status; t++) {
        sqlite3_stmt *all = NULL;
        status = index_schema_prepare_select(&schema, q->db, (IndexTable)t, &all, err);
        sqlite3_finalize(all);
    }
    index_schema_free(&schema);
    return status;
}

Status question_prepare(Question *q, const char *sql, sqlite3_stmt **statement, Error *err)
{
    static const char unknown[] = "no such column: ";
    Error own = {0};
    Error *cause = err ? err : &own;
    Status status = query_guard_prepare(q->db, sql, statement, cause);
    if (status == STATUS_USAGE) {
        Error damage = {0};
        Status sound = check_tables(q, &damage);
        if (sound)
            return error_set(err, sound, "%s", damage.text);
    }
    if (status != STATUS_USAGE || strncmp(cause->text, unknown, sizeof unknown - 1) != 0)
        return status;
    char wrong[128], near[256];
    snprintf(wrong, sizeof wrong, "%.127s", cause->text + sizeof unknown - 1);
    const char *dot = strrchr(wrong, '.');
    QueryColumns names = {0};
    collect_names(q, &names);
    near_names(dot ? dot + 1 : wrong, (const char *const *)names.name, (size_t)names.count, near, sizeof near);
    query_columns_free(&names);
    return error_set(err, STATUS_USAGE, "no column \"%s\"%s%s", wrong, near[0] ? "; near: " : "", near);
}

static int ends_in(const char *name, const char *suffix)
{
    size_t length = strlen(name), size = strlen(suffix);
    return length >= size && strcmp(name + length - size, suffix) == 0;
}

static Status append_column(Question *q, const char *name, size_t length, const char *suffix, Error *err)
{
    char *longer = sqlite3_mprintf("%s, \"%.*w%w\"", q->columns, (int)length, name, suffix);
    sqlite3_free(q->columns);
    q->columns = longer;
    return longer ? STATUS_OK : error_no_memory(err);
}

/* path, then what the expression and the order name; beside a peak of torque also when it is. */
static Status choose_columns(Question *q, Error *err)
{
    const QueryColumns *named = &q->guard.columns;
    Status status = make_text(&q->columns, err, "path");
    for (int i = 0; i < named->count && !status; i++) {
        const char *name = named->name[i];
        if (strcmp(name, "path") == 0 || strcmp(name, "clip_id") == 0 || strcmp(name, "ROWID") == 0)
            continue;
        status = append_column(q, name, strlen(name), "", err);
        const char *unit = ends_in(name, "torque_peak_nm") ? "nm" : ends_in(name, "torque_peak_nm_kg") ? "nm_kg" : NULL;
        if (!status && unit)
            status = append_column(q, name, strlen(name) - strlen(unit), "t", err);
    }
    for (int i = 0; i < q->source.tags.count && !status; i++)
        status = append_column(q, q->source.tags.name[i], strlen(q->source.tags.name[i]), "", err);
    if (!status && named->no_memory)
        status = error_no_memory(err);
    if (!status && strcmp(q->columns, "path") == 0)
        status = make_text(&q->columns, err, "%s", PLAIN_COLUMNS);
    return status;
}

/* The parts that come from a person stand on lines of their own, so that a comment in one ends there. */
static Status ask_summary(Question *q, Error *err)
{
    const QueryDef *def = q->def;
    const char *where = def->where ? def->where : "1", *order = def->order ? def->order : "path";
    const char *from = q->source.sql;
    sqlite3_stmt *trial = NULL;
    Status status = make_text(&q->select, err, "SELECT\n%s\nFROM %s WHERE (\n%s\n) ORDER BY\n%s",
                              q->beside ? q->beside : "1", from, where, order);
    q->order = order;
    if (!status && !def->columns) {
        status = question_prepare(q, q->select, &trial, err);
        sqlite3_finalize(trial);
        if (!status)
            status = choose_columns(q, err);
    }
    if (!status && q->beside) /* the order may name what is only made of these rows */
        return make_text(&q->select, err, "SELECT %s FROM %s WHERE (\n%s\n)", q->columns, from, where);
    if (!status)
        status = make_text(&q->select, err, "SELECT\n%s\nFROM %s WHERE (\n%s\n) ORDER BY\n%s\nLIMIT %lld",
                           def->columns ? def->columns : q->columns, from, where, order, q->limit);
    return status;
}

static Status ask_preset(Question *q, const QueryPreset *preset, Error *err)
{
    q->limit = q->def->limit < 0 ? preset->limit : q->def->limit;
    q->is_own_limit = q->def->limit < 0 && preset->limit >= 0;
    q->order = q->def->order ? q->def->order : preset->order;
    long long most = q->limit < 0 ? q->limit : q->limit + 1; /* one more tells whether there are more */
    Status status = STATUS_OK;
    if (preset->shortcut && !q->def->order && most > 0) {
        char *select = sqlite3_mprintf(preset->shortcut, most);
        status = make_text(&q->from, err, "(%s)", select ? select : "");
        sqlite3_free(select);
    } else if (q->def->among) {
        status = make_text(&q->from, err, "(%s WHERE c.id IN (SELECT clip_id FROM %s WHERE (\n%s\n)))",
                           preset->select, q->source.sql, q->def->among);
    } else {
        status = make_text(&q->from, err, "(%s)", preset->select);
    }
    if (!status)
        status = make_text(&q->select, err, "SELECT\n%s\nFROM %s ORDER BY\n%s\nLIMIT %lld",
                           q->def->columns ? q->def->columns : "*", q->from, q->order, most);
    return status;
}

Status question_make(Question *q, Error *err)
{
    const QueryDef *def = q->def;
    const QueryPreset *preset = NULL;
    int is_preset = !def->sql && def->where && def->where[0] == '@';
    if (def->sql && (def->where || def->columns || def->order))
        return error_set(err, STATUS_USAGE, "a SELECT of one's own takes no expression, columns or order");
    Status status = is_preset ? query_preset_find(def, &preset, err) : STATUS_OK;
    if (!status && preset && preset->prepare)
        status = preset->prepare(q->db, def, q->database, err);
    if (!status)
        status = query_source_init(&q->source, q->db, def, err);
    if (status)
        return status;
    query_guard_install(&q->guard, q->db, def->time_limit);
    if (def->sql)
        return make_text(&q->select, err, "%s", def->sql);
    return preset ? ask_preset(q, preset, err) : ask_summary(q, err);
}

void question_free(Question *q)
{
    query_guard_remove(q->db);
    query_columns_free(&q->guard.columns);
    query_source_free(&q->source);
    sqlite3_free(q->from);
    sqlite3_free(q->columns);
    sqlite3_free(q->select);
}
