/* control/playback: a humanoid on real motions, a ball, a simulation that diverges. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/body/body_model.h"
#include "analysis/control/playback.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "formats/bvh/bvh.h"
#include "tests/support/read_bvh.h"
#include "tests/support/walker.h"

static const char *shared_folder(void)
{
    const char *folder = getenv("KANE_SHARED");
    return folder ? folder : "../shared";
}

/* Returns 1 and the clip with its body; 0 if the file is missing. */
static int read_clip(const char *name, Clip *c)
{
    char path[512];
    snprintf(path, sizeof path, "%s/mocap/%s", shared_folder(), name);
    if (access(path, R_OK)) {
        print_message("skipped: no %s\n", path);
        return 0;
    }
    assert_true(file_clip_with_body(path, c));
    return 1;
}

static void walker_clip(Clip *c)
{
    BodyDef body = body_default_def();
    *c = (Clip){0};
    walker_skeleton(&c->skeleton);
    walker_motion(&c->motion, 101, 100);
    assert_int_equal(body_from_skeleton(&c->skeleton, &body, &c->body, NULL), STATUS_OK);
}

static Tracking run_from(const Clip *c, const PlaybackDef *def, ControllerKind first)
{
    Playback p;
    Tracking t;
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    assert_int_equal(playback_init(&p, &view, def, NULL), STATUS_OK);
    assert_int_equal(playback_tracking(&p, &t, NULL), STATUS_OK);
    for (int i = (int)first; i < CONTROLLER_COUNT; i++) {
        ControllerDef controller = {.kind = (ControllerKind)i, .gains.stiffness = 300};
        assert_int_equal(playback_run(&p, &controller, &t, NULL), STATUS_OK);
    }
    playback_free(&p);
    return t;
}

static TrackingRun run_one(const Playback *p, Tracking *t, ControllerKind kind, double stiffness, double damping)
{
    ControllerDef controller = {.kind = kind, .gains.stiffness = stiffness, .gains.damping = damping};
    assert_int_equal(playback_run(p, &controller, t, NULL), STATUS_OK);
    return t->run[kind];
}

/* Mean error of the best PD at a stiffness, critically or overdamped, among runs that complete; INFINITY if none
 * does. */
static double best_pd(const Playback *p, Tracking *t, double stiffness)
{
    double best = INFINITY, end = (t->frame_count - 1) * p->def.dt;
    for (int k = CONTROLLER_PD; k <= CONTROLLER_BUBBLE_UP; k++)
        for (int over = 0; over < 2; over++) {
            TrackingRun run = run_one(p, t, (ControllerKind)k, stiffness, (over ? 2.8 : 2) * sqrt(stiffness));
            if (run.stable_time > end - 1e-9)
                best = fmin(best, run.mean_error);
        }
    return best;
}

/* At each stiffness, both kinds of kane complete with less than half of the best PD's error; the best of kane has less
 * than half of the best error of all PDs. */
static void compare_over_stiffness(const Playback *p, Tracking *t)
{
    const double stiffness[] = {30, 100, 300, 1000};
    double best = INFINITY, best_kane = INFINITY;
    for (int s = 0; s < 4; s++) {
        double pd = best_pd(p, t, stiffness[s]);
        best = fmin(best, pd);
        for (int k = CONTROLLER_KANE; k <= CONTROLLER_KANE_FEEDFORWARD; k++) {
            TrackingRun run = run_one(p, t, (ControllerKind)k, stiffness[s], 0);
            assert_true(run.mean_error < 0.5 * pd);
            assert_near(run.stable_time, (t->frame_count - 1) * p->def.dt, 1e-9);
            best_kane = fmin(best_kane, run.mean_error);
        }
    }
    assert_true(isfinite(best)); /* at least one PD completes */
    assert_true(best_kane < 0.5 * best);
}

/* A short version of the thesis's table 3.3, on at most two seconds of each clip. */
TEST(inverse_dynamics_beats_pd_on_real_motions)
{
    const char *name[] = {"mass__mass_backflip.bvh", "rokoko__jesse_dance.bvh"};
    for (int i = 0; i < 2; i++) {
        Clip c;
        Playback p;
        Tracking t;
        PlaybackDef def = playback_default_def();
        if (!read_clip(name[i], &c))
            continue;
        c.motion.frame_count = c.motion.frame_count < 200 ? c.motion.frame_count : 200;
        ClipView view = {&c.skeleton, &c.body, &c.motion, &c.kinematics};
        assert_int_equal(playback_init(&p, &view, &def, NULL), STATUS_OK);
        assert_int_equal(playback_tracking(&p, &t, NULL), STATUS_OK);
        compare_over_stiffness(&p, &t);
        tracking_free(&t);
        playback_free(&p);
        clip_free(&c);
    }
}

