/* See osim_take.h. Of a joint's frames F is fixed in the parent's body, M in the child's; a kane joint has the axes of
 * M, so that the joint's rotation and translation are those of M_parent <- F <- M. */
#include "formats/opensim/osim_take.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/clip/clip_schema.h"
#include "analysis/math/elementary.h"
#include "formats/opensim/osim_soles.h"
#include "formats/opensim/osim_values.h"

static const double uneven = 0.02;       /* of the frame time: times are rounded in the file */
static const double same_slope = 1e-9;
static const double same_axis = 1e-6;

/* Work of one take. */
typedef struct Building {
    const Osim *model;
    const Storage *table;
    int *order;        /* [joint] joints of the model, parents first; kane's joint is the position */
    int *place;        /* [joint of the model] its position in order; OSIM_NONE: left out */
    int *column;       /* [coordinate] of the table; OSIM_NONE: none */
    double *value;     /* [coordinate] in one frame */
    OsimFrame *base;   /* [joint] from F to the parent's M */
    Quat upright;      /* ground axes of the model to +Y up */
    Arena memory;
} Building;

/* ---- Order of joints ---- */

/* Mass of a body with all bodies that hang on it. */
static double mass_below(const Osim *m, int body)
{
    double mass = m->body[body].mass;
    for (int b = 0; b < m->body_count; b++)
        if (m->joint[m->body[b].joint].parent == body)
            mass += mass_below(m, b);
    return mass;
}

/* The joint of the heaviest body that hangs on the ground: others, such as a treadmill, are left out. */
static int root_joint(const Osim *m)
{
    int root = OSIM_NONE;
    for (int j = 0; j < m->joint_count; j++)
        if (m->joint[j].parent == OSIM_GROUND &&
            (root < 0 || mass_below(m, m->joint[j].child) > mass_below(m, m->joint[root].child)))
            root = j;
    return root;
}

/* Whether each body leads to the ground by its joints. */
static Status check_tree(const Osim *m, Error *err)
{
    for (int b = 0; b < m->body_count; b++) {
        int at = b, steps = 0;
        while (at >= 0 && steps++ <= m->body_count)
            at = m->joint[m->body[at].joint].parent;
        if (at >= 0)
            return error_set_at(err, STATUS_BAD_INPUT, m->body[b].line, 0, "body %.60s does not lead to the ground: "
                                "its joints form a circle", m->body[b].name);
    }
    return STATUS_OK;
}

/* Adds a joint and those below it, in the order of the file. */
static void add_joints(Building *b, int joint, int *count)
{
    const Osim *m = b->model;
    b->place[joint] = *count;
    b->order[(*count)++] = joint;
    for (int j = 0; j < m->joint_count; j++)
        if (m->joint[j].parent == m->joint[joint].child)
            add_joints(b, j, count);
}

static Status find_order(Building *b, int *count, Error *err)
{
    const Osim *m = b->model;
    *count = 0;
    Status status = check_tree(m, err);
    if (status)
        return status;
    for (int j = 0; j < m->joint_count; j++)
        b->place[j] = OSIM_NONE;
    add_joints(b, root_joint(m), count);
    return STATUS_OK;
}

/* F in the axes and from the origin of the parent joint's M. */
static OsimFrame base_of(const Building *b, const OsimJoint *j)
{
    if (j->parent == OSIM_GROUND)
        return osim_frame_product((OsimFrame){{0, 0, 0}, b->upright}, j->in_parent);
    const OsimJoint *above = &b->model->joint[b->model->body[j->parent].joint];
    return osim_frame_product(osim_frame_inverse(above->in_child), j->in_parent);
}

/* ---- Columns ---- */

/* Whether a label names a coordinate: by itself, or as the path of its value in a states file, such as
 * "/jointset/hip_r/hip_flexion_r/value". */
static int is_column_of(const char *label, const char *coordinate)
{
    static const char value[] = "/value";
    size_t length = strlen(label), name = strlen(coordinate), end = sizeof value - 1;
    if (strcmp(label, coordinate) == 0)
        return 1;
    return length > name + end && strcmp(label + length - end, value) == 0 && label[length - end - name - 1] == '/' &&
           memcmp(label + length - end - name, coordinate, name) == 0;
}

static int find_columns(Building *b)
{
    const Table *t = &b->table->table;
    int found = 0;
    for (int c = 0; c < b->model->coordinate_count; c++) {
        b->column[c] = OSIM_NONE;
        for (int i = 1; i < t->column_count && b->column[c] < 0; i++)
            if (is_column_of(t->header[i], b->model->coordinate[c].name))
                b->column[c] = i;
        found += b->column[c] >= 0;
    }
    return found;
}

