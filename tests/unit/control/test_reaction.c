/* control/reaction, control/toe_hinge: what a fall keeps to, by the poses of its run. */
#include "tests/support/test.h"

#include <math.h>

#include "analysis/control/playback.h"
#include "analysis/math/elementary.h"
#include "tests/support/read_bvh.h"

#define DEGREE (PI / 180)
#define STEP 0.002 /* s: impacts at longer steps carry a joint further for a few steps (docs/tracking.md) */

/* Largest angle of a joint beyond one of its limits, rad. */
static double beyond(const Playback *p, const TrackingRun *run, int frame, int limit)
{
    const LumpedBody *l = &p->lumped;
    const AngleLimits *a = &p->limits.limit[limit];
    int body = p->limits.joint[limit], parent = l->skeleton.parent[body];
    const Quat *row = run->orientation + (size_t)frame * (size_t)l->source_count;
    Quat turn = quat_mul(quat_conjugate(row[l->source[parent]]), row[l->source[body]]);
    RollPitchYaw is = roll_pitch_yaw_from_quat(quat_mul(quat_conjugate(a->parent), quat_mul(turn, a->child)));
    double over = fmax(fmax(a->min.roll - is.roll, is.roll - a->max.roll),
                       fmax(a->min.pitch - is.pitch, is.pitch - a->max.pitch));
    return fmax(over, fmax(a->min.yaw - is.yaw, is.yaw - a->max.yaw));
}

/* Height of a joint of the clip, or of a point of it, over the ground. */
static double height_of(const Clip *c, const TrackingRun *run, int frame, int joint, Vec3 offset, double ground)
{
    const Quat *row = run->orientation + (size_t)frame * (size_t)c->skeleton.joint_count;
    double y = quat_rotate(row[joint], offset).y;
    for (int j = joint; c->skeleton.parent[j] >= 0; j = c->skeleton.parent[j])
        y += quat_rotate(row[c->skeleton.parent[j]], c->skeleton.offset[j]).y;
    return run->root_position[frame].y + y - ground;
}

/* A squat that is pushed at the chest with 400 N in a direction: it falls. */
static void check_fall(Vec3 direction)
{
    Clip c;
    Playback p;
    Tracking t;
    assert_true(file_clip_with_body("data/squat.bvh", &c));
    Push push = {.joint = skeleton_find_role(&c.skeleton, ROLE_CHEST), .force = 400, .direction = {1, direction},
                 .start = 1, .seconds = 0.2};
    Pushes pushes = {1, &push};
    ClipView view = {&c.skeleton, &c.body, &c.motion, NULL};
    PlaybackDef def = playback_default_def();
    ControllerDef controller = controller_default_def();
    controller.kind = CONTROLLER_KANE_FEEDFORWARD;
    def.dt = STEP;
    def.root = ROOT_FREE;
    def.ground = 0;
    def.strength_share = 1;
    def.pushes = &pushes;
    assert_int_equal(playback_init(&p, &view, &def, NULL), STATUS_OK);
    assert_int_equal(playback_tracking(&p, &t, NULL), STATUS_OK);
    assert_int_equal(playback_run(&p, &controller, &t, NULL), STATUS_OK);
    playback_trim(&p, &t);
    const TrackingRun *run = &t.run[controller.kind];
    assert_string_equal(run->outcome, "falls");
    double over = -INFINITY, lowest = INFINITY;
    for (int f = 0; f < t.frame_count; f++) {
        for (int i = 0; i < p.limits.count; i++)
            over = fmax(over, beyond(&p, run, f, i));
        for (int e = 0; e < c.skeleton.end_count; e++) {
            int joint = c.skeleton.end_parent[e];
            if (c.skeleton.role[joint] == ROLE_LEFT_TOE || c.skeleton.role[joint] == ROLE_RIGHT_TOE)
                lowest = fmin(lowest, height_of(&c, run, f, joint, c.skeleton.end_offset[e], p.def.ground));
        }
    }
    assert_true(p.limits.count > 10);
    assert_true(over < 2 * DEGREE);
    assert_true(lowest > -0.01);
    tracking_free(&t);
    playback_free(&p);
    clip_free(&c);
}

TEST(falls_keep_ranges_of_joints_and_toes_above_ground)
{
    const Vec3 direction[] = {{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {-1, 0, 0}};
    for (int i = 0; i < 4; i++)
        check_fall(direction[i]);
}
