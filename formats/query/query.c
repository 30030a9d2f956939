/* See query.h. */
#include "formats/query/query.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/number.h"
#include "formats/base/text.h"
#include "formats/container/container.h"
#include "formats/index/index.h"
#include "formats/index/index_file.h"
#include "formats/index/index_schema.h"
#include "formats/sql_frames/frames_table.h"

/* Presets that are prepared by a function, and the search for a preset by name. */

#define UNSURE QUERY_UNSURE
#define ALIKE(figures) \
    "SELECT path, c.start_s + a.t AS t0, c.start_s + a.t + a.seconds AS t1, " figures "mirrored, " UNSURE \
    " FROM temp.alike a CROSS JOIN clip c ON c.id = a.clip_id"
#define STRETCHES "SELECT s.path, t0, t1, seconds, frame0, frame1, limiting_role, limit_fraction, " UNSURE \
    " FROM temp.stretch s CROSS JOIN clip c ON c.path = s.path"

static Status prepare_options(sqlite3 *db, const QueryDef *def, const char *database, Error *err)
{
    (void)def;
    (void)database;
    return index_option_kinds(db, err);
}

static const QueryPreset prepared[] = {
    {.name = "@options",
     .help = "@options             kinds of options with which clips were made",
     .select = "SELECT count(*) AS clips, min(c.path) AS path, options FROM temp.option_kind k"
               " CROSS JOIN clip c ON c.id = k.clip_id GROUP BY options", .order = "clips DESC, path", .limit = -1,
     .prepare = prepare_options},
    {.name = "@within", .argument = "LIMITS.tsv or ROLE=NM_KG[,...]",
     .help = "@within LIMITS       intervals with each joint below its limit: a table\n                     (columns "
             "role, torque_nm or torque_nm_kg) or\n                     left_knee=2.5,right_knee=2.5",
     .select = STRETCHES, .order = "seconds DESC, path, t0", .limit = -1, .prepare = query_within_prepare},
    {.name = "@over", .argument = "LIMITS.tsv, ROLE=NM_KG[,...] or strength[=FRACTION]",
     .help = "@over LIMITS         intervals with a joint above its limit: all trusted\n                     frames "
             "that are not @within; strength[=1.0]: with a\n                     utilization above this value",
     .select = STRETCHES, .order = "limit_fraction DESC, path, t0", .limit = -1, .prepare = query_over_prepare},
    {.name = "@similar", .old_name = "@like", .argument = "FILE",
     .help = "@similar FILE        clips with the most similar torque profile (RMS\n"
             "                     distance) to a clip file or a clip of the index",
     .select = "SELECT path, distance_nm_kg, roles, " UNSURE " FROM temp.likeness l"
               " CROSS JOIN clip c ON c.id = l.clip_id",
     .order = "distance_nm_kg, path", .limit = 10, .prepare = query_like_prepare},
    {.name = "@similar", .old_name = "@like", .argument = "FILE@FROM-TO", .is_of_span = 1,
     .help = "@similar FILE@FROM-TO\n"
             "                     intervals similar to FROM to TO (s) of this clip,\n"
             "                     nearest first; --by pose (leg lengths), torque (Nm/kg)\n"
             "                     or both; --mirror also matches the mirrored interval",
     .select = ALIKE("distance, pose_legs, torque_nm_kg, "),
     .order = "distance, path, t0", .limit = 10, .prepare = query_window_prepare},
    {.name = "@lower-torque", .old_name = "@calmer", .argument = "FILE",
     .help = "@lower-torque FILE\n"
             "                     clips with similar motion and lower torque, nearest pose\n"
             "                     first; with FILE@FROM-TO intervals",
     .select = "SELECT path, pose_legs, torque_part, " UNSURE " FROM temp.alike a"
               " CROSS JOIN clip c ON c.id = a.clip_id",
     .order = "pose_legs, path", .limit = 10, .prepare = query_calmer_prepare},
    {.name = "@lower-torque", .old_name = "@calmer", .argument = "FILE@FROM-TO", .is_of_span = 1,
     .select = ALIKE("pose_legs, torque_part, "),
     .order = "pose_legs, path, t0", .limit = 10, .prepare = query_calmer_prepare},
};