/* Fills b->value from a row of the table. */
static Status read_values(Building *b, int row, Error *err)
{
    const Osim *m = b->model;
    for (int c = 0; c < m->coordinate_count; c++) {
        const OsimCoordinate *own = &m->coordinate[c];
        b->value[c] = own->value;
        if (b->column[c] < 0)
            continue;
        Status status = table_number(&b->table->table, row, b->column[c], &b->value[c], err);
        if (status)
            return status;
        if (fabs(b->value[c]) > OSIM_LARGEST)
            return table_error(&b->table->table, row, b->column[c], err, "coordinate \"%.60s\" is %g", own->name,
                               b->value[c]);
        if (b->table->in_degrees && own->type == OSIM_ROTATION)
            b->value[c] *= PI / 180;
    }
    for (int c = 0; c < m->coordinate_count; c++) {
        const OsimCoordinate *own = &m->coordinate[c];
        if (b->column[c] < 0 && own->follows >= 0)
            b->value[c] = osim_function_value(&own->coupling, b->value[own->follows], NULL);
    }
    return STATUS_OK;
}

/* ---- Skeleton ---- */

/* Coordinates at rest: zero, or what they follow there. */
static void rest_values(Building *b)
{
    const Osim *m = b->model;
    memset(b->value, 0, (size_t)m->coordinate_count * sizeof *b->value);
    for (int c = 0; c < m->coordinate_count; c++)
        if (m->coordinate[c].follows >= 0)
            b->value[c] = osim_function_value(&m->coordinate[c].coupling, 0, NULL);
}

static Status fill_skeleton(Building *b, int joint_count, Skeleton *s, Error *err)
{
    const Osim *m = b->model;
    OsimPoint *end = arena_array(&b->memory, (size_t)osim_sole_limit(m), 1, sizeof *end);
    if (!end)
        return error_no_memory(err);
    int ends = osim_soles(m, end);
    Status status = skeleton_init(s, joint_count, ends, err);
    rest_values(b);
    for (int i = 0; i < joint_count && !status; i++) {
        const OsimJoint *j = &m->joint[b->order[i]];
        s->parent[i] = j->parent == OSIM_GROUND ? -1 : b->place[m->body[j->parent].joint];
        s->offset[i] = osim_frame_product(b->base[i], osim_joint_pose(j, b->value, NULL)).x;
        status = skeleton_set_name(s, i, m->body[j->child].name, err);
    }
    s->end_count = 0;
    for (int e = 0; e < ends && !status; e++) {
        const OsimJoint *j = &m->joint[m->body[end[e].body].joint];
        int at = b->place[m->body[end[e].body].joint];
        if (at < 0)
            continue;
        s->end_parent[s->end_count] = at;
        s->end_offset[s->end_count++] = quat_rotate_inverse(j->in_child.q, vec3_sub(end[e].x, j->in_child.x));
    }
    return status;
}

static Status fill_body(const Building *b, int joint_count, Take *out, Error *err)
{
    Body *body = &out->body;
    Status status = body_init(body, joint_count, err);
    out->has_body = !status;
    for (int i = 0; i < joint_count && !status; i++) {
        const OsimJoint *j = &b->model->joint[b->order[i]];
        const OsimBody *own = &b->model->body[j->child];
        body->mass[i] = own->mass;
        body->com[i] = quat_rotate_inverse(j->in_child.q, vec3_sub(own->com, j->in_child.x));
        body->inertia[i] = sym3_rotate(quat_to_mat3(quat_conjugate(j->in_child.q)), own->inertia);
        body->total_mass += own->mass;
    }
    Vec3 up = vec3_normalize(vec3_neg(b->model->gravity));
    snprintf(body->model, sizeof body->model, "opensim %.40s%s", b->model->name,
             vec3_distance(up, vec3(0, 1, 0)) < same_axis ? "" : OPENSIM_OTHER_UP);
    if (!status && !(body->total_mass > 0))
        status = error_set(err, STATUS_BAD_INPUT, "the bodies of the model have no mass");
    return status;
}

/* ---- Degrees of freedom ---- */

