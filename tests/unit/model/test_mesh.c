/* Meshes: moments against closed forms, hulls of points on a sphere and of a grid, valid and broken files. */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "analysis/math/vec.h"
#include "formats/model/mesh_file.h"

static MeshTriangles parse(const char *text, MeshFormat format, Arena *memory)
{
    MeshTriangles m;
    Error err = {0};
    Status status = mesh_file_parse(text, strlen(text), format, memory, &m, &err);
    if (status)
        print_error("%d: %s\n", err.line, err.text);
    assert_int_equal(status, STATUS_OK);
    return m;
}

/* A box of 2 x 4 x 6 centred at (1, 2, 3), made of quads. */
static const char box[] = "v 0 0 0\nv 2 0 0\nv 2 4 0\nv 0 4 0\nv 0 0 6\nv 2 0 6\nv 2 4 6\nv 0 4 6\n"
    "f 4 3 2 1\nf 5/1 6/2 7//3 -1\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

TEST(box_mesh_has_its_moments)
{
    Arena memory = {0};
    MeshTriangles m = parse(box, MESH_OBJ, &memory);
    assert_int_equal(m.face_count, 12);
    static const MeshInertia modes[] = {MESH_LEGACY, MESH_EXACT};
    for (int k = 0; k < 2; k++) {
        MeshMoments own = mesh_moments(&m, modes[k]);
        assert_near(own.volume, 48, 1e-12);
        assert_vec3_near(own.com, vec3(1, 2, 3), 1e-12);
        assert_vec3_near(vec3(own.inertia.xx, own.inertia.yy, own.inertia.zz),
                         vec3(48 * 52 / 12.0, 48 * 40 / 12.0, 48 * 20 / 12.0), 1e-9);
        assert_near(own.inertia.xy, 0, 1e-12);
    }
    MeshMoments shell = mesh_moments(&m, MESH_SHELL);
    assert_near(shell.volume, 88, 1e-12);
    /* about x: plates of 8, 12 and 24 m2 at 3, 2 and 0 m from the middle */
    assert_near(shell.inertia.xx, 2 * (8 * (16 / 12.0 + 9) + 12 * (36 / 12.0 + 4) + 24 * 52 / 12.0), 1e-9);
    arena_free(&memory);
}

static void assert_convex(const Vec3 *point, int count, const ModelMesh *hull)
{
    for (int f = 0; f < hull->face_count; f++) {
        Vec3 on = hull->vertex[hull->face[f][0]];
        for (int i = 0; i < count; i++)
            assert_true(vec3_dot(hull->normal[f], vec3_sub(point[i], on)) < 1e-11 * (1 + hull->reach));
    }
    assert_int_equal(hull->face_count, 2 * hull->vertex_count - 4); /* Euler's formula */
}

TEST(hull_contains_all_points)
{
    enum { POINTS = 500 };
    static Vec3 point[POINTS];
    unsigned seed = 11;
    for (int round = 0; round < 6; round++) {
        Arena memory = {0};
        Error err = {0};
        ModelMesh hull = {0};
        for (int i = 0; i < POINTS; i++) {
            double v[3];
            for (int k = 0; k < 3; k++) {
                seed = seed * 1664525u + 1013904223u;
                v[k] = (seed >> 8) / (double)(1u << 24) - 0.5;
            }
            point[i] = vec3_load(v);
            if (round < 2)
                point[i] = vec3_normalize(point[i]); /* on a sphere */
            if (round >= 3) /* a grid: many coplanar and many equal points */
                point[i] = vec3(floor(round * v[0]), floor(round * v[1]), floor(round * v[2]));
        }
        assert_int_equal(mesh_hull(point, POINTS, vec3(0, 0, 0), &memory, &hull, &err), STATUS_OK);
        assert_convex(point, POINTS, &hull);
        assert_true(round >= 2 || hull.vertex_count == POINTS);
        MeshTriangles faces = {hull.vertex_count, hull.face_count, hull.vertex, hull.face};
        assert_true(mesh_moments(&faces, MESH_EXACT).volume > 0);
        arena_free(&memory);
    }
}

/* Vertices that a fuzzer found: a needle along y, and vertices at its tip that lie nearly in its faces. With rounded
 * signs a face had two vertices outside by 4e-6 and 1.3e-5 of the size. */
