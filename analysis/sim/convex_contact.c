/* Contact between two convex shapes by their support functions (E. G. Gilbert, D. W. Johnson, S. S. Keerthi, "A fast
 * procedure for computing the distance between complex objects in three-dimensional space", IEEE J. Robotics Automation
 * 4, 1988), and by the faces and edges that face each other there. */
#include "analysis/sim/convex_contact.h"

#include <math.h>
#include <string.h>

#include "analysis/math/quat.h"

/* Sine of the largest angle between the contact normal and a face or edge that counts as facing it. */
#define LOOKS 0.05
/* Fraction of the smaller shape's size by which overlapping shapes are separated to find the normal between them. */
#define APART 0.02
/* Relative tolerance on the distance: iterations end when the next one would shorten it by less. */
#define CLOSE 1e-12
/* Sine of the angle below which four corners count as coplanar. */
#define FLAT 1e-9
/* Fractions of the smaller shape's size by which the overlap that min_normal finds may exceed the least one. */
#define EXACT 1e-10
#define ROUGH 1e-3
enum { ROUNDS = 96, TURNS = 24, CORNERS = 8, CUT = 2 * CORNERS + 2 };

static Vec3 hull_support(const ModelMesh *m, Vec3 n)
{
    int best = 0;
    double max = -INFINITY;
    for (int i = 0; i < m->vertex_count; i++) {
        double along = vec3_dot(m->vertex[i], n);
        if (along > max) {
            max = along;
            best = i;
        }
    }
    return m->vertex[best];
}

static double signed_size(double size, double n) { return n < 0 ? -size : size; }

/* Support point in axes of the shape; for rounded shapes without their radius. */
static Vec3 own_support(const Shape *s, Vec3 n)
{
    Vec3 e = s->size;
    double flat = sqrt(n.x * n.x + n.y * n.y);
    switch (s->kind) {
    case MODEL_CAPSULE: return vec3(0, 0, signed_size(e.y, n.z));
    case MODEL_CYLINDER:
        return flat > 0 ? vec3(e.x * n.x / flat, e.x * n.y / flat, signed_size(e.y, n.z))
                        : vec3(0, 0, signed_size(e.y, n.z));
    case MODEL_BOX: return vec3(signed_size(e.x, n.x), signed_size(e.y, n.y), signed_size(e.z, n.z));
    case MODEL_ELLIPSOID: {
        Vec3 scaled = vec3(e.x * n.x, e.y * n.y, e.z * n.z);
        double size = vec3_norm(scaled);
        return size > 0 ? vec3(e.x * scaled.x / size, e.y * scaled.y / size, e.z * scaled.z / size) : vec3(0, 0, 0);
    }
    case MODEL_HULL: return hull_support(s->hull, n);
    default: return vec3(0, 0, 0);
    }
}

static double shape_radius(const Shape *s)
{
    return s->kind == MODEL_SPHERE || s->kind == MODEL_CAPSULE ? s->size.x : 0;
}

/* Support point of a shape's core along a direction, world. */
static Vec3 support(const Shape *s, Vec3 n)
{
    Vec3 own = own_support(s, quat_rotate_inverse(s->orientation, n));
    return vec3_add(s->position, quat_rotate(s->orientation, own));
}

/* A corner of the Minkowski difference A - B of two cores, with the points of A and B that make it. */
typedef struct Corner {
    Vec3 a, b, at;
} Corner;

/* A simplex of up to four corners, and the barycentric weight of each in the point nearest to the origin. */
typedef struct Simplex {
    int count;
    Corner corner[4];
    double share[4];
} Simplex;

/* Barycentric weights of the point of a segment or triangle nearest to the origin; corners outside its feature have
 * weight 0 (C. Ericson, Real-Time Collision Detection, 2005, 5.1). */
static void nearest_of_two(Vec3 a, Vec3 b, double share[2])
{
    Vec3 ab = vec3_sub(b, a);
    double square = vec3_dot(ab, ab), t = square > 0 ? -vec3_dot(a, ab) / square : 0;
    share[1] = fmin(1, fmax(0, t));
    share[0] = 1 - share[1];
}

