/* formats/gltf/bone_mesh: closed bodies of known volume, normals outward, something to see of every joint; steps of
 * colour add up to the scale, brighter means more, nothing beyond its ends. */
#include "tests/support/assert_near.h"

#include "formats/gltf/bone_mesh.h"
#include "tests/support/sample_clip.h"

/* A fork: joint 0 with a child, an end site and a child at no distance; joint 1 a leaf. */
static void fork_init(Skeleton *s, Vec3 *rest)
{
    assert_int_equal(skeleton_init(s, 3, 1, NULL), STATUS_OK);
    s->parent[1] = s->parent[2] = 0;
    s->offset[0] = vec3(0.2, 1, -0.4);
    s->offset[1] = vec3(0.3, 0.4, 0);
    s->end_offset[0] = vec3(0, -0.1, 0);
    skeleton_rest_positions(s, rest);
}

/* Volume by the divergence theorem, sum p . n A / 3; *area is the sum of n A, zero for a closed surface. */
static double volume(const BoneMesh *mesh, Vec3 *area)
{
    double sum = 0;
    *area = vec3(0, 0, 0);
    for (int i = 0; i < mesh->vertex_count; i += 3) {
        const Vec3 *p = &mesh->position[i];
        Vec3 face = vec3_scale(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])), 0.5);
        for (int k = 0; k < 3; k++)
            assert_vec3_near(mesh->normal[i + k], vec3_normalize(face), 1e-12);
        *area = vec3_add(*area, face);
        sum += vec3_dot(p[0], face) / 3;
    }
    return sum;
}

/* An octahedron with a waist of radius r = 0.09 l holds 2 r^2 l / 3, wherever it stands. */
static void bones_are_closed_and_face_outward(void **state)
{
    (void)state;
    Skeleton s;
    Vec3 rest[3], area;
    BoneMesh mesh;
    fork_init(&s, rest);
    assert_int_equal(bone_mesh_init(&mesh, &s, rest, 0, NULL), STATUS_OK);
    assert_int_equal(mesh.vertex_count, 2 * 24);
    double expected = 2.0 / 3 * 0.09 * 0.09 * (0.5 * 0.5 * 0.5 + 0.1 * 0.1 * 0.1);
    assert_near(volume(&mesh, &area), expected, 1e-12);
    assert_vec3_near(area, vec3(0, 0, 0), 1e-14);
    bone_mesh_free(&mesh);
    skeleton_free(&s);
}

static void a_joint_without_a_bone_is_a_ball(void **state)
{
    (void)state;
    Skeleton s;
    Vec3 rest[3], area;
    BoneMesh mesh;
    fork_init(&s, rest);
    assert_int_equal(bone_mesh_init(&mesh, &s, rest, 1, NULL), STATUS_OK);
    assert_int_equal(mesh.vertex_count, 24);
    assert_near(volume(&mesh, &area), 4.0 / 3 * 1e-6, 1e-15);
    for (int i = 0; i < mesh.vertex_count; i++)
        assert_near(vec3_distance(mesh.position[i], rest[1]), 0.01, 1e-12);
    bone_mesh_free(&mesh);
    skeleton_free(&s);
}

static Vec3 colour_at(double nm_kg)
{
    float weight[TORQUE_COLOUR_STEPS];
    Vec3 colour = torque_colour_first();
    torque_colour_weights(nm_kg, weight);
    for (int i = 0; i < TORQUE_COLOUR_STEPS; i++)
        colour = vec3_mad(colour, weight[i], torque_colour_step(i));
    return colour;
}

/* Relative luminance of linear RGB (ITU-R BT.709). */
static double luminance(Vec3 c) { return 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z; }

static void more_torque_is_brighter(void **state)
{
    (void)state;
    for (int i = 0; i < 60; i++)
        assert_true(luminance(colour_at(TORQUE_COLOUR_MOST * (i + 1) / 60)) >
                    luminance(colour_at(TORQUE_COLOUR_MOST * i / 60)));
}

static void the_scale_is_continuous_and_linear_between_its_stops(void **state)
{
    (void)state;
    double stop = TORQUE_COLOUR_MOST / TORQUE_COLOUR_STEPS;
    for (int i = 0; i < TORQUE_COLOUR_STEPS; i++) {
        Vec3 mean = vec3_scale(vec3_add(colour_at(i * stop), colour_at((i + 1) * stop)), 0.5);
        assert_vec3_near(colour_at((i + 0.5) * stop), mean, 1e-7);
        assert_vec3_near(vec3_sub(colour_at((i + 1) * stop), colour_at(i * stop)), torque_colour_step(i), 1e-7);
    }
}

static void torques_off_the_scale_take_its_ends(void **state)
{
    (void)state;
    assert_vec3_near(colour_at(-1), torque_colour_first(), 0);
    assert_vec3_near(colour_at(NAN), torque_colour_first(), 0);
    assert_vec3_near(colour_at(INFINITY), colour_at(TORQUE_COLOUR_MOST), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bones_are_closed_and_face_outward),
        cmocka_unit_test(a_joint_without_a_bone_is_a_ball),
        cmocka_unit_test(more_torque_is_brighter),
        cmocka_unit_test(the_scale_is_continuous_and_linear_between_its_stops),
        cmocka_unit_test(torques_off_the_scale_take_its_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