/* With a kinematic root and ground contact, a human and a dog walk to the end. */
TEST(walks_on_the_ground_reach_their_end)
{
    const char *name[] = {"bandai__dataset-1_walk_normal_001.bvh", "dog__dog_walk.bvh"};
    const double ground[] = {0.042, 0.017}; /* m, as estimated by the contact stage */
    for (int i = 0; i < 2; i++) {
        Clip c;
        PlaybackDef def = playback_default_def();
        if (!read_clip(name[i], &c))
            continue;
        def.ground = ground[i];
        Tracking t = run_from(&c, &def, CONTROLLER_KANE_FEEDFORWARD);
        const TrackingRun *run = &t.run[CONTROLLER_KANE_FEEDFORWARD];
        assert_near(run->stable_time, (t.frame_count - 1) * def.dt, 1e-9);
        assert_true(run->mean_error < 0.15);
        tracking_free(&t);
        clip_free(&c);
    }
}

/* With the reference's velocity and acceleration, the error is that of the time step and decreases with it. */
TEST(error_decreases_with_the_time_step)
{
    Clip c;
    double error[2];
    walker_clip(&c);
    for (int i = 0; i < 2; i++) {
        PlaybackDef def = playback_default_def();
        def.dt = i == 0 ? 0.01 : 0.005;
        Tracking t = run_from(&c, &def, CONTROLLER_KANE);
        error[i] = t.run[CONTROLLER_KANE_FEEDFORWARD].mean_error;
        tracking_free(&t);
    }
    assert_true(error[0] < 0.01);
    assert_true(error[1] < 0.6 * error[0]);
    clip_free(&c);
}

TEST(ball_disturbance_decays)
{
    Clip c;
    walker_clip(&c);
    PlaybackDef def = playback_default_def();
    Tracking calm = run_from(&c, &def, CONTROLLER_KANE);
    def.ball = (BallDrop){.mass = 5, .radius = 0.05, .height = 0.6, .time = 0.05, .joint = 10}; /* the chest */
    Tracking hit = run_from(&c, &def, CONTROLLER_KANE);
    const TrackingRun *a = &calm.run[CONTROLLER_KANE_FEEDFORWARD], *b = &hit.run[CONTROLLER_KANE_FEEDFORWARD];
    double max = 0;
    for (int f = 0; f < hit.frame_count; f++)
        max = fmax(max, b->orientation_error[f * hit.joint_count + 10]);
    assert_true(max > 10 * a->mean_error);
    assert_true(b->final_error < 2 * a->final_error + 0.01);
    tracking_free(&calm);
    tracking_free(&hit);
    clip_free(&c);
}

/* The ground supports feet that the root path presses into it. */
TEST(ground_supports_the_feet)
{
    Clip c;
    walker_clip(&c);
    PlaybackDef def = playback_default_def();
    Tracking without = run_from(&c, &def, CONTROLLER_KANE);
    def.ground = 0.25; /* m: above the soles by more than the tracking error */
    Tracking with = run_from(&c, &def, CONTROLLER_KANE);
    int foot = 3, end = (with.frame_count - 1) * with.joint_count;
    const TrackingRun *a = &without.run[CONTROLLER_KANE], *b = &with.run[CONTROLLER_KANE];
    assert_true(b->position_error[end + foot] > a->position_error[end + foot] + 0.01);
    tracking_free(&without);
    tracking_free(&with);
    clip_free(&c);
}

/* Minimum height of a contact point above the ground over all frames, m. */
static double lowest_pass(const Playback *p, int point)
{
    const Kinematics *k = &p->kinematics;
    double lowest = INFINITY;
    for (int f = 0; f < k->frame_count; f++) {
        int at = f * k->joint_count + p->shapes.joint[point];
        Vec3 place = vec3_add(k->position[at], quat_rotate(k->orientation[at], p->shapes.point[point]));
        lowest = fmin(lowest, vec3_dot(p->def.ground_normal, vec3_sub(place, vec3(0, p->def.ground, 0))));
    }
    return lowest;
}

/* A walk on ground with a slope (rise over run). */
static void climb(double rise, Clip *c, PlaybackDef *def)
{
    walker_clip(c);
    *def = playback_default_def();
    def->ground = 0;
    def->ground_normal = vec3_normalize(vec3(0, 1, -rise));
    for (int f = 0; f < c->motion.frame_count; f++)
        c->motion.root_position[f].y += rise * c->motion.root_position[f].z;
}

