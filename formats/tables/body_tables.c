/* See body_tables.h. */
#include "formats/tables/body_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/body/human_rest.h"
#include "formats/base/number.h"
#include "formats/base/table.h"
#include "formats/base/text.h"

/* Body tables. */

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

/* Sets the error of a cell that should have a joint name or role. */
static Status unknown_joint(const Table *t, int row, int column, const Skeleton *skeleton, Error *err)
{
    char near[256];
    const char *name = table_cell(t, row, column);
    did_you_mean_joint(name, skeleton, near, sizeof near);
    return table_error(t, row, column, err, "unknown joint or role \"%s\"%s", name, near);
}

/* Sets the error of a cell that should have a joint name. */
static Status unknown_name(const Table *t, int row, int column, const Skeleton *skeleton, Error *err)
{
    char near[256];
    const char *name = table_cell(t, row, column);
    did_you_mean(name, (const char *const *)skeleton->name, (size_t)skeleton->joint_count, near, sizeof near);
    return table_error(t, row, column, err, "unknown joint \"%s\"%s", name, near);
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
    *joint = skeleton_find(t->skeleton, name);
    if (*joint < 0)
        return unknown_name(&t->table, row, t->joint_column, t->skeleton, err);
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

/* Strength of one subject. */

enum { TORQUE, SPEED, ANGLE, WIDTH, ECCENTRIC, HALF, PASSIVE_ZERO, PASSIVE_ONE, STRENGTH_VALUES };

static const char *const strength_columns[STRENGTH_VALUES] = {"torque_max", "speed_max", "angle",        "width",
                                                  "eccentric",  "half",      "passive_zero", "passive_one"};

static Status find_motion(const Table *t, int row, int column, StrengthMotion *motion, Error *err)
{
    const char *name = table_cell(t, row, column);
    for (int i = 0; strength_motion_names[i]; i++)
        if (!strcmp(strength_motion_names[i], name)) {
            *motion = (StrengthMotion)i;
            return STATUS_OK;
        }
    return table_error(t, row, column, err, "unknown motion \"%s\"; expected hip_flexion, knee_extension, ...", name);
}

static Status check_values(const Table *t, int row, const int *column, const double *v, Error *err)
{
    static const int positive[] = {TORQUE, SPEED, WIDTH, HALF};
    for (size_t i = 0; i < sizeof positive / sizeof *positive; i++)
        if (!(v[positive[i]] > 0))
            return table_error(t, row, column[positive[i]], err, "%s is not above 0", strength_columns[positive[i]]);
    if (v[HALF] >= 1)
        return table_error(t, row, column[HALF], err, "half: expected a fraction of the isometric torque below 1");
    if (v[ECCENTRIC] < 1)
        return table_error(t, row, column[ECCENTRIC], err, "eccentric is a gain of 1 or more");
    if (v[PASSIVE_ZERO] == v[PASSIVE_ONE])
        return table_error(t, row, column[PASSIVE_ONE], err, "passive_one equals passive_zero");
    return STATUS_OK;
}

static Status read_strength(const Table *t, int row, int motion_column, const int *column, PersonCurve *out, Error *err)
{
    double v[STRENGTH_VALUES];
    Status status = find_motion(t, row, motion_column, &out->motion, err);
    if (!status)
        status = table_numbers(t, row, column, STRENGTH_VALUES, v, err);
    if (!status)
        status = check_values(t, row, column, v, err);
    if (!status)
        *out = (PersonCurve){out->motion, v[TORQUE], v[SPEED], v[ANGLE], v[WIDTH], v[ECCENTRIC],
                             v[HALF], v[PASSIVE_ZERO], v[PASSIVE_ONE]};
    return status;
}

Status strength_table_read(const char *path, PersonCurve **curves, int *count, Error *err)
{
    Table table;
    int motion = 0, column[STRENGTH_VALUES];
    *curves = NULL;
    *count = 0;
    Status status = table_read_path(path, &table, err);
    if (status)
        return status;
    status = table_require(&table, "motion", &motion, err);
    if (!status)
        status = table_require_all(&table, strength_columns, STRENGTH_VALUES, column, err);
    if (!status && !(*curves = array_new((size_t)table.row_count, 1, sizeof **curves)))
        status = error_no_memory(err);
    for (int row = 0; row < table.row_count && !status; row++)
        status = read_strength(&table, row, motion, column, &(*curves)[(*count)++], err);
    if (status) {
        free(*curves);
        *curves = NULL;
        *count = 0;
    }
    table_free(&table);
    return status;
}

/* Generalised speeds. */

/* Returns the index of a name in a list; appends it if new. */
static int index_of(SpeedName *list, int *count, const char *text)
{
    int at = 0;
    while (at < *count && strncmp(list[at], text, SPEED_NAME_SIZE - 1))
        at++;
    if (at == *count)
        snprintf(list[(*count)++], SPEED_NAME_SIZE, "%s", text);
    return at;
}

static Status find_old_speed(const Table *t, const int cell[2], const SpeedName *name, int count, int *old, Error *err)
{
    const char *text = table_cell(t, cell[0], cell[1]);
    for (*old = 0; *old < count; ++*old)
        if (!strcmp(name[*old], text))
            return STATUS_OK;
    return table_error(t, cell[0], cell[1], err, "unknown speed \"%s\"; kane explain --equations lists them", text);
}

/* Lists the names of new speeds and the old speeds in them, in order of first use. */
static Status list_speeds(const Table *t, const int *column, const SpeedName *name, int count, SpeedForms *out,
                          Error *err)
{
    int old_count = 0;
    for (int row = 0; row < t->row_count; row++) {
        int old, at = 0;
        Status status = find_old_speed(t, (int[]){row, column[1]}, name, count, &old, err);
        if (status)
            return status;
        while (at < old_count && out->of[at] != old)
            at++;
        if (at == old_count)
            out->of[old_count++] = old;
        index_of(out->name, &out->count, table_cell(t, row, column[0]));
    }
    return out->count == old_count ? STATUS_OK
           : table_error(t, 0, column[0], err, "%d new speeds are made of %d old ones; there must be as many",
                         out->count, old_count);
}

static Status fill_forms(const Table *t, const int *column, const SpeedName *name, SpeedForms *out, Error *err)
{
    for (int row = 0; row < t->row_count; row++) {
        double value;
        int count = out->count, form = index_of(out->name, &count, table_cell(t, row, column[0])), at = 0;
        Status status = table_number(t, row, column[2], &value, err);
        if (status)
            return status;
        while (strcmp(name[out->of[at]], table_cell(t, row, column[1])))
            at++;
        out->coefficient[(size_t)form * (size_t)out->count + (size_t)at] += value;
    }
    return STATUS_OK;
}

static Status read_forms(const Table *t, const SpeedName *name, int count, SpeedForms *out, Error *err)
{
    static const char *const columns[] = {"speed", "of", "coefficient"};
    int column[3];
    size_t rows = (size_t)t->row_count;
    Status status = table_require_all(t, columns, 3, column, err);
    if (status || (status = table_require_rows(t, err)))
        return status;
    out->name = array_new(rows, 1, sizeof *out->name);
    out->of = array_new(rows, 1, sizeof *out->of);
    if (!out->name || !out->of)
        return error_no_memory(err);
    if ((status = list_speeds(t, column, name, count, out, err)))
        return status;
    if (!(out->coefficient = array_new((size_t)out->count, (size_t)out->count, sizeof *out->coefficient)))
        return error_no_memory(err);
    return fill_forms(t, column, name, out, err);
}

Status speed_forms_read(const char *path, const SpeedName *name, int count, SpeedForms *out, Error *err)
{
    Table table;
    *out = (SpeedForms){0};
    Status status = table_read_path(path, &table, err);
    if (status)
        return status;
    status = read_forms(&table, name, count, out, err);
    table_free(&table);
    if (status)
        speed_forms_free(out);
    return status;
}

void speed_forms_free(SpeedForms *forms)
{
    free(forms->name);
    free(forms->of);
    free(forms->coefficient);
    *forms = (SpeedForms){0};
}

/* Tables of compliant joints. */

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
        return unknown_joint(t, row, c->joint, skeleton, err);
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

/* Tables of gains. */

enum { GAIN_COLUMNS = 4, REQUIRED_GAINS = 2 };
static const char *const gain_columns[GAIN_COLUMNS] = {"stiffness", "damping", "integral", "torque_max_nm"};

static Status read_gains(const Table *t, int row, const int *column, JointGains *out, Error *err)
{
    double *value[GAIN_COLUMNS] = {&out->stiffness, &out->damping, &out->integral, &out->torque_max};
    Status status = STATUS_OK;
    for (int i = 0; !status && i < GAIN_COLUMNS; i++) {
        if (column[i] < 0 || !*table_cell(t, row, column[i]))
            continue;
        status = table_number(t, row, column[i], value[i], err);
        if (!status && (*value[i] < 0 || (i == 0 && *value[i] == 0)))
            status = table_error(t, row, column[i], err, i ? "%s must not be negative" : "%s must be positive",
                                 gain_columns[i]);
    }
    return status;
}

static int says_nothing(const JointGains *g)
{
    return isnan(g->stiffness) && isnan(g->damping) && isnan(g->integral) && isnan(g->torque_max);
}

static Status read_gains_of_joint(const Table *t, int row, int joint_column, const Skeleton *skeleton,
                                  JointGains *gains, Error *err)
{
    int column[GAIN_COLUMNS];
    const char *name = table_cell(t, row, joint_column);
    int joint = skeleton_find_name_or_role(skeleton, name);
    if (joint < 0)
        return unknown_joint(t, row, joint_column, skeleton, err);
    if (!says_nothing(&gains[joint]))
        return table_error(t, row, joint_column, err, "a second row for \"%s\"", name);
    for (int i = 0; i < GAIN_COLUMNS; i++)
        column[i] = table_find(t, gain_columns[i]);
    return read_gains(t, row, column, &gains[joint], err);
}

Status joint_gains_read(const char *path, const Skeleton *skeleton, JointGains *gains, Error *err)
{
    Table table = {0};
    int joint = -1, required[REQUIRED_GAINS];
    for (int j = 0; j < skeleton->joint_count; j++)
        gains[j] = (JointGains){NAN, NAN, NAN, NAN};
    Status status = table_read_path(path, &table, err);
    if (!status)
        status = table_require(&table, "joint", &joint, err);
    if (!status)
        status = table_require_all(&table, gain_columns, REQUIRED_GAINS, required, err);
    if (!status)
        status = table_require_rows(&table, err);
    for (int row = 0; !status && row < table.row_count; row++)
        status = read_gains_of_joint(&table, row, joint, skeleton, gains, err);
    table_free(&table);
    return status;
}

/* Tables of targets. */

enum { TARGET_NUMBERS = 4 };

static Status read_target(const Table *t, int row, const int *column, const Skeleton *skeleton, TargetRows *out,
                          Error *err)
{
    double v[TARGET_NUMBERS];
    out->joint[row] = skeleton_find_name_or_role(skeleton, table_cell(t, row, column[0]));
    if (out->joint[row] < 0)
        return unknown_joint(t, row, column[0], skeleton, err);
    Status status = table_numbers(t, row, column + 1, TARGET_NUMBERS, v, err);
    if (status)
        return status;
    out->time[row] = v[0];
    out->position[row] = vec3(v[1], v[2], v[3]);
    return STATUS_OK;
}

Status targets_read(const char *path, const Skeleton *skeleton, TargetRows *out, Error *err)
{
    static const char *const names[1 + TARGET_NUMBERS] = {"joint", "time", "x", "y", "z"};
    int column[1 + TARGET_NUMBERS];
    Table table = {0};
    *out = (TargetRows){0};
    Status status = table_read_path(path, &table, err);
    if (!status)
        status = table_require_all(&table, names, 1 + TARGET_NUMBERS, column, err);
    if (!status)
        status = table_require_rows(&table, err);
    size_t rows = (size_t)table.row_count;
    if (!status) {
        out->time = arena_array(&out->memory, rows, 1, sizeof *out->time);
        out->joint = arena_array(&out->memory, rows, 1, sizeof *out->joint);
        out->position = arena_array(&out->memory, rows, 1, sizeof *out->position);
        status = out->memory.failed ? error_no_memory(err) : STATUS_OK;
    }
    for (; !status && out->row_count < table.row_count; out->row_count++)
        status = read_target(&table, out->row_count, column, skeleton, out, err);
    table_free(&table);
    if (status) {
        arena_free(&out->memory);
        *out = (TargetRows){0};
    }
    return status;
}

/* Tables of measured forces, in long form. */

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
    out->joint[row] = skeleton_find(skeleton, joint);
    if (out->joint[row] < 0)
        return unknown_name(t, row, c->joint, skeleton, err);
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
    Status status = table_read_path_most(path, (size_t)1 << 30, &table, err);
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
