/* analysis/sim/shape_contact: points, normals and gaps of all pairs of shapes in closed form; either order;
 * containment; planes do not collide. */
#include "tests/support/test.h"

#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"
#include "analysis/sim/shape_contact.h"
#include "tests/support/random_number.h"

#define HALF 0.7071067811865476
#define DIAGONAL 1.4142135623730951

/* Rotated by 90 degrees about x (its z along -y), about y (z along x), by 45 about z, none. */
static const Quat about_x = {HALF, HALF, 0, 0}, about_y = {HALF, 0, HALF, 0}, none = {1, 0, 0, 0};
static const Quat eighth_z = {0.9238795325112867, 0, 0, 0.3826834323650898};

typedef struct Meet {
    Shape a, b;
    int count;
    Collision first; /* the first point */
} Meet;

#define SPHERE(x, y, z, r) {MODEL_SPHERE, {x, y, z}, {1, 0, 0, 0}, {r, 0, 0}, NULL}
#define CAPSULE(x, y, z, q, r, h) {MODEL_CAPSULE, {x, y, z}, q, {r, h, 0}, NULL}
#define BOX(x, y, z, q, i, j, k) {MODEL_BOX, {x, y, z}, q, {i, j, k}, NULL}
#define PLANE(z) {MODEL_PLANE, {0, 0, z}, {1, 0, 0, 0}, {0, 0, 1}, NULL}

static void assert_collision(const Meet *m, size_t number, const Collision *c)
{
    if (vec3_distance(c->point, m->first.point) > 1e-12 || vec3_distance(c->normal, m->first.normal) > 1e-12 ||
        fabs(c->gap - m->first.gap) > 1e-12)
        fail_msg("%zu: place %g %g %g, normal %g %g %g, gap %g", number, c->point.x, c->point.y, c->point.z,
                 c->normal.x, c->normal.y, c->normal.z, c->gap);
}

TEST(shape_pairs_have_their_contact_points)
{
    const Meet meets[] = {
        {SPHERE(1, 0, 0, 0.5), SPHERE(3, 0, 0, 1), 1, {{1.75, 0, 0}, {1, 0, 0}, 0.5}},
        {SPHERE(0, 0, 0, 1), SPHERE(0, 0, 1.5, 1), 1, {{0, 0, 0.75}, {0, 0, 1}, -0.5}},
        {SPHERE(0, 0, 0.9, 1), PLANE(0), 1, {{0, 0, -0.05}, {0, 0, -1}, -0.1}},
        {SPHERE(2, 0, 0.5, 0.25), CAPSULE(0, 0, 0, none, 0.5, 1), 1, {{1.125, 0, 0.5}, {-1, 0, 0}, 1.25}},
        {SPHERE(0, 0, 2, 0.25), CAPSULE(0, 0, 0, none, 0.5, 1), 1, {{0, 0, 1.625}, {0, 0, -1}, 0.25}},
        {SPHERE(0, 0, 2.25, 0.5), BOX(0, 0, 1, none, 1, 1, 1), 1, {{0, 0, 1.875}, {0, 0, -1}, -0.25}},
        {SPHERE(2, 2, 1, 0.5), BOX(0, 0, 1, none, 1, 1, 1), 1,
         {{2 - (0.5 + 0.5 * (DIAGONAL - 0.5)) * HALF, 2 - (0.5 + 0.5 * (DIAGONAL - 0.5)) * HALF, 1}, {-HALF, -HALF, 0},
          DIAGONAL - 0.5}},
        {SPHERE(0.75, 0, 0, 0.5), BOX(0, 0, 0, none, 1, 2, 3), 1, {{0.625, 0, 0}, {-1, 0, 0}, -0.75}},
        {SPHERE(0, -1.75, 0.1, 0.5), BOX(0, 0, 0, none, 1, 2, 3), 1, {{0, -1.625, 0.1}, {0, 1, 0}, -0.75}},
        {SPHERE(0.25, 0, 2.75, 0.5), BOX(0, 0, 0, none, 1, 2, 3), 1, {{0.25, 0, 2.625}, {0, 0, -1}, -0.75}},
        {CAPSULE(0, 0, 0, about_x, 0.5, 1), CAPSULE(0, 0, 1.5, about_y, 0.25, 1), 1,
         {{0, 0, 0.875}, {0, 0, 1}, 0.75}},
        {CAPSULE(0, 0.5, 0, about_x, 0.5, 1), CAPSULE(0.5, 0, 1, about_y, 0.25, 1), 1,
         {{0, 0, 0.625}, {0, 0, 1}, 0.25}},
        {CAPSULE(0, 3, 0, about_x, 0.5, 1), CAPSULE(0, 0, 0, about_y, 0.25, 1), 1, {{0, 0.875, 0}, {0, -1, 0}, 1.25}},
        {CAPSULE(0, 0, 2, none, 0.5, 1), PLANE(0.75), 1, {{0, 0, 0.625}, {0, 0, -1}, -0.25}},
        {BOX(0, 0, 0, eighth_z, 1, 1, 1), BOX(0, 0, 1.75, none, 0.5, 0.5, 1), 4, {{0.5, 0.5, 0.875}, {0, 0, 1}, -0.25}},
        {BOX(0, 0, 0, none, 1, 1, 1), BOX(0.5, 0.25, 3, none, 1, 1, 1), 4, {{1, 1, 1.5}, {0, 0, 1}, 1}},
    };
    for (size_t i = 0; i < sizeof meets / sizeof *meets; i++) {
        Collision c[SHAPE_CONTACTS], again[SHAPE_CONTACTS];
        const Meet *m = &meets[i];
        if (shapes_collide(&m->a, &m->b, 10, c) < 1)
            fail_msg("%zu: no place", i);
        if (m->a.kind != MODEL_BOX)
            assert_collision(m, i, &c[0]);
        assert_true(shapes_can_meet(m->a.kind, m->b.kind) && shapes_can_meet(m->b.kind, m->a.kind));
        int count = shapes_collide(&m->b, &m->a, 10, again);
        assert_int_equal(count, shapes_collide(&m->a, &m->b, 10, c));
        assert_vec3_near(again[0].normal, vec3_neg(c[0].normal), 1e-12);
        assert_near(again[0].gap, c[0].gap, 1e-12);
        int min = shapes_collide(&m->a, &m->b, c[0].gap + 1e-9, c);
        assert_true(min >= 1);
        if (m->a.kind == MODEL_SPHERE)
            assert_int_equal(shapes_collide(&m->a, &m->b, c[0].gap - 1e-9, c), 0);
    }
}

