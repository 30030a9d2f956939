/* Convex shapes by their support functions: against closed forms, against equivalent shapes (an ellipsoid with equal
 * axes, a hull with the corners of a box), and by the positions of faces. */
#include "analysis/sim/convex_contact.h"
#include "tests/support/test.h"

#include <math.h>

#include "analysis/math/quat.h"
#include "analysis/model/model.h"
#include "analysis/sim/shape_contact.h"

static double number(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / (double)(1u << 24);
}

/* One draw a statement: compilers differ in the order of arguments. */
static Vec3 any(unsigned *seed)
{
    double z = 2 * number(seed) - 1, y = 2 * number(seed) - 1, x = 2 * number(seed) - 1;
    return vec3(x, y, z);
}

static Quat any_turn(unsigned *seed)
{
    Vec3 axis = vec3_normalize(any(seed));
    return quat_from_axis_angle(axis, 6 * number(seed));
}

static double min_gap(const Collision *c, int count, Vec3 *normal)
{
    double min = INFINITY;
    for (int i = 0; i < count; i++)
        if (c[i].gap < min) {
            min = c[i].gap;
            *normal = c[i].normal;
        }
    return min;
}

/* The least gap and its normal, by both methods. */
static void assert_same(const Shape *a, const Shape *b, const Shape *same_a, const Shape *same_b, double close)
{
    Collision one[SHAPE_CONTACTS], other[SHAPE_CONTACTS];
    Vec3 n1 = {0, 0, 0}, n2 = {0, 0, 0};
    int count = convex_collide(a, b, 3, one), expected = shapes_collide(same_a, same_b, 3, other);
    assert_true(count > 0 && expected > 0 && count <= SHAPE_CONTACTS);
    double gap = min_gap(one, count, &n1), right = min_gap(other, expected, &n2);
    if (!(fabs(gap - right) <= close))
        print_error("kinds %d %d: gap %.12g, expected %.12g\n", a->kind, b->kind, gap, right);
    assert_near(gap, right, close);
    if (fabs(gap) > 1e-6)
        assert_near(vec3_dot(n1, n2), 1, fmax(1e-6, 10 * close));
}

/* Bodies at gaps from deep overlap to clear separation. */
TEST(gaps_have_their_closed_form)
{
    unsigned seed = 7;
    for (int k = 0; k < 400; k++) {
        Shape ball = {MODEL_SPHERE, any(&seed), any_turn(&seed), {0.2 + 0.2 * number(&seed), 0, 0}, NULL};
        Shape box = {MODEL_BOX, vec3(0, 0, 0), any_turn(&seed), {0.3, 0.5, 0.4}, NULL};
        Shape egg = ball;
        egg.kind = MODEL_ELLIPSOID;
        egg.size = vec3(ball.size.x, ball.size.x, ball.size.x);
        if (vec3_norm(ball.position) > 0.55) {
            assert_same(&ball, &box, &ball, &box, 1e-9);
            assert_same(&egg, &box, &ball, &box, 1e-5);
        }
        Shape rod = {MODEL_CAPSULE, any(&seed), any_turn(&seed), {0.1, 0.4, 0}, NULL};
        assert_same(&egg, &rod, &ball, &rod, 1e-5);
    }
}

/* Boxes from clear separation to deep overlap: the gap of their hull is that of the exact test along the 15 axes of
 * two boxes. That test prefers a face by 1e-6 to an edge. */