enum { PRESET_COUNT = QUERY_PLAIN_PRESETS + sizeof prepared / sizeof *prepared };

static const QueryPreset *preset_at(int i)
{
    return i < QUERY_PLAIN_PRESETS ? &query_plain_presets[i] : &prepared[i - QUERY_PLAIN_PRESETS];
}

static Status check_words(const QueryPreset *preset, const QueryDef *def, Error *err)
{
    int has_choice = preset->prepare == query_window_prepare;
    if (preset->argument && !def->argument)
        return error_set(err, STATUS_USAGE, "%s needs %s", preset->name, preset->argument);
    const char *end = def->argument ? def->argument + strlen(def->argument) : NULL;
    double number;
    if (!preset->argument && def->argument && number_scan(def->argument, end, &number) == end)
        return error_set(err, STATUS_USAGE, "%s has no argument; --limit sets the number of rows", preset->name);
    if (!preset->argument && def->among)
        return error_set(err, STATUS_USAGE, "%s has no argument but a WHERE", preset->name);
    if (def->by != LIKENESS_BOTH && !has_choice)
        return error_set(err, STATUS_USAGE, "--by requires @similar FILE@FROM-TO");
    if (def->with_mirror && !preset->is_of_span)
        return error_set(err, STATUS_USAGE, "--mirror requires FILE@FROM-TO");
    return STATUS_OK;
}

static int is_preset(const QueryPreset *preset, const char *name)
{
    return strcmp(name, preset->name) == 0 || (preset->old_name && strcmp(name, preset->old_name) == 0);
}

Status query_preset_find(const QueryDef *def, const QueryPreset **preset, Error *err)
{
    const char *names[PRESET_COUNT] = {NULL};
    int count = 0, has_span = def->argument && query_has_span(def->argument);
    *preset = NULL;
    for (int i = 0; i < PRESET_COUNT; i++) {
        if (is_preset(preset_at(i), def->where) && (has_span || !preset_at(i)->is_of_span))
            *preset = preset_at(i); /* presets of an interval follow those of a clip */
        if (count == 0 || strcmp(names[count - 1], preset_at(i)->name) != 0)
            names[count++] = preset_at(i)->name;
    }
    if (*preset)
        return check_words(*preset, def, err);
    char near[128];
    did_you_mean(def->where, names, (size_t)count, near, sizeof near);
    for (int i = 0; i < PRESET_COUNT && !*near; i++)
        if (preset_at(i)->old_name && nearest_name(def->where, &preset_at(i)->old_name, 1))
            snprintf(near, sizeof near, "; did you mean %s?", preset_at(i)->name);
    return error_set(err, STATUS_USAGE, "unknown preset %s%s", def->where, *near ? near : "; see kane query --help");
}

Status query_preset_blame(const QueryDef *def, Status status, Error *err)
{
    if (!status || !err)
        return status;
    Error cause = *err;
    char location[32] = "";
    if (cause.line > 0 && cause.column > 0)
        snprintf(location, sizeof location, "%d:%d:", cause.line, cause.column);
    else if (cause.line > 0)
        snprintf(location, sizeof location, "%d:", cause.line);
    return error_set(err, status, "%s:%s %.300s", def->argument, location, cause.text);
}

const char *query_preset_help(int index)
{
    return index >= 0 && index < PRESET_COUNT ? preset_at(index)->help : NULL;
}

/* Builds the SELECT of a query for one index. */

/* Columns of a WHERE query that names none. */
#define PLAIN_COLUMNS "path, duration_s, torque_peak_nm_kg, torque_peak_role, torque_peak_t"

