/* See dofs.h. */
#include "analysis/clip/dofs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/names.h"
#include "analysis/base/status.h"
#include "analysis/math/quat.h"

static const char *const dof_kinds[] = {"", "hinge", "slide", "ball", "free", "custom"};
_Static_assert(sizeof dof_kinds / sizeof *dof_kinds == DOF_KIND_COUNT, "a name for every DofKind, in its order");

#define DOF_LIMIT(name, quantity, form, ...) \
    {DOF_##quantity, DOF_##form, DOF_LIMIT_NUMBERS(DOF_##form), offsetof(Dofs, name)},
const DofLimit dof_limits[DOF_LIMIT_COUNT] = {DOF_LIMITS(DOF_LIMIT)};

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
        d->coupled_to[i] = -1;
        for (int l = 0; l < DOF_LIMIT_COUNT; l++)
            for (int k = 0; k < dof_limits[l].numbers; k++)
                dofs_limit(d, l, i)[k] = NAN;
    }
}

double *dofs_limit(const Dofs *d, int limit, int row)
{
    const DofLimit *l = &dof_limits[limit];
    double *const *array = (double *const *)(const void *)((const char *)d + l->member);
    return *array + (size_t)l->numbers * (size_t)row;
}

double dofs_limit_fraction(const Dofs *d, int limit, int row, double value)
{
    const double *bound = dofs_limit(d, limit, row);
    if (dof_limits[limit].form == DOF_SIZE)
        return fabs(value) / *bound;
    if (dof_limits[limit].form == DOF_SIDES) {
        double side = value < 0 ? bound[0] : bound[1];
        return side != 0 ? value / side : NAN;
    }
    double half = 0.5 * (bound[1] - bound[0]);
    return half > 0 ? fabs(value - 0.5 * (bound[0] + bound[1])) / half : NAN;
}

void dofs_drop_first_frame(Dofs *d)
{
    size_t kept = (size_t)--d->frame_count * (size_t)d->count, row = (size_t)d->count;
    double *const values[] = {d->position, d->velocity, d->acceleration, d->effort};
    Vec3 *const vectors[] = {d->moving_axis, d->moving_velocity};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i])
            memmove(values[i], values[i] + row, kept * sizeof *values[i]);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (vectors[i])
            memmove(vectors[i], vectors[i] + row, kept * sizeof *vectors[i]);
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
    if (d->kind[row] == DOF_CUSTOM && d->moving_axis)
        return d->frame_count == 0 || vec3_norm(d->moving_axis[row]) > 0;
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
