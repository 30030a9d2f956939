/* See skeleton.h. */
#include "analysis/clip/skeleton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/names.h"

static const char *const role_names[] = {
    "", "hips", "spine", "chest", "neck", "head",
    "left_clavicle", "left_shoulder", "left_elbow", "left_wrist", "left_hip", "left_knee", "left_ankle", "left_toe",
    "right_clavicle", "right_shoulder", "right_elbow", "right_wrist", "right_hip", "right_knee", "right_ankle",
    "right_toe",
};
_Static_assert(sizeof role_names / sizeof *role_names == ROLE_COUNT, "a name for every Role, in its order");

const char *role_name(Role role)
{
    return (unsigned)role < ROLE_COUNT ? role_names[role] : "";
}

Role role_from_name(const char *name)
{
    for (int r = 1; r < ROLE_COUNT; r++)
        if (strcmp(name, role_names[r]) == 0)
            return (Role)r;
    return ROLE_NONE;
}

Role role_mirror(Role role)
{
    const int pair = ROLE_RIGHT_CLAVICLE - ROLE_LEFT_CLAVICLE;
    if (role >= ROLE_LEFT_CLAVICLE && role <= ROLE_LEFT_TOE)
        return (Role)(role + pair);
    if (role >= ROLE_RIGHT_CLAVICLE && role <= ROLE_RIGHT_TOE)
        return (Role)(role - pair);
    return role;
}

int skeleton_position_channels(const Skeleton *s, int joint)
{
    enum { LAST_POSITION = 3 }; /* digits 1 to 3: positions, others: rotations */
    int count = 0;
    for (int rest = s->channels ? s->channels[joint] : 0; rest > 0; rest /= 10)
        count += rest % 10 <= LAST_POSITION;
    return count;
}

Status skeleton_set_name(Skeleton *s, int joint, const char *name, Error *err)
{
    char *copy = strdup(name);
    if (!copy)
        return error_no_memory(err);
    free(s->name[joint]);
    s->name[joint] = copy;
    return STATUS_OK;
}

int skeleton_is_below(const Skeleton *s, int joint, int above)
{
    while (joint > above)
        joint = s->parent[joint];
    return joint == above;
}

double skeleton_offset_sum(const Skeleton *s)
{
    double sum = 0;
    for (int j = 1; j < s->joint_count; j++)
        sum += vec3_norm(s->offset[j]);
    return sum;
}

int skeleton_find(const Skeleton *s, const char *name)
{
    for (int j = 0; j < s->joint_count; j++)
        if (strcmp(s->name[j], name) == 0)
            return j;
    return -1;
}

int skeleton_find_role(const Skeleton *s, Role role)
{
    for (int j = 0; role != ROLE_NONE && j < s->joint_count; j++)
        if (s->role[j] == role)
            return j;
    return -1;
}

int skeleton_find_name_or_role(const Skeleton *s, const char *name)
{
    int joint = skeleton_find(s, name);
    return joint < 0 ? skeleton_find_role(s, role_from_name(name)) : joint;
}

void skeleton_rest_positions(const Skeleton *s, Vec3 *rest)
{
    for (int j = 0; j < s->joint_count; j++)
        rest[j] = s->parent[j] < 0 ? s->offset[j] : vec3_add(rest[s->parent[j]], s->offset[j]);
}

void skeleton_reach(const Skeleton *s, double *reach)
{
    memset(reach, 0, (size_t)s->joint_count * sizeof *reach);
    for (int e = 0; e < s->end_count; e++)
        reach[s->end_parent[e]] = fmax(reach[s->end_parent[e]], vec3_norm(s->end_offset[e]));
    for (int j = s->joint_count - 1; j > 0; j--)
        reach[s->parent[j]] = fmax(reach[s->parent[j]], vec3_norm(s->offset[j]) + reach[j]);
}

double skeleton_longest_chain(const Skeleton *s)
{
    double longest = 0;
    for (int j = 1; j < s->joint_count; j++) {
        double length = 0;
        for (int i = j; s->parent[i] >= 0; i = s->parent[i])
            length += vec3_norm(s->offset[i]);
        longest = fmax(longest, length);
    }
    return longest;
}

static const char *const dof_kinds[] = {"", "hinge", "slide", "ball", "free", "custom"};
_Static_assert(sizeof dof_kinds / sizeof *dof_kinds == DOF_KIND_COUNT, "a name for every DofKind, in its order");

const char *dof_kind_name(DofKind kind) { return (unsigned)kind < DOF_KIND_COUNT ? dof_kinds[kind] : ""; }

