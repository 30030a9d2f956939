#include "formats/index/index_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "analysis/stats/clip_stats.h"
#include "analysis/stats/events.h"
#include "analysis/stats/joint_curves.h"
#include "analysis/stats/motion_features.h"
#include "analysis/stats/quantized_curve.h"
#include "analysis/stats/windows.h"
#include "formats/base/database.h"
#include "formats/index/index_schema.h"
#include "formats/index/path_words.h"

Status index_rows_prepare(IndexRows *rows, const IndexSchema *schema, sqlite3 *db, Error *err)
{
    Status status = STATUS_OK;
    *rows = (IndexRows){.schema = schema};
    for (int t = 0; t < TABLE_COUNT && !status; t++)
        status = index_schema_prepare_insert(schema, db, (IndexTable)t, &rows->insert[t], err);
    if (!status)
        status = database_prepare(db, "UPDATE clip SET checksum = ? WHERE id = ?", &rows->seal, err);
    if (status)
        index_rows_finalize(rows);
    return status;
}

void index_rows_finalize(IndexRows *rows)
{
    for (int t = 0; t < TABLE_COUNT; t++)
        sqlite3_finalize(rows->insert[t]);
    sqlite3_finalize(rows->seal);
    *rows = (IndexRows){0};
}

/* The structs that fill a row; columns of a NULL part are NULL. */
typedef struct Row {
    RowKey key;
    const void *part[PART_COUNT];
} Row;

uint64_t index_hash(uint64_t hash, int type, const void *bytes, size_t size)
{
    return XXH64(bytes, size, hash + (uint64_t)type);
}

uint64_t index_hash_path(const char *path)
{
    return index_hash(TABLE_COUNT, SQLITE_TEXT, path, strlen(path));
}

int index_column_is_hashed(const Column *column)
{
    return column->part != PART_KEY || column->offset == offsetof(RowKey, number);
}

/* Binds the values of a row and updates its hash. */
typedef struct Binder {
    sqlite3_stmt *insert;
    int place;
    uint64_t hash;
} Binder;

static void bind_text(Binder *b, const char *text)
{
    sqlite3_bind_text(b->insert, b->place, text, -1, SQLITE_STATIC);
    b->hash = text ? index_hash(b->hash, SQLITE_TEXT, text, strlen(text)) : index_hash(b->hash, SQLITE_NULL, NULL, 0);
}

static void bind_null(Binder *b)
{
    sqlite3_bind_null(b->insert, b->place);
    b->hash = index_hash(b->hash, SQLITE_NULL, NULL, 0);
}

static void bind_integer(Binder *b, sqlite3_int64 value)
{
    sqlite3_bind_int64(b->insert, b->place, value);
    b->hash = index_hash(b->hash, SQLITE_INTEGER, &value, sizeof value);
}

/* Binds a number; NULL if not finite. SQLite stores -0 as 0. */
static void bind_real(Binder *b, double value)
{
    if (!isfinite(value)) {
        bind_null(b);
        return;
    }
    value = value == 0 ? 0 : value;
    sqlite3_bind_double(b->insert, b->place, value);
    b->hash = index_hash(b->hash, SQLITE_FLOAT, &value, sizeof value);
}

static void bind_blob(Binder *b, const void *bytes, size_t size)
{
    sqlite3_bind_blob64(b->insert, b->place, bytes, size, SQLITE_STATIC);
    b->hash = index_hash(b->hash, SQLITE_BLOB, bytes, size);
}

static void bind_index(Binder *b, int value)
{
    if (value >= 0)
        bind_integer(b, value);
    else
        bind_null(b);
}

static void bind_id(Binder *b, sqlite3_int64 id)
{
    if (id > 0)
        bind_integer(b, id);
    else
        bind_null(b);
}

static void bind_role(Binder *b, Role role)
{
    bind_text(b, role == ROLE_NONE ? NULL : role_name(role));
}

static void bind_sketch(Binder *b, const MotionFeatures *sketch)
{
    bind_blob(b, sketch->value, (size_t)sketch->count * SKETCH_VALUES);
}