/* Whether each axis of the joint is fixed, and moved by a coordinate of its own one to one. */
static int has_fixed_axes(const OsimJoint *j)
{
    int uses[OSIM_AXES] = {0};
    double c[2];
    for (int k = 0; k < OSIM_AXES; k++) {
        const OsimAxis *a = &j->axis[k];
        int is_linear = osim_function_is_linear(&a->function, c);
        if (a->coordinate < 0 && !(is_linear && c[0] == 0))
            return 0;
        if (a->coordinate >= 0 && !(is_linear && fabs(fabs(c[1]) - 1) < same_slope))
            return 0;
        if (a->coordinate >= 0 && uses[a->coordinate - j->coordinate_start]++)
            return 0;
    }
    for (int i = 0; i < j->coordinate_count; i++)
        if (uses[i] != 1)
            return 0;
    return !(vec3_norm(j->radii) > 0);
}

static Status set_row(const Building *b, int joint, int coordinate, DofKind kind, Dofs *d, Error *err)
{
    const OsimCoordinate *c = &b->model->coordinate[coordinate];
    int row = d->count++;
    d->joint[row] = joint;
    d->kind[row] = kind;
    d->rest_rotation[row] = b->base[joint].q;
    d->locked[row] = (unsigned char)c->is_locked;
    for (int k = 0; k < 2 && c->is_clamped; k++)
        dofs_limit(d, DOF_LIMIT_range, row)[k] = c->range[k];
    d->axis[row] = vec3(1, 0, 0);
    return dofs_set_name(d, row, c->name, err);
}

/* Translations come first: they are along axes of the parent's side. */
static Status add_fixed_rows(const Building *b, int joint, Dofs *d, Error *err)
{
    const OsimJoint *j = &b->model->joint[b->order[joint]];
    Status status = STATUS_OK;
    for (int i = 0; i < OSIM_AXES && !status; i++) {
        int k = (i + OSIM_ROTATIONS) % OSIM_AXES;
        const OsimAxis *a = &j->axis[k];
        double c[2];
        if (a->coordinate < 0 || !osim_function_is_linear(&a->function, c))
            continue;
        status = set_row(b, joint, a->coordinate, k < OSIM_ROTATIONS ? DOF_HINGE : DOF_SLIDE, d, err);
        if (status)
            return status;
        d->axis[d->count - 1] = vec3_scale(a->axis, c[1] < 0 ? -1 : 1);
        d->zero[d->count - 1] = c[1] < 0 ? c[0] : -c[0];
    }
    return status;
}

static Status add_rows(const Building *b, int joint, Dofs *d, Error *err)
{
    const OsimJoint *j = &b->model->joint[b->order[joint]];
    if (has_fixed_axes(j))
        return add_fixed_rows(b, joint, d, err);
    Status status = STATUS_OK;
    for (int c = 0; c < j->coordinate_count && !status; c++)
        status = set_row(b, joint, j->coordinate_start + c, DOF_CUSTOM, d, err);
    return status;
}

static int any_custom(const Dofs *d)
{
    for (int i = 0; i < d->count; i++)
        if (d->kind[i] == DOF_CUSTOM)
            return 1;
    return 0;
}

static Status fill_dofs(const Building *b, int joint_count, int frame_count, Take *out, Error *err)
{
    Dofs *d = &out->dof;
    Status status = dofs_init(d, frame_count, b->model->coordinate_count, err);
    out->has_dof = !status;
    d->count = 0;
    for (int i = 0; i < joint_count && !status; i++)
        status = add_rows(b, i, d, err);
    for (int i = 0; i < d->count; i++) /* offsets contain the translation of the rest pose */
        if (d->kind[i] == DOF_SLIDE)
            d->zero[i] = 0;
    if (!status)
        status = group_add(GROUP_DOF, d, "position", err);
    if (!status && any_custom(d))
        status = group_add(GROUP_DOF, d, "moving_axis", err);
    return status;
}

/* ---- Motion ---- */

/* Fills the rows of a joint in a frame; first: its first row. */
static void put_rows(const Building *b, int joint, int frame, const OsimRate *rate, Dofs *d, int first)
{
    for (int row = first; row < d->count && d->joint[row] == joint; row++) {
        int c = osim_find_coordinate(b->model, d->name[row]);
        size_t at = dofs_index(d, frame, row);
        d->position[at] = b->value[c];
        if (d->kind[row] != DOF_CUSTOM)
            continue;
        const OsimRate *own = &rate[c - b->model->joint[b->order[joint]].coordinate_start];
        d->moving_axis[at] = quat_rotate(b->base[joint].q, own->omega);
        d->moving_velocity[at] = quat_rotate(b->base[joint].q, own->v);
    }
}