int dof_kind_from_name(const char *name, DofKind *kind)
{
    int found = name_index(dof_kinds, DOF_KIND_COUNT, name);
    if (found >= 0)
        *kind = (DofKind)found;
    return found >= 0;
}

void dofs_set_defaults(Dofs *d)
{
    for (int i = 0; i < d->count; i++) {
        d->rest_rotation[i] = QUAT_IDENTITY;
        d->speed_limit[i] = NAN;
        d->coupled_to[i] = -1;
        for (int k = 0; k < DOF_BOUNDS; k++)
            d->range[DOF_BOUNDS * i + k] = d->effort_limit[DOF_BOUNDS * i + k] = NAN;
    }
}

Status dofs_set_name(Dofs *d, int row, const char *name, Error *err)
{
    char *copy = strdup(name);
    if (!copy)
        return error_no_memory(err);
    free(d->name[row]);
    d->name[row] = copy;
    return STATUS_OK;
}

int dofs_first(const Dofs *d, int row)
{
    while (row > 0 && d->joint[row - 1] == d->joint[row])
        row--;
    return row;
}

int dofs_end(const Dofs *d, int row)
{
    int joint = d->joint[row];
    while (row < d->count && d->joint[row] == joint)
        row++;
    return row;
}

int dofs_is_rotation(const Dofs *d, int row)
{
    if (d->kind[row] == DOF_FREE)
        return row - dofs_first(d, row) >= DOFS_PER_BALL;
    return d->kind[row] != DOF_SLIDE;
}

/* ---- Consistency ---- */

static Status bad(const Dofs *d, int row, const char *what, Error *err)
{
    return error_set(err, STATUS_BAD_INPUT, "/dof: \"%.60s\" (row %d) %s", d->name[row] ? d->name[row] : "", row, what);
}

static Status check_joint(const Dofs *d, int row, int joint_count, Error *err)
{
    int is_new = row == 0 || d->joint[row - 1] != d->joint[row];
    if (d->joint[row] < 0 || d->joint[row] >= joint_count)
        return bad(d, row, "moves no joint of the clip", err);
    for (int i = 0; is_new && i < row; i++)
        if (d->joint[i] == d->joint[row])
            return bad(d, row, "does not stand beside the others of its joint", err);
    if (is_new && d->kind[row] != DOF_UNKNOWN && dofs_end(d, row) - row > DOFS_PER_JOINT)
        return bad(d, row, "is one of more than six of its joint", err);
    return STATUS_OK;
}

/* A ball joint has three rows, a free joint exactly six. */
static Status check_kind(const Dofs *d, int row, Error *err)
{
    int first = dofs_first(d, row), end = dofs_end(d, row), of_kind = 0;
    DofKind kind = d->kind[row];
    for (int i = first; i < end; i++)
        of_kind += d->kind[i] == kind;
    if ((unsigned)kind >= DOF_KIND_COUNT)
        return bad(d, row, "is of no kind", err);
    if (kind == DOF_BALL && of_kind != DOFS_PER_BALL)
        return bad(d, row, "is one of a ball, which has three rows", err);
    if (kind == DOF_FREE && (of_kind != DOFS_PER_FREE || end - first != DOFS_PER_FREE))
        return bad(d, row, "is one of a free joint, which has six rows and no others", err);
    if ((kind == DOF_CUSTOM || kind == DOF_UNKNOWN) && of_kind != end - first)
        return bad(d, row, "has another kind on the same joint", err);
    return STATUS_OK;
}

static Status check_axis(const Dofs *d, int row, Error *err)
{
    Quat rest = d->rest_rotation[row];
    int first = dofs_first(d, row);
    int is_fixed = d->kind[row] == DOF_HINGE || d->kind[row] == DOF_SLIDE;
    if (is_fixed && !(fabs(vec3_norm(d->axis[row]) - 1) <= 1e-5))
        return bad(d, row, "has an axis that is not of unit length", err);
    if (!(fabs(quat_dot(rest, rest) - 1) <= 1e-5))
        return bad(d, row, "has a rest rotation that is no unit quaternion", err);
    if (!(fabs(quat_dot(rest, d->rest_rotation[first])) >= 1 - 1e-5))
        return bad(d, row, "has another rest rotation than the first of its joint", err);
    return d->kind[row] == DOF_CUSTOM && !d->moving_axis ? bad(d, row, "is custom and has no moving axis", err)
                                                         : STATUS_OK;
}

