/* formats/gltf/bone_mesh: closed bodies of known volume, normals outward, something to see of every joint. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bones_are_closed_and_face_outward),
        cmocka_unit_test(a_joint_without_a_bone_is_a_ball),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