static void nearest_of_three(const Vec3 p[3], double share[3])
{
    Vec3 normal = vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]));
    double square = vec3_dot(normal, normal), best = INFINITY;
    double area[3];
    int inside = square > 0;
    for (int i = 0; i < 3; i++) { /* area of the triangle of the origin and the edge opposite corner i */
        area[i] = vec3_dot(normal, vec3_cross(p[(i + 1) % 3], p[(i + 2) % 3]));
        inside &= area[i] >= 0;
    }
    if (inside) {
        for (int i = 0; i < 3; i++)
            share[i] = area[i] / (area[0] + area[1] + area[2]);
        return;
    }
    for (int i = 0; i < 3; i++) {
        double own[2];
        nearest_of_two(p[i], p[(i + 1) % 3], own);
        Vec3 at = vec3_lerp(p[i], p[(i + 1) % 3], own[1]);
        if (vec3_dot(at, at) < best) {
            best = vec3_dot(at, at);
            share[i] = own[0];
            share[(i + 1) % 3] = own[1];
            share[(i + 2) % 3] = 0;
        }
    }
}

static Vec3 mixed(const Vec3 *p, const double *share, int count)
{
    Vec3 sum = vec3(0, 0, 0);
    for (int i = 0; i < count; i++)
        sum = vec3_mad(sum, share[i], p[i]);
    return sum;
}