/* Corners of one that project onto the other's face: points halfway between, all with the same gap. */
TEST(face_contacts_are_at_corners)
{
    const Shape low = BOX(0, 0, 0, none, 1, 1, 1), high = BOX(0.5, 0.25, 1.75, none, 1, 1, 1);
    const Shape small = BOX(0, 0, 1.75, eighth_z, 0.5, 0.5, 1);
    Collision c[SHAPE_CONTACTS];
    double sum = 0;
    assert_int_equal(shapes_collide(&low, &high, 0.1, c), 4);
    for (int i = 0; i < 4; i++) {
        assert_vec3_near(c[i].normal, vec3(0, 0, 1), 1e-12);
        assert_near(c[i].gap, -0.25, 1e-12);
        assert_near(c[i].point.z, 0.875, 1e-12);
        assert_true(fabs(c[i].point.x - 0.25) - 0.75 < 1e-12 && fabs(c[i].point.y - 0.125) - 0.875 < 1e-12);
        sum += c[i].point.x + 2 * c[i].point.y;
    }
    assert_near(sum, 4 * (0.25 + 2 * 0.125), 1e-12);
    assert_int_equal(shapes_collide(&small, &low, 0.1, c), 4);
    for (int i = 0; i < 4; i++) {
        assert_vec3_near(c[i].normal, vec3(0, 0, -1), 1e-12);
        assert_near(fabs(c[i].point.x) + fabs(c[i].point.y), 0.5 * DIAGONAL, 1e-12);
    }
}

/* A box of 2 m, rotated by 0.5 rad about z and tilted by 2e-3 rad, is nearest at two edges that cross. The contacts of
 * its face include the other side, up to 4 mm higher, and none is deeper than the edges. */
TEST(nearly_parallel_faces_have_contacts_all_around)
{
    const Quat tilt = quat_mul(quat_exp(vec3(0.0008, 0.0006, 0)), quat_exp(vec3(0, 0, 0.25)));
    const Shape low = BOX(0, 0, 0, none, 1, 1, 1), high = BOX(0.7, 0.9, 2, tilt, 1, 1, 1);
    Collision c[SHAPE_CONTACTS];
    Vec3 min = vec3(9, 9, 0), max = vec3(-9, -9, 0);
    int count = shapes_collide(&low, &high, 0.01, c), deepest = 0;
    for (int i = 0; i < count; i++) {
        min = vec3(fmin(min.x, c[i].point.x), fmin(min.y, c[i].point.y), 0);
        max = vec3(fmax(max.x, c[i].point.x), fmax(max.y, c[i].point.y), 0);
        deepest = c[i].gap < c[deepest].gap ? i : deepest;
        assert_true(c[i].gap < c[0].gap + 4e-3);
    }
    assert_int_equal(count, 5); /* the crossing, and the four corners of the common area */
    assert_int_equal(deepest, 0);
    assert_true(min.x < -0.4 && min.y < -0.4 && max.x > 0.99 && max.y > 0.99);
}

