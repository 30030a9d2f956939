/* See implicit.h. */
#include "analysis/mannequin/implicit.h"

#define FLOOR_BLEND 0.004 /* m, rounding radius at the edge of a sole */

/* Scales a vector along `thin` by 1 / flat, so that a flattened blob becomes a round cone. */
static Vec3 stretched(const Blob *blob, Vec3 v)
{
    return blob->flat > 0 ? vec3_mad(v, (1 / blob->flat - 1) * vec3_dot(v, blob->thin), blob->thin) : v;
}

static double blob_value(const Blob *blob, Vec3 p)
{
    Vec3 along = blob->along, from = stretched(blob, vec3_sub(p, blob->a));
    double l2 = vec3_dot(along, along), rr = blob->ra - blob->rb, a2 = l2 - rr * rr;
    if (!(a2 > 1e-12)) /* one sphere contains the other */
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
    shape->steepest = 0;
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
    own->along = stretched(own, vec3_sub(own->b, own->a));
    own->middle = vec3_scale(vec3_add(blob->a, blob->b), 0.5);
    shape->steepest = fmax(shape->steepest, own->flat > 0 ? fmax(1 / own->flat, 1) : 1);
    own->reach = 0.5 * vec3_distance(blob->a, blob->b) + fmax(blob->ra, blob->rb);
}

/* The largest value of a blob that can change its group, of value `of_group`, and the shape, of value `min`. */
static double largest_effect(const Implicit *shape, int group, double of_group, double min)
{
    return fmin(of_group + shape->group[group].blend, min + 2.25 * shape->widest);
}

/* Whether a point lies outside a blob by more than `max`, by its bounding sphere. */
static int is_far(const Blob *blob, Vec3 p, double max)
{
    double reach = max + blob->reach;
    Vec3 off = vec3_sub(p, blob->middle);
    return reach > 0 && vec3_dot(off, off) > reach * reach;
}

/* The value before the floor; of: [group] that of each group. value: NULL, or [blob] where those that exceed the
 * largest effect by more than `slack` may be INFINITY. */
static double unite(const Implicit *shape, Vec3 p, double slack, double *of, double *value)
{
    double min = INFINITY;
    int next = 0;
    for (int g = 0; g < shape->group_count; g++) {
        const BlobGroup *group = &shape->group[g];
        of[g] = INFINITY;
        for (; next < shape->blob_count && shape->blob[next].group == g; next++) {
            const Blob *blob = &shape->blob[next];
            int far = is_far(blob, p, largest_effect(shape, g, of[g], min) + slack);
            double own = far ? INFINITY : blob_value(blob, p);
            if (value)
                value[next] = own;
            if (!far)
                of[g] = of[g] < INFINITY ? smooth_min(of[g], own, group->blend) : own;
        }
        min = fmin(min, group->from < 0 ? of[g] : smooth_min(of[g], of[group->from], group->root));
    }
    return min;
}

double implicit_value(const Implicit *shape, Vec3 p)
{
    double of[IMPLICIT_GROUPS], value = unite(shape, p, 0, of, NULL);
    if (vec3_dot(shape->floor_normal, shape->floor_normal) > 0)
        return -smooth_min(-value, vec3_dot(shape->floor_normal, p) - shape->floor, FLOOR_BLEND);
    return value;
}

void implicit_keep_near(const Implicit *shape, Vec3 p, double radius, ImplicitNear *near)
{
    double of[IMPLICIT_GROUPS], slack = 2 * shape->steepest * radius, min = unite(shape, p, slack, of, near->value);
    near->shape.blob_count = 0;
    for (int i = 0; i < shape->blob_count; i++) {
        int group = shape->blob[i].group;
        if (near->value[i] <= largest_effect(shape, group, of[group], min) + slack)
            near->shape.blob[near->shape.blob_count++] = shape->blob[i];
    }
}

int implicit_nearest(const Implicit *shape, Vec3 p)
{
    int bone = 0;
    double min = INFINITY;
    for (int i = 0; i < shape->blob_count; i++) {
        double value = blob_value(&shape->blob[i], p);
        if (value < min) {
            min = value;
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
        double swell = 0.25 * fmax(shape->group[blob->group].blend, shape->group[blob->group].root); /* from blending */
        hold(blob->a, blob->ra + swell, low, high);
        hold(blob->b, blob->rb + swell, low, high);
    }
}