/* Prints a text into *text, which is owned (sqlite3_free). */
static Status make_text(char **text, Error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sqlite3_free(*text);
    *text = sqlite3_vmprintf(format, args);
    va_end(args);
    return *text ? STATUS_OK : error_no_memory(err);
}

/* Returns the condition of a preset. It is the second word after the preset if the preset has an argument, else the
 * first. */
static const char *condition_of(const QueryPreset *preset, const QueryDef *def)
{
    return preset->argument ? def->among : def->argument;
}

/* Collects all column names that the query can use: those of the preset, of clip_summary with tags, or of all
 * tables. */
static void collect_names(const Question *q, QueryColumns *names)
{
    static const char every[] = "SELECT i.name FROM pragma_table_list l, pragma_table_info(l.name) i"
                                " WHERE l.schema = 'main' AND l.type IN ('table', 'virtual')"
                                " UNION SELECT name FROM pragma_table_info('kane_frames')";
    static const char summary[] = "SELECT name FROM pragma_table_info('clip_summary')"
                                  " UNION ALL SELECT DISTINCT name FROM tag";
    sqlite3_stmt *list = NULL;
    char *source = q->from ? sqlite3_mprintf("SELECT * FROM %s", q->from) : NULL;
    int is_preset = source && !query_guard_prepare(q->db, source, &list, NULL); /* 0: wrong condition */
    for (int c = 0; is_preset && c < sqlite3_column_count(list); c++)
        query_columns_append(names, sqlite3_column_name(list, c));
    if (!is_preset && !query_guard_prepare(q->db, q->def->sql ? every : summary, &list, NULL))
        while (sqlite3_step(list) == SQLITE_ROW)
            query_columns_append(names, (const char *)sqlite3_column_text(list, 0));
    sqlite3_finalize(list);
    sqlite3_free(source);
}

/* STATUS_BAD_INPUT if the index lacks tables or columns: then the index is damaged and the query may be correct. The
 * authorizer records no columns here. */
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

/* Sets the error of an unknown column: with its new name if it was renamed, else with similar names. */
static Status unknown_column(const Question *q, const char *name, Error *err)
{
    char wrong[128], near[256];
    snprintf(wrong, sizeof wrong, "%.127s", name);
    const char *dot = strrchr(wrong, '.'), *plain = dot ? dot + 1 : wrong;
    if (index_column_renamed(plain, near, sizeof near))
        return error_set(err, STATUS_USAGE, "unknown column \"%s\"; renamed to %s", wrong, near);
    QueryColumns names = {0};
    collect_names(q, &names);
    did_you_mean(plain, (const char *const *)names.name, (size_t)names.count, near, sizeof near);
    query_columns_free(&names);
    return error_set(err, STATUS_USAGE, "unknown column \"%s\"%s", wrong, near);
}

/* Rewrites a syntax error of SQLite so that it quotes the user's condition. */
static Status blame_condition(const QueryDef *def, Error *err)
{
    int is_preset = !def->sql && def->where && def->where[0] == '@';
    const char *where = is_preset ? (def->among ? def->among : def->argument) : def->where;
    const char *text = def->sql ? def->sql : where && !def->order ? where : def->order ? def->order : "";
    char cause[128];
    snprintf(cause, sizeof cause, "%.127s", err->text);
    if (strstr(cause, "incomplete input") || strncmp(cause, "near \")\"", 8) == 0)
        return error_set(err, STATUS_USAGE, "incomplete condition: \"%.300s\"", text);
    return error_set(err, STATUS_USAGE, "%s in \"%.300s\"", cause, text);
}

/* STATUS_BAD_INPUT if the statement reads traces and the index has none; it would return no rows. */
static Status check_traces(const Question *q, Error *err)
{
    return q->guard.reads_traces ? query_traces_check(q->db, err) : STATUS_OK;
}