TEST(hulls_of_slivers_are_convex)
{
    static const double needle[12][3] = {
        {0, 0, 0}, {0, 0, 2.1253493808414501e-41}, {0, 2.2779507836064226e-41, 7.5675722267397421e-41},
        {0, 0, 0}, {0, 0, 0}, {0, 6.7262326287591219e-44, 0}, {0, 0, 0}, {0, 8.8281803252463475e-44, 0},
        {8.8281803252463475e-44, 2.350988701644575e-38, 2.260014163263065e-41}, {0, 0, 0},
        {2.5308571304477656e-40, 0, 0}, {0, 2.2779507836064226e-41, 3.9460564755386849e-42}};
    Arena memory = {0};
    Error err = {0};
    ModelMesh hull = {0};
    Vec3 point[12];
    for (int i = 0; i < 12; i++)
        point[i] = vec3_scale(vec3_load(needle[i]), 1 / 2.350988701644575e-38);
    assert_int_equal(mesh_hull(point, 12, vec3(0, 0, 0), &memory, &hull, &err), STATUS_OK);
    assert_int_equal(hull.vertex_count, 7);
    assert_convex(point, 12, &hull);
    arena_free(&memory);
}

/* Nearly flat and nearly equal points: steps of 1e-3 to 1e-15 of the size in each direction. */
TEST(hulls_of_any_scale_are_convex)
{
    enum { POINTS = 40 };
    unsigned seed = 5;
    int solid = 0;
    for (int round = 0; round < 2000; round++) {
        Arena memory = {0};
        Error err = {0};
        ModelMesh hull = {0};
        Vec3 point[POINTS];
        for (int i = 0; i < POINTS; i++) {
            double v[3];
            for (int k = 0; k < 3; k++) {
                seed = seed * 1664525u + 1013904223u;
                v[k] = ((int)(seed >> 29) - 3) * pow(10, -(int)((seed >> 25) % 16));
            }
            point[i] = vec3_load(v);
        }
        if (mesh_hull(point, POINTS, vec3(0, 0, 0), &memory, &hull, &err) == STATUS_OK) {
            assert_convex(point, POINTS, &hull);
            solid++;
        }
        arena_free(&memory);
    }
    assert_int_equal(solid, 2000);
}

TEST(flat_points_have_no_hull)
{
    Arena memory = {0};
    Error err = {0};
    ModelMesh hull = {0};
    Vec3 flat[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 3, 0}};
    assert_int_equal(mesh_hull(flat, 5, vec3(0, 0, 0), &memory, &hull, &err), STATUS_BAD_INPUT);
    assert_int_equal(mesh_hull(flat, 3, vec3(0, 0, 0), &memory, &hull, &err), STATUS_BAD_INPUT);
    arena_free(&memory);
}

TEST(stl_is_read_in_both_forms)
{
    Arena memory = {0};
    Error err = {0};
    MeshTriangles m = parse("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n vertex 1e0 0 0\r\nvertex 0 2 0\n"
                            "endloop\nendfacet\nendsolid", MESH_STL, &memory);
    assert_int_equal(m.face_count, 1);
    assert_vec3_near(m.vertex[2], vec3(0, 2, 0), 0);
    char binary[84 + 50] = "solid in name alone";
    float v[9] = {0, 0, 0, 1, 0, 0, 0, 2.5f, 0};
    binary[80] = 1;
    memcpy(binary + 84 + 12, v, sizeof v);
    assert_int_equal(mesh_file_parse(binary, sizeof binary, MESH_STL, &memory, &m, &err), STATUS_OK);
    assert_int_equal(m.face_count, 1);
    assert_vec3_near(m.vertex[2], vec3(0, 2.5, 0), 0);
    binary[80] = 2; /* missing face */
    assert_int_equal(mesh_file_parse(binary, sizeof binary, MESH_STL, &memory, &m, &err), STATUS_BAD_INPUT);
    arena_free(&memory);
}

TEST(broken_mesh_reports_line)
{
    static const struct { const char *text; MeshFormat format; int line; } cases[] = {
        {"v 0 0 0\nv 1 0\n", MESH_OBJ, 2}, {"v 0 0 0\nf 1 2 1\n", MESH_OBJ, 2}, {"v 0 0 0\nf 1 1\n", MESH_OBJ, 2},
        {"v 0 0 nan\n", MESH_OBJ, 1}, {"f 1 1 1\n", MESH_OBJ, 1}, {"v 0 0 0\nf -2 1 1\n", MESH_OBJ, 2},
        {"solid\nvertex 1 2 3\n", MESH_STL, 0}, {"", MESH_OBJ, 0}, {"", MESH_STL, 0},
        {"solid\nvertex 1 2 3x\n", MESH_STL, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Arena memory = {0};
        Error err = {0};
        MeshTriangles m;
        const char *text = cases[i].text;
        assert_int_equal(mesh_file_parse(text, strlen(text), cases[i].format, &memory, &m, &err), STATUS_BAD_INPUT);
        assert_int_equal(err.line, cases[i].line);
        arena_free(&memory);
    }
}
