/* analysis/retarget/limb_solve: without goals nothing moves; goals of path and height are met; a straight leg out of
 * reach does not bend backwards; a body in flight falls as required; clearances are kept. */
#include "analysis/retarget/limb_solve.h"
#include "tests/support/test.h"

#include <stdlib.h>

#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"

enum { FRAMES = 120 };

/* A body with one leg of a metre, flexed by `bend`, standing on y = 0. */
typedef struct OneLegged {
    LimbProblem problem;
    LimbShape shape[FRAMES];
    LimbState wanted[FRAMES], found[FRAMES];
    LimbGoal goal[FRAMES];
    Vec3 wanted_shift[FRAMES], shift[FRAMES];
    double fall[FRAMES];
    uint8_t falls[FRAMES];
} OneLegged;

static OneLegged *one_legged(double bend)
{
    OneLegged *b = calloc(1, sizeof *b);
    b->problem = (LimbProblem){.frame_count = FRAMES, .frame_time = 0.01, .normal = {0, 1, 0}, .length = 1,
                               .used = {1}, .shape = {b->shape}, .wanted = {b->wanted}, .goal = {b->goal},
                               .wanted_shift = b->wanted_shift, .fall = b->fall, .falls = b->falls};
    Vec3 lower = quat_rotate(quat_from_axis_angle(vec3(1, 0, 0), bend), vec3(0, -0.5, 0));
    for (int f = 0; f < FRAMES; f++) {
        b->shape[f] = (LimbShape){{0, 1, 0}, {0, -0.5, 0}, lower, {1, 0, 0}};
        b->goal[f].floor = -INFINITY;
    }
    return b;
}

static void solve(OneLegged *b)
{
    LimbSolveDef def = limb_solve_default_def();
    LimbState *state[LIMB_COUNT] = {b->found};
    assert_int_equal(limb_solve(&b->problem, &def, b->shift, state, NULL), STATUS_OK);
}

static Vec3 end_of(const OneLegged *b, int f)
{
    return vec3_add(vec3_add(b->shape[f].root, b->shift[f]), limb_reach(&b->shape[f], &b->found[f]));
}

TEST(limbs_without_goals_do_not_move)
{
    OneLegged *b = one_legged(0.5);
    (void)state;
    for (int f = 0; f < FRAMES; f++)
        b->wanted[f].bend = 0.1;
    solve(b);
    for (int f = 0; f < FRAMES; f++) {
        assert_vec3_near(b->shift[f], vec3(0, 0, 0), 1e-12);
        assert_vec3_near(b->found[f].rotation, vec3(0, 0, 0), 1e-12);
        assert_near(b->found[f].bend, 0.1, 1e-12);
    }
    free(b);
}

TEST(limb_goals_are_reached)
{
    OneLegged *b = one_legged(0.5);
    (void)state;
    for (int f = 0; f < FRAMES; f++)
        b->goal[f] = (LimbGoal){{0.1, 0, -0.05}, 1, 0.2, 1, -INFINITY};
    solve(b);
    for (int f = 10; f + 10 < FRAMES; f++) {
        Vec3 velocity = vec3_scale(vec3_sub(end_of(b, f + 1), end_of(b, f)), 100);
        assert_near(velocity.x, 0.1, 0.01);
        assert_near(velocity.z, -0.05, 0.01);
        assert_near(end_of(b, f).y, 0.2, 0.002);
    }
    free(b);
}

/* The goal is 5 cm beyond the reach of the straight leg: the body moves down. */
TEST(straight_leg_stays_straight)
{
    OneLegged *b = one_legged(0);
    (void)state;
    for (int f = 0; f < FRAMES; f++)
        b->goal[f] = (LimbGoal){{0, 0, 0}, 1, -0.05, 1, -INFINITY};
    solve(b);
    for (int f = 0; f < FRAMES; f++) {
        assert_true(limb_bend(&b->shape[f]) + b->found[f].bend > -1e-3);
        assert_near(end_of(b, f).y, -0.05, 0.001);
        assert_near(b->shift[f].y, -0.05, 0.002);
    }
    free(b);
}

TEST(body_in_flight_falls)
{
    OneLegged *b = one_legged(0.5);
    (void)state;
    for (int f = 40; f < 80; f++) {
        b->falls[f] = 1;
        b->fall[f] = 3;
    }
    solve(b);
    for (int f = 45; f < 75; f++)
        assert_near((b->shift[f + 1].y - 2 * b->shift[f].y + b->shift[f - 1].y) / 1e-4, 3, 0.3);
    assert_true(fabs(b->shift[60].x) < 1e-9);
    free(b);
}

/* Between knee and end effector of a frame, without the shift of the body. */
static void lower_part(const OneLegged *b, int f, Vec3 out[2])
{
    out[0] = vec3_add(b->shape[f].root, quat_rotate(limb_upper_rotation(&b->found[f]), b->shape[f].upper));
    out[1] = vec3_add(b->shape[f].root, limb_reach(&b->shape[f], &b->found[f]));
}

/* An obstacle is 2 cm in front of the shank in the middle of the interval, with a required clearance of 10 cm: the leg
 * moves back, from either side, and is unchanged before and after. */
TEST(guard_distance_is_kept)
{
    for (int behind = 0; behind < 2; behind++) {
        OneLegged *b = one_legged(0.5);
        LimbGuard guard[FRAMES];
        Vec3 knee = vec3(0, 0.5, 0), end = vec3_add(knee, b->shape[0].lower), lower[2];
        Vec3 ahead = vec3_normalize(vec3_cross(vec3(1, 0, 0), vec3_sub(end, knee)));
        Vec3 bar = vec3_mad(vec3_scale(vec3_add(knee, end), 0.5), 0.02, ahead);
        for (int i = 0; i < 40; i++)
            guard[i] = (LimbGuard){.limb = 0, .frame = 40 + i, .side = vec3_scale(ahead, behind ? 1 : -1), .min = 0.1,
                                   .part = {vec3_mad(bar, 1, vec3(1, 0, 0)), vec3_mad(bar, -1, vec3(1, 0, 0))}};
        b->problem.guard = guard;
        b->problem.guard_count = 40;
        solve(b);
        for (int f = 45; f < 75; f++) {
            lower_part(b, f, lower);
            Vec3 apart = segments_apart(lower, guard[f - 40].part);
            assert_near(vec3_norm(apart), 0.1, 0.005);
            assert_true(vec3_dot(apart, guard[f - 40].side) > 0);
            assert_vec3_near(b->shift[f], vec3(0, 0, 0), 1e-12);
        }
        assert_true(vec3_norm(b->found[0].rotation) < 0.01 && vec3_norm(b->found[FRAMES - 1].rotation) < 0.01);
        for (int i = 0; i < 40; i++)
            guard[i].min = behind ? -0.03 : 0.015;
        solve(b);
        assert_true(vec3_norm(b->found[60].rotation) < 1e-12 && fabs(b->found[60].bend) < 1e-12);
        free(b);
    }
}
