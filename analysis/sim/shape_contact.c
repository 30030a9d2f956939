/* See shape_contact.h. */
#include "analysis/sim/shape_contact.h"

#include <string.h>

#include "analysis/math/quat.h"
#include "analysis/sim/convex_contact.h"

/* Cosine of the angle between the separating directions of edges and of faces, below which the faces do not meet. */
#define NEARLY_PARALLEL 0.99

static Vec3 shape_axis(const Shape *s, int k) { return quat_rotate(s->orientation, vec3(k == 0, k == 1, k == 2)); }

static Vec3 to_world(const Shape *s, Vec3 point)
{
    return vec3_add(s->position, quat_rotate(s->orientation, point));
}

static Vec3 to_shape(const Shape *s, Vec3 point)
{
    return quat_rotate_inverse(s->orientation, vec3_sub(point, s->position));
}

/* End of a capsule's segment, side -1 or 1. */
static Vec3 capsule_end(const Shape *s, int side) { return to_world(s, vec3(0, 0, side * s->size.y)); }

/* Output cursor: contact points in the caller's array. */
typedef struct Places {
    double margin;
    int count;
    Collision *out;
} Places;

static void add_collision(Places *p, Collision c)
{
    if (c.gap <= p->margin && p->count < SHAPE_CONTACTS)
        p->out[p->count++] = c;
}

static void sphere_sphere(const Shape *a, const Shape *b, Places *p)
{
    add_collision(p, collide_spheres(a->position, a->size.x, b->position, b->size.x));
}

static Collision turned(Collision c)
{
    c.normal = vec3_neg(c.normal);
    return c;
}

static void sphere_capsule(const Shape *a, const Shape *b, Places *p)
{
    add_collision(p, turned(collide_capsule_sphere(capsule_end(b, -1), capsule_end(b, 1), b->size.x, a->position,
                                                   a->size.x)));
}

static double clamp(double x, double min, double max) { return fmin(max, fmax(min, x)); }

/* Sphere against box, normal from the sphere to the box. A centre inside exits through the nearest face. */
static Collision sphere_and_box(Vec3 centre, double radius, const Shape *box)
{
    Vec3 c = to_shape(box, centre), e = box->size;
    Vec3 near = vec3(clamp(c.x, -e.x, e.x), clamp(c.y, -e.y, e.y), clamp(c.z, -e.z, e.z));
    Vec3 apart = vec3_sub(near, c);
    double distance = vec3_norm(apart);
    if (distance > 0) {
        Vec3 normal = quat_rotate(box->orientation, vec3_scale(apart, 1 / distance));
        double gap = distance - radius;
        return (Collision){vec3_mad(centre, radius + 0.5 * gap, normal), normal, gap};
    }
    const double room[3] = {e.x - fabs(c.x), e.y - fabs(c.y), e.z - fabs(c.z)};
    int k = room[0] <= room[1] && room[0] <= room[2] ? 0 : room[1] <= room[2] ? 1 : 2;
    double side = vec3_component(c, k) < 0 ? 1 : -1, gap = -room[k] - radius;
    Vec3 normal = vec3_scale(shape_axis(box, k), side);
    return (Collision){vec3_mad(centre, radius + 0.5 * gap, normal), normal, gap};
}

static void sphere_box(const Shape *a, const Shape *b, Places *p)
{
    add_collision(p, sphere_and_box(a->position, a->size.x, b));
}

/* The normal points from the sphere into the plane. */
static Collision sphere_and_plane(Vec3 centre, double radius, const Shape *plane)
{
    Vec3 up = shape_axis(plane, 2);
    double gap = vec3_dot(up, vec3_sub(centre, plane->position)) - radius;
    return (Collision){vec3_mad(centre, -(radius + 0.5 * gap), up), vec3_neg(up), gap};
}

static void sphere_plane(const Shape *a, const Shape *b, Places *p)
{
    add_collision(p, sphere_and_plane(a->position, a->size.x, b));
}

