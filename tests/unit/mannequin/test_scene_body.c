/* mannequin/scene_body: shapes of a scene as closed surfaces of the right volume, with joints and colours;
 * mannequin/scene_body: positions of springs and forces. */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "analysis/mannequin/mannequin.h"
#include "analysis/mannequin/scene_marks.h"
#include "analysis/math/elementary.h"

enum { JOINTS = 4, SOLIDS = 8 };

/* The world, a body of solids, its child without a shape, and a child of that. */
static void make_clip(Clip *c)
{
    static const ShapeKind kind[SOLIDS] = {SHAPE_BOX, SHAPE_SPHERE, SHAPE_CAPSULE, SHAPE_CYLINDER, SHAPE_ELLIPSOID,
                                           SHAPE_MESH, SHAPE_PLANE, SHAPE_BOX};
    static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    *c = (Clip){.has_shapes = 1};
    assert_int_equal(skeleton_init(&c->skeleton, JOINTS, 0, NULL), STATUS_OK);
    assert_int_equal(motion_init(&c->motion, 1, JOINTS, 0.01, 0, NULL), STATUS_OK);
    assert_int_equal(shapes_init(&c->shapes, SOLIDS + 1, 6, 4, NULL), STATUS_OK);
    for (int j = 0; j < JOINTS; j++) {
        c->skeleton.parent[j] = j - 1;
        c->skeleton.offset[j] = vec3(0, j, 0.5);
        c->motion.rotation[j] = QUAT_IDENTITY;
    }
    for (int i = 0; i < SOLIDS; i++) {
        c->shapes.kind[i] = kind[i];
        c->shapes.joint[i] = 1;
        c->shapes.size[i] = vec3(0.1, 0.2, 0.3);
        c->shapes.position[i] = vec3(i, 0, 0);
        c->shapes.orientation[i] = quat_from_axis_angle(vec3(1, 0, 0), 0.3 * i);
        for (int k = 0; k < 4; k++)
            c->shapes.color[4 * i + k] = k == 3 ? i != 7 : 0.1 * i; /* the last is invisible */
    }
    c->shapes.size[6] = vec3(0, 0, 1); /* infinite */
    c->shapes.points[5] = 4;
    c->shapes.faces[5] = 4;
    for (int k = 0; k < 3; k++)
        c->shapes.point[k + 1] = vec3(k == 0, k == 1, k == 2);
    memcpy(c->shapes.face, faces, sizeof faces);
    c->shapes.kind[SOLIDS] = SHAPE_SPRING;
    c->shapes.point_start[SOLIDS] = 4;
    c->shapes.points[SOLIDS] = 2;
    c->shapes.point_joint[4] = 0;
    c->shapes.point_joint[5] = 2;
    c->shapes.point[5] = vec3(0, 0, 0.25);
}

/* Volume from signed tetrahedra of the faces with one colour and the origin. */
static double volume_of(const Mannequin *m, double red)
{
    double volume = 0;
    for (int f = 0; f < m->face_count; f++) {
        const int *v = m->face[f];
        if (fabs(m->tint[v[0]].x - red) < 1e-9)
            volume += vec3_dot(m->position[v[0]], vec3_cross(m->position[v[1]], m->position[v[2]])) / 6;
    }
    return volume;
}

TEST(shapes_have_their_volumes)
{
    static const struct { double red, volume, error; } solid[] = {
        {0, 8 * 0.1 * 0.2 * 0.3, 1e-9},
        {0.1, 4 * PI / 3 * 1e-3, 0.05},
        {0.2, 4 * PI / 3 * 1e-3 + PI * 0.01 * 0.4, 0.05},
        {0.3, PI * 0.01 * 0.4, 0.02},
        {0.4, 4 * PI / 3 * 0.1 * 0.2 * 0.3, 0.05},
        {0.5, 1. / 6, 1e-9},
    };
    Clip c;
    Mannequin m;
    (void)state;
    make_clip(&c);
    ClipView view = clip_view(&c);
    assert_int_equal(mannequin_init(&m, &view, &c.shapes, NULL), STATUS_OK);
    for (size_t i = 0; i < sizeof solid / sizeof *solid; i++)
        assert_near(volume_of(&m, solid[i].red) / solid[i].volume, 1, solid[i].error);
    assert_near(volume_of(&m, 0.6), 0, 0); /* the infinite plane */
    assert_near(volume_of(&m, 0.7), 0, 0); /* invisible */
    mannequin_free(&m);
    clip_free(&c);
}

