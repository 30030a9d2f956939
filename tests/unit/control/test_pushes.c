/* analysis/control/pushes: directions, times, and what a push does to the momentum of a body. */
#include "tests/support/test.h"

#include <math.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/body/body_model.h"
#include "analysis/clip/clip.h"
#include "analysis/control/playback.h"
#include "analysis/math/elementary.h"
#include "analysis/motion/kinematics.h"
#include "tests/support/walker.h"

TEST(shares_of_steps_add_up_to_the_duration)
{
    Push push = {.force = 1, .start = 0.123, .seconds = 0.2};
    const double dt[] = {0.01, 0.007, 0.05};
    for (int i = 0; i < 3; i++) {
        double sum = 0;
        for (int f = 0; f * dt[i] < 1; f++)
            sum += push_share(&push, f * dt[i], dt[i]) * dt[i];
        assert_near(sum, 0.2, 1e-12);
    }
}

TEST(words_of_directions_are_read)
{
    PushDirection d;
    assert_true(push_direction_parse("Forward", &d) && d.of_character && d.axis.z == 1);
    assert_true(push_direction_parse("-y", &d) && !d.of_character && d.axis.y == -1);
    assert_false(push_direction_parse("sideways", &d));
    assert_false(push_direction_parse("", &d));
}

/* A walker that faces +X: its left is -Z. A body that leans keeps horizontal directions. */
TEST(directions_are_those_of_the_character)
{
    Skeleton s;
    Kinematics now = {0};
    Vec3 position[WALKER_JOINTS] = {{0}}, out, up = {0, 1, 0};
    const char *word[] = {"forward", "left", "up", "back", "right", "down", "Z"};
    const Vec3 wanted[] = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}, {-1, 0, 0}, {0, 0, 1}, {0, -1, 0}, {0, 0, 1}};
    walker_skeleton(&s);
    now.joint_count = WALKER_JOINTS;
    now.position = position;
    position[1] = vec3(0, 1.04, -0.1);
    position[5] = vec3(0, 0.98, 0.1);
    for (int i = 0; i < 7; i++) {
        PushDirection d;
        assert_true(push_direction_parse(word[i], &d));
        assert_int_equal(push_direction(&d, &s, &now, up, &out, NULL), STATUS_OK);
        assert_vec3_near(out, wanted[i], 1e-12);
    }
    position[5] = vec3(0, 0.5, -0.1); /* one hip above the other, and shoulders in one place */
    PushDirection forward = {1, {0, 0, 1}};
    assert_int_equal(push_direction(&forward, &s, &now, up, &out, NULL), STATUS_BAD_INPUT);
    position[13] = vec3(0, 1.4, -0.2); /* the shoulders show it */
    position[16] = vec3(0, 1.4, 0.2);
    assert_int_equal(push_direction(&forward, &s, &now, up, &out, NULL), STATUS_OK);
    assert_vec3_near(out, vec3(1, 0, 0), 1e-12);
    skeleton_free(&s);
}

/* Centre of mass of a run's bodies, from the world orientations of joints and the position of the root. */
static Vec3 mass_centre(const Clip *c, const TrackingRun *run, int frame)
{
    Vec3 at[WALKER_JOINTS], sum = {0, 0, 0};
    double mass = 0;
    for (int j = 0; j < WALKER_JOINTS; j++) {
        const Quat *turn = run->orientation + (size_t)frame * WALKER_JOINTS;
        int parent = c->skeleton.parent[j];
        at[j] = parent < 0 ? run->root_position[frame]
                           : vec3_add(at[parent], quat_rotate(turn[parent], c->skeleton.offset[j]));
        sum = vec3_mad(sum, c->body.mass[j], vec3_add(at[j], quat_rotate(turn[j], c->body.com[j])));
        mass += c->body.mass[j];
    }
    return vec3_scale(sum, 1 / mass);
}

