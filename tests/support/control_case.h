/* A random tree with a plant in its first frame and a separate reference, for the tests of controllers. */
#ifndef KANE_TESTS_CONTROL_CASE_H
#define KANE_TESTS_CONTROL_CASE_H

#include <string.h>

#include "analysis/control/plant.h"
#include "tests/support/random_clip.h"

enum { CASE_JOINTS = 9 };

/* Frame 0 of the clip is the state, frame 1 the reference. */
typedef struct ControlCase {
    Clip clip;
    ControlPlant plant;
    Desired desired;
} ControlCase;

static inline void control_case_set_state(ControlCase *c)
{
    ControlPlant *p = &c->plant;
    Kinematics *k = &p->kinematics;
    const Kinematics *from = &c->clip.kinematics;
    p->motion.root_position[0] = c->clip.motion.root_position[0];
    memcpy(p->motion.rotation, c->clip.motion.rotation, CASE_JOINTS * sizeof(Quat));
    memcpy(k->position, from->position, CASE_JOINTS * sizeof(Vec3));
    memcpy(k->orientation, from->orientation, CASE_JOINTS * sizeof(Quat));
    memcpy(k->velocity, from->velocity, CASE_JOINTS * sizeof(Vec3));
    memcpy(k->angular_velocity, from->angular_velocity, CASE_JOINTS * sizeof(Vec3));
}

static inline void control_case_init(ControlCase *c, uint64_t seed)
{
    assert_true(random_clip_init(&c->clip, CASE_JOINTS, 2, seed));
    assert_int_equal(plant_init(&c->plant, &c->clip.skeleton, &c->clip.body, 0.01, NULL), STATUS_OK);
    control_case_set_state(c);
    const Kinematics *k = &c->clip.kinematics;
    c->desired = (Desired){k->orientation + CASE_JOINTS, k->angular_velocity + CASE_JOINTS,
                           k->angular_acceleration + CASE_JOINTS, k->acceleration[CASE_JOINTS],
                           k->position[CASE_JOINTS], k->velocity[CASE_JOINTS]};
}

static inline void control_case_free(ControlCase *c)
{
    plant_free(&c->plant);
    clip_free(&c->clip);
}

/* Rotates the world, state and reference, by q. */
static inline void control_case_rotate(ControlCase *c, Quat q)
{
    Kinematics *k = &c->clip.kinematics;
    for (int i = 0; i < 2 * CASE_JOINTS; i++) {
        k->orientation[i] = quat_mul(q, k->orientation[i]);
        k->position[i] = quat_rotate(q, k->position[i]);
        k->velocity[i] = quat_rotate(q, k->velocity[i]);
        k->acceleration[i] = quat_rotate(q, k->acceleration[i]);
        k->angular_velocity[i] = quat_rotate(q, k->angular_velocity[i]);
        k->angular_acceleration[i] = quat_rotate(q, k->angular_acceleration[i]);
    }
    c->clip.motion.root_position[0] = k->position[0];
    c->clip.motion.rotation[0] = k->orientation[0];
    c->plant.gravity = quat_rotate(q, c->plant.gravity);
    control_case_set_state(c);
    c->desired.root_acceleration = k->acceleration[CASE_JOINTS];
}

#endif