TEST(hull_of_corners_is_a_box)
{
    unsigned seed = 3;
    int shallow = 0, deep = 0;
    Vec3 corner[8], e = vec3(0.3, 0.5, 0.4);
    ModelMesh mesh = {0};
    Arena memory = {0};
    Error err = {0};
    for (int k = 0; k < 8; k++)
        corner[k] = vec3(k & 1 ? e.x : -e.x, k & 2 ? e.y : -e.y, k & 4 ? e.z : -e.z);
    assert_int_equal(mesh_hull(corner, 8, vec3(0, 0, 0), &memory, &mesh, &err), STATUS_OK);
    for (int k = 0; k < 8000; k++) {
        Shape box = {MODEL_BOX, vec3(0, 0, 0), any_turn(&seed), e, NULL};
        double distance = 0.5 + 0.6 * number(&seed);
        Vec3 position = vec3_scale(vec3_normalize(any(&seed)), distance);
        Shape other = {MODEL_BOX, position, any_turn(&seed), {0.2, 0.3, 0.5}, NULL};
        Shape hull = {MODEL_HULL, box.position, box.orientation, {0, 0, 0}, &mesh};
        Collision found[SHAPE_CONTACTS];
        Vec3 normal = {0, 0, 0}, by_hull = {0, 0, 0};
        double gap = min_gap(found, shapes_collide(&box, &other, 1, found), &normal);
        if (gap >= 0)
            continue;
        shallow += gap > -0.04;
        deep += gap < -0.2;
        double own = min_gap(found, shapes_collide(&hull, &other, 1, found), &by_hull);
        if (own < gap - 1e-9 || own > gap + 3e-6)
            print_error("draw %d: gap %.12g, expected %.12g\n", k, own, gap);
        assert_true(own > gap - 1e-9 && own < gap + 3e-6);
        if (own < gap + 1e-9)
            assert_near(vec3_dot(normal, by_hull), 1, 1e-6);
    }
    assert_true(shallow > 500 && deep > 500);
    arena_free(&memory);
}

/* A cylinder standing on a box, and one lying on it: contact points and gaps. */
TEST(face_and_edge_contacts_span_their_overlap)
{
    Shape box = {MODEL_BOX, vec3(0, 0, -0.5), QUAT_IDENTITY, {2, 2, 0.5}, NULL};
    Shape rod = {MODEL_CYLINDER, vec3(0.3, 0.2, 0.399), QUAT_IDENTITY, {0.25, 0.4, 0}, NULL};
    Collision c[SHAPE_CONTACTS];
    int count = shapes_collide(&rod, &box, 0.01, c);
    assert_int_equal(count, 8);
    for (int i = 0; i < count; i++) {
        assert_near(c[i].gap, -0.001, 1e-9);
        assert_vec3_near(c[i].normal, vec3(0, 0, -1), 1e-9);
        assert_near(vec3_distance(c[i].point, vec3(0.3, 0.2, -0.0005)), 0.25, 1e-9);
    }
    rod.orientation = quat_from_axis_angle(vec3(0, 1, 0), 1.5707963267948966);
    rod.position.z = 0.2501;
    count = shapes_collide(&rod, &box, 0.01, c);
    assert_int_equal(count, 2);
    for (int i = 0; i < 2; i++) {
        assert_near(c[i].gap, 0.0001, 1e-9);
        assert_near(fabs(c[i].point.x - 0.3), 0.4, 1e-9);
    }
    Shape other = rod;
    other.position.z += 0.499;
    count = shapes_collide(&other, &rod, 0.01, c);
    assert_int_equal(count, 2);
    assert_near(c[0].gap, -0.001, 1e-9);
    other.orientation = quat_mul(quat_from_axis_angle(vec3(0, 0, 1), 1), rod.orientation);
    count = shapes_collide(&other, &rod, 0.01, c); /* crosswise: one point */
    assert_int_equal(count, 1);
    assert_near(c[0].gap, -0.001, 1e-9);
    assert_vec3_near(c[0].point, vec3(0.3, 0.2, 0.2501 + 0.2495), 1e-6);
}

/* All pairs of kinds, except planes. */
TEST(every_shape_pair_has_a_collider)
{
    for (int a = 0; a < MODEL_SHAPE_COUNT; a++)
        for (int b = 0; b < MODEL_SHAPE_COUNT; b++)
            assert_int_equal(shapes_can_meet((ModelShape)a, (ModelShape)b), a != MODEL_PLANE || b != MODEL_PLANE);
}