Status question_prepare(Question *q, const char *sql, sqlite3_stmt **statement, Error *err)
{
    static const char unknown[] = "no such column: ";
    Error own = {0};
    Error *cause = err ? err : &own;
    Status status = query_guard_prepare(q->db, sql, statement, cause);
    if (!status && (status = check_traces(q, err))) {
        sqlite3_finalize(*statement);
        *statement = NULL;
        return status;
    }
    if (status == STATUS_USAGE) {
        Error damage = {0};
        Status sound = check_tables(q, &damage);
        if (sound)
            return error_set(err, sound, "%s", damage.text);
    }
    if (status == STATUS_USAGE && (strstr(cause->text, "syntax error") || strstr(cause->text, "incomplete input")))
        return blame_condition(q->def, cause);
    if (status != STATUS_USAGE || strncmp(cause->text, unknown, sizeof unknown - 1) != 0)
        return status;
    return unknown_column(q, cause->text + sizeof unknown - 1, err);
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

/* Chooses the columns: path, then those that the condition and the order name, and after each torque peak its time. */
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

/* Builds the SELECT of a WHERE query. Text of the user is on lines of its own, so that an SQL comment in it ends
 * there. */
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
    if (!status && q->beside) /* the order may name a column that only the merged rows have */
        return make_text(&q->select, err, "SELECT %s FROM %s WHERE (\n%s\n)", q->columns, from, where);
    if (!status)
        status = make_text(&q->select, err, "SELECT\n%s\nFROM %s WHERE (\n%s\n) ORDER BY\n%s\nLIMIT %lld",
                           def->columns ? def->columns : q->columns, from, where, order, q->limit);
    return status;
}

/* Returns the text before a preset's SELECT: common table expressions that hide the tables behind subsets with the
 * chosen clips. The condition itself still reads the full tables. */
static char *choose_clips(const Question *q, const QueryPreset *preset)
{
    const char *condition = condition_of(preset, q->def);
    if (!condition)
        return sqlite3_mprintf("SELECT * FROM (");
    if (preset->chosen)
        return sqlite3_mprintf("WITH chosen AS MATERIALIZED (SELECT path FROM %s WHERE (\n%s\n)) SELECT * FROM (WITH"
                               " %s AS (SELECT * FROM main.%s WHERE path IN (SELECT path FROM chosen)) ",
                               preset->chosen, condition, preset->chosen, preset->chosen);
    return sqlite3_mprintf("WITH chosen AS MATERIALIZED (SELECT clip_id FROM %s WHERE (\n%s\n)) SELECT * FROM (WITH"
                           " clip AS (SELECT * FROM main.clip WHERE id IN (SELECT clip_id FROM chosen)),"
                           " clip_summary AS (SELECT * FROM main.clip_summary WHERE clip_id IN"
                           " (SELECT clip_id FROM chosen)) ", q->source.sql, condition);
}

static Status ask_preset(Question *q, const QueryPreset *preset, Error *err)
{
    q->limit = q->def->limit < 0 ? preset->limit : q->def->limit;
    q->is_own_limit = q->def->limit < 0 && preset->limit >= 0;
    q->order = q->def->order ? q->def->order : preset->order;
    long long most = q->limit < 0 ? q->limit : q->limit + 1; /* one more row shows whether the limit cut any */
    int is_short = preset->shortcut && !q->def->order && most > 0;
    char *chosen = choose_clips(q, preset), *select = is_short ? sqlite3_mprintf(preset->shortcut, most) : NULL;
    Status status = chosen && (select || !is_short) ? STATUS_OK : error_no_memory(err);
    if (!status)
        status = make_text(&q->from, err, "(%s%s))", chosen, is_short ? select : preset->select);
    sqlite3_free(chosen);
    sqlite3_free(select);
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

/* The table expression that conditions apply to, with tags as columns. */

static int is_of_name(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_';
}

/* Returns 1 if text contains name as a whole word, ignoring case. */
static int has_word(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text; at && length > 0 && (at = strcasestr(at, name)); at++)
        if (!(at > text && is_of_name(at[-1])) && !is_of_name(at[length]))
            return 1;
    return 0;
}