/* The walker in free fall, far above the ground, facing +Z, with a push or a ball; balanced by nobody. */
static void fly(const Pushes *pushes, const BallDrop *ball, Clip *c, Tracking *t)
{
    Playback p;
    BodyDef body = body_default_def();
    PlaybackDef def = playback_default_def();
    ControllerDef controller = controller_default_def();
    *c = (Clip){0};
    walker_skeleton(&c->skeleton);
    assert_int_equal(motion_init(&c->motion, 61, WALKER_JOINTS, 0.01, 0, NULL), STATUS_OK);
    for (int f = 0; f < 61; f++)
        c->motion.root_position[f] = vec3(0, 50 - 0.5 * GRAVITY * f * f * 1e-4, 0);
    for (int i = 0; i < 61 * WALKER_JOINTS; i++)
        c->motion.rotation[i] = QUAT_IDENTITY;
    assert_int_equal(body_from_skeleton(&c->skeleton, &body, &c->body, NULL), STATUS_OK);
    ClipView view = {&c->skeleton, &c->body, &c->motion, NULL};
    def.root = ROOT_FREE;
    def.ground = 0;
    def.pushes = pushes;
    if (ball)
        def.ball = *ball;
    controller.kind = CONTROLLER_KANE;
    assert_int_equal(playback_init(&p, &view, &def, NULL), STATUS_OK);
    assert_int_equal(playback_tracking(&p, t, NULL), STATUS_OK);
    assert_int_equal(playback_run(&p, &controller, t, NULL), STATUS_OK);
    playback_free(&p);
}

/* Joint torques do not change the momentum: the centre of mass gains force times duration over mass, from a push that
 * begins and ends within steps, and falls. */
TEST(push_changes_the_momentum_by_its_impulse)
{
    Push push = {.joint = 10, .force = 300, .direction = {1, {-1, 0, 0}}, .start = 0.103, .seconds = 0.2,
                 .point = {0, 0.1, 0.1}, .has_point = 1};
    Pushes pushes = {1, &push};
    Clip c;
    Tracking t;
    fly(&pushes, NULL, &c, &t);
    const TrackingRun *run = &t.run[CONTROLLER_KANE];
    double mass = c.body.total_mass, dt = 0.01;
    Vec3 before = vec3_sub(mass_centre(&c, run, 10), mass_centre(&c, run, 9));
    Vec3 after = vec3_sub(mass_centre(&c, run, 50), mass_centre(&c, run, 49));
    Vec3 gain = vec3_scale(vec3_sub(after, before), 1 / dt);
    assert_near(gain.x, -300 * 0.2 / mass, 2e-3 * 60 / mass);
    assert_near(gain.y, -GRAVITY * 0.4, 2e-3);
    assert_near(gain.z, 0, 2e-3);
    double impulse = 0;
    for (size_t f = 0; f < 60; f++)
        impulse += run->push_force[f * WALKER_JOINTS + 10].x * dt;
    assert_near(impulse, -60, 1e-9);
    assert_near(run->contact_force[30 * WALKER_JOINTS + 3].y, 0, 0); /* above the ground */
    tracking_free(&t);
    clip_free(&c);
}

/* A ball from the left is due at the chest: on its way it moves by its speed against `from`, and what it loses the body
 * gains. */
TEST(thrown_ball_comes_from_its_side_and_gives_its_momentum)
{
    BallDrop ball = {.mass = 2, .radius = 0.05, .joint = 10, .time = 0.3, .speed = 6, .from = {1, {1, 0, 0}}};
    Clip c;
    Tracking t;
    fly(NULL, &ball, &c, &t);
    const TrackingRun *run = &t.run[CONTROLLER_KANE];
    assert_near(run->ball[1].x - run->ball[11].x, 0.6, 1e-3);
    assert_true(run->ball[1].x > 1.6 && fabs(run->ball[1].z - run->root_position[0].z) < 0.1);
    Vec3 end = vec3_scale(vec3_sub(run->ball[60], run->ball[59]), 100);
    Vec3 body = vec3_scale(vec3_sub(mass_centre(&c, run, 60), mass_centre(&c, run, 59)), 100);
    assert_true(end.x > -2); /* it has hit */
    assert_near(2 * (end.x + 6) + c.body.total_mass * body.x, 0, 0.02 * 12);
    assert_true(body.x < -0.1);
    tracking_free(&t);
    clip_free(&c);
}

TEST(push_after_the_motion_is_refused)
{
    Push push = {.joint = 10, .force = 300, .direction = {0, {1, 0, 0}}, .start = 2, .seconds = 0.2};
    Pushes pushes = {1, &push};
    Clip c = {0};
    Playback p;
    Error err = {0};
    BodyDef body = body_default_def();
    PlaybackDef def = playback_default_def();
    walker_skeleton(&c.skeleton);
    walker_motion(&c.motion, 101, 100);
    assert_int_equal(body_from_skeleton(&c.skeleton, &body, &c.body, NULL), STATUS_OK);
    ClipView view = {&c.skeleton, &c.body, &c.motion, NULL};
    def.pushes = &pushes;
    assert_int_equal(playback_init(&p, &view, &def, &err), STATUS_BAD_INPUT);
    clip_free(&c);
}