static void capsule_plane(const Shape *a, const Shape *b, Places *p)
{
    add_collision(p, sphere_and_plane(capsule_end(a, -1), a->size.x, b));
    add_collision(p, sphere_and_plane(capsule_end(a, 1), a->size.x, b));
}

/* Parameters of the nearest points of two segments (C. Ericson, Real-Time Collision Detection, 2005, 5.1.9). */
static void nearest_of_segments(const Vec3 a[2], const Vec3 b[2], double *s, double *t)
{
    Vec3 d1 = vec3_sub(a[1], a[0]), d2 = vec3_sub(b[1], b[0]), r = vec3_sub(a[0], b[0]);
    double aa = vec3_dot(d1, d1), ee = vec3_dot(d2, d2), f = vec3_dot(d2, r), c = vec3_dot(d1, r);
    double cross = vec3_dot(d1, d2), size = aa * ee - cross * cross;
    *s = size > 1e-12 * aa * ee ? clamp((cross * f - c * ee) / size, 0, 1) : 0.5;
    *t = ee > 0 ? clamp((cross * *s + f) / ee, 0, 1) : 0;
    *s = aa > 0 ? clamp((cross * *t - c) / aa, 0, 1) : 0;
}

static void capsule_capsule(const Shape *a, const Shape *b, Places *p)
{
    Vec3 first[2] = {capsule_end(a, -1), capsule_end(a, 1)}, second[2] = {capsule_end(b, -1), capsule_end(b, 1)};
    double s, t;
    if (vec3_norm(vec3_cross(shape_axis(a, 2), shape_axis(b, 2))) < 0.05) { /* parallel: contacts at the ends of the
                                                                         overlap */
        for (int k = 0; k < 2; k++) {
            add_collision(p, collide_capsule_sphere(first[0], first[1], a->size.x, second[k], b->size.x));
            add_collision(p, turned(collide_capsule_sphere(second[0], second[1], b->size.x, first[k], a->size.x)));
        }
        return;
    }
    nearest_of_segments(first, second, &s, &t);
    add_collision(p, collide_spheres(vec3_lerp(first[0], first[1], s), a->size.x, vec3_lerp(second[0], second[1], t),
                                     b->size.x));
}

enum { SEARCH_STEPS = 60 };

/* Point of a segment nearest to a box: the distance is convex along the segment, so a ternary search finds it. */
static double nearest_to_box(const Vec3 ends[2], const Shape *box)
{
    double low = 0, high = 1;
    for (int i = 0; i < SEARCH_STEPS; i++) {
        double t1 = low + (high - low) / 3, t2 = high - (high - low) / 3;
        double d1 = sphere_and_box(vec3_lerp(ends[0], ends[1], t1), 0, box).gap;
        double d2 = sphere_and_box(vec3_lerp(ends[0], ends[1], t2), 0, box).gap;
        if (d1 <= d2)
            high = t2;
        else
            low = t1;
    }
    return 0.5 * (low + high);
}

/* Lower bound on the distance of a segment from a box: the distance along any of the box's axes. */
static double min_box_distance(const Vec3 ends[2], const Shape *box)
{
    double max = -INFINITY;
    for (int k = 0; k < 3; k++) {
        Vec3 axis = shape_axis(box, k);
        double first = vec3_dot(axis, vec3_sub(ends[0], box->position));
        double second = vec3_dot(axis, vec3_sub(ends[1], box->position));
        max = fmax(max, fmax(fmin(first, second), -fmax(first, second)) - vec3_component(box->size, k));
    }
    return max;
}

static void capsule_box(const Shape *a, const Shape *b, Places *p)
{
    Vec3 ends[2] = {capsule_end(a, -1), capsule_end(a, 1)};
    if (min_box_distance(ends, b) - a->size.x > p->margin)
        return;
    double t = nearest_to_box(ends, b);
    add_collision(p, sphere_and_box(ends[0], a->size.x, b));
    add_collision(p, sphere_and_box(ends[1], a->size.x, b));
    if (t > 1e-3 && t < 1 - 1e-3)
        add_collision(p, sphere_and_box(vec3_lerp(ends[0], ends[1], t), a->size.x, b));
}