static int is_named(const QueryDef *def, const char *name)
{
    return has_word(def->where, name) || has_word(def->argument, name) || has_word(def->among, name) ||
           has_word(def->columns, name) || has_word(def->order, name);
}

static int is_added(const QuerySource *source, const char *name)
{
    for (int i = 0; i < source->tags.count; i++)
        if (strcmp(source->tags.name[i], name) == 0)
            return 1;
    return 0;
}

/* Adds a tag as a column, NULL for clips without it. */
static Status add_tag(QuerySource *source, const char *name, Error *err)
{
    char *longer = sqlite3_mprintf("%s LEFT JOIN (SELECT clip_id, value AS \"%w\" FROM tag WHERE name = %Q)"
                                   " USING (clip_id)", source->sql, name, name);
    sqlite3_free(source->sql);
    source->sql = longer;
    query_columns_append(&source->tags, name);
    return longer && !source->tags.no_memory ? STATUS_OK : error_no_memory(err);
}

Status query_tags(sqlite3 *db, QueryColumns *names, Error *err)
{
    sqlite3_stmt *list = NULL;
    int code = SQLITE_DONE;
    Status status = database_prepare(db, "SELECT DISTINCT name FROM tag ORDER BY name", &list, err);
    while (!status && (code = sqlite3_step(list)) == SQLITE_ROW)
        if (sqlite3_column_text(list, 0)) /* an untrusted index may contain anything */
            query_columns_append(names, (const char *)sqlite3_column_text(list, 0));
    if (!status && code != SQLITE_DONE)
        status = database_error(db, code, err);
    sqlite3_finalize(list);
    return !status && names->no_memory ? error_no_memory(err) : status;
}

static Status add_named(QuerySource *source, const QueryDef *def, const char *const *names, int count, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < count && !status; i++)
        if (is_named(def, names[i]) && !is_added(source, names[i]))
            status = add_tag(source, names[i], err);
    return status;
}

/* A SELECT of the user names its tables itself and gets no tag columns. */
Status query_source_init(QuerySource *source, sqlite3 *db, const QueryDef *def, Error *err)
{
    QueryColumns names = {0};
    *source = (QuerySource){.sql = sqlite3_mprintf("clip_summary")};
    Status status = source->sql ? STATUS_OK : error_no_memory(err);
    if (!status && !def->sql)
        status = query_tags(db, &names, err);
    if (!status)
        status = add_named(source, def, (const char *const *)names.name, names.count, err);
    if (!status)
        status = add_named(source, def, def->tags, def->tag_count, err);
    query_columns_free(&names);
    return status;
}

void query_source_free(QuerySource *source)
{
    sqlite3_free(source->sql);
    query_columns_free(&source->tags);
    *source = (QuerySource){0};
}

/* The reference clip of a query. */

/* Returns the ID of a clip by its path, as in the index or relative to the current folder; 0 if there is none. */
static sqlite3_int64 find_clip(sqlite3 *db, const char *file, const char *database)
{
    sqlite3_stmt *find = NULL;
    sqlite3_int64 id = 0;
    char *moved = NULL;
    relative_path(file, database, &moved, NULL);
    if (database_prepare(db, "SELECT id FROM clip WHERE path IN (?1, ?2) ORDER BY path = ?1 DESC", &find, NULL) == 0) {
        sqlite3_bind_text(find, 1, file, -1, SQLITE_STATIC);
        sqlite3_bind_text(find, 2, moved, -1, SQLITE_STATIC);
        if (sqlite3_step(find) == SQLITE_ROW)
            id = sqlite3_column_int64(find, 0);
    }
    sqlite3_finalize(find);
    free(moved);
    return id;
}

static Status read_file(const char *path, const ClipReader *reader, void *out, Error *err)
{
    ContainerImage image = {0};
    Clip clip = {0};
    ClipStats stats = {0};
    Status status = container_load(path, &image, err);
    if (!status)
        status = container_decode_guarded(&image, &clip, NULL, 0, err);
    if (!status)
        status = clip_stats_init(&stats, &clip, FRAMES_TRUSTED, err);
    if (!status)
        status = reader->from_stats(&stats, out, err);
    clip_stats_free(&stats);
    clip_free(&clip);
    container_image_free(&image);
    return status;
}