/* Binds a column. Strings and curves must live until the row is inserted. */
static void bind_column(Binder *b, const Column *column, const Row *row)
{
    const char *part = row->part[column->part];
    const void *at = part ? part + column->offset : NULL;
    if (!at) {
        bind_null(b);
        return;
    }
    const RoleCurve *curve = at;
    switch (column->kind) {
    case COLUMN_REAL:   bind_real(b, *(const double *)at); break;
    case COLUMN_INT:    bind_integer(b, *(const int *)at); break;
    case COLUMN_INDEX:  bind_index(b, *(const int *)at); break;
    case COLUMN_ID:     bind_id(b, *(const sqlite3_int64 *)at); break;
    case COLUMN_ROLE:   bind_role(b, *(const Role *)at); break;
    case COLUMN_STRING: bind_text(b, at); break;
    case COLUMN_WORDS:  bind_text(b, *(const char *const *)at); break;
    case COLUMN_TEXT:   bind_text(b, row->key.text + *(const size_t *)at); break;
    case COLUMN_CURVE:  bind_blob(b, curve->value, curve->bytes); break;
    case COLUMN_SKETCH: bind_sketch(b, at); break;
    case COLUMN_CHECKSUM: bind_integer(b, (sqlite3_int64)*(const uint64_t *)at); break;
    }
}

/* Inserts a row and adds its hash to the sum. */
static Status insert(IndexRows *rows, IndexTable table, Row *row, Error *err)
{
    const Column *column = rows->schema->column[table];
    Binder b = {.insert = rows->insert[table], .hash = (uint64_t)table};
    row->part[PART_KEY] = &row->key;
    for (int c = 0; c < rows->schema->count[table]; c++) {
        uint64_t before = b.hash;
        b.place = c + 1;
        if (column[c].kind == COLUMN_CHECKSUM && table != TABLE_CLIP)
            row->key.checksum = b.hash; /* it is the last column */
        bind_column(&b, &column[c], row);
        b.hash = index_column_is_hashed(&column[c]) ? b.hash : before;
    }
    rows->sum += b.hash;
    return database_step(rows->insert[table], err);
}

/* Inserts the joints, table by table, so that rows of a table are adjacent in the file. */
static Status insert_joints(IndexRows *rows, Row row, IndexTable table, const ClipStats *s, Error *err)
{
    Status status = STATUS_OK;
    for (int j = 0; j < s->joint_count && !status; j++) {
        row.key.number = j;
        row.part[PART_ROW] = &s->joint[j];
        status = insert(rows, table, &row, err);
    }
    return status;
}

static Status insert_dofs(IndexRows *rows, Row row, const ClipStats *s, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < s->dof_count && !status; i++) {
        row.key.number = i;
        row.part[PART_ROW] = &s->dof[i];
        status = insert(rows, TABLE_DOF_STAT, &row, err);
    }
    return status;
}

/* Inserts the windows; their statistics are ordered by window, then role. */
static Status insert_windows(IndexRows *rows, Row row, const Windows *w, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0, stat = 0; i < w->window_count && !status; i++) {
        Row window = row;
        window.part[PART_ROW] = &w->window[i];
        for (; stat < w->stat_count && w->stat[stat].window == i; stat++)
            window.part[PART_ROLE + w->stat[stat].role] = &w->stat[stat];
        status = insert(rows, TABLE_WINDOW, &window, err);
    }
    return status;
}

static Status insert_events(IndexRows *rows, Row row, const Events *events, Error *err)
{
    static const IndexTable table[EVENT_KIND_COUNT] = {TABLE_TORQUE_PEAK, TABLE_FOOT_CONTACT, TABLE_FLIGHT};
    Status status = STATUS_OK;
    for (int i = 0; i < events->count && !status; i++) {
        row.part[PART_ROW] = &events->event[i];
        status = insert(rows, table[events->event[i].kind], &row, err);
    }
    return status;
}

static Status insert_curve(IndexRows *rows, Row row, IndexTable table, RoleCurve curve, Error *err)
{
    row.part[PART_ROW] = &curve;
    return insert(rows, table, &row, err);
}

static Status insert_profiles(IndexRows *rows, Row row, const ClipStats *s, Error *err)
{
    unsigned char steps[2 * PROFILE_POINTS];
    Status status = STATUS_OK;
    for (int i = 0; i < s->profile_count && !status; i++) {
        double step = quantized_curve_pack(s->profile[i].nm_kg, PROFILE_POINTS, COARSE_NEAREST, steps);
        RoleCurve curve = {s->profile[i].role, step, steps, sizeof steps};
        status = insert_curve(rows, row, TABLE_PROFILE, curve, err);
    }
    return status;
}

