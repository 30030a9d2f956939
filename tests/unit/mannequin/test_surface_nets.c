/* analysis/mannequin/implicit, surface_nets: the surface of a sphere is spherical; blobs blend only where allowed; a
 * floor clips; too fine a grid is rejected. */
#include "analysis/mannequin/surface_nets.h"
#include "tests/support/test.h"

#include <string.h>


static Blob room[8];

static Implicit balls(int count, double apart, double blend)
{
    Implicit shape = {.blob = room, .blob_room = 8};
    implicit_add_group(&shape, (BlobGroup){-1, blend, 0});
    for (int i = 0; i < count; i++)
        implicit_add(&shape,
                     &(Blob){.a = vec3(i * apart, 0, 0), .b = vec3(i * apart, 0, 0), .ra = 1, .rb = 1, .bone = i});
    return shape;
}

TEST(ball_has_the_area_of_a_sphere)
{
    Implicit shape = balls(1, 0, 0);
    Surface s = {0};
    assert_int_equal(surface_nets(&shape, 0.1, &s, NULL), STATUS_OK);
    double area = 0, volume = 0;
    for (int v = 0; v < s.vertex_count; v++)
        assert_near(vec3_norm(s.position[v]), 1, 1e-4);
    for (int f = 0; f < s.face_count; f++) {
        Vec3 a = s.position[s.face[f][0]], b = s.position[s.face[f][1]], c = s.position[s.face[f][2]];
        area += 0.5 * vec3_norm(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
        volume += vec3_dot(a, vec3_cross(b, c)) / 6;
    }
    assert_near(area, 4 * 3.14159265, 0.08);
    assert_near(volume, 4.0 / 3 * 3.14159265, 0.06);
    assert_int_equal(s.vertex_count - s.face_count / 2, 2); /* Euler characteristic: one closed surface without holes */
    surface_free(&s);
}

TEST(flat_blob_has_a_closed_surface)
{
    Implicit shape = {.blob = room, .blob_room = 8};
    Surface s = {0};
    double thickest = 0;
    implicit_add_group(&shape, (BlobGroup){-1, 0, 0});
    implicit_add(&shape,
                 &(Blob){.a = vec3(0, 0, 0), .b = vec3(3, 0, 0), .ra = 1, .rb = 1, .thin = vec3(0, 0, 1), .flat = 0.3});
    assert_int_equal(surface_nets(&shape, 0.1, &s, NULL), STATUS_OK);
    for (int v = 0; v < s.vertex_count; v++) {
        assert_near(implicit_value(&shape, s.position[v]), 0, 2e-3);
        thickest = fmax(thickest, s.position[v].z);
    }
    assert_near(thickest, 0.3, 0.005);
    assert_int_equal(s.vertex_count - s.face_count / 2, 2);
    surface_free(&s);
}

TEST(cone_runs_from_ball_to_ball)
{
    Implicit shape = {.blob = room, .blob_room = 8};
    implicit_add_group(&shape, (BlobGroup){-1, 0, 0});
    implicit_add(&shape, &(Blob){.a = vec3(0, 0, 0), .b = vec3(0, 4, 0), .ra = 1, .rb = 0.5});
    assert_near(implicit_value(&shape, vec3(0, -1, 0)), 0, 1e-12);
    assert_near(implicit_value(&shape, vec3(0, 5, 0)), 0.5, 1e-12);
    double slope = 0.5 / 4, cosine = sqrt(1 - slope * slope); /* halfway, the hull radius is 0.75 / cosine */
    assert_near(implicit_value(&shape, vec3(0.75 / cosine, 2, 0)), 0, 1e-12);
    implicit_clear(&shape);
    implicit_add_group(&shape, (BlobGroup){-1, 0, 0});
    implicit_add(&shape,
                 &(Blob){.a = vec3(0, 0, 0), .b = vec3(0, 0, 0), .ra = 1, .rb = 1, .thin = vec3(0, 0, 1), .flat = 0.5});
    assert_near(implicit_value(&shape, vec3(0, 0, 0.5)), 0, 1e-12);
    assert_near(implicit_value(&shape, vec3(1, 0, 0)), 0, 1e-12);
}

TEST(groups_are_not_blended)
{
    Implicit one = balls(2, 2.1, 0.8);
    Vec3 between = vec3(1.05, 0, 0);
    assert_true(implicit_value(&one, between) < 0); /* blended */
    Implicit two = {.blob = room, .blob_room = 8};
    for (int i = 0; i < 2; i++) {
        implicit_add_group(&two, (BlobGroup){-1, 0.8, 0.8});
        implicit_add(&two, &(Blob){.a = vec3(2.1 * i, 0, 0), .b = vec3(2.1 * i, 0, 0), .ra = 1, .rb = 1, .bone = i});
    }
    assert_near(implicit_value(&two, between), 0.05, 1e-12);
    two.group[1].from = 0;
    assert_true(implicit_value(&two, between) < 0);
    assert_int_equal(implicit_nearest(&two, vec3(1.2, 0, 0)), 1);
    assert_int_equal(implicit_nearest(&two, vec3(0.9, 0, 0)), 0);
}

TEST(floor_cuts_the_surface)
{
    Implicit shape = balls(1, 0, 0);
    Surface s = {0};
    shape.floor_normal = vec3(0, 1, 0);
    shape.floor = -0.5;
    assert_int_equal(surface_nets(&shape, 0.1, &s, NULL), STATUS_OK);
    for (int v = 0; v < s.vertex_count; v++)
        assert_true(s.position[v].y > -0.505);
    surface_free(&s);
}

TEST(too_small_cells_are_refused)
{
    Implicit shape = balls(1, 0, 0);
    Surface s = {0};
    Error err = {0};
    assert_int_equal(surface_nets(&shape, 1e-6, &s, &err), STATUS_LIMIT);
    assert_non_null(strstr(err.text, "cells"));
    assert_int_equal(s.vertex_count, 0);
    surface_free(&s);
}