/* Reads the clip from the first of the other indexes that has it; *is_found is 0 if none has. */
static Status read_others(const ClipRequest *r, void *out, int *is_found, Error *err)
{
    Status status = STATUS_OK;
    *is_found = 0;
    for (int i = 0; i < r->def->database_count && !status && !*is_found; i++) {
        sqlite3 *db = NULL;
        status = index_file_read(r->def->databases[i], &db, err);
        sqlite3_int64 id = status ? 0 : find_clip(db, r->file, r->def->databases[i]);
        if (id > 0) {
            status = r->reader->from_index(db, id, out, err);
            *is_found = 1;
        }
        database_close(&db);
    }
    return status;
}

Status query_clip_read(sqlite3 *db, const ClipRequest *request, void *out, sqlite3_int64 *self, Error *err)
{
    int is_found = 0;
    *self = find_clip(db, request->file, request->database);
    if (*self > 0)
        return request->reader->from_index(db, *self, out, err);
    Status status = read_others(request, out, &is_found, err);
    return status || is_found ? status : read_file(request->file, request->reader, out, err);
}

/* Returns the position of the @ of a trailing @FROM-TO and reads both numbers, s; NULL if text does not end in it. */
static const char *find_span(const char *text, double *from, double *to)
{
    const char *mark = strrchr(text, '@'), *end = text + strlen(text);
    const char *dash = mark ? number_scan(mark + 1, end, from) : NULL;
    return dash && *dash == '-' && number_scan(dash + 1, end, to) == end ? mark : NULL;
}

int query_has_span(const char *text)
{
    double from, to;
    return find_span(text, &from, &to) != NULL;
}

Status query_span_parse(const char *text, ClipSpan *span, Error *err)
{
    *span = (ClipSpan){0};
    const char *mark = find_span(text, &span->from, &span->to);
    if (!mark || !(span->to > span->from))
        return error_set(err, STATUS_USAGE, "expected FILE@FROM-TO with FROM before TO in seconds, found \"%.200s\"",
                         text);
    span->file = strndup(text, (size_t)(mark - text));
    return span->file ? STATUS_OK : error_no_memory(err);
}

QueryDef query_default_def(void)
{
    return (QueryDef){.limit = -1, .min_seconds = 0, .time_limit = 60, .format = QUERY_TABLE};
}

static Cell cell_of(sqlite3_stmt *row, int column)
{
    static const CellKind kinds[] = {[SQLITE_INTEGER] = CELL_INTEGER,
                                     [SQLITE_FLOAT] = CELL_REAL,
                                     [SQLITE_TEXT] = CELL_TEXT,
                                     [SQLITE_BLOB] = CELL_BLOB,
                                     [SQLITE_NULL] = CELL_NULL};
    Cell cell = {.kind = kinds[sqlite3_column_type(row, column)]};
    if (cell.kind == CELL_INTEGER)
        cell.integer = sqlite3_column_int64(row, column);
    else if (cell.kind == CELL_REAL)
        cell.real = sqlite3_column_double(row, column);
    else if (cell.kind == CELL_TEXT)
        cell.bytes = (const char *)sqlite3_column_text(row, column);
    else if (cell.kind == CELL_BLOB)
        cell.bytes = sqlite3_column_blob(row, column);
    if (cell.bytes)
        cell.size = (size_t)sqlite3_column_bytes(row, column);
    return cell;
}

