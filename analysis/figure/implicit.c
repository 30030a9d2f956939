#include "analysis/figure/implicit.h"

#define FLOOR_BLEND 0.004 /* m, rounding of the edge of a sole */

/* Pressed space: `flat` of a blob becomes a stretch along thin. */
static Vec3 stretched(const Blob *blob, Vec3 v)
{
    return blob->flat > 0 ? vec3_mad(v, (1 / blob->flat - 1) * vec3_dot(v, blob->thin), blob->thin) : v;
}

static double blob_value(const Blob *blob, Vec3 p)
{
    Vec3 along = stretched(blob, vec3_sub(blob->b, blob->a)), from = stretched(blob, vec3_sub(p, blob->a));
    double l2 = vec3_dot(along, along), rr = blob->ra - blob->rb, a2 = l2 - rr * rr;
    if (!(a2 > 1e-12)) /* one sphere holds the other */
        return rr >= 0 ? vec3_norm(from) - blob->ra : vec3_norm(vec3_sub(from, along)) - blob->rb;
    double y = vec3_dot(from, along), z = y - l2;
    Vec3 off = vec3_sub(vec3_scale(from, l2), vec3_scale(along, y));
    double x2 = vec3_dot(off, off), y2 = y * y * l2, z2 = z * z * l2;
    double k = (rr > 0 ? 1 : rr < 0 ? -1 : 0) * rr * rr * x2;
    if ((z > 0 ? 1 : -1) * a2 * z2 > k)
        return sqrt(x2 + z2) / l2 - blob->rb;
    if ((y > 0 ? 1 : -1) * a2 * y2 < k)
        return sqrt(x2 + y2) / l2 - blob->ra;
    return (sqrt(x2 * a2 / l2) + y * rr) / l2 - blob->ra;
}

static double smooth_min(double a, double b, double blend)
{
    double h = blend > 0 ? fmax(blend - fabs(a - b), 0) / blend : 0;
    return fmin(a, b) - 0.25 * blend * h * h;
}

void implicit_clear(Implicit *shape)
{
    shape->blob_count = shape->group_count = 0;
    shape->widest = 0;
    shape->floor_normal = vec3(0, 0, 0);
}

int implicit_add_group(Implicit *shape, BlobGroup group)
{
    if (shape->group_count == IMPLICIT_GROUPS)
        return IMPLICIT_GROUPS - 1;
    shape->widest = fmax(shape->widest, fmax(group.blend, group.root));
    shape->group[shape->group_count] = group;
    return shape->group_count++;
}

void implicit_add(Implicit *shape, const Blob *blob)
{
    if (shape->blob_count == shape->blob_room)
        return;
    Blob *own = &shape->blob[shape->blob_count++];
    *own = *blob;
    own->group = shape->group_count - 1;
    own->middle = vec3_scale(vec3_add(blob->a, blob->b), 0.5);
    own->reach = 0.5 * vec3_distance(blob->a, blob->b) + fmax(blob->ra, blob->rb);
}

/* Whether a blob is so far from p that neither its group's value nor the shape's, at most least, would change. */
static int is_far(const Implicit *shape, const Blob *blob, Vec3 p, double of_group, double least)
{
    double most = fmin(of_group + shape->group[blob->group].blend, least + 2.25 * shape->widest) + blob->reach;
    Vec3 off = vec3_sub(p, blob->middle);
    return most > 0 && vec3_dot(off, off) > most * most;
}

double implicit_value(const Implicit *shape, Vec3 p)
{
    double of[IMPLICIT_GROUPS], least = INFINITY;
    int next = 0;
    for (int g = 0; g < shape->group_count; g++) {
        const BlobGroup *group = &shape->group[g];
        of[g] = INFINITY;
        for (; next < shape->blob_count && shape->blob[next].group == g; next++) {
            if (is_far(shape, &shape->blob[next], p, of[g], least))
                continue;
            double value = blob_value(&shape->blob[next], p);
            of[g] = of[g] < INFINITY ? smooth_min(of[g], value, group->blend) : value;
        }
        least = fmin(least, group->from < 0 ? of[g] : smooth_min(of[g], of[group->from], group->root));
    }
    if (vec3_dot(shape->floor_normal, shape->floor_normal) > 0)
        least = -smooth_min(-least, vec3_dot(shape->floor_normal, p) - shape->floor, FLOOR_BLEND);
    return least;
}

Vec3 implicit_normal(const Implicit *shape, Vec3 p, double step)
{
    static const Vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double d[3];
    for (int i = 0; i < 3; i++)
        d[i] = implicit_value(shape, vec3_mad(p, step, axis[i])) - implicit_value(shape, vec3_mad(p, -step, axis[i]));
    return vec3_normalize(vec3(d[0], d[1], d[2]));
}

int implicit_nearest(const Implicit *shape, Vec3 p)
{
    int bone = 0;
    double least = INFINITY;
    for (int i = 0; i < shape->blob_count; i++) {
        double value = blob_value(&shape->blob[i], p);
        if (value < least) {
            least = value;
            bone = shape->blob[i].bone;
        }
    }
    return bone;
}

static void hold(Vec3 p, double r, Vec3 *low, Vec3 *high)
{
    *low = vec3(fmin(low->x, p.x - r), fmin(low->y, p.y - r), fmin(low->z, p.z - r));
    *high = vec3(fmax(high->x, p.x + r), fmax(high->y, p.y + r), fmax(high->z, p.z + r));
}

void implicit_box(const Implicit *shape, Vec3 *low, Vec3 *high)
{
    *low = vec3(INFINITY, INFINITY, INFINITY);
    *high = vec3(-INFINITY, -INFINITY, -INFINITY);
    for (int i = 0; i < shape->blob_count; i++) {
        const Blob *blob = &shape->blob[i];
        double swell = 0.25 * fmax(shape->group[blob->group].blend, shape->group[blob->group].root); /* by blending */
        hold(blob->a, blob->ra + swell, low, high);
        hold(blob->b, blob->rb + swell, low, high);
    }
}
