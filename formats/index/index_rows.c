#include "formats/index/index_rows.h"

#include <math.h>
#include <stdlib.h>

#include "formats/index/database.h"
#include "formats/index/path_words.h"

Status index_rows_prepare(IndexRows *rows, sqlite3 *db, Error *err)
{
    Status status = STATUS_OK;
    *rows = (IndexRows){0};
    for (int t = 0; t < TABLE_COUNT && !status; t++)
        status = index_schema_prepare_insert(db, (IndexTable)t, &rows->insert[t], err);
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

/* A row under construction: values are bound in the order of the columns. */
typedef struct Row {
    sqlite3_stmt *insert;
    int column; /* bound so far */
} Row;

static Row begin_row(const IndexRows *rows, IndexTable table)
{
    return (Row){rows->insert[table], 0};
}

static Status end_row(const Row *row, Error *err)
{
    return database_step(row->insert, err);
}

static void put_integer(Row *row, sqlite3_int64 value)
{
    sqlite3_bind_int64(row->insert, ++row->column, value);
}

/* NaN becomes NULL. An infinite figure is no figure either. */
static void put_real(Row *row, double value)
{
    if (isfinite(value))
        sqlite3_bind_double(row->insert, ++row->column, value);
    else
        sqlite3_bind_null(row->insert, ++row->column);
}

/* text must live until the row is inserted; NULL stays NULL. */
static void put_text(Row *row, const char *text)
{
    sqlite3_bind_text(row->insert, ++row->column, text, -1, SQLITE_STATIC);
}

static void put_blob(Row *row, const void *bytes, size_t size)
{
    sqlite3_bind_blob64(row->insert, ++row->column, bytes, size, SQLITE_STATIC);
}

static void put_null(Row *row)
{
    sqlite3_bind_null(row->insert, ++row->column);
}

static void put_role(Row *row, Role role)
{
    if (role == ROLE_NONE)
        put_null(row);
    else
        put_text(row, role_name(role));
}

static void put_index(Row *row, int index)
{
    if (index < 0)
        put_null(row);
    else
        put_integer(row, index);
}

/* All figures of a list from the struct at base; NULLs where base is NULL. */
static void put_figures(Row *row, FigureList list, const void *base)
{
    for (int i = 0; i < list.count; i++) {
        const char *at = base ? (const char *)base + list.figure[i].offset : NULL;
        if (!at)
            put_null(row);
        else if (list.figure[i].is_integer)
            put_index(row, *(const int *)at);
        else
            put_real(row, *(const double *)at);
    }
}

static Status insert_clip(IndexRows *rows, sqlite3_int64 id, const char *path, const char *tags, const ClipStats *s,
                          Error *err)
{
    Row row = begin_row(rows, TABLE_CLIP);
    put_integer(&row, id);
    put_text(&row, path);
    put_text(&row, clip_stats_text(s, s->source));
    put_text(&row, tags);
    put_text(&row, s->figures.source_sha256);
    put_text(&row, s->figures.skeleton);
    put_integer(&row, s->joint_count);
    put_text(&row, clip_stats_text(s, s->options));
    put_figures(&row, clip_figures(), &s->figures);
    return end_row(&row, err);
}

static Status insert_joints(IndexRows *rows, sqlite3_int64 id, const ClipStats *s, Error *err)
{
    Status status = STATUS_OK;
    for (int j = 0; j < s->joint_count && !status; j++) {
        Row row = begin_row(rows, TABLE_JOINT);
        put_integer(&row, id);
        put_integer(&row, j);
        put_text(&row, clip_stats_text(s, s->joint[j].name));
        put_role(&row, s->joint[j].role);
        put_role(&row, s->joint[j].segment);
        put_index(&row, s->joint[j].parent);
        put_real(&row, s->joint[j].mass_kg);
        status = end_row(&row, err);
    }
    for (int j = 0; j < s->joint_count && !status; j++) {
        Row row = begin_row(rows, TABLE_JOINT_STAT);
        put_integer(&row, id);
        put_integer(&row, j);
        put_role(&row, s->joint[j].role);
        put_figures(&row, peak_figures(), &s->joint[j].peaks);
        status = end_row(&row, err);
    }
    return status;
}

static Status insert_windows(IndexRows *rows, sqlite3_int64 id, const Windows *w, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < w->window_count && !status; i++) {
        Row row = begin_row(rows, TABLE_WINDOW);
        put_integer(&row, id);
        put_real(&row, w->window[i].t0);
        put_real(&row, w->window[i].t1);
        put_integer(&row, w->window[i].frame0);
        put_integer(&row, w->window[i].frame1);
        status = end_row(&row, err);
    }
    for (int i = 0; i < w->stat_count && !status; i++) {
        Row row = begin_row(rows, TABLE_WINDOW_STAT);
        put_integer(&row, id);
        put_real(&row, w->window[w->stat[i].window].t0);
        put_role(&row, w->stat[i].role);
        put_figures(&row, window_figures(), &w->stat[i]);
        status = end_row(&row, err);
    }
    return status;
}