static void box_plane(const Shape *a, const Shape *b, Places *p)
{
    for (int k = 0; k < 8; k++) {
        Vec3 corner = vec3(k & 1 ? a->size.x : -a->size.x, k & 2 ? a->size.y : -a->size.y,
                           k & 4 ? a->size.z : -a->size.z);
        add_collision(p, sphere_and_plane(to_world(a, corner), 0, b));
    }
}

/* Lowest points of both rims: the lowest one of each, and three more around it. */
static void cylinder_plane(const Shape *a, const Shape *b, Places *p)
{
    Vec3 along = shape_axis(a, 2), down = vec3_neg(shape_axis(b, 2));
    Vec3 out = vec3_mad(down, -vec3_dot(down, along), along);
    out = vec3_norm(out) > 1e-6 ? vec3_normalize(out) : shape_axis(a, 0);
    Vec3 side = vec3_cross(along, out);
    for (int end = -1; end <= 1; end += 2)
        for (int k = 0; k < 4; k++) {
            Vec3 arm = vec3_scale(k % 2 ? side : out, k < 2 ? a->size.x : -a->size.x);
            add_collision(p, sphere_and_plane(vec3_add(capsule_end(a, end), arm), 0, b));
        }
}

/* The point whose normal is that of the plane: e^2 n / |e n|. */
static void ellipsoid_plane(const Shape *a, const Shape *b, Places *p)
{
    Vec3 n = quat_rotate_inverse(a->orientation, vec3_neg(shape_axis(b, 2))), e = a->size;
    Vec3 scaled = vec3(e.x * n.x, e.y * n.y, e.z * n.z);
    Vec3 point = vec3_scale(vec3(e.x * scaled.x, e.y * scaled.y, e.z * scaled.z), 1 / vec3_norm(scaled));
    add_collision(p, sphere_and_plane(to_world(a, point), 0, b));
}

/* Half the length of a box along a direction. */
static double half_along(const Shape *s, Vec3 direction)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += vec3_component(s->size, k) * fabs(vec3_dot(shape_axis(s, k), direction));
    return sum;
}

/* Axis of largest separation of two boxes: a face normal of one, or the cross product of an edge of each. */
typedef struct Separation {
    double gap;
    Vec3 normal;  /* from a to b */
    int face;     /* 0 to 2: of a; 3 to 5: of b; -1: edges */
    int edges[2]; /* axes of the edges */
} Separation;

/* A face is preferred unless an edge is clearly better. */
static void try_direction(const Shape *a, const Shape *b, Vec3 direction, Separation candidate, Separation *best)
{
    Vec3 apart = vec3_sub(b->position, a->position);
    double along = vec3_dot(apart, direction), bias = candidate.face < 0 ? 1e-6 : candidate.face > 2 ? 1e-9 : 0;
    candidate.gap = fabs(along) - half_along(a, direction) - half_along(b, direction);
    candidate.normal = along < 0 ? vec3_neg(direction) : direction;
    if (candidate.gap > best->gap + bias * (1 + fabs(candidate.gap)))
        *best = candidate;
}

static Separation separate_faces(const Shape *a, const Shape *b)
{
    Separation best = {.gap = -INFINITY};
    for (int k = 0; k < 6; k++)
        try_direction(a, b, shape_axis(k < 3 ? a : b, k % 3), (Separation){.face = k}, &best);
    return best;
}

static Separation separate_boxes(const Shape *a, const Shape *b, Separation best)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            Vec3 across = vec3_cross(shape_axis(a, i), shape_axis(b, j));
            double size = vec3_norm(across);
            if (size > 1e-4)
                try_direction(a, b, vec3_scale(across, 1 / size), (Separation){.face = -1, .edges = {i, j}}, &best);
        }
    return best;
}

