/* analysis/contact/ground_tilt: a plane through groups of different heights, with boxes beside the path, over short
 * paths, and with soles that are not parallel to it. */
#include "tests/support/test.h"

#include "analysis/base/standard_gravity.h"
#include "analysis/contact/contact_points.h"
#include "analysis/contact/ground_tilt.h"
#include "analysis/contact/ground_track.h"
#include "analysis/math/elementary.h"

enum { FRAMES = 400, GROUPS = 2 };
#define LEG 0.8

typedef struct Way {
    Vec3 slope;     /* slope along x and z */
    double length;  /* m, length of the path along x, and nearly its width */
    double soles;   /* fraction of the slope that the soles have */
    double box;     /* m, height of every sixth rest */
} Way;

/* Heel and ball of one foot at rest along a path. */
static Vec3 normal_of(Way w)
{
    ContactGroup group[GROUPS] = {{.is_sole = 1, .is_heel = 1}, {.is_sole = 1}};
    ContactPoints points = {.group_count = GROUPS, .group = group, .leg_length = LEG};
    Arena arena = {0};
    Track t = track_new(FRAMES, GROUPS, &arena);
    Vec3 normal;
    for (int f = 0; f < FRAMES; f++) {
        double s = floor(f / 20.0) / (FRAMES / 20 - 1), heel = f / 20 % 6 == 5 ? w.box : 0;
        Vec3 at = vec3(w.length * s, 0, 0.4 * w.length * (f / 20 % 3 - 1)), ahead = {0.1, 0, 0.15};
        at.y = vec3_dot(w.slope, at) + heel;
        t.position[f * GROUPS] = at;
        t.position[f * GROUPS + 1] = vec3_add(at, vec3(ahead.x, w.soles * vec3_dot(w.slope, ahead), ahead.z));
    }
    assert_int_equal(ground_tilt(&points, &t, sqrt(GRAVITY * LEG), &normal, NULL), STATUS_OK);
    arena_free(&arena);
    return normal;
}

static double degrees_between(Vec3 a, Vec3 b)
{
    return elementary_asin(vec3_norm(vec3_cross(a, b))) * 180 / PI;
}

TEST(slope_is_found_beside_boxes)
{
    static const double boxes[] = {0, 0.25};
    for (int i = 0; i < 2; i++) {
        Vec3 slope = {0.08, 0, -0.03}, up = vec3_normalize(vec3(-slope.x, 1, -slope.z));
        Vec3 n = normal_of((Way){.slope = slope, .length = 5, .soles = 1, .box = boxes[i]});
        assert_near(vec3_norm(n), 1, 1e-12);
        assert_true(degrees_between(n, up) < 0.3);
    }
}

TEST(insufficient_slope_data_is_level)
{
    Vec3 up = {0, 1, 0}, slope = {0.4, 0, 0};
    assert_vec3_near(normal_of((Way){.slope = slope, .length = 5, .soles = 0}), up, 0);    /* stairs */
    assert_vec3_near(normal_of((Way){.slope = slope, .length = 0.3, .soles = 1}), up, 0);  /* one location */
    assert_vec3_near(normal_of((Way){.slope = {0.004, 0, 0}, .length = 5, .soles = 1}), up, 0); /* noise */
}