static void put_frame(const Building *b, int frame, Take *out)
{
    Motion *m = &out->motion;
    OsimRate rate[OSIM_AXES];
    int first = 0;
    for (int i = 0; i < m->joint_count; i++) {
        size_t at = motion_index(m, frame, i);
        OsimFrame own = osim_joint_pose(&b->model->joint[b->order[i]], b->value, rate);
        OsimFrame pose = osim_frame_product(b->base[i], own);
        m->rotation[at] = pose.q;
        if (i == 0)
            m->root_position[frame] = pose.x;
        else
            m->translation[at] = pose.x;
        put_rows(b, i, frame, rate, &out->dof, first);
        while (first < out->dof.count && out->dof.joint[first] == i)
            first++;
    }
}

/* The frame time, s, from the first and last row. STATUS_BAD_INPUT names the row whose time is out of step. */
static Status frame_time(const Table *t, double *out, Error *err)
{
    double first = 0, last = 0, time;
    Status status = table_number(t, 0, 0, &first, err);
    if (!status)
        status = table_number(t, t->row_count - 1, 0, &last, err);
    *out = t->row_count > 1 ? (last - first) / (t->row_count - 1) : 0;
    if (!status && t->row_count > 1 && !(*out > 0))
        status = table_error(t, t->row_count - 1, 0, err, "time %g s is not after the first, %g s", last, first);
    for (int r = 1; r < t->row_count && !status; r++) {
        status = table_number(t, r, 0, &time, err);
        double off = time - first - r * *out;
        if (!status && fabs(off) > fmax(uneven * *out, 1e-3 * *out + 1e-3))
            status = table_error(t, r, 0, err, "time %g s is %.3g s off an even spacing of %.6g s: resample the motion "
                                 "at equal steps", time, off, *out);
    }
    return status;
}

static Status fill_motion(Building *b, const SourceDef *def, Take *out, Error *err)
{
    const Table *t = &b->table->table;
    double dt;
    Status status = table_require_rows(t, err);
    if (!status && t->row_count > def->max_frames)
        status = error_set(err, STATUS_LIMIT, "%d frames, more than %d (--max-frames)", t->row_count, def->max_frames);
    if (!status)
        status = frame_time(t, &dt, err);
    if (!status)
        status = table_number(t, 0, 0, &out->start, err);
    if (!status)
        status = motion_init(&out->motion, t->row_count, out->skeleton.joint_count, dt, 1, err);
    if (!status)
        status = fill_dofs(b, out->skeleton.joint_count, t->row_count, out, err);
    for (int f = 0; f < t->row_count && !status; f++) {
        status = read_values(b, f, err);
        if (!status)
            put_frame(b, f, out);
    }
    return status;
}

/* ---- Takes ---- */

static Status prepare(Building *b, Error *err)
{
    const Osim *m = b->model;
    size_t joints = (size_t)m->joint_count, coordinates = (size_t)m->coordinate_count;
    b->order = arena_array(&b->memory, joints, 1, sizeof *b->order);
    b->place = arena_array(&b->memory, joints, 1, sizeof *b->place);
    b->base = arena_array(&b->memory, joints, 1, sizeof *b->base);
    b->column = arena_array(&b->memory, coordinates, 1, sizeof *b->column);
    b->value = arena_array(&b->memory, coordinates, 1, sizeof *b->value);
    Vec3 up = vec3_neg(m->gravity);
    b->upright = quat_between(up, vec3(0, 1, 0));
    return b->memory.failed ? error_no_memory(err) : STATUS_OK;
}

static Status no_coordinates(const Osim *m, Error *err)
{
    return error_set(err, STATUS_BAD_INPUT, "no column is a coordinate of the model \"%.60s\" (%.60s, ...): forces are "
                     "given with contact's --external", m->name, m->coordinate_count ? m->coordinate[0].name : "none");
}

Status osim_take(const Osim *model, const Storage *coordinates, const SourceDef *def, Take *out, Error *err)
{
    Building b = {.model = model, .table = coordinates};
    int joint_count = 0;
    Status status = prepare(&b, err);
    if (!status && find_columns(&b) == 0)
        status = no_coordinates(model, err);
    if (!status)
        status = find_order(&b, &joint_count, err);
    for (int i = 0; i < joint_count && !status; i++)
        b.base[i] = base_of(&b, &model->joint[b.order[i]]);
    if (!status)
        status = fill_skeleton(&b, joint_count, &out->skeleton, err);
    if (!status)
        status = fill_body(&b, joint_count, out, err);
    if (!status)
        status = fill_motion(&b, def, out, err);
    arena_free(&b.memory);
    out->root_given[0] = out->root_given[1] = out->root_given[2] = 1;
    out->is_timed = 1;
    out->meters_per_unit = 1;
    out->up = UP_Y;
    return status;
}
