/* control/terrain, control/ground_fit: heights of planes and boxes, a walk that is fitted to a slope and to a step. */
#include "tests/support/test.h"

#include <math.h>

#include "analysis/body/body_model.h"
#include "analysis/clip/clip.h"
#include "analysis/control/playback.h"
#include "analysis/math/elementary.h"
#include "tests/support/walker.h"

/* Height found by halving: the highest place inside a box on a vertical line. */
static double top_of_box(const ModelGeom *g, double x, double z)
{
    double top = -INFINITY;
    for (double y = 3; y > -3; y -= 1e-4) {
        Vec3 p = quat_rotate_inverse(g->orientation, vec3_sub(vec3(x, y, z), g->position));
        if (fabs(p.x) <= g->size.x && fabs(p.y) <= g->size.y && fabs(p.z) <= g->size.z)
            return y;
    }
    return top;
}

TEST(height_of_a_tilted_box_is_that_of_its_surface)
{
    ModelGeom part[2] = {
        {.shape = MODEL_PLANE, .orientation = quat_exp(vec3(-PI / 4, 0, 0))}, /* z to Y */
        {.shape = MODEL_BOX, .position = {0.3, 0.2, -0.1}, .size = {0.5, 0.2, 0.4},
         .orientation = quat_normalize((Quat){0.9, 0.2, -0.3, 0.25})}};
    Terrain t = {.part_count = 2, .part = part};
    int inside = 0, outside = 0;
    for (int i = 0; i < 60; i++) {
        double x = -0.6 + 0.03 * i, z = 0.5 - 0.021 * i, top = top_of_box(&part[1], x, z);
        TerrainSpot spot = terrain_at(&t, x, z);
        assert_near(spot.height, fmax(0, top), 2e-4);
        assert_near(vec3_norm(spot.normal), 1, 1e-12);
        if (top > 0.01) {
            TerrainSpot beside = terrain_at(&t, x + 1e-5, z);
            inside++;
            assert_near(beside.height, terrain_extend(&spot, vec3(x, 0, z), x + 1e-5, z), 1e-6);
        } else
            outside++;
    }
    assert_true(inside > 10 && outside > 10);
}

TEST(slope_rises_ahead_of_the_character)
{
    Terrain t;
    TerrainPlace place = {{1, 2, 3}, {0.6, 0, -0.8}};
    assert_int_equal(terrain_slope(PI / 6, &t, NULL), STATUS_OK);
    terrain_place(&t, &place);
    assert_near(terrain_at(&t, 1, 3).height, 2, 1e-12);
    assert_near(terrain_at(&t, 1.6, 2.2).height, 2 + elementary_tan(PI / 6), 1e-12);
    assert_near(terrain_at(&t, 1 - 0.8, 3 - 0.6).height, 2, 1e-12);
    terrain_free(&t);
}

/* Feet that support are on the ground of the fitted reference, feet in the air are not below it; bones keep their
 * lengths, as the poses are rotations. */
static void check_fit(const Terrain *terrain, double deepest)
{
    Clip c = {0};
    Playback p;
    BodyDef body = body_default_def();
    PlaybackDef def = playback_default_def();
    walker_skeleton(&c.skeleton);
    walker_motion(&c.motion, 101, 100);
    assert_int_equal(body_from_skeleton(&c.skeleton, &body, &c.body, NULL), STATUS_OK);
    ClipView view = {&c.skeleton, &c.body, &c.motion, NULL};
    def.root = ROOT_FREE;
    def.ground = 0;
    def.terrain = terrain;
    assert_int_equal(playback_init(&p, &view, &def, NULL), STATUS_OK);
    Footing ground = playback_footing(&p), recorded = playback_recorded_footing(&p);
    int bearing = 0;
    double lowest = INFINITY;
    assert_true(recorded.terrain == NULL && ground.terrain == &p.terrain);
    for (int f = 0; f < p.motion.frame_count; f++)
        for (int side = 0; side < FOOT_COUNT; side++) {
            int end = ground_fit_foot(&p.lumped.skeleton, side), stands = 0;
            double height = INFINITY;
            for (int i = 0; i < ground.count; i++) {
                Vec3 at = footing_position(&ground, &p.kinematics, (size_t)f * (size_t)p.kinematics.joint_count, i);
                if (ground.joint[i] != end)
                    continue;
                height = fmin(height, footing_height(&ground, at));
                stands |= p.loaded[f * ground.count + i];
            }
            lowest = fmin(lowest, height);
            bearing += stands;
            if (stands)
                assert_true(height < 0.01);
        }
    assert_true(bearing > 20);
    assert_true(lowest > -deepest);
    assert_true(p.ground_miss.distance < 0.01);
    playback_free(&p);
    clip_free(&c);
}

TEST(reference_is_fitted_to_a_slope)
{
    for (int degrees = -8; degrees <= 8; degrees += 4) {
        Terrain t;
        assert_int_equal(terrain_slope(degrees * PI / 180, &t, NULL), STATUS_OK);
        check_fit(&t, 0.01);
        terrain_free(&t);
    }
}

TEST(reference_is_fitted_to_a_box)
{
    ModelGeom part[2] = {{.shape = MODEL_PLANE, .orientation = QUAT_IDENTITY},
                         {.shape = MODEL_BOX, .position = {2.4, 0, 0.04}, .size = {2, 2, 0.04},
                          .orientation = QUAT_IDENTITY}};
    Terrain t = {.part_count = 2, .part = part};
    check_fit(&t, 0.02);
}