/* A row that others follow must not be coupled itself. */
static Status check_coupling(const Dofs *d, int row, Error *err)
{
    int to = d->coupled_to[row];
    if (to < -1 || to >= d->count)
        return bad(d, row, "is coupled to a row that is not there", err);
    return to >= 0 && d->coupled_to[to] >= 0 ? bad(d, row, "is coupled to one that is coupled itself", err) : STATUS_OK;
}

Status dofs_check(const Dofs *d, int joint_count, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < d->count && !status; i++)
        if (!(status = check_joint(d, i, joint_count, err)) && !(status = check_kind(d, i, err)) &&
            !(status = check_axis(d, i, err)))
            status = check_coupling(d, i, err);
    return status;
}

static const char *const shape_kinds[] = {"sphere", "capsule", "cylinder", "box", "ellipsoid",
                                         "plane", "mesh", "spring", "tendon"};
_Static_assert(sizeof shape_kinds / sizeof *shape_kinds == SHAPE_KIND_COUNT,
               "a name for every ShapeKind, in its order");

const char *shape_kind_name(ShapeKind kind) { return (unsigned)kind < SHAPE_KIND_COUNT ? shape_kinds[kind] : ""; }

int shape_kind_from_name(const char *name, ShapeKind *kind)
{
    int found = name_index(shape_kinds, SHAPE_KIND_COUNT, name);
    if (found >= 0)
        *kind = (ShapeKind)found;
    return found >= 0;
}

void shapes_set_defaults(Shapes *s)
{
    for (int i = 0; i < s->count; i++)
        s->orientation[i] = QUAT_IDENTITY;
    for (int p = 0; p < s->point_count; p++)
        s->point_joint[p] = s->point_particle[p] = -1;
}

static int is_within(int start, int count, int all) { return start >= 0 && count >= 0 && start <= all - count; }

static Status check_shape(const Shapes *s, int i, int joint_count, Error *err)
{
    const double *color = s->color + 4 * (size_t)i;
    double length = quat_dot(s->orientation[i], s->orientation[i]);
    if ((unsigned)s->kind[i] >= SHAPE_KIND_COUNT)
        return error_set(err, STATUS_BAD_INPUT, "/shapes/kind: shape %d has a kind that is not known", i);
    if (s->joint[i] < 0 || s->joint[i] >= joint_count)
        return error_set(err, STATUS_BAD_INPUT, "/shapes/joint: shape %d has joint %d", i, s->joint[i]);
    if (s->size[i].x < 0 || s->size[i].y < 0 || s->size[i].z < 0)
        return error_set(err, STATUS_BAD_INPUT, "/shapes/size: shape %d has a negative size", i);
    if (!(fabs(length - 1) <= 1e-5))
        return error_set(err, STATUS_BAD_INPUT, "/shapes/orientation: shape %d has no unit quaternion", i);
    for (int k = 0; k < 4; k++)
        if (!(color[k] >= 0 && color[k] <= 1))
            return error_set(err, STATUS_BAD_INPUT, "/shapes/color: shape %d has %g", i, color[k]);
    if (!is_within(s->point_start[i], s->points[i], s->point_count))
        return error_set(err, STATUS_BAD_INPUT, "/shapes/points: shape %d has %d points from %d", i, s->points[i],
                         s->point_start[i]);
    if (!is_within(s->face_start[i], s->faces[i], s->face_count))
        return error_set(err, STATUS_BAD_INPUT, "/shapes/faces: shape %d has %d faces from %d", i, s->faces[i],
                         s->face_start[i]);
    for (size_t k = 0; k < 3 * (size_t)s->faces[i]; k++) {
        int point = s->face[3 * (size_t)s->face_start[i] + k];
        if (point < 0 || point >= s->points[i])
            return error_set(err, STATUS_BAD_INPUT, "/shapes/face: shape %d has no point %d", i, point);
    }
    return STATUS_OK;
}

Status shapes_check(const Shapes *s, int joint_count, int particle_count, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < s->count && !status; i++)
        status = check_shape(s, i, joint_count, err);
    for (int p = 0; p < s->point_count && !status; p++)
        if (s->point_joint[p] < -1 || s->point_joint[p] >= joint_count)
            status = error_set(err, STATUS_BAD_INPUT, "/shapes/point_joint: point %d has joint %d", p,
                               s->point_joint[p]);
        else if (s->point_particle[p] < -1 || (particle_count >= 0 && s->point_particle[p] >= particle_count))
            status = error_set(err, STATUS_BAD_INPUT, "/shapes/point_particle: point %d has particle %d", p,
                               s->point_particle[p]);
    return status;
}