/* Middle of the edge of a box along axis k that is extreme in a direction. */
static Vec3 far_edge(const Shape *s, int k, Vec3 direction)
{
    Vec3 at = s->position;
    for (int i = 0; i < 3; i++) {
        Vec3 axis = shape_axis(s, i);
        double side = vec3_dot(axis, direction) < 0 ? -1 : 1;
        if (i != k)
            at = vec3_mad(at, side * vec3_component(s->size, i), axis);
    }
    return at;
}

static void meet_at_edges(const Shape *a, const Shape *b, const Separation *best, Places *p)
{
    Vec3 u = shape_axis(a, best->edges[0]), v = shape_axis(b, best->edges[1]);
    Vec3 x = far_edge(a, best->edges[0], best->normal), y = far_edge(b, best->edges[1], vec3_neg(best->normal));
    Vec3 apart = vec3_sub(y, x);
    double uv = vec3_dot(u, v), size = 1 - uv * uv;
    double s = (vec3_dot(apart, u) - uv * vec3_dot(apart, v)) / size;
    Vec3 on_a = vec3_mad(x, s, u);
    add_collision(p, (Collision){vec3_mad(on_a, 0.5 * best->gap, best->normal), best->normal, best->gap});
}

enum { POLYGON = 12 };

/* Clips a polygon to distance `max` along a direction from a centre. */
static int clip_polygon(Vec3 *corner, int count, Vec3 centre, Vec3 direction, double max)
{
    Vec3 kept[POLYGON] = {{0, 0, 0}};
    int n = 0;
    for (int i = 0; i < count; i++) {
        Vec3 from = corner[i], to = corner[(i + 1) % count];
        double d1 = vec3_dot(direction, vec3_sub(from, centre)) - max;
        double d2 = vec3_dot(direction, vec3_sub(to, centre)) - max;
        if (d1 <= 0 && n < POLYGON)
            kept[n++] = from;
        if ((d1 < 0) != (d2 < 0) && d1 != d2 && d1 != 0 && d2 != 0 && n < POLYGON)
            kept[n++] = vec3_lerp(from, to, d1 / (d1 - d2));
    }
    memcpy(corner, kept, (size_t)n * sizeof *kept);
    return n;
}

/* Corners of the face of a box most opposed to a direction. */
static void facing_face(const Shape *s, Vec3 direction, Vec3 corner[4])
{
    int k = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(vec3_dot(shape_axis(s, i), direction)) > fabs(vec3_dot(shape_axis(s, k), direction)) + 1e-12)
            k = i;
    double side = vec3_dot(shape_axis(s, k), direction) > 0 ? -1 : 1;
    Vec3 middle = vec3_mad(s->position, side * vec3_component(s->size, k), shape_axis(s, k));
    Vec3 u = vec3_scale(shape_axis(s, (k + 1) % 3), vec3_component(s->size, (k + 1) % 3));
    Vec3 v = vec3_scale(shape_axis(s, (k + 2) % 3), vec3_component(s->size, (k + 2) % 3));
    const double signs[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    for (int i = 0; i < 4; i++)
        corner[i] = vec3_mad(vec3_mad(middle, signs[i][0], u), signs[i][1], v);
}

/* The incident face of the other box, clipped to the sides of the reference face. No place is deeper than `min`. */
static void meet_at_face(const Shape *reference, const Shape *other, int face, Vec3 normal, double min, Places *p)
{
    double outward = vec3_dot(normal, vec3_sub(other->position, reference->position)) < 0 ? -1 : 1;
    Vec3 out = vec3_scale(normal, outward), corner[POLYGON];
    int count = 4;
    facing_face(other, out, corner);
    for (int k = 1; k < 3; k++) {
        Vec3 across = shape_axis(reference, (face + k) % 3);
        double max = vec3_component(reference->size, (face + k) % 3);
        count = clip_polygon(corner, count, reference->position, across, max);
        count = clip_polygon(corner, count, reference->position, vec3_neg(across), max);
    }
    double height = vec3_component(reference->size, face);
    for (int i = 0; i < count; i++) {
        double gap = fmax(min, vec3_dot(out, vec3_sub(corner[i], reference->position)) - height);
        add_collision(p, (Collision){vec3_mad(corner[i], -0.5 * gap, out), normal, gap});
    }
}

