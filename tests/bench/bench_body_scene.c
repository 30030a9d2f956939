/* The humanoid of 17 bodies at 0.01 s in a Scene: with its root driven along a path and a damper in each joint, and
 * standing on eight contact points. Rows `name value unit`; medians over the rounds, one core. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/clip/body.h"
#include "analysis/clip/joint_kinematics.h"
#include "analysis/clip/skeleton.h"
#include "analysis/control/body_scene.h"
#include "analysis/math/elementary.h"
#include "tests/bench/stopwatch.h"

enum { BODIES = 17, STEPS = 200, ROUNDS = 11, POINTS = 8 };

#define DT 0.01 /* s */

/* Pelvis, spine, chest, neck, head; arm, forearm, hand and thigh, shank, foot on each side. */
static const int parent[BODIES] = {-1, 0, 1, 2, 3, 2, 5, 6, 2, 8, 9, 0, 11, 12, 0, 14, 15};
static const Vec3 offset[BODIES] = {{0, 0.95, 0},     {0, 0.1, 0},      {0, 0.2, 0},  {0, 0.25, 0},   {0, 0.1, 0},
                                    {0.18, 0.2, 0},   {0.28, 0, 0},     {0.25, 0, 0}, {-0.18, 0.2, 0}, {-0.28, 0, 0},
                                    {-0.25, 0, 0},    {0.09, -0.05, 0}, {0, -0.42, 0}, {0, -0.42, 0}, {-0.09, -0.05, 0},
                                    {0, -0.42, 0},    {0, -0.42, 0}};
static const double mass[BODIES] = {8, 9, 14, 1, 4.5, 2, 1.2, 0.5, 2, 1.2, 0.5, 9, 3.5, 1, 9, 3.5, 1};

static BodyScene *humanoid(int stands)
{
    static int joint[POINTS];
    static Vec3 point[POINTS];
    static Vec3 still[BODIES];
    static Quat straight[BODIES];
    Skeleton skeleton = {0};
    Body body = {0};
    BodyScene *s = NULL;
    BodySceneDef def = body_scene_default_def();
    def.kicks_once = 1;
    def.root_is_free = stands;
    def.ground = stands ? 0 : def.ground;
    def.point_count = stands ? POINTS : 0;
    def.point_joint = joint;
    def.point = point;
    if (skeleton_init(&skeleton, BODIES, 0, NULL) || body_init(&body, BODIES, NULL))
        goto done;
    for (int i = 0; i < POINTS; i++) {
        joint[i] = i < 4 ? 13 : 16;
        point[i] = vec3(i & 1 ? 0.04 : -0.04, -0.06, i & 2 ? 0.15 : -0.05);
    }
    for (int j = 0; j < BODIES; j++) {
        double i = mass[j] * 0.01;
        straight[j] = QUAT_IDENTITY;
        skeleton.parent[j] = parent[j];
        skeleton.offset[j] = offset[j];
        body.mass[j] = mass[j];
        body.com[j] = j < 5 ? vec3(0, 0.08, 0) : j < 11 ? vec3(j < 8 ? 0.1 : -0.1, 0, 0) : vec3(0, -0.15, 0);
        body.inertia[j] = (Sym3){i, 0.8 * i, 1.1 * i, 0, 0, 0};
    }
    BodyStart start = {offset[0], {0, 0, 0}, straight, still};
    body_scene_create(&skeleton, &body, &def, &start, &s, NULL);
done:
    skeleton_free(&skeleton);
    body_free(&body);
    return s;
}

/* Torques of dampers and weak springs towards the rest pose. */
static void brace(BodyScene *s, const Kinematics *k, double stiffness)
{
    for (int j = 1; j < BODIES; j++) {
        Quat up = k->orientation[parent[j]], own = k->orientation[j];
        Vec3 bend = vec3_scale(quat_log(quat_mul(own, quat_conjugate(up))), -2 * stiffness);
        Vec3 spin = vec3_sub(k->angular_velocity[parent[j]], k->angular_velocity[j]);
        body_scene_apply_torque(s, j, vec3_mad(bend, 0.5, spin));
    }
}

/* CPU seconds per simulated second; negative if a step fails. */
static double time_run(int stands, Motion *m, Kinematics *k)
{
    BodyScene *s = humanoid(stands);
    int steps = stands ? 50 : STEPS;
    double start = wall_seconds(), result = -1;
    for (int i = 1; s && i <= steps; i++) {
        double t = DT * i;
        body_scene_read(s, 0, m, k);
        RootTarget to = {.position = {0.2 * elementary_sin(4 * t), 0.95 + 0.1 * elementary_sin(9 * t), 0.8 * t}};
        body_scene_drive(s, &to);
        brace(s, k, stands ? 60 : 4);
        if (body_scene_step(s, NULL))
            goto done;
    }
    result = s ? (wall_seconds() - start) / (steps * DT) : -1;
done:
    body_scene_destroy(s);
    return result;
}

int main(void)
{
    Motion m;
    Kinematics k;
    double times[2][ROUNDS];
    if (motion_init(&m, 1, BODIES, DT, 0, NULL) || kinematics_init(&k, 1, BODIES, 0, NULL))
        return 1;
    for (int stands = 0; stands < 2; stands++) {
        for (int i = 0; i < ROUNDS; i++)
            times[stands][i] = 1e6 * DT * time_run(stands, &m, &k);
        printf("humanoid_%s_step %.1f us\n", stands ? "standing" : "driven", median(times[stands], ROUNDS));
    }
    motion_free(&m);
    kinematics_free(&k);
    return 0;
}