static Status insert_events(IndexRows *rows, sqlite3_int64 id, const Events *events, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < events->count && !status; i++) {
        Row row = begin_row(rows, TABLE_EVENT);
        const Event *e = &events->event[i];
        put_integer(&row, id);
        put_integer(&row, i);
        put_text(&row, event_kind_name(e->kind));
        put_role(&row, e->role);
        put_index(&row, e->joint);
        put_real(&row, e->t0);
        put_real(&row, e->t1);
        put_integer(&row, e->frame0);
        put_integer(&row, e->frame1);
        put_real(&row, e->value);
        put_real(&row, e->flight.height_m);
        put_real(&row, e->flight.landing_peak_bw);
        status = end_row(&row, err);
    }
    return status;
}

static Status insert_profiles(IndexRows *rows, sqlite3_int64 id, const ClipStats *s, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < s->profile_count && !status; i++) {
        Row row = begin_row(rows, TABLE_PROFILE);
        put_integer(&row, id);
        put_role(&row, s->profile[i].role);
        put_blob(&row, s->profile[i].nm_kg, sizeof s->profile[i].nm_kg);
        status = end_row(&row, err);
    }
    return status;
}

static Status insert_traces(IndexRows *rows, sqlite3_int64 id, const Traces *t, Error *err)
{
    size_t frames = (size_t)t->frame_count;
    Status status = STATUS_OK;
    for (int i = 0; i < t->count && !status; i++) {
        Row row = begin_row(rows, TABLE_TRACE);
        put_integer(&row, id);
        put_role(&row, t->role[i]);
        put_blob(&row, t->nm + (size_t)i * frames, frames * sizeof *t->nm);
        status = end_row(&row, err);
    }
    return status;
}

/* The clip as a whole, its hardest joint, then the figures of every role. */
static Status insert_summary(IndexRows *rows, sqlite3_int64 id, const char *path, const char *tags, const ClipStats *s,
                             Error *err)
{
    const JointStat *of_role[ROLE_COUNT] = {0};
    for (int j = 0; j < s->joint_count; j++)
        of_role[s->joint[j].role] = &s->joint[j];
    const JointStat *hardest = s->figures.hardest_joint >= 0 ? &s->joint[s->figures.hardest_joint] : NULL;
    Row row = begin_row(rows, TABLE_CLIP_SUMMARY);
    put_integer(&row, id);
    put_text(&row, path);
    put_text(&row, clip_stats_text(s, s->source));
    put_text(&row, tags);
    put_text(&row, s->figures.skeleton);
    put_integer(&row, s->joint_count);
    put_figures(&row, clip_figures(), &s->figures);
    put_real(&row, hardest ? hardest->peaks.torque_peak_nm : NAN);
    put_real(&row, hardest ? hardest->peaks.torque_peak_nm_kg : NAN);
    put_real(&row, hardest ? hardest->peaks.torque_peak_t : NAN);
    put_index(&row, hardest ? hardest->peaks.torque_peak_frame : -1);
    put_role(&row, hardest ? hardest->role : ROLE_NONE);
    put_text(&row, hardest ? clip_stats_text(s, hardest->name) : NULL);
    for (int r = ROLE_NONE + 1; r < ROLE_COUNT; r++)
        put_figures(&row, peak_figures(), of_role[r] ? &of_role[r]->peaks : NULL);
    return end_row(&row, err);
}

Status index_rows_insert(IndexRows *rows, sqlite3_int64 id, const char *path, const ClipStats *stats, Error *err)
{
    char *tags = path_words(path);
    if (!tags)
        return error_no_memory(err);
    Status status = insert_clip(rows, id, path, tags, stats, err);
    if (!status)
        status = insert_joints(rows, id, stats, err);
    if (!status)
        status = insert_windows(rows, id, &stats->windows, err);
    if (!status)
        status = insert_events(rows, id, &stats->events, err);
    if (!status)
        status = insert_profiles(rows, id, stats, err);
    if (!status)
        status = insert_traces(rows, id, &stats->traces, err);
    if (!status)
        status = insert_summary(rows, id, path, tags, stats, err);
    free(tags);
    return status;
}