/* Where edges of nearly parallel faces meet, the faces may meet elsewhere within the step. */
static void box_box(const Shape *a, const Shape *b, Places *p)
{
    Separation face = separate_faces(a, b), best = separate_boxes(a, b, face);
    if (best.gap > p->margin)
        return;
    if (best.face < 0) {
        meet_at_edges(a, b, &best, p);
        if (vec3_dot(best.normal, face.normal) < NEARLY_PARALLEL)
            return;
    }
    double min = best.face < 0 ? best.gap : -INFINITY;
    if (face.face < 3)
        meet_at_face(a, b, face.face, face.normal, min, p);
    else
        meet_at_face(b, a, face.face - 3, face.normal, min, p);
}

static void convex(const Shape *a, const Shape *b, Places *p) { p->count = convex_collide(a, b, p->margin, p->out); }

static void plane_hull(const Shape *a, const Shape *b, Places *p)
{
    p->count = hull_plane_collide(b, shape_axis(a, 2), a->position, p->margin, p->out);
    for (int i = 0; i < p->count; i++)
        p->out[i] = turned(p->out[i]);
}

/* Functions by the kinds of both, the lower kind first; NULL: they never collide. */
typedef void Meeting(const Shape *a, const Shape *b, Places *p);
static Meeting *const meetings[MODEL_SHAPE_COUNT][MODEL_SHAPE_COUNT] = {
    [MODEL_SPHERE] = {[MODEL_SPHERE] = sphere_sphere, [MODEL_CAPSULE] = sphere_capsule, [MODEL_CYLINDER] = convex,
                      [MODEL_BOX] = sphere_box, [MODEL_ELLIPSOID] = convex, [MODEL_PLANE] = sphere_plane,
                      [MODEL_HULL] = convex},
    [MODEL_CAPSULE] = {[MODEL_CAPSULE] = capsule_capsule, [MODEL_CYLINDER] = convex, [MODEL_BOX] = capsule_box,
                       [MODEL_ELLIPSOID] = convex, [MODEL_PLANE] = capsule_plane, [MODEL_HULL] = convex},
    [MODEL_CYLINDER] = {[MODEL_CYLINDER] = convex, [MODEL_BOX] = convex, [MODEL_ELLIPSOID] = convex,
                        [MODEL_PLANE] = cylinder_plane, [MODEL_HULL] = convex},
    [MODEL_BOX] = {[MODEL_BOX] = box_box, [MODEL_ELLIPSOID] = convex, [MODEL_PLANE] = box_plane,
                   [MODEL_HULL] = convex},
    [MODEL_ELLIPSOID] = {[MODEL_ELLIPSOID] = convex, [MODEL_PLANE] = ellipsoid_plane, [MODEL_HULL] = convex},
    [MODEL_PLANE] = {[MODEL_HULL] = plane_hull},
    [MODEL_HULL] = {[MODEL_HULL] = convex},
};

int shapes_can_meet(ModelShape a, ModelShape b) { return meetings[a < b ? a : b][a < b ? b : a] != NULL; }

int shapes_collide(const Shape *a, const Shape *b, double margin, Collision *out)
{
    Places places = {margin, 0, out};
    if (!shapes_can_meet(a->kind, b->kind))
        return 0;
    if (a->kind <= b->kind) {
        meetings[a->kind][b->kind](a, b, &places);
        return places.count;
    }
    meetings[b->kind][a->kind](b, a, &places);
    for (int i = 0; i < places.count; i++)
        out[i] = turned(out[i]);
    return places.count;
}
