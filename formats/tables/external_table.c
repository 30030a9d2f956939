/* See external_table.h. */
#include "formats/tables/external_table.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "formats/base/table.h"
#include "formats/tables/joint_cell.h"

/* Columns: three each for force, point and couple, then time. */
enum { FORCE, POINT = FORCE + 3, COUPLE = POINT + 3, TIME = COUPLE + 3, EXTERNAL_VALUES };

static const char *const external_columns[EXTERNAL_VALUES] = {"fx", "fy", "fz", "px", "py",
                                                              "pz", "tx", "ty", "tz", "time"};

typedef struct ExternalColumns {
    int joint, value[EXTERNAL_VALUES];
} ExternalColumns;

static Status find_external_columns(const Table *t, ExternalColumns *c, Error *err)
{
    Status status = table_require(t, "time", &c->value[TIME], err);
    if (!status)
        status = table_require(t, "joint", &c->joint, err);
    return status ? status : table_require_all(t, external_columns, TIME, c->value, err);
}

static Status read_external(const Table *t, int row, const ExternalColumns *c, const Skeleton *skeleton,
                            ExternalRows *out, Error *err)
{
    const char *joint = table_cell(t, row, c->joint);
    double v[EXTERNAL_VALUES];
    Status status;
    if ((status = table_number(t, row, c->value[TIME], &v[TIME], err)) ||
        (status = table_numbers(t, row, c->value, TIME, v, err)))
        return status;
    out->joint[row] = skeleton_find_name_or_role(skeleton, joint);
    if (out->joint[row] < 0)
        return joint_cell_unknown(t, row, c->joint, skeleton, err);
    out->time[row] = v[TIME];
    out->force[row] = vec3_load(v + FORCE);
    out->point[row] = vec3_load(v + POINT);
    out->couple[row] = vec3_load(v + COUPLE);
    return STATUS_OK;
}

/* STATUS_BAD_INPUT if the times of a joint decrease. */
static Status check_times(const Table *t, const ExternalColumns *c, const Skeleton *skeleton, const ExternalRows *rows,
                          Error *err)
{
    double *last_time = array_new((size_t)skeleton->joint_count, 1, sizeof *last_time);
    Status status = STATUS_OK;
    if (!last_time)
        return error_no_memory(err);
    for (int j = 0; j < skeleton->joint_count; j++)
        last_time[j] = -INFINITY;
    for (int i = 0; !status && i < rows->row_count; i++) {
        double *last = &last_time[rows->joint[i]];
        if (rows->time[i] < *last)
            status = table_error(t, i, c->value[TIME], err, "time %g of joint %s comes after %g", rows->time[i],
                                 skeleton->name[rows->joint[i]], *last);
        *last = rows->time[i];
    }
    free(last_time);
    return status;
}

Status external_read(const char *path, const Skeleton *skeleton, ExternalRows *out, Error *err)
{
    Table table = {0};
    ExternalColumns columns;
    *out = (ExternalRows){0};
    Status status = table_read_path_max(path, (size_t)1 << 30, &table, err);
    if (status)
        return status;
    status = find_external_columns(&table, &columns, err);
    if (!status)
        status = external_rows_init(out, table.row_count, err);
    for (int row = 0; !status && row < table.row_count; row++)
        status = read_external(&table, row, &columns, skeleton, out, err);
    if (!status)
        status = check_times(&table, &columns, skeleton, out, err);
    if (status)
        external_rows_free(out);
    table_free(&table);
    return status;
}