static Status insert_traces(IndexRows *rows, Row row, const Traces *t, Error *err)
{
    size_t frames = (size_t)t->frame_count;
    unsigned char *steps = malloc(2 * frames + 1);
    Status status = steps ? STATUS_OK : error_no_memory(err);
    for (int i = 0; i < t->count && !status; i++) {
        double step = quantized_curve_pack(t->nm + (size_t)i * frames, frames, COARSE_UP, steps);
        status = insert_curve(rows, row, TABLE_TRACE, (RoleCurve){t->role[i], step, steps, 2 * frames}, err);
    }
    free(steps);
    return status;
}

/* Inserts the motion features; a creature has none. */
static Status insert_sketch(IndexRows *rows, Row row, const ClipStats *s, Error *err)
{
    row.part[PART_ROW] = s;
    return s->sketch.count > 0 ? insert(rows, TABLE_SKETCH, &row, err) : STATUS_OK;
}

static Status insert_utilization(IndexRows *rows, Row row, const Utilization *u, Error *err)
{
    size_t frames = (size_t)u->frame_count;
    if (frames == 0)
        return STATUS_OK;
    unsigned char *steps = malloc(2 * frames);
    if (!steps)
        return error_no_memory(err);
    double step = quantized_curve_pack(u->largest, frames, COARSE_UP, steps);
    UtilizationRow bytes = {{ROLE_NONE, step, steps, 2 * frames}, {ROLE_NONE, 1, u->role, frames}};
    row.part[PART_ROW] = &bytes;
    Status status = insert(rows, TABLE_UTILIZATION, &row, err);
    free(steps);
    return status;
}

/* Inserts the summary: the clip, its joint with the largest torque, and the statistics of every role. */
static Status insert_summary(IndexRows *rows, Row row, const ClipStats *s, Error *err)
{
    row.part[PART_ROW] = s;
    if (s->metrics.hardest_joint >= 0)
        row.part[PART_BESIDE] = &s->joint[s->metrics.hardest_joint];
    for (int j = 0; j < s->joint_count; j++)
        row.part[PART_ROLE + s->joint[j].role] = &s->joint[j];
    return insert(rows, TABLE_CLIP_SUMMARY, &row, err);
}

/* Returns the line at *at and moves *at to the next; NULL at the end. Modifies the text: line ends become NUL. */
static char *take_line(char **at)
{
    char *line = *at;
    if (!line || !*line)
        return NULL;
    char *end = strchr(line, '\n');
    *at = end ? end + 1 : NULL;
    if (end)
        *end = 0;
    return line;
}

static Status insert_decisions(IndexRows *rows, Row row, const ClipStats *s, char *values, Error *err)
{
    Status status = STATUS_OK;
    char *value;
    for (int i = 0; i < DECISION_COUNT && !status && (value = take_line(&values)); i++) {
        DecisionRow decision = {decision_name(i), value, decision_value(&s->confidence, i)};
        row.part[PART_ROW] = &decision;
        status = insert(rows, TABLE_DECISION, &row, err);
    }
    return status;
}

/* Inserts lines "kind: text" as warnings. *number: number of the next one. */
static Status insert_warnings(IndexRows *rows, Row row, char *lines, int *number, Error *err)
{
    Status status = STATUS_OK;
    char *line;
    for (; !status && (line = take_line(&lines)); ++*number) {
        row.key.number = *number;
        char *words = strstr(line, ": ");
        if (words)
            *words = 0;
        WarningRow warning = {words ? line : "", words ? words + 2 : line};
        row.part[PART_ROW] = &warning;
        status = insert(rows, TABLE_WARNING, &row, err);
    }
    return status;
}

