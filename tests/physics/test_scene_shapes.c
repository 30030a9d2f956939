/* sim/scene_bodies: visual shapes of a scene: geoms with colours and hulls, springs, tendons, grids. */
#include "tests/support/test.h"

#include "analysis/sim/scene_clip.h"
#include "tests/support/scene_case.h"

static const char *const text =
    "<mujoco><default><geom rgba=\"0.1 0.2 0.3 0.4\"/><default class=\"bare\"><geom material=\"steel\"/></default>"
    "</default><asset><material name=\"steel\" rgba=\"0.5 0.6 0.7 1\"/>"
    "<mesh name=\"tip\" vertex=\"0 0 0  1 0 0  0 1 0  0 0 1\"/></asset>"
    "<worldbody><geom type=\"plane\" size=\"0 0 1\"/><site name=\"a\" pos=\"0 0 2\"/>"
    "<body name=\"one\" pos=\"0 0 1\"><freejoint/><geom type=\"box\" size=\"0.1 0.2 0.3\" pos=\"1 2 3\" "
    "rgba=\"1 0 0 1\"/><geom type=\"mesh\" mesh=\"tip\"/><site name=\"b\" pos=\"0.5 0 0\"/></body>"
    "<body name=\"two\" pos=\"0 3 1\"><freejoint/><geom type=\"mesh\" mesh=\"tip\" mass=\"2\"/></body></worldbody>"
    "<tendon><spatial stiffness=\"10\"><site site=\"a\"/><site site=\"b\"/></spatial></tendon></mujoco>";

static Clip shapes_of(const SceneClipDef *def)
{
    SceneCase c = scene_case(text, NULL);
    Clip clip = {0};
    assert_int_equal(scene_clip_shapes(c.model, def, &clip, NULL), STATUS_OK);
    assert_int_equal(clip.has_shapes, 1);
    assert_int_equal(shapes_check(&clip.shapes, c.model->body_count, -1, NULL), STATUS_OK);
    scene_case_free(&c);
    return clip;
}

TEST(geoms_become_shapes_of_their_bodies)
{
    SceneClipDef def = scene_clip_default_def();
    Clip clip = shapes_of(&def);
    const Shapes *s = &clip.shapes;
    (void)state;
    assert_int_equal(s->count, 5);
    const ShapeKind kind[] = {SHAPE_PLANE, SHAPE_BOX, SHAPE_MESH, SHAPE_MESH, SHAPE_TENDON};
    const int joint[] = {0, 1, 1, 2, 0};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(s->kind[i], kind[i]);
        assert_int_equal(s->joint[i], joint[i]);
    }
    assert_near(vec3_distance(s->size[1], vec3(0.1, 0.2, 0.3)), 0, 0);
    assert_near(vec3_distance(s->position[1], vec3(1, 2, 3)), 0, 0);
    assert_near(s->color[4], 1, 0);   /* its own */
    assert_near(s->color[3], 0.4, 0); /* of the class */
    clip_free(&clip);
}

/* Both geoms of a mesh use the points of one, relative to its centre of mass. */
TEST(geoms_share_the_hull_of_their_mesh)
{
    SceneClipDef def = scene_clip_default_def();
    Clip clip = shapes_of(&def);
    const Shapes *s = &clip.shapes;
    (void)state;
    assert_int_equal(s->points[2], 4);
    assert_int_equal(s->faces[2], 4);
    assert_int_equal(s->point_start[2], s->point_start[3]);
    assert_int_equal(s->face_start[2], s->face_start[3]);
    assert_int_equal(s->point_count, 4 + 2);
    Vec3 sum = {0, 0, 0};
    for (int v = 0; v < 4; v++)
        sum = vec3_add(sum, s->point[s->point_start[2] + v]);
    assert_near(vec3_norm(sum), 0, 1e-12);
    assert_near(vec3_distance(s->position[2], vec3(0.25, 0.25, 0.25)), 0, 1e-12);
    clip_free(&clip);
}

TEST(tendons_pass_through_their_sites)
{
    SceneClipDef def = scene_clip_default_def();
    Clip clip = shapes_of(&def);
    const Shapes *s = &clip.shapes;
    (void)state;
    int first = s->point_start[4];
    assert_int_equal(s->points[4], 2);
    assert_int_equal(s->point_joint[first], 0);
    assert_int_equal(s->point_joint[first + 1], 1);
    assert_near(s->point[first].z, 2, 0);
    assert_near(s->point[first + 1].x, 0.5, 0);
    clip_free(&clip);
}

/* A grid of 2 by 3 by 1 has 3 + 4 springs along its axes; rotational bushings have no line. */
TEST(springs_and_grids_are_drawn_as_lines)
{
    SceneClipDef def = scene_clip_default_def();
    const ParticleGrid grid = {.name = "", .size = {2, 3, 1}};
    SpringElement element[] = {{.kind = SPRING_AXIAL, .joint_a = SPRING_WORLD, .joint_b = 2, .a = {0, 0, 9}},
                               {.kind = SPRING_TURNING, .joint_a = 1, .joint_b = 2},
                               {.kind = SPRING_PATH, .joint_a = 1, .joint_b = SPRING_PARTICLE(4)}};
    const Springs springs = {3, element};
    def.grid = &grid;
    def.grid_count = 1;
    def.springs = &springs;
    Clip clip = shapes_of(&def);
    const Shapes *s = &clip.shapes;
    (void)state;
    assert_int_equal(s->count, 5 + 2 + 7);
    assert_int_equal(s->kind[4], SHAPE_SPRING);
    assert_int_equal(s->kind[5], SHAPE_TENDON);
    int first = s->point_start[4];
    assert_int_equal(s->point_joint[first], 0);
    assert_near(s->point[first].z, 9, 0);
    assert_int_equal(s->point_joint[first + 1], 2);
    assert_int_equal(s->point_particle[s->point_start[5] + 1], 4);
    assert_int_equal(s->point_joint[s->point_start[5] + 1], -1);
    const int pair[7][2] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {2, 4}, {3, 5}, {4, 5}};
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < 2; k++)
            assert_int_equal(s->point_particle[s->point_start[7 + i] + k], pair[i][k]);
    clip_free(&clip);
}