Status question_step_error(const Question *q, int code, Error *err)
{
    switch (code & 0xff) {
    case SQLITE_ROW:
    case SQLITE_DONE:
        return STATUS_OK;
    case SQLITE_INTERRUPT:
        return error_set(err, STATUS_LIMIT, "the time limit of %g s is over", q->def->time_limit);
    case SQLITE_AUTH: /* some virtual tables call the authorizer only when they are read */
        return error_set(err, STATUS_USAGE, "a query only reads: %s", sqlite3_errmsg(q->db));
    case FRAMES_TABLE_FAILED:
        return error_set(err, STATUS_BAD_INPUT, "%s", sqlite3_errmsg(q->db));
    case SQLITE_ERROR:
    case SQLITE_TOOBIG:
    case SQLITE_MISMATCH:
        return error_set(err, STATUS_USAGE, "%s", sqlite3_errmsg(q->db));
    default:
        return database_error(q->db, code, err);
    }
}

/* Writes the current row of the statement and those after it. code: result of its last step. */
static Status write_rows(Question *q, sqlite3_stmt *rows, int code, QueryOutput *output, Cell *cells, Error *err)
{
    long long count = 0;
    int columns = sqlite3_column_count(rows);
    Status status = STATUS_OK;
    while (code == SQLITE_ROW && (q->limit < 0 || count < q->limit) && !status) {
        for (int c = 0; c < columns; c++)
            cells[c] = cell_of(rows, c);
        status = query_output_row(output, cells, err);
        if ((++count != q->limit || q->is_own_limit) && !status) {
            code = sqlite3_step(rows);
            status = question_step_error(q, code, err);
        }
    }
    if (code == SQLITE_ROW && q->is_own_limit && q->def->is_cut)
        *q->def->is_cut = 1;
    if (!status && count == 0)
        status = error_set(err, STATUS_NO_RESULT, "no row matches");
    return status;
}

/* Writes the header only after the first step succeeded, so that an error is printed alone. */
static Status write_answer(Question *q, sqlite3_stmt *rows, const char *const *names, Cell *cells, FILE *out,
                           Error *err)
{
    QueryOutput *output = NULL;
    int code = sqlite3_step(rows);
    Status status;
    if ((status = question_step_error(q, code, err)) ||
        (status = query_output_open(q->def->format, sqlite3_column_count(rows), names, out, &output, err)))
        return status;
    status = write_rows(q, rows, code, output, cells, err);
    if (status && status != STATUS_NO_RESULT) {
        query_output_abandon(output);
        return status;
    }
    Error closing;
    Status closed = query_output_close(output, &closing);
    return closed ? error_set(err, closed, "%s", closing.text) : status;
}

Status question_answer(Question *q, sqlite3_stmt *rows, FILE *out, Error *err)
{
    int columns = sqlite3_column_count(rows);
    const char **names = calloc((size_t)columns + 1, sizeof *names);
    Cell *cells = calloc((size_t)columns + 1, sizeof *cells);
    Status status = names && cells ? STATUS_OK : error_no_memory(err);
    for (int c = 0; c < columns && !status; c++)
        names[c] = sqlite3_column_name(rows, c);
    if (!status)
        status = write_answer(q, rows, names, cells, out, err);
    free(names);
    free(cells);
    return status;
}

Status query_ask(sqlite3 *db, const char *database, const QueryDef *def, FILE *out, Error *err)
{
    Question q = {.def = def, .database = database, .db = db, .limit = def->limit};
    sqlite3_stmt *rows = NULL;
    Status status = question_make(&q, err);
    if (!status)
        status = question_prepare(&q, q.select, &rows, err);
    if (!status)
        status = question_answer(&q, rows, out, err);
    sqlite3_finalize(rows);
    question_free(&q);
    return status;
}

Status query_open(const char *database, sqlite3 **db, Error *err)
{
    Status status = index_file_read(database, db, err);
    if (!status && frames_table_register(*db) != SQLITE_OK)
        status = error_no_memory(err);
    if (status)
        database_close(db);
    return status;
}

Status query_run(const char *database, const QueryDef *def, FILE *out, Error *err)
{
    sqlite3 *db;
    Status status = query_open(database, &db, err);
    if (!status)
        status = query_ask(db, database, def, out, err);
    database_close(&db);
    return status;
}
