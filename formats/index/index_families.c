/* See index_families.h. */
#include "formats/index/index_families.h"

#include <stdio.h>
#include <string.h>

#include "analysis/angles/neutral_angles.h"
#include "analysis/base/version.h"
#include "analysis/detect/position_meaning.h"
#include "analysis/detect/positions.h"
#include "analysis/detect/unit.h"
#include "analysis/detect/up_axis.h"
#include "formats/base/database.h"
#include "formats/index/index_handle.h"

#define WHAT_POSITIONS "positions"
#define WHAT_UP "up_axis"
#define WHAT_UNIT "unit"
#define WHAT_NEUTRAL "neutral_pose"

static void take_row(const char *what, const char *value, double confidence, Family *out)
{
    if (strcmp(what, WHAT_UP) == 0) {
        out->up = up_axis_from_text(value);
        out->up_confidence = out->up == UP_AUTO ? 0 : confidence;
    } else if (strcmp(what, WHAT_UNIT) == 0) {
        out->meters_per_unit = unit_from_text(value);
        out->unit_confidence = out->meters_per_unit > 0 ? confidence : 0;
    } else if (strcmp(what, WHAT_NEUTRAL) == 0) {
        out->neutral_confidence = neutral_angles_scan(value, &out->neutral) ? confidence : 0;
    } else if (strcmp(what, WHAT_POSITIONS) == 0) {
        for (PositionMeaning m = POSITIONS_LOCAL; m <= POSITIONS_WORLD; m++)
            if (strcmp(value, position_meaning_name(m)) == 0) {
                out->positions = m;
                out->positions_confidence = confidence;
            }
    }
}

Status index_find_family(Index *index, const char *key, Family *out, Error *err)
{
    sqlite3_stmt *list = NULL;
    int code = SQLITE_DONE;
    *out = (Family){0};
    Status status = database_prepare(index->file.db, "SELECT what, value, confidence FROM family WHERE skeleton = ?1"
                                                     " AND kane = ?2", &list, err);
    if (status)
        return status;
    sqlite3_bind_text(list, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(list, 2, KANE_VERSION, -1, SQLITE_STATIC);
    while ((code = sqlite3_step(list)) == SQLITE_ROW)
        take_row((const char *)sqlite3_column_text(list, 0), (const char *)sqlite3_column_text(list, 1),
                 sqlite3_column_double(list, 2), out);
    if (code != SQLITE_DONE)
        status = database_error(index->file.db, code, err);
    sqlite3_finalize(list);
    return status;
}

static Status drop_row(Index *index, const FamilyRow *row, Error *err)
{
    sqlite3_stmt *drop = NULL;
    Status status = database_prepare(index->file.db, "DELETE FROM family WHERE skeleton = ? AND what = ?", &drop, err);
    if (status)
        return status;
    sqlite3_bind_text(drop, 1, row->skeleton, -1, SQLITE_STATIC);
    sqlite3_bind_text(drop, 2, row->what, -1, SQLITE_STATIC);
    status = database_step(drop, err);
    sqlite3_finalize(drop);
    return status;
}

static Status put_row(Index *index, const FamilyRow *row, Error *err)
{
    if (!(row->confidence > 0))
        return STATUS_OK;
    Status status = drop_row(index, row, err);
    return status ? status : index_rows_insert_family(&index->rows, row, err);
}

Status index_put_family(Index *index, const char *key, const Family *f, int clips, Error *err)
{
    char unit[32], neutral[NEUTRAL_TEXT_SIZE];
    const char *name = unit_name(f->meters_per_unit);
    snprintf(unit, sizeof unit, "%.17g", f->meters_per_unit);
    neutral_angles_print(&f->neutral, neutral);
    const FamilyRow row[] = {
        {key, WHAT_POSITIONS, position_meaning_name(f->positions), KANE_VERSION, f->positions_confidence, clips},
        {key, WHAT_UP, up_axis_name(f->up), KANE_VERSION, f->up_confidence, clips},
        {key, WHAT_UNIT, name ? name : unit, KANE_VERSION, f->unit_confidence, clips},
        {key, WHAT_NEUTRAL, neutral, KANE_VERSION, f->neutral_confidence, clips},
    };
    Status status = index_file_begin(&index->file, err);
    for (size_t i = 0; i < sizeof row / sizeof *row && !status; i++)
        status = put_row(index, &row[i], err);
    return status;
}

Status index_families_keep(Index *index, Error *err)
{
    sqlite3 *old = index->file.replaced;
    sqlite3_stmt *list = NULL;
    int code = SQLITE_DONE;
    if (database_prepare(old, "SELECT skeleton, what, value, kane, confidence, clips FROM family WHERE skeleton IS NOT"
                              " NULL AND what IS NOT NULL AND value IS NOT NULL AND kane IS NOT NULL", &list, NULL))
        return STATUS_OK; /* an index without families */
    Status status = STATUS_OK;
    while (!status && (code = sqlite3_step(list)) == SQLITE_ROW) {
        FamilyRow row = {(const char *)sqlite3_column_text(list, 0), (const char *)sqlite3_column_text(list, 1),
                         (const char *)sqlite3_column_text(list, 2), (const char *)sqlite3_column_text(list, 3),
                         sqlite3_column_double(list, 4), sqlite3_column_int(list, 5)};
        status = put_row(index, &row, err);
    }
    if (!status && code != SQLITE_DONE)
        status = database_error(old, code, err);
    sqlite3_finalize(list);
    return status;
}
