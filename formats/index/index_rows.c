#include "formats/index/index_rows.h"

#include <math.h>
#include <stdlib.h>

#include "formats/index/clip_path.h"
#include "formats/index/database.h"

Status index_rows_prepare(IndexRows *rows, const IndexSchema *schema, sqlite3 *db, Error *err)
{
    Status status = STATUS_OK;
    *rows = (IndexRows){.schema = schema};
    for (int t = 0; t < TABLE_COUNT && !status; t++)
        status = index_schema_prepare_insert(schema, db, (IndexTable)t, &rows->insert[t], err);
    if (status)
        index_rows_finalize(rows);
    return status;
}

void index_rows_finalize(IndexRows *rows)
{
    for (int t = 0; t < TABLE_COUNT; t++)
        sqlite3_finalize(rows->insert[t]);
    *rows = (IndexRows){0};
}

/* The structs that a row is filled from; a part that is NULL gives NULLs. */
typedef struct Row {
    RowKey key;
    const void *part[PART_COUNT];
} Row;

static void bind_text(sqlite3_stmt *insert, int place, const char *text)
{
    sqlite3_bind_text(insert, place, text, -1, SQLITE_STATIC);
}

/* What is not finite is no figure; neither is a negative index. */
static void bind_real(sqlite3_stmt *insert, int place, double value)
{
    if (isfinite(value))
        sqlite3_bind_double(insert, place, value);
    else
        sqlite3_bind_null(insert, place);
}

static void bind_index(sqlite3_stmt *insert, int place, int value)
{
    if (value >= 0)
        sqlite3_bind_int64(insert, place, value);
    else
        sqlite3_bind_null(insert, place);
}

static void bind_role(sqlite3_stmt *insert, int place, Role role)
{
    bind_text(insert, place, role == ROLE_NONE ? NULL : role_name(role));
}

static void bind_curve(sqlite3_stmt *insert, int place, const RoleCurve *curve)
{
    sqlite3_bind_blob64(insert, place, curve->value, curve->bytes, SQLITE_STATIC);
}

/* Texts and curves must live until the row is inserted. */
static void bind_column(sqlite3_stmt *insert, int place, const Column *column, const Row *row)
{
    const char *part = row->part[column->part];
    const void *at = part ? part + column->offset : NULL;
    if (!at) {
        sqlite3_bind_null(insert, place);
        return;
    }
    switch (column->kind) {
    case COLUMN_REAL:   bind_real(insert, place, *(const double *)at); break;
    case COLUMN_INT:    sqlite3_bind_int64(insert, place, *(const int *)at); break;
    case COLUMN_INDEX:  bind_index(insert, place, *(const int *)at); break;
    case COLUMN_ID:     sqlite3_bind_int64(insert, place, *(const sqlite3_int64 *)at); break;
    case COLUMN_ROLE:   bind_role(insert, place, *(const Role *)at); break;
    case COLUMN_EVENT:  bind_text(insert, place, event_kind_name(*(const EventKind *)at)); break;
    case COLUMN_STRING: bind_text(insert, place, at); break;
    case COLUMN_WORDS:  bind_text(insert, place, *(const char *const *)at); break;
    case COLUMN_TEXT:   bind_text(insert, place, row->key.text + *(const size_t *)at); break;
    case COLUMN_CURVE:  bind_curve(insert, place, at); break;
    }
}

static Status insert(const IndexRows *rows, IndexTable table, Row *row, Error *err)
{
    const Column *column = rows->schema->column[table];
    row->part[PART_KEY] = &row->key;
    for (int c = 0; c < rows->schema->count[table]; c++)
        bind_column(rows->insert[table], c + 1, &column[c], row);
    return database_step(rows->insert[table], err);
}

/* One table after the other: the rows of one lie side by side in the file. */
static Status insert_joints(const IndexRows *rows, Row row, IndexTable table, const ClipStats *s, Error *err)
{
    Status status = STATUS_OK;
    for (int j = 0; j < s->joint_count && !status; j++) {
        row.key.number = j;
        row.part[PART_ROW] = &s->joint[j];
        status = insert(rows, table, &row, err);
    }
    return status;
}

static Status insert_windows(const IndexRows *rows, Row row, const Windows *w, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < w->window_count && !status; i++) {
        row.part[PART_ROW] = &w->window[i];
        status = insert(rows, TABLE_WINDOW, &row, err);
    }
    for (int i = 0; i < w->stat_count && !status; i++) {
        row.part[PART_ROW] = &w->stat[i];
        row.part[PART_BESIDE] = &w->window[w->stat[i].window];
        status = insert(rows, TABLE_WINDOW_STAT, &row, err);
    }
    return status;
}

static Status insert_events(const IndexRows *rows, Row row, const Events *events, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < events->count && !status; i++) {
        row.key.number = i;
        row.part[PART_ROW] = &events->event[i];
        status = insert(rows, TABLE_EVENT, &row, err);
    }
    return status;
}

static Status insert_curves(const IndexRows *rows, Row row, const ClipStats *s, Error *err)
{
    size_t frames = (size_t)s->traces.frame_count;
    RoleCurve curve;
    Status status = STATUS_OK;
    row.part[PART_ROW] = &curve;
    for (int i = 0; i < s->profile_count && !status; i++) {
        const Profile *profile = &s->profile[i];
        curve = (RoleCurve){profile->role, profile->nm_kg, sizeof profile->nm_kg};
        status = insert(rows, TABLE_PROFILE, &row, err);
    }
    for (int i = 0; i < s->traces.count && !status; i++) {
        const float *nm = s->traces.nm + (size_t)i * frames;
        curve = (RoleCurve){s->traces.role[i], nm, frames * sizeof *nm};
        status = insert(rows, TABLE_TRACE, &row, err);
    }
    return status;
}

/* The clip as a whole, its hardest joint, the figures of every role. */
static Status insert_summary(const IndexRows *rows, Row row, const ClipStats *s, Error *err)
{
    row.part[PART_ROW] = s;
    if (s->figures.hardest_joint >= 0)
        row.part[PART_BESIDE] = &s->joint[s->figures.hardest_joint];
    for (int j = 0; j < s->joint_count; j++)
        row.part[PART_ROLE + s->joint[j].role] = &s->joint[j];
    return insert(rows, TABLE_CLIP_SUMMARY, &row, err);
}

Status index_rows_insert(IndexRows *rows, sqlite3_int64 id, const char *path, const ClipStats *stats, Error *err)
{
    char *tags = path_words(path);
    if (!tags)
        return error_no_memory(err);
    Row row = {.key = {.clip = id, .path = path, .tags = tags, .text = stats->text}, .part[PART_ROW] = stats};
    Status status = insert(rows, TABLE_CLIP, &row, err);
    if (!status)
        status = insert_joints(rows, row, TABLE_JOINT, stats, err);
    if (!status)
        status = insert_joints(rows, row, TABLE_JOINT_STAT, stats, err);
    if (!status)
        status = insert_windows(rows, row, &stats->windows, err);
    if (!status)
        status = insert_events(rows, row, &stats->events, err);
    if (!status)
        status = insert_curves(rows, row, stats, err);
    if (!status)
        status = insert_summary(rows, row, stats, err);
    free(tags);
    return status;
}

Status index_rows_insert_failure(IndexRows *rows, const FailureRow *failure, Error *err)
{
    Row row = {.part[PART_ROW] = failure};
    return insert(rows, TABLE_FAILURE, &row, err);
}
