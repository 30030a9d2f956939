#include "formats/tables/retarget_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/memory.h"
#include "analysis/math/elementary.h"
#include "formats/base/table.h"

static const char *cell_of(const Table *t, int row, int column) { return t->cell[row * t->column_count + column]; }

static Status bad_cell(const Table *t, int row, int column, const char *what, Error *err)
{
    return error_set_at(err, STATUS_BAD_INPUT, t->line[row], t->place[row * t->column_count + column], "%s \"%s\"",
                        what, cell_of(t, row, column));
}

/* ---- Map ---- */

/* A later joint has the same name: skeleton_find finds the first. */
static int is_ambiguous(const Skeleton *s, int joint)
{
    for (int j = joint + 1; j < s->joint_count; j++)
        if (!strcmp(s->name[j], s->name[joint]))
            return 1;
    return 0;
}

static Status read_map_row(const Table *t, int row, const int column[3], const Skeleton *target, const Skeleton *source,
                           JointMapRow *out, Error *err)
{
    *out = (JointMapRow){skeleton_find(target, cell_of(t, row, column[0])),
                         skeleton_find(source, cell_of(t, row, column[1])), 1};
    if (out->target < 0)
        return bad_cell(t, row, column[0], "the target has no joint", err);
    if (out->source < 0)
        return bad_cell(t, row, column[1], "the clip has no joint", err);
    if (is_ambiguous(target, out->target))
        return bad_cell(t, row, column[0], "the target has several joints", err);
    if (is_ambiguous(source, out->source))
        return bad_cell(t, row, column[1], "the clip has several joints", err);
    if (column[2] < 0 || !*cell_of(t, row, column[2]))
        return STATUS_OK;
    Status status = table_number(t, row, column[2], &out->weight, err);
    return status || out->weight > 0 ? status : bad_cell(t, row, column[2], "a weight must be positive, not", err);
}

Status joint_map_read(const char *path, const Skeleton *target, const Skeleton *source, JointMap *out, Error *err)
{
    Table table = {0};
    JointMapRow *row = NULL;
    int column[3];
    *out = (JointMap){0};
    Status status = table_read_path(path, &table, err);
    if (!status)
        status = table_require(&table, "target", &column[0], err);
    if (!status)
        status = table_require(&table, "source", &column[1], err);
    if (status)
        goto done;
    column[2] = table_find(&table, "weight");
    row = array_new((size_t)table.row_count, 1, sizeof *row);
    if (!row)
        status = error_no_memory(err);
    for (int i = 0; i < table.row_count && !status; i++)
        status = read_map_row(&table, i, column, target, source, &row[i], err);
    if (!status)
        status = joint_map_from_rows(out, target->joint_count, row, table.row_count, err);
done:
    free(row);
    table_free(&table);
    return status;
}

Status joint_map_write(const JointMap *map, const Skeleton *target, const Skeleton *source, FILE *stream, Error *err)
{
    fprintf(stream, "target\tsource\tweight\n");
    for (int t = 0; t < map->target_count; t++) {
        if (map->first[t] == map->first[t + 1])
            fprintf(stream, "# %s keeps its rest pose\n", target->name[t]);
        for (int i = map->first[t]; i < map->first[t + 1]; i++)
            fprintf(stream, "%s\t%s\t%.9g\n", target->name[t], source->name[map->row[i].source], map->row[i].weight);
    }
    if (fflush(stream) || ferror(stream))
        return error_set(err, STATUS_IO, "cannot write the map");
    return STATUS_OK;
}

/* ---- Limits ---- */

static Status read_limit(const Table *t, int row, int role_column, const int column[6], JointLimit *out, Error *err)
{
    static const double widest[3] = {180, 90, 180}; /* of roll, pitch, yaw as roll_pitch_yaw_from_quat tells them */
    double value[6];
    out->role = role_from_name(cell_of(t, row, role_column));
    if (out->role == ROLE_NONE)
        return bad_cell(t, row, role_column, "unknown role", err);
    for (int k = 0; k < 6; k++) {
        Status status = table_number(t, row, column[k], &value[k], err);
        if (status)
            return status;
        if (fabs(value[k]) > widest[k / 2])
            return bad_cell(t, row, column[k], k / 2 == 1 ? "pitch lies within 90 degrees, not"
                                                          : "an angle lies within 180 degrees, not", err);
    }
    for (int k = 0; k < 6; k += 2)
        if (value[k] > value[k + 1])
            return bad_cell(t, row, column[k], "a minimum lies above its maximum:", err);
    const double rad = PI / 180;
    out->least = (RollPitchYaw){value[0] * rad, value[2] * rad, value[4] * rad};
    out->most = (RollPitchYaw){value[1] * rad, value[3] * rad, value[5] * rad};
    return STATUS_OK;
}

Status joint_limits_read(const char *path, JointLimits *out, Error *err)
{
    static const char *const names[6] = {"roll_min", "roll_max", "pitch_min", "pitch_max", "yaw_min", "yaw_max"};
    Table table = {0};
    int role_column = -1, column[6];
    *out = (JointLimits){0};
    Status status = table_read_path(path, &table, err);
    if (!status)
        status = table_require(&table, "role", &role_column, err);
    for (int k = 0; k < 6 && !status; k++)
        status = table_require(&table, names[k], &column[k], err);
    if (!status) {
        out->limit = array_new((size_t)table.row_count, 1, sizeof *out->limit);
        out->count = out->limit ? table.row_count : 0;
        status = out->limit ? STATUS_OK : error_no_memory(err);
    }
    for (int i = 0; i < table.row_count && !status; i++) {
        status = read_limit(&table, i, role_column, column, &out->limit[i], err);
        for (int k = 0; k < i && !status; k++)
            if (out->limit[k].role == out->limit[i].role)
                status = bad_cell(&table, i, role_column, "a second row for", err);
    }
    if (status)
        joint_limits_free(out);
    table_free(&table);
    return status;
}
