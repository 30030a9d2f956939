/* See shapes.h. */
#include "analysis/clip/shapes.h"

#include <math.h>
#include <stddef.h>

#include "analysis/base/names.h"
#include "analysis/base/status.h"
#include "analysis/math/quat.h"

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