/* Inserts a warning for each uncertain detection, numbered from `number`. */
static Status insert_unsure(IndexRows *rows, Row row, const ClipStats *s, char *values, Error *err)
{
    Status status = STATUS_OK;
    const char *value;
    int is_known = isfinite(decisions_min(&s->confidence));
    for (int i = 0; i < DECISION_COUNT && is_known && !status; i++) {
        char text[128];
        double confidence = decision_value(&s->confidence, i);
        value = take_line(&values);
        if (!(confidence < DECISION_UNSURE))
            continue;
        snprintf(text, sizeof text, "%s %.48s, confidence %.2g: an option of import overrides it",
                 decision_name(i), value ? value : "unknown", confidence);
        WarningRow warning = {"unsure", text};
        row.part[PART_ROW] = &warning;
        status = insert(rows, TABLE_WARNING, &row, err);
        row.key.number++;
    }
    return status;
}

static Status insert_remarks(IndexRows *rows, Row row, const ClipStats *s, Error *err)
{
    char *decisions = strdup(s->text + s->decisions), *again = strdup(s->text + s->decisions);
    char *warnings = strdup(s->text + s->warnings);
    Status status = decisions && again && warnings ? STATUS_OK : error_no_memory(err);
    row.key.number = 0;
    if (!status)
        status = insert_decisions(rows, row, s, decisions, err);
    if (!status)
        status = insert_warnings(rows, row, warnings, &row.key.number, err);
    if (!status)
        status = insert_unsure(rows, row, s, again, err);
    free(again);
    free(decisions);
    free(warnings);
    return status;
}

/* Inserts all rows of the clip row.key. */
static Status insert_parts(IndexRows *rows, Row row, const ClipStats *stats, Error *err)
{
    Status status;
    if ((status = insert_joints(rows, row, TABLE_JOINT, stats, err)) ||
        (status = insert_joints(rows, row, TABLE_JOINT_STAT, stats, err)) ||
        (status = insert_dofs(rows, row, stats, err)) ||
        (status = insert_windows(rows, row, &stats->windows, err)) ||
        (status = insert_events(rows, row, &stats->events, err)) ||
        (status = insert_profiles(rows, row, stats, err)) ||
        (!rows->lacks_traces && (status = insert_traces(rows, row, &stats->traces, err))) ||
        (status = insert_sketch(rows, row, stats, err)) ||
        (status = insert_utilization(rows, row, &stats->utilization, err)) ||
        (status = insert_summary(rows, row, stats, err)))
        return status;
    return insert_remarks(rows, row, stats, err);
}

Status index_rows_insert_warning(IndexRows *rows, sqlite3_int64 id, int number, const char *kind, const char *message,
                                 Error *err)
{
    WarningRow warning = {kind, message};
    Row row = {.key = {.clip = id, .number = number}, .part[PART_ROW] = &warning};
    return insert(rows, TABLE_WARNING, &row, err);
}

Status index_rows_insert(IndexRows *rows, sqlite3_int64 *id, const char *path, const ClipStats *stats, Error *err)
{
    char *words = path_words(path);
    if (!words)
        return error_no_memory(err);
    Row row = {.key = {.clip = *id, .path = path, .path_words = words, .text = stats->text}, .part[PART_ROW] = stats};
    rows->sum = index_hash_path(path);
    Status status = insert(rows, TABLE_CLIP, &row, err);
    if (!status) {
        *id = row.key.clip = sqlite3_last_insert_rowid(sqlite3_db_handle(rows->insert[TABLE_CLIP]));
        status = insert_parts(rows, row, stats, err);
    }
    if (!status)
        status = index_rows_seal(rows, *id, rows->sum, err);
    free(words);
    return status;
}

Status index_rows_seal(IndexRows *rows, sqlite3_int64 id, uint64_t checksum, Error *err)
{
    sqlite3_bind_int64(rows->seal, 1, (sqlite3_int64)checksum);
    sqlite3_bind_int64(rows->seal, 2, id);
    return database_step(rows->seal, err);
}

Status index_rows_insert_tag(IndexRows *rows, sqlite3_int64 id, const TagRow *tag, Error *err)
{
    Row row = {.key = {.clip = id}, .part[PART_ROW] = tag};
    return insert(rows, TABLE_TAG, &row, err);
}

Status index_rows_insert_failure(IndexRows *rows, const FailureRow *failure, Error *err)
{
    Row row = {.part[PART_ROW] = failure};
    return insert(rows, TABLE_FAILURE, &row, err);
}

Status index_rows_insert_family(IndexRows *rows, const FamilyRow *family, Error *err)
{
    Row row = {.part[PART_ROW] = family};
    return insert(rows, TABLE_FAMILY, &row, err);
}
