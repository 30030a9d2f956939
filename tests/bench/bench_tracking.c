/* Tracking of a humanoid of 17 bodies, 51 degrees of freedom, at 0.01 s: rows `name value unit` on one core, medians.
 *
 * inverse_dynamics_51: torques of one step from state and reference. track_*: one simulated second with a controller;
 * the real-time factor is 1000 / value. Run from the top of the project: the motion is data/walk.bvh. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/control/computed_torque.h"
#include "analysis/control/playback.h"
#include "formats/bvh/bvh.h"
#include "tests/bench/stopwatch.h"
#include "tests/support/read_bvh.h"

enum { ROUNDS = 11, STEPS = 2000 };

/* us per call. */
static int time_torques(const Playback *p, double *result)
{
    int joints = p->lumped.skeleton.joint_count;
    const Kinematics *k = &p->kinematics;
    ControlPlant plant;
    Dynamics dynamics = {0};
    Vec3 torque[64];
    double times[ROUNDS];
    ComputedTorqueDef def = computed_torque_default_def();
    Desired desired = {k->orientation, k->angular_velocity, k->angular_acceleration, {0, 0, 0}, {0, 0, 0},
                       {0, 0, 0}};
    if (joints > 64 || plant_init(&plant, &p->lumped.skeleton, &p->lumped.body, 0.01, NULL))
        return 0;
    Status status = STATUS_OK;
    for (int round = 0; round < ROUNDS; round++) {
        double start = wall_seconds();
        for (int i = 0; i < STEPS && !status; i++)
            status = computed_torques(&plant, &desired, &def, &dynamics, torque, NULL);
        times[round] = 1e6 * (wall_seconds() - start) / STEPS;
    }
    *result = median(times, ROUNDS);
    dynamics_free(&dynamics);
    plant_free(&plant);
    return !status;
}

/* ms per simulated second. */
static int time_run(const Playback *p, ControllerKind kind, double *result)
{
    double times[ROUNDS];
    ControllerDef def = controller_default_def();
    def.kind = kind;
    for (int round = 0; round < ROUNDS; round++) {
        Tracking t;
        if (playback_tracking(p, &t, NULL))
            return 0;
        double start = wall_seconds();
        Status status = playback_run(p, &def, &t, NULL);
        times[round] = 1e3 * (wall_seconds() - start) / (p->motion.frame_count * p->def.dt);
        tracking_free(&t);
        if (status)
            return 0;
    }
    *result = median(times, ROUNDS);
    return 1;
}

static int read_walk(Clip *clip)
{
    return file_clip_with_body("data/walk.bvh", clip);
}

int main(void)
{
    Clip clip = {0};
    Playback playback;
    PlaybackDef def = playback_default_def();
    double torques, kane, stable;
    ClipView view = {&clip.skeleton, &clip.body, &clip.motion, &clip.kinematics};
    if (!read_walk(&clip) || playback_init(&playback, &view, &def, NULL))
        return 1;
    if (playback.lumped.skeleton.joint_count != 17 || !time_torques(&playback, &torques) ||
        !time_run(&playback, CONTROLLER_KANE_FEEDFORWARD, &kane) ||
        !time_run(&playback, CONTROLLER_STABLE_PD, &stable))
        return 1;
    printf("inverse_dynamics_51 %.2f us\n", torques);
    printf("track_humanoid_second_kane %.2f ms\n", kane);
    printf("track_humanoid_second_stable_pd %.2f ms\n", stable);
    playback_free(&playback);
    clip_free(&clip);
    return 0;
}