/* Normals of convex shapes point away from the centre; a body without a shape is a rod to the next one. */
TEST(vertices_belong_to_their_joints)
{
    Clip c;
    Mannequin m;
    int rod = 0;
    (void)state;
    make_clip(&c);
    ClipView view = clip_view(&c);
    assert_int_equal(mannequin_init(&m, &view, &c.shapes, NULL), STATUS_OK);
    for (int v = 0; v < m.vertex_count; v++) {
        assert_near(m.weight[v], 0, 0);
        assert_near(vec3_norm(m.normal[v]), 1, 1e-9);
        rod += m.joint[v][0] == 2;
        assert_true(m.joint[v][0] == 1 || m.joint[v][0] == 2);
        if (m.joint[v][0] == 1 && m.tint[v].x < 0.45) {
            Vec3 middle = vec3_add(m.joint_position[1], vec3(round(m.tint[v].x * 10), 0, 0));
            assert_true(vec3_dot(m.normal[v], vec3_sub(m.position[v], middle)) > 0);
        }
    }
    assert_true(rod > 20);
    assert_near(m.joint_position[3].y, 6, 1e-12);
    mannequin_free(&m);
    clip_free(&c);
}

TEST(marks_are_at_spring_ends_and_force_points)
{
    Clip c;
    SceneMarks m;
    Arena arena = {0};
    Vec3 end[2];
    (void)state;
    make_clip(&c);
    assert_int_equal(body_init(&c.body, JOINTS, NULL), STATUS_OK);
    assert_int_equal(contact_init(&c.contact, 1, 1, 1, NULL), STATUS_OK);
    c.has_body = c.has_contact = 1;
    c.body.total_mass = 2;
    c.contact.point_joint[0] = 1;
    c.contact.force[0] = vec3(0, 9.80665, 0);
    c.contact.moment[0] = vec3(0, 0, 9.80665 * 0.3); /* acts 0.3 m along x */
    assert_int_equal(scene_marks_init(&m, &c, 4, 0, &arena, NULL), STATUS_OK);
    assert_int_equal(m.count, 2);
    const Vec3 position[JOINTS] = {{0, 0, 0}, {1, 2, 3}, {4, 5, 6}, {0, 0, 0}};
    const Quat quarter = quat_from_axis_angle(vec3(1, 0, 0), PI / 2);
    const Quat turn[JOINTS] = {QUAT_IDENTITY, QUAT_IDENTITY, quarter, QUAT_IDENTITY};
    assert_int_equal(scene_mark_pose(&m, 0, 0, position, turn, end), 1);
    assert_near(vec3_norm(end[0]), 0, 0);
    assert_near(vec3_distance(end[1], vec3(4, 4.75, 6)), 0, 1e-12);
    assert_int_equal(scene_mark_pose(&m, 1, 0, position, turn, end), 1);
    assert_near(vec3_distance(end[0], vec3(1.3, 2, 3)), 0, 1e-12);
    assert_near(vec3_distance(end[1], vec3(1.3, 3, 3)), 0, 1e-12); /* half of the weight: a quarter of the size */
    c.contact.force[0] = vec3(0, 0.1, 0);
    assert_int_equal(scene_mark_pose(&m, 1, 0, position, turn, end), 0);
    arena_free(&arena);
    clip_free(&c);
}