/* Two boxes, each standing on an edge, with crossed edges. */
TEST(crossed_edges_have_one_contact)
{
    const Shape low = BOX(0, 0, 0, ((Quat){0.9238795325112867, 0.3826834323650898, 0, 0}), 2, 1, 1);
    for (int side = -1; side <= 1; side += 2) {
        const Shape high = BOX(0.25, 0.5, side * 2.75, ((Quat){0.9238795325112867, 0, 0.3826834323650898, 0}), 1, 2, 1);
        Collision c[SHAPE_CONTACTS];
        assert_int_equal(shapes_collide(&low, &high, 0.01, c), 1);
        assert_vec3_near(c[0].normal, vec3(0, 0, side), 1e-9);
        assert_near(c[0].gap, 2.75 - 2 * DIAGONAL, 1e-9);
        assert_vec3_near(c[0].point, vec3(0.25, 0, side * 1.375), 1e-9);
        assert_int_equal(shapes_collide(&low, &high, -0.08, c), 0);
    }
}

/* Distance from a point to a box; 0 inside. */
static double distance_to_box(Vec3 point, const Shape *box)
{
    Vec3 p = quat_rotate_inverse(box->orientation, vec3_sub(point, box->position));
    return vec3_norm(vec3(fmax(0, fabs(p.x) - box->size.x), fmax(0, fabs(p.y) - box->size.y),
                          fmax(0, fabs(p.z) - box->size.z)));
}

static Quat random_turn(unsigned *seed)
{
    double w = random_number(seed), x = random_number(seed), y = random_number(seed), z = random_number(seed);
    return quat_normalize((Quat){w, x, y, z});
}

/* In any position the least gap is that of the nearest of a thousand points on the capsule's axis, and there is a
 * contact point exactly if it is within the margin. */
TEST(capsule_box_contact_is_at_the_nearest_point)
{
    const double margin = 0.3;
    unsigned seed = 7;
    int met = 0, missed = 0;
    for (int i = 0; i < 500; i++) {
        Shape capsule = CAPSULE(1.5 * random_number(&seed), 1.5 * random_number(&seed), 1.5 * random_number(&seed),
                                random_turn(&seed), 0.1, 0.6);
        const Shape box = BOX(0, 0, 0, random_turn(&seed), 0.3, 0.4, 0.5);
        Vec3 along = quat_rotate(capsule.orientation, vec3(0, 0, 0.6));
        Collision c[SHAPE_CONTACTS];
        double nearest = INFINITY, min = INFINITY;
        for (int k = 0; k <= 1000; k++)
            nearest = fmin(nearest, distance_to_box(vec3_mad(capsule.position, k / 500.0 - 1, along), &box) - 0.1);
        int count = shapes_collide(&capsule, &box, margin, c);
        for (int k = 0; k < count; k++)
            min = fmin(min, c[k].gap);
        if (nearest < -0.1 + 1e-9) /* the axis enters the box */
            continue;
        if (nearest < margin - 1e-3) {
            assert_near(min, nearest, 1e-3);
            met++;
        } else if (nearest > margin + 1e-3) {
            assert_int_equal(count, 0);
            missed++;
        }
    }
    assert_true(met > 50 && missed > 200);
}

/* Parallel boxes: at the ends of either; the four points have the same gap. */
TEST(parallel_capsules_have_contacts_at_their_ends)
{
    const Shape a = CAPSULE(0, 0, 0, none, 0.5, 1), b = CAPSULE(1.25, 0, 0.5, none, 0.5, 2);
    Collision c[SHAPE_CONTACTS];
    double middle = 0;
    assert_int_equal(shapes_collide(&a, &b, 0.3, c), 2); /* b extends beyond a */
    for (int i = 0; i < 2; i++) {
        assert_vec3_near(c[i].normal, vec3(1, 0, 0), 1e-12);
        assert_near(c[i].gap, 0.25, 1e-12);
        middle += c[i].point.z;
    }
    assert_near(middle, 0, 1e-12);
}

TEST(reach_bounds_the_shape)
{
    const struct {
        Shape shape;
        double reach;
    } cases[] = {
        {SPHERE(0, 0, 0, 0.5), 0.5}, {CAPSULE(0, 0, 0, none, 0.5, 1), 1.5}, {BOX(0, 0, 0, none, 2, 3, 6), 7},
        {PLANE(0), INFINITY}, {{MODEL_CYLINDER, {0, 0, 0}, {1, 0, 0, 0}, {0.5, 2, 0}, NULL}, 2.5},
        {{MODEL_ELLIPSOID, {0, 0, 0}, {1, 0, 0, 0}, {0.5, 2, 3}, NULL}, 3},
        {{MODEL_ELLIPSOID, {0, 0, 0}, {1, 0, 0, 0}, {4, 2, 3}, NULL}, 4},
    };
    Collision c[SHAPE_CONTACTS];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(shape_reach(&cases[i].shape) == cases[i].reach);
    for (int i = 0; i < MODEL_SHAPE_COUNT; i++)
        for (int k = 0; k < MODEL_SHAPE_COUNT; k++)
            assert_int_equal(shapes_can_meet(i, k), i != MODEL_PLANE || k != MODEL_PLANE);
    assert_int_equal(shapes_collide(&cases[3].shape, &cases[3].shape, 100, c), 0);
}
