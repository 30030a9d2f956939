/* See soft_joint_table.h. */
#include "formats/tables/soft_joint_table.h"

#include <stdlib.h>

#include "analysis/base/arena.h"
#include "formats/base/table.h"
#include "formats/tables/joint_cell.h"

enum { STIFFNESS, DAMPING, SOFT_JOINT_NUMBERS };
static const char *const soft_joint_columns[SOFT_JOINT_NUMBERS] = {"stiffness", "damping"};

typedef struct SoftColumns {
    int joint, number[SOFT_JOINT_NUMBERS];
} SoftColumns;

/* Reads a row; rows: those read before, to detect duplicates. */
static Status read_soft_joint(const Table *t, int row, const SoftColumns *c, const Skeleton *skeleton, SoftJoint *rows,
                       Error *err)
{
    double v[SOFT_JOINT_NUMBERS];
    SoftJoint *out = &rows[row];
    const char *name = table_cell(t, row, c->joint);
    out->joint = skeleton_find_name_or_role(skeleton, name);
    if (out->joint < 0)
        return joint_cell_unknown(t, row, c->joint, skeleton, err);
    if (skeleton->parent[out->joint] < 0)
        return table_error(t, row, c->joint, err, "the root has no joint to give way");
    for (int i = 0; i < row; i++)
        if (rows[i].joint == out->joint)
            return table_error(t, row, c->joint, err, "a second row for \"%s\"", name);
    Status status = table_numbers(t, row, c->number, SOFT_JOINT_NUMBERS, v, err);
    if (!status && !(v[STIFFNESS] > 0))
        status = table_error(t, row, c->number[STIFFNESS], err, "a stiffness must be positive");
    if (!status && !(v[DAMPING] >= 0))
        status = table_error(t, row, c->number[DAMPING], err, "a damping must not be negative");
    if (!status)
        *out = (SoftJoint){out->joint, v[STIFFNESS], v[DAMPING]};
    return status;
}

Status soft_joints_read(const char *path, const Skeleton *skeleton, SoftJoints *out, Error *err)
{
    Table table = {0};
    SoftColumns column;
    *out = (SoftJoints){0};
    Status status = table_read_path(path, &table, err);
    if (!status)
        status = table_require(&table, "joint", &column.joint, err);
    if (!status)
        status = table_require_all(&table, soft_joint_columns, SOFT_JOINT_NUMBERS, column.number, err);
    if (!status)
        status = table_require_rows(&table, err);
    if (!status) {
        out->joint = array_new((size_t)table.row_count, 1, sizeof *out->joint);
        out->count = out->joint ? table.row_count : 0;
        status = out->joint ? STATUS_OK : error_no_memory(err);
    }
    for (int i = 0; i < out->count && !status; i++)
        status = read_soft_joint(&table, i, &column, skeleton, out->joint, err);
    table_free(&table);
    if (status) {
        free(out->joint);
        *out = (SoftJoints){0};
    }
    return status;
}
