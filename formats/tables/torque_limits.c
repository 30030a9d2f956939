/* See torque_limits.h. */
#include "formats/tables/torque_limits.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "formats/base/table.h"
#include "formats/tables/joint_cell.h"

static Status read_row(const Table *t, int row, const int column[2], const Skeleton *skeleton, double *limits,
                       Error *err)
{
    double torque;
    int joint = skeleton_find_name_or_role(skeleton, table_cell(t, row, column[0]));
    if (joint < 0)
        return joint_cell_unknown(t, row, column[0], skeleton, err);
    if (isfinite(limits[joint]))
        return table_error(t, row, column[0], err, "joint \"%s\" has a limit already", table_cell(t, row, column[0]));
    Status status = table_number(t, row, column[1], &torque, err);
    if (status)
        return status;
    if (!(torque > 0))
        return table_error(t, row, column[1], err, "torque is not above 0");
    limits[joint] = torque;
    return STATUS_OK;
}

static Status read_rows(const Table *t, const Skeleton *skeleton, double *limits, Error *err)
{
    static const char *const names[] = {"joint", "torque"};
    int column[2];
    Status status = table_require_all(t, names, 2, column, err);
    if (status || (status = table_require_rows(t, err)))
        return status;
    for (int row = 0; row < t->row_count && !status; row++)
        status = read_row(t, row, column, skeleton, limits, err);
    return status;
}

Status torque_limits_read(const char *path, const Skeleton *skeleton, double **limits, Error *err)
{
    Table table;
    Status status = table_read_path(path, &table, err);
    *limits = NULL;
    if (status)
        return status;
    if (!(*limits = array_new((size_t)skeleton->joint_count, 1, sizeof **limits)))
        status = error_no_memory(err);
    for (int j = 0; j < skeleton->joint_count && !status; j++)
        (*limits)[j] = INFINITY;
    if (!status)
        status = read_rows(&table, skeleton, *limits, err);
    if (status) {
        free(*limits);
        *limits = NULL;
    }
    table_free(&table);
    return status;
}