/* The nearest of the tetrahedron's faces that separate it from the origin; 0: the origin is inside. */
static int nearest_of_four(const Vec3 p[4], double share[4])
{
    static const int faces[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    double best = INFINITY;
    for (int f = 0; f < 4; f++) {
        const int *k = faces[f];
        Vec3 own[3] = {p[k[0]], p[k[1]], p[k[2]]}, up = vec3_sub(p[k[3]], own[0]);
        Vec3 normal = vec3_cross(vec3_sub(own[1], own[0]), vec3_sub(own[2], own[0]));
        double origin = -vec3_dot(normal, own[0]), other = vec3_dot(normal, up), part[3];
        int is_flat = fabs(other) <= FLAT * vec3_norm(normal) * vec3_norm(up); /* the volume is within rounding */
        if (origin * other > 0 && !is_flat)
            continue;
        nearest_of_three(own, part);
        Vec3 at = mixed(own, part, 3);
        if (vec3_dot(at, at) < best) {
            best = vec3_dot(at, at);
            share[k[3]] = 0;
            for (int i = 0; i < 3; i++)
                share[k[i]] = part[i];
        }
    }
    return isfinite(best);
}

/* Finds the point nearest to the origin and drops corners of weight 0. Returns 0 if the origin is inside. */
static int reduce(Simplex *s, Vec3 *nearest)
{
    Vec3 p[4];
    int kept = 0;
    for (int i = 0; i < s->count; i++)
        p[i] = s->corner[i].at;
    s->share[0] = 1;
    if (s->count == 2)
        nearest_of_two(p[0], p[1], s->share);
    else if (s->count == 3)
        nearest_of_three(p, s->share);
    else if (s->count == 4 && !nearest_of_four(p, s->share))
        return 0;
    *nearest = mixed(p, s->share, s->count);
    for (int i = 0; i < s->count; i++)
        if (s->share[i] > 0) {
            s->corner[kept] = s->corner[i];
            s->share[kept++] = s->share[i];
        }
    s->count = kept;
    return 1;
}

/* The nearest points of two cores, with b translated by `shift`. */
typedef struct Nearest {
    Vec3 a, b; /* b after the translation */
    double distance; /* 0: they overlap */
} Nearest;

static Corner support_corner(const Shape *a, const Shape *b, Vec3 shift, Vec3 n)
{
    Corner c = {support(a, n), vec3_add(support(b, vec3_neg(n)), shift), {0, 0, 0}};
    c.at = vec3_sub(c.a, c.b);
    return c;
}

static int has_corner(const Simplex *s, const Corner *c)
{
    for (int i = 0; i < s->count; i++)
        if (vec3_distance(s->corner[i].at, c->at) == 0)
            return 1;
    return 0;
}

static Nearest nearest_points(const Shape *a, const Shape *b, Vec3 shift)
{
    Simplex s = {.count = 1};
    Nearest out = {{0, 0, 0}, {0, 0, 0}, 0};
    Vec3 at = vec3_sub(a->position, vec3_add(b->position, shift));
    s.corner[0] = support_corner(a, b, shift, vec3_norm(at) > 0 ? vec3_neg(at) : vec3(0, 0, 1));
    for (int i = 0; i < ROUNDS; i++) {
        if (!reduce(&s, &at) || !(vec3_norm(at) > 1e-14))
            return out;
        Corner next = support_corner(a, b, shift, vec3_neg(at));
        double square = vec3_dot(at, at);
        if (square - vec3_dot(at, next.at) <= CLOSE * square || has_corner(&s, &next) || s.count == 4)
            break;
        s.corner[s.count++] = next;
    }
    out.distance = vec3_norm(at);
    for (int i = 0; i < s.count; i++) {
        out.a = vec3_mad(out.a, s.share[i], s.corner[i].a);
        out.b = vec3_mad(out.b, s.share[i], s.corner[i].b);
    }
    return out;
}

/* Overlap of the cores along a normal from a to b; negative: the distance that separates them. */
static double overlap_along(const Shape *a, const Shape *b, Vec3 n)
{
    return vec3_dot(n, vec3_sub(support(a, n), support(b, vec3_neg(n))));
}

static void try_normal(const Shape *a, const Shape *b, Vec3 n, double *min, Vec3 *best)
{
    double size = vec3_norm(n);
    n = vec3_scale(n, size > 0 ? 1 / size : 0);
    double deep = size > 0 ? overlap_along(a, b, n) : INFINITY;
    if (deep < *min - 1e-12) {
        *min = deep;
        *best = n;
    }
}

/* Expanding polytope inside A - B: its faces, with outward normals, bound the overlap in any direction from below
 * (G. van den Bergen, "Proximity queries and penetration depth computation on 3D game objects", Game Developers
 * Conference, 2001). */
typedef struct Face {
    int corner[3];
    Vec3 normal;
    double offset; /* of its plane from the origin; infinite: a face without area, or one that cannot grow */
} Face;

enum { POLYTOPE_CORNERS = 128, POLYTOPE_FACES = 2 * POLYTOPE_CORNERS };

typedef struct Polytope {
    int corner_count, face_count;
    double flat; /* m, distance from a face below which a corner is in its plane */
    Vec3 corner[POLYTOPE_CORNERS];
    Face face[POLYTOPE_FACES];
} Polytope;

static void add_face(Polytope *p, int i, int j, int k)
{
    const Vec3 *c = p->corner;
    Vec3 normal = vec3_cross(vec3_sub(c[j], c[i]), vec3_sub(c[k], c[i]));
    double size = vec3_norm(normal);
    Face f = {{i, j, k}, vec3_scale(normal, size > 0 ? 1 / size : 0), INFINITY};
    if (size > 0)
        f.offset = vec3_dot(f.normal, c[i]);
    if (p->face_count < POLYTOPE_FACES)
        p->face[p->face_count++] = f;
}

static Vec3 difference(const Shape *a, const Shape *b, Vec3 n)
{
    return vec3_sub(support(a, n), support(b, vec3_neg(n)));
}

/* The point of A - B that is farthest from another one along an axis, to either side. */
static Vec3 farthest(const Shape *a, const Shape *b, Vec3 from, Vec3 axis)
{
    Vec3 one = difference(a, b, axis), other = difference(a, b, vec3_neg(axis));
    return vec3_dot(axis, vec3_sub(one, from)) > vec3_dot(axis, vec3_sub(from, other)) ? one : other;
}

/* A tetrahedron; returns 0 if A - B is flat. */
static int first_polytope(const Shape *a, const Shape *b, Polytope *p)
{
    Vec3 *c = p->corner, x = vec3(1, 0, 0);
    c[0] = difference(a, b, vec3_neg(x));
    c[1] = difference(a, b, x);
    Vec3 along = vec3_sub(c[1], c[0]);
    c[2] = farthest(a, b, c[0], vec3_cross(along, fabs(along.y) < fabs(along.z) ? vec3(0, 1, 0) : vec3(0, 0, 1)));
    Vec3 up = vec3_cross(along, vec3_sub(c[2], c[0]));
    c[3] = farthest(a, b, c[0], up);
    double deep = vec3_dot(up, vec3_sub(c[3], c[0])), size = vec3_norm(along);
    if (!(fabs(deep) > FLAT * vec3_norm(up) * size))
        return 0;
    if (deep > 0) { /* the first face turns away from the last corner */
        Vec3 kept = c[0];
        c[0] = c[1];
        c[1] = kept;
    }
    p->corner_count = 4;
    p->face_count = 0;
    p->flat = 1e-12 * size;
    add_face(p, 0, 1, 2);
    add_face(p, 0, 3, 1);
    add_face(p, 1, 3, 2);
    add_face(p, 2, 3, 0);
    return 1;
}

/* Boundary of the removed faces: an edge is cancelled by its reverse, from the adjacent removed face. */
typedef struct Border {
    int count, from[3 * POLYTOPE_FACES], to[3 * POLYTOPE_FACES];
} Border;

static void add_edge(Border *e, int from, int to)
{
    for (int i = 0; i < e->count; i++)
        if (e->from[i] == to && e->to[i] == from) {
            e->count--;
            e->from[i] = e->from[e->count];
            e->to[i] = e->to[e->count];
            return;
        }
    e->from[e->count] = from;
    e->to[e->count++] = to;
}

/* Replaces the faces below a new corner by those from their boundary to it. */
static void add_corner(Polytope *p, Vec3 at)
{
    Border border;
    int kept = 0, next = p->corner_count++;
    border.count = 0;
    p->corner[next] = at;
    for (int i = 0; i < p->face_count; i++) {
        const Face *f = &p->face[i];
        if (!(vec3_dot(f->normal, at) - f->offset > p->flat)) {
            p->face[kept++] = *f;
            continue;
        }
        for (int k = 0; k < 3; k++)
            add_edge(&border, f->corner[k], f->corner[(k + 1) % 3]);
    }
    p->face_count = kept;
    for (int i = 0; i < border.count; i++)
        add_face(p, border.from[i], border.to[i], next);
}

static int is_corner(const Polytope *p, Vec3 at)
{
    for (int i = 0; i < p->corner_count; i++)
        if (vec3_distance(p->corner[i], at) == 0)
            return 1;
    return 0;
}

static Face *nearest_face(Polytope *p)
{
    Face *best = p->face;
    for (int i = 1; i < p->face_count; i++)
        if (p->face[i].offset < best->offset)
            best = &p->face[i];
    return best;
}

static int is_polytope(const Shape *s) { return s->kind == MODEL_BOX || s->kind == MODEL_HULL; }

/* The direction of least overlap: exact for boxes and hulls, within a fraction ROUGH of the smaller shape's size for
 * curved shapes. Begins with the direction between the centres and the axes of either shape. */
static Vec3 min_normal(const Shape *a, const Shape *b)
{
    Polytope p;
    double min = INFINITY, size = fmin(shape_reach(a), shape_reach(b));
    double close = (is_polytope(a) && is_polytope(b) ? EXACT : ROUGH) * size;
    Vec3 best = vec3(0, 0, 1);
    try_normal(a, b, vec3_sub(b->position, a->position), &min, &best);
    for (int k = 0; k < 12; k++) {
        Vec3 axis = vec3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
        try_normal(a, b, vec3_scale(quat_rotate((k < 6 ? a : b)->orientation, axis), k / 3 % 2 ? -1 : 1), &min,
                   &best);
    }
    int grows = first_polytope(a, b, &p);
    while (grows && p.corner_count < POLYTOPE_CORNERS) {
        Face *f = nearest_face(&p);
        if (!(f->offset < min - close))
            break;
        Vec3 at = difference(a, b, f->normal);
        try_normal(a, b, f->normal, &min, &best);
        if (is_corner(&p, at))
            f->offset = INFINITY;
        else
            add_corner(&p, at);
    }
    return best;
}

/* The normal of least overlap near an initial one. The shapes are separated along the normal; the line between their
 * nearest points is the next normal. Each iteration reduces the error of the normal by the ratio of depth to size. */
static Nearest part_shapes(const Shape *a, const Shape *b, Vec3 *normal)
{
    double apart = APART * fmin(shape_reach(a), shape_reach(b));
    Nearest now = {{0, 0, 0}, {0, 0, 0}, 0};
    for (int i = 0; i < TURNS; i++) {
        Vec3 shift = vec3_scale(*normal, overlap_along(a, b, *normal) + apart);
        now = nearest_points(a, b, shift);
        Vec3 next = vec3_sub(now.b, now.a);
        now.b = vec3_sub(now.b, shift);
        if (!(now.distance > 0))
            return now;
        next = vec3_scale(next, 1 / now.distance);
        double turned = vec3_distance(next, *normal);
        if (overlap_along(a, b, next) > overlap_along(a, b, *normal))
            return now;
        *normal = next;
        if (turned < 1e-10)
            return now;
    }
    return now;
}

/* The single contact point that the nearest points give. */
static int find_normal(const Shape *a, const Shape *b, double margin, Collision *out)
{
    double apart = APART * fmin(shape_reach(a), shape_reach(b)), round = shape_radius(a) + shape_radius(b);
    Nearest now = nearest_points(a, b, vec3(0, 0, 0));
    if (now.distance - round > margin)
        return 0;
    Vec3 normal = now.distance > 1e-9 ? vec3_scale(vec3_sub(now.b, now.a), 1 / now.distance) : min_normal(a, b);
    if (now.distance < fmin(apart, 1e-4))
        now = part_shapes(a, b, &normal);
    double gap = -overlap_along(a, b, normal) - round;
    Vec3 on_a = vec3_mad(now.a, shape_radius(a), normal), on_b = vec3_mad(now.b, -shape_radius(b), normal);
    *out = (Collision){vec3_lerp(on_a, on_b, 0.5), normal, gap};
    return gap <= margin;
}

/* The feature of a shape that faces along a normal: a point, the ends of an edge, or the corners of a face in order. */
typedef struct Feature {
    int count;
    Vec3 corner[CUT];
    Vec3 facing; /* of a face */
} Feature;

static void box_feature(const Shape *s, Vec3 n, Feature *f)
{
    double along[3] = {n.x, n.y, n.z};
    static const double signs[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    Vec3 far = own_support(s, n);
    for (int k = 0; k < 3; k++) {
        double size[3] = {far.x, far.y, far.z}, side = fabs(along[k]);
        int u = (k + 1) % 3, v = (k + 2) % 3;
        if (side > sqrt(1 - LOOKS * LOOKS)) {
            for (int i = 0; i < 4; i++) {
                size[u] = signs[i][0] * vec3_component(s->size, u);
                size[v] = signs[i][1] * vec3_component(s->size, v);
                f->corner[i] = vec3_load(size);
            }
            f->count = 4;
            f->facing = vec3(k == 0 ? signed_size(1, n.x) : 0, k == 1 ? signed_size(1, n.y) : 0,
                             k == 2 ? signed_size(1, n.z) : 0);
        } else if (side < LOOKS && f->count == 0) {
            for (int i = 0; i < 2; i++) {
                size[k] = (i ? 1 : -1) * vec3_component(s->size, k);
                f->corner[i] = vec3_load(size);
            }
            f->count = 2;
        }
        if (f->count == 4)
            return;
    }
}

static void rod_feature(const Shape *s, Vec3 n, Feature *f)
{
    static const double octagon[CORNERS][2] = {{1, 0}, {0.70710678118654752, 0.70710678118654752}, {0, 1},
                                               {-0.70710678118654752, 0.70710678118654752}, {-1, 0},
                                               {-0.70710678118654752, -0.70710678118654752}, {0, -1},
                                               {0.70710678118654752, -0.70710678118654752}};
    double flat = sqrt(n.x * n.x + n.y * n.y), radius = s->kind == MODEL_CYLINDER ? s->size.x : 0;
    if (fabs(n.z) < LOOKS) {
        for (int i = 0; i < 2; i++)
            f->corner[i] = vec3(radius * n.x / flat, radius * n.y / flat, (i ? 1 : -1) * s->size.y);
        f->count = 2;
    } else if (flat < LOOKS && radius > 0) { /* the support corner */
        double c = flat > 1e-9 ? n.x / flat : 1, d = flat > 1e-9 ? n.y / flat : 0;
        for (int i = 0; i < CORNERS; i++)
            f->corner[i] = vec3(radius * (c * octagon[i][0] - d * octagon[i][1]),
                                radius * (d * octagon[i][0] + c * octagon[i][1]), signed_size(s->size.y, n.z));
        f->count = CORNERS;
        f->facing = vec3(0, 0, signed_size(1, n.z));
    }
}

/* Reduces a face of a hull to its extreme corners in eight directions, in order. */
static void outline(const ModelMesh *m, Vec3 facing, double height, Feature *f)
{
    Vec3 other = fabs(facing.x) < 0.6 ? vec3(1, 0, 0) : vec3(0, 0, 1);
    Vec3 u = vec3_normalize(vec3_cross(facing, other)), v = vec3_cross(facing, u);
    static const double around[CORNERS][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    f->count = 0;
    f->facing = facing;
    for (int k = 0; k < CORNERS; k++) {
        Vec3 way = vec3_add(vec3_scale(u, around[k][0]), vec3_scale(v, around[k][1])), best = vec3(0, 0, 0);
        double max = -INFINITY;
        for (int i = 0; i < m->vertex_count; i++) {
            double along = vec3_dot(way, m->vertex[i]);
            if (vec3_dot(facing, m->vertex[i]) > height - 1e-6 * m->reach && along > max) {
                max = along;
                best = m->vertex[i];
            }
        }
        if (!f->count || (vec3_distance(best, f->corner[f->count - 1]) > 0 &&
                          vec3_distance(best, f->corner[0]) > 0))
            f->corner[f->count++] = best;
    }
}

static void hull_feature(const ModelMesh *m, Vec3 n, Feature *f)
{
    Vec3 far = hull_support(m, n), facing = vec3(0, 0, 0);
    double best = sqrt(1 - LOOKS * LOOKS), longest = 1e-3 * m->reach;
    for (int i = 0; i < m->face_count; i++)
        if (vec3_dot(m->normal[i], n) > best) {
            best = vec3_dot(m->normal[i], n);
            facing = m->normal[i];
        }
    if (vec3_norm(facing) > 0)
        outline(m, facing, vec3_dot(facing, hull_support(m, facing)), f);
    for (int i = 0; i < m->vertex_count && f->count < 3; i++) {
        Vec3 way = vec3_sub(m->vertex[i], far);
        double length = vec3_norm(way);
        if (length > longest && vec3_dot(way, n) > -LOOKS * length) {
            longest = length;
            f->corner[0] = far;
            f->corner[1] = m->vertex[i];
            f->count = 2;
        }
    }
}

static Feature find_feature(const Shape *s, Vec3 normal)
{
    Feature f = {0};
    Vec3 n = quat_rotate_inverse(s->orientation, normal);
    if (s->kind == MODEL_BOX)
        box_feature(s, n, &f);
    else if (s->kind == MODEL_CAPSULE || s->kind == MODEL_CYLINDER)
        rod_feature(s, n, &f);
    else if (s->kind == MODEL_HULL)
        hull_feature(s->hull, n, &f);
    for (int i = 0; i < f.count; i++) {
        Vec3 at = vec3_add(s->position, quat_rotate(s->orientation, f.corner[i]));
        f.corner[i] = vec3_mad(at, shape_radius(s), normal);
    }
    f.facing = quat_rotate(s->orientation, f.facing);
    return f;
}

/* Clips an edge or face to the inner side of a plane. */
static void cut(Feature *f, Vec3 point, Vec3 outward)
{
    Feature kept = {.facing = f->facing};
    int closed = f->count > 2;
    for (int i = 0; i < f->count; i++) {
        Vec3 from = f->corner[i], to = f->corner[(i + 1) % f->count];
        double d1 = vec3_dot(outward, vec3_sub(from, point)), d2 = vec3_dot(outward, vec3_sub(to, point));
        if (d1 <= 0 && kept.count < CUT)
            kept.corner[kept.count++] = from;
        if ((i + 1 < f->count || closed) && ((d1 < 0 && d2 > 0) || (d1 > 0 && d2 < 0)) && kept.count < CUT)
            kept.corner[kept.count++] = vec3_lerp(from, to, d1 / (d1 - d2));
    }
    *f = kept;
}

static void cut_to_face(Feature *f, const Feature *face, Vec3 normal)
{
    Vec3 middle = vec3(0, 0, 0);
    for (int i = 0; i < face->count; i++)
        middle = vec3_mad(middle, 1.0 / face->count, face->corner[i]);
    for (int i = 0; i < face->count; i++) {
        Vec3 from = face->corner[i], to = face->corner[(i + 1) % face->count];
        Vec3 outward = vec3_cross(vec3_sub(to, from), normal);
        cut(f, from, vec3_dot(outward, vec3_sub(middle, from)) > 0 ? vec3_neg(outward) : outward);
    }
}

static void cut_to_edge(Feature *f, const Feature *edge)
{
    for (int i = 0; i < 2; i++)
        cut(f, edge->corner[i], vec3_sub(edge->corner[i], edge->corner[1 - i]));
}

/* Height along the normal at which the line through a point meets a face or an edge. */
static double height_on(const Feature *f, Vec3 normal, Vec3 place)
{
    Vec3 to = vec3_sub(f->corner[0], place);
    if (f->count > 2) {
        double slope = vec3_dot(f->facing, normal);
        return fabs(slope) > 0.5 ? vec3_dot(f->facing, to) / slope : vec3_dot(to, normal);
    }
    Vec3 along = vec3_sub(f->corner[1], f->corner[0]);
    Vec3 flat = vec3_mad(along, -vec3_dot(along, normal), normal);
    double square = vec3_dot(flat, flat), t = square > 0 ? -vec3_dot(flat, to) / square : 0;
    return vec3_dot(vec3_mad(to, fmin(1, fmax(0, t)), along), normal);
}

/* Corners of the intersection of two features, each with the gap there. */
static int meet_features(const Feature *a, const Feature *b, Vec3 normal, double margin, Collision *out)
{
    Feature shared = a->count > 2 ? *b : *a;
    const Feature *other = a->count > 2 ? a : b;
    int count = 0;
    if (a->count < 2 || b->count < 2)
        return 0;
    if (other->count > 2) {
        cut_to_face(&shared, other, normal);
    } else {
        Vec3 u = vec3_normalize(vec3_sub(a->corner[1], a->corner[0]));
        Vec3 v = vec3_normalize(vec3_sub(b->corner[1], b->corner[0]));
        if (vec3_norm(vec3_cross(u, v)) > LOOKS)
            return 0;
        cut_to_edge(&shared, other);
    }
    for (int i = 0; i < shared.count && count < SHAPE_CONTACTS - 1; i++) {
        double from_a = height_on(a, normal, shared.corner[i]), from_b = height_on(b, normal, shared.corner[i]);
        Vec3 middle = vec3_mad(shared.corner[i], 0.5 * (from_a + from_b), normal);
        if (from_b - from_a <= margin)
            out[count++] = (Collision){middle, normal, from_b - from_a};
    }
    return count;
}

int convex_collide(const Shape *a, const Shape *b, double margin, Collision *out)
{
    Collision nearest;
    if (!find_normal(a, b, margin, &nearest))
        return 0;
    Feature first = find_feature(a, nearest.normal), second = find_feature(b, vec3_neg(nearest.normal));
    int count = meet_features(&first, &second, nearest.normal, margin, out), is_there = 0;
    double size = fmin(shape_reach(a), shape_reach(b));
    for (int i = 0; i < count; i++) /* an adjacent edge or corner may reach further */
        is_there |= out[i].gap <= nearest.gap + 1e-6 * size;
    if (!is_there)
        out[count++] = nearest;
    return count;
}

/* Corners below a plane: if they are many, those around the border of the lowest face, and the lowest corner. */
int hull_plane_collide(const Shape *hull, Vec3 up, Vec3 on_plane, double margin, Collision *out)
{
    Feature f = find_feature(hull, vec3_neg(up));
    int count = 0;
    f.corner[f.count++] = support(hull, vec3_neg(up));
    for (int i = 0; i < f.count; i++) {
        double gap = vec3_dot(up, vec3_sub(f.corner[i], on_plane));
        int again = 0;
        for (int k = 0; k < i; k++)
            again |= vec3_distance(f.corner[i], f.corner[k]) == 0;
        if (gap <= margin && !again)
            out[count++] = (Collision){vec3_mad(f.corner[i], -0.5 * gap, up), vec3_neg(up), gap};
    }
    return count;
}