/* Contact points of a foot are moved to the ground, level or not; those of the ball remain ahead of the ankle. */
TEST(feet_rest_on_the_ground)
{
    for (int sloped = 0; sloped < 2; sloped++) {
        Clip c;
        Playback p;
        PlaybackDef def;
        int feet = 0, toes = 0;
        climb(sloped ? 0.5 : 0, &c, &def);
        ClipView view = {&c.skeleton, &c.body, &c.motion, &c.kinematics};
        assert_int_equal(playback_init(&p, &view, &def, NULL), STATUS_OK);
        for (int i = 0; i < p.shapes.sole_count; i++) {
            Role role = p.lumped.skeleton.role[p.shapes.joint[i]];
            if (role != ROLE_LEFT_ANKLE && role != ROLE_RIGHT_ANKLE)
                continue;
            assert_near(lowest_pass(&p, i), 0, 1e-12);
            feet++;
            toes += p.shapes.point[i].z > 0.05;
        }
        assert_true(feet >= 4 && toes >= 2);
        playback_free(&p);
        clip_free(&c);
    }
}

/* A walk uphill is tracked as well as on level ground. */
TEST(walk_climbs_a_slope)
{
    double error[2];
    for (int sloped = 0; sloped < 2; sloped++) {
        Clip c;
        PlaybackDef def;
        climb(sloped ? 0.2 : 0, &c, &def);
        Tracking t = run_from(&c, &def, CONTROLLER_KANE);
        error[sloped] = t.run[CONTROLLER_KANE].mean_error;
        tracking_free(&t);
        clip_free(&c);
    }
    assert_near(error[1], error[0], 2e-3);
}

/* Torques anticipate the root's motion in their own step, not the previous one. */
TEST(oscillating_root_path_is_anticipated)
{
    Clip c;
    walker_clip(&c);
    for (int f = 0; f < c.motion.frame_count; f++)
        c.motion.root_position[f].x += 0.1 * elementary_sin(2 * PI * 4 * c.motion.time[f]);
    PlaybackDef def = playback_default_def();
    Tracking t = run_from(&c, &def, CONTROLLER_KANE);
    assert_true(t.run[CONTROLLER_KANE_FEEDFORWARD].mean_error < 1e-3); /* with the previous step: 0.013 */
    tracking_free(&t);
    clip_free(&c);
}

TEST(invalid_definitions_are_refused)
{
    Clip c;
    Playback p;
    Error err = {0};
    walker_clip(&c);
    PlaybackDef def = playback_default_def();
    def.dt = 0;
    ClipView view = {&c.skeleton, &c.body, &c.motion, &c.kinematics};
    assert_int_equal(playback_init(&p, &view, &def, &err), STATUS_USAGE);
    assert_string_equal(err.text, "--dt out of range: 0 s");
    def = playback_default_def();
    def.ball = (BallDrop){.mass = 1, .joint = WALKER_JOINTS};
    assert_int_equal(playback_init(&p, &view, &def, NULL), STATUS_USAGE);
    clip_free(&c);
}

/* Time continues in steps. */
TEST(longer_duration_repeats_the_last_pose)
{
    Clip c;
    Playback p;
    walker_clip(&c); /* one second */
    PlaybackDef def = playback_default_def();
    def.dt = 0.02;
    def.duration = 1.5;
    ClipView view = {&c.skeleton, &c.body, &c.motion, &c.kinematics};
    assert_int_equal(playback_init(&p, &view, &def, NULL), STATUS_OK);
    assert_int_equal(p.motion.frame_count, 76);
    for (int f = 0; f < 76; f++) {
        assert_near(p.motion.time[f], c.motion.time[0] + 0.02 * f, 1e-12);
        if (f > 50)
            assert_vec3_near(p.motion.root_position[f], p.motion.root_position[50], 0);
    }
    playback_free(&p);
    clip_free(&c);
}

/* Other clips may be long enough: the message is about this clip. */
TEST(motions_that_are_too_short_are_refused)
{
    Clip c;
    Playback p;
    Error err = {0};
    walker_clip(&c); /* one second */
    PlaybackDef def = playback_default_def();
    def.dt = 3;
    ClipView view = {&c.skeleton, &c.body, &c.motion, &c.kinematics};
    assert_int_equal(playback_init(&p, &view, &def, &err), STATUS_BAD_INPUT);
    def = playback_default_def();
    def.ball = (BallDrop){.mass = 1, .radius = 0.05, .height = 6, .time = -1}; /* falls for 1.1 s */
    assert_int_equal(playback_init(&p, &view, &def, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "1.106 s"));
    def.ball.height = 4; /* 0.9 s */
    assert_int_equal(playback_init(&p, &view, &def, &err), STATUS_OK);
    playback_free(&p);
    def.ball.time = 0.2;
    assert_int_equal(playback_init(&p, &view, &def, &err), STATUS_BAD_INPUT);
    clip_free(&c);
}

