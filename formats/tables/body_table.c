/* See body_table.h. */
#include "formats/tables/body_table.h"

#include <stdlib.h>

#include "analysis/body/human_rest.h"
#include "formats/base/number.h"
#include "formats/base/table.h"
#include "formats/tables/joint_cell.h"

enum { MASS, COM, INERTIA = COM + 3, SEGMENT_VALUES = INERTIA + 6 };

static const char *const segment_columns[SEGMENT_VALUES] = {"mass", "com_x", "com_y", "com_z", "Ixx",
                                                  "Iyy",  "Izz",   "Ixy",   "Ixz",   "Iyz"};

/* Returns 1 if the principal minors are not negative, within the rounding of printed digits. */
static int is_semidefinite(Sym3 i)
{
    double trace = i.xx + i.yy + i.zz, slack = 1e-9 * trace;
    double xy = i.xx * i.yy - i.xy * i.xy, xz = i.xx * i.zz - i.xz * i.xz, yz = i.yy * i.zz - i.yz * i.yz;
    double det = i.xx * yz - i.xy * (i.xy * i.zz - i.yz * i.xz) + i.xz * (i.xy * i.yz - i.yy * i.xz);
    return i.xx >= 0 && i.yy >= 0 && i.zz >= 0 && xy >= -slack * trace && xz >= -slack * trace &&
           yz >= -slack * trace && det >= -slack * trace * trace;
}

/* State while a body table is read. */
typedef struct SegmentTable {
    Table table;
    const Skeleton *skeleton;
    int joint_column, value_column[SEGMENT_VALUES];
    int *line_of_joint; /* [joint] line of its row; 0: none yet */
} SegmentTable;

/* Finds the joint of a row; an error if an earlier row has it. */
static Status find_joint(const SegmentTable *t, int row, int *joint, Error *err)
{
    const char *name = table_cell(&t->table, row, t->joint_column);
    *joint = skeleton_find_name_or_role(t->skeleton, name);
    if (*joint < 0)
        return joint_cell_unknown(&t->table, row, t->joint_column, t->skeleton, err);
    if (t->line_of_joint[*joint])
        return table_error(&t->table, row, t->joint_column, err, "joint \"%s\" has a row already, in line %d", name,
                           t->line_of_joint[*joint]);
    t->line_of_joint[*joint] = t->table.line[row];
    return STATUS_OK;
}

static Status read_segment(const SegmentTable *t, int row, int joint, Body *out, Error *err)
{
    double v[SEGMENT_VALUES];
    const char *name = t->skeleton->name[joint];
    Status status = table_numbers(&t->table, row, t->value_column, SEGMENT_VALUES, v, err);
    if (status)
        return status;
    Sym3 inertia = {v[INERTIA], v[INERTIA + 1], v[INERTIA + 2], v[INERTIA + 3], v[INERTIA + 4], v[INERTIA + 5]};
    if (v[MASS] < 0)
        return table_error(&t->table, row, t->value_column[MASS], err, "the mass of \"%s\" is negative: %g kg", name,
                           v[MASS]);
    if (!is_semidefinite(inertia))
        return error_set_at(err, STATUS_BAD_INPUT, t->table.line[row], 0,
                            "the inertia of \"%s\" is not positive semi-definite", name);
    out->mass[joint] = v[MASS];
    out->com[joint] = vec3_load(v + COM);
    out->inertia[joint] = inertia;
    return STATUS_OK;
}

static Status read_rows(SegmentTable *t, Body *out, Error *err)
{
    const Skeleton *s = t->skeleton;
    Status status = table_require(&t->table, "joint", &t->joint_column, err);
    if (!status)
        status = table_require_all(&t->table, segment_columns, SEGMENT_VALUES, t->value_column, err);
    for (int row = 0; row < t->table.row_count && !status; row++) {
        int joint;
        status = find_joint(t, row, &joint, err);
        if (!status)
            status = read_segment(t, row, joint, out, err);
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
    SegmentTable t = {.skeleton = skeleton};
    *out = (Body){0};
    Status status = table_read_path(path, &t.table, err);
    if (status)
        return status;
    t.line_of_joint = array_new((size_t)skeleton->joint_count, 1, sizeof *t.line_of_joint);
    status = t.line_of_joint ? body_init(out, skeleton->joint_count, err) : error_no_memory(err);
    if (!status)
        status = read_rows(&t, out, err);
    if (!status) {
        out->stature = body_stature(skeleton);
        snprintf(out->model, sizeof out->model, "segments");
    } else {
        body_free(out);
    }
    free(t.line_of_joint);
    table_free(&t.table);
    return status;
}

Status segments_write(const Skeleton *skeleton, const Body *body, FILE *stream, Error *err)
{
    fputs("joint", stream);
    for (int i = 0; i < SEGMENT_VALUES; i++)
        fprintf(stream, "\t%s", segment_columns[i]);
    for (int j = 0; j < body->joint_count; j++) {
        Vec3 com = body->com[j];
        Sym3 t = body->inertia[j];
        const double value[SEGMENT_VALUES] = {body->mass[j], com.x, com.y, com.z, t.xx, t.yy, t.zz, t.xy, t.xz, t.yz};
        if (!(body->mass[j] > 0))
            continue;
        fprintf(stream, "\n%s", skeleton->name[j]);
        for (int i = 0; i < SEGMENT_VALUES; i++) {
            char text[NUMBER_TEXT_SIZE];
            number_print(value[i], text);
            fprintf(stream, "\t%s", text);
        }
    }
    fputc('\n', stream);
    return ferror(stream) ? error_set(err, STATUS_IO, "cannot write") : STATUS_OK;
}
