#include "formats/tables/segments.h"

#include <math.h>
#include <stdio.h>

#include "analysis/base/memory.h"
#include "analysis/body/anthropometry.h"
#include "formats/base/table.h"

enum { MASS, COM, INERTIA = COM + 3, VALUES = INERTIA + 6 };

static const char *const value_columns[VALUES] = {"mass", "com_x", "com_y", "com_z", "Ixx",
                                                  "Iyy",  "Izz",   "Ixy",   "Ixz",   "Iyz"};

/* Positive semi-definite by its principal minors, but for rounding of printed digits. */
static int is_semidefinite(Sym3 i)
{
    double trace = i.xx + i.yy + i.zz, slack = 1e-9 * trace;
    double xy = i.xx * i.yy - i.xy * i.xy, xz = i.xx * i.zz - i.xz * i.xz, yz = i.yy * i.zz - i.yz * i.yz;
    double det = i.xx * yz - i.xy * (i.xy * i.zz - i.yz * i.xz) + i.xz * (i.xy * i.yz - i.yy * i.xz);
    return i.xx >= 0 && i.yy >= 0 && i.zz >= 0 && xy >= -slack * trace && xz >= -slack * trace &&
           yz >= -slack * trace && det >= -slack * trace * trace;
}

static Status find_columns(const Table *t, int *joint_column, int columns[VALUES], Error *err)
{
    Status status = table_require(t, "joint", joint_column, err);
    for (int k = 0; k < VALUES && !status; k++)
        status = table_require(t, value_columns[k], &columns[k], err);
    return status;
}

/* The joint of a row, which no earlier row names. */
static Status find_joint(const Table *t, int row, int column, const Skeleton *s, int *row_of_joint, int *joint,
                         Error *err)
{
    const char *name = t->cell[row * t->column_count + column];
    int line = t->line[row], place = t->place[row * t->column_count + column];
    *joint = skeleton_find(s, name);
    if (*joint < 0)
        return error_set_at(err, STATUS_BAD_INPUT, line, place, "the skeleton has no joint \"%s\"", name);
    if (row_of_joint[*joint])
        return error_set_at(err, STATUS_BAD_INPUT, line, place, "joint \"%s\" has a row already, in line %d", name,
                            row_of_joint[*joint]);
    row_of_joint[*joint] = line;
    return STATUS_OK;
}

static Status read_row(const Table *t, int row, const int columns[VALUES], const Skeleton *s, int joint, Body *out,
                       Error *err)
{
    double v[VALUES];
    const char *name = s->name[joint];
    for (int k = 0; k < VALUES; k++) {
        Status status = table_number(t, row, columns[k], &v[k], err);
        if (status)
            return status;
    }
    Sym3 inertia = {v[INERTIA], v[INERTIA + 1], v[INERTIA + 2], v[INERTIA + 3], v[INERTIA + 4], v[INERTIA + 5]};
    if (v[MASS] < 0)
        return error_set_at(err, STATUS_BAD_INPUT, t->line[row], t->place[row * t->column_count + columns[MASS]],
                            "the mass of \"%s\" is negative: %g kg", name, v[MASS]);
    if (!is_semidefinite(inertia))
        return error_set_at(err, STATUS_BAD_INPUT, t->line[row], 0,
                            "the inertia of \"%s\" is not positive semi-definite", name);
    out->mass[joint] = v[MASS];
    out->com[joint] = vec3(v[COM], v[COM + 1], v[COM + 2]);
    out->inertia[joint] = inertia;
    return STATUS_OK;
}

static Status read_rows(const Table *t, const Skeleton *s, int *row_of_joint, Body *out, Error *err)
{
    int joint_column, columns[VALUES];
    Status status = find_columns(t, &joint_column, columns, err);
    for (int row = 0; row < t->row_count && !status; row++) {
        int joint;
        status = find_joint(t, row, joint_column, s, row_of_joint, &joint, err);
        if (!status)
            status = read_row(t, row, columns, s, joint, out, err);
    }
    if (status)
        return status;
    for (int j = 0; j < s->joint_count; j++)
        out->total_mass += out->mass[j];
    if (!(out->total_mass > 0))
        return error_set(err, STATUS_BAD_INPUT, "no segment has a mass");
    return STATUS_OK;
}

Status segments_read(const char *path, const Skeleton *skeleton, Body *out, Error *err)
{
    Table table = {0};
    *out = (Body){0};
    Status status = table_read_path(path, &table, err);
    if (status)
        return status;
    int *row_of_joint = array_new((size_t)skeleton->joint_count, 1, sizeof *row_of_joint);
    status = row_of_joint ? body_init(out, skeleton->joint_count, err) : error_no_memory(err);
    if (!status)
        status = read_rows(&table, skeleton, row_of_joint, out, err);
    if (!status) {
        out->stature = body_stature(skeleton);
        snprintf(out->model, sizeof out->model, "segments");
    } else {
        body_free(out);
    }
    free(row_of_joint);
    table_free(&table);
    return status;
}