/* Rebound height of the ball after its first impact, m. */
static double rebound(const Clip *c, double restitution)
{
    PlaybackDef def = playback_default_def();
    def.restitution = restitution;
    def.ball = (BallDrop){.mass = 0.01, .radius = 0.05, .height = 0.8, .time = 0.05, .joint = 10};
    Tracking t = run_from(c, &def, CONTROLLER_KANE_FEEDFORWARD);
    const Vec3 *ball = t.run[CONTROLLER_KANE_FEEDFORWARD].ball;
    double min = INFINITY, rise = 0;
    for (int f = 0; f < t.frame_count; f++) {
        min = fmin(min, ball[f].y);
        rise = ball[f].y < min + 1e-12 ? rise : fmax(rise, ball[f].y - min);
    }
    tracking_free(&t);
    return rise;
}

TEST(ball_rebounds_with_the_given_restitution)
{
    Clip c;
    walker_clip(&c);
    double dull = rebound(&c, 0), lively = rebound(&c, 0.8);
    assert_true(dull < 0.01);
    assert_true(lively > 0.05);
    clip_free(&c);
}

/* Largest knee flexion in a run, rad. */
static double max_bend(const Clip *c, const TrackingRun *run, int frames, Role knee)
{
    int joint = skeleton_find_role(&c->skeleton, knee), joints = c->skeleton.joint_count;
    double max = 0;
    for (int f = 0; f < frames; f++) {
        const Quat *row = run->orientation + (size_t)f * (size_t)joints;
        Quat turn = quat_mul(quat_conjugate(row[c->skeleton.parent[joint]]), row[joint]);
        max = fmax(max, 2 * vec3_norm(quat_log(turn)));
    }
    return max;
}

/* The walker's left knee flexes by 0.55 rad: a limit of 0.4 stops it there, and the right one is unaffected. */
TEST(limit_stops_a_knee)
{
    Clip c;
    PlaybackDef def = playback_default_def();
    JointLimit knee = {ROLE_LEFT_KNEE, {-0.1, -0.1, 0}, {0.1, 0.1, 0.4}};
    JointLimits limits = {1, &knee};
    walker_clip(&c);
    for (int limited = 0; limited < 2; limited++) {
        def.limits = limited ? &limits : NULL;
        Tracking t = run_from(&c, &def, CONTROLLER_KANE_FEEDFORWARD);
        const TrackingRun *run = &t.run[CONTROLLER_KANE_FEEDFORWARD];
        double left = max_bend(&c, run, t.frame_count, ROLE_LEFT_KNEE);
        assert_true(limited ? left > 0.39 && left < 0.41 : left > 0.5);
        assert_true(max_bend(&c, run, t.frame_count, ROLE_RIGHT_KNEE) > 0.5);
        tracking_free(&t);
    }
    clip_free(&c);
}

/* A compliant knee lets shank and foot, 4 kg, sag; the other does not. */
TEST(compliant_knee_deflects)
{
    Clip c;
    PlaybackDef def = playback_default_def();
    walker_clip(&c);
    int left = skeleton_find_role(&c.skeleton, ROLE_LEFT_KNEE);
    int right = skeleton_find_role(&c.skeleton, ROLE_RIGHT_KNEE);
    SoftJoint knee = {left, 2000, 100};
    def.soft = (SoftJoints){1, &knee};
    Tracking t = run_from(&c, &def, CONTROLLER_KANE_FEEDFORWARD);
    const TrackingRun *run = &t.run[CONTROLLER_KANE_FEEDFORWARD];
    double sag[2] = {0, 0};
    for (int f = t.frame_count / 2; f < t.frame_count; f++) {
        const double *row = run->position_error + (size_t)f * (size_t)t.joint_count;
        sag[0] = fmax(sag[0], row[left]);
        sag[1] = fmax(sag[1], row[right]);
    }
    assert_true(sag[0] > 0.01 && sag[0] < 0.05);
    assert_true(sag[1] < 0.2 * sag[0]);
    tracking_free(&t);
    clip_free(&c);
}
