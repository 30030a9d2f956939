/* analysis/clip/shapes: kinds by name; consistency checks that report the index. */
#include "tests/support/test.h"

#include <string.h>

#include "formats/container/container.h"
#include "tests/support/same_clip.h"
#include "tests/support/sample_clip.h"

enum { JOINTS = 4, PARTICLES = 2 };

/* A box, a mesh of one triangle, and a spring from a joint to a particle. The first triangle belongs to no shape. */
static Shapes sample_shapes(void)
{
    Shapes s;
    assert_int_equal(shapes_init(&s, 3, 5, 2, NULL), STATUS_OK);
    s.kind[0] = SHAPE_BOX;
    s.joint[0] = 2;
    s.size[0] = vec3(0.1, 0.2, 0.3);
    s.kind[1] = SHAPE_MESH;
    s.points[1] = 3;
    s.faces[1] = 1;
    s.point[1] = vec3(1, 0, 0);
    s.point[2] = vec3(0, 1, 0);
    s.face_start[1] = 1;
    memcpy(s.face, (int[]){9, 9, 9, 0, 1, 2}, 6 * sizeof(int));
    s.kind[2] = SHAPE_SPRING;
    s.point_start[2] = 3;
    s.points[2] = 2;
    s.point_joint[3] = 1;
    s.point_particle[4] = 1;
    for (int k = 0; k < 12; k++)
        s.color[k] = k / 16.0;
    return s;
}

TEST(shape_kinds_have_names)
{
    for (int k = 0; k < SHAPE_KIND_COUNT; k++) {
        ShapeKind kind;
        assert_int_equal(shape_kind_from_name(shape_kind_name((ShapeKind)k), &kind), 1);
        assert_int_equal(kind, k);
    }
    ShapeKind kind = SHAPE_BOX;
    assert_int_equal(shape_kind_from_name("torus", &kind), 0);
    assert_int_equal(kind, SHAPE_BOX);
    assert_string_equal(shape_kind_name((ShapeKind)99), "");
    assert_true(shape_is_solid(SHAPE_MESH) && !shape_is_solid(SHAPE_SPRING));
}

static void no_kind(Shapes *s) { s->kind[0] = (ShapeKind)17; }
static void no_joint(Shapes *s) { s->joint[1] = JOINTS; }
static void small(Shapes *s) { s->size[0].y = -1; }
static void no_turn(Shapes *s) { s->orientation[2].w = 2; }
static void no_color(Shapes *s) { s->color[5] = 1.5; }
static void far_points(Shapes *s) { s->point_start[1] = 3; }
static void far_faces(Shapes *s) { s->faces[0] = 3; }
static void early_faces(Shapes *s) { s->face_start[1] = -1; }
static void no_corner(Shapes *s) { s->face[5] = 3; }
static void no_point_joint(Shapes *s) { s->point_joint[3] = JOINTS; }
static void no_particle(Shapes *s) { s->point_particle[4] = PARTICLES; }
static void huge(Shapes *s) { s->points[2] = 2147483647; }

TEST(inconsistent_shapes_are_reported)
{
    static const struct { void (*corrupt)(Shapes *); const char *message; } cases[] = {
        {no_kind, "/shapes/kind: shape 0"}, {no_joint, "/shapes/joint: shape 1 has joint 4"},
        {small, "/shapes/size: shape 0"}, {no_turn, "/shapes/orientation: shape 2"},
        {no_color, "/shapes/color: shape 1 has 1.5"}, {far_points, "/shapes/points: shape 1 has 3 points from 3"},
        {far_faces, "/shapes/faces: shape 0 has 3 faces"}, {early_faces, "/shapes/faces: shape 1 has 1 faces from -1"},
        {no_corner, "/shapes/face: shape 1 has no point 3"}, {no_point_joint, "/shapes/point_joint: point 3 has joint"},
        {no_particle, "/shapes/point_particle: point 4 has particle 2"}, {huge, "/shapes/points: shape 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Shapes s = sample_shapes();
        Error err = {0};
        assert_int_equal(shapes_check(&s, JOINTS, PARTICLES, NULL), STATUS_OK);
        cases[i].corrupt(&s);
        assert_int_equal(shapes_check(&s, JOINTS, PARTICLES, &err), STATUS_BAD_INPUT);
        if (!strstr(err.text, cases[i].message))
            fail_msg("\"%s\" does not contain \"%s\"", err.text, cases[i].message);
        shapes_free(&s);
    }
    Shapes s = sample_shapes();
    s.point_particle[4] = 99; /* particles are unknown without /particles */
    assert_int_equal(shapes_check(&s, JOINTS, -1, NULL), STATUS_OK);
    shapes_free(&s);
}

/* Round trip through a file; a file with inconsistent shapes is rejected. */
TEST(clip_files_contain_shapes)
{
    Clip clip, back;
    ContainerDef def = container_default_def();
    ContainerImage image;
    assert_int_equal(sample_clip(&clip, 3, JOINTS, 1), 0);
    clip.shapes = sample_shapes();
    clip.has_shapes = 1;
    assert_int_equal(container_encode(&clip, &def, &image, NULL), STATUS_OK);
    assert_int_equal(container_decode(&image, &back, NULL), STATUS_OK);
    assert_same_arrays(&clip, &back);
    container_image_free(&image);
    clip_free(&back);
    clip.shapes.face[4] = 7;
    assert_int_equal(container_encode(&clip, &def, &image, NULL), STATUS_BAD_INPUT);
    clip_free(&clip);
}
