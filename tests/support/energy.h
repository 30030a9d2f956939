/* Mechanical energy and momentum of the whole body, to check forces and powers. */
#ifndef KANE_TESTS_ENERGY_H
#define KANE_TESTS_ENERGY_H

#include <stddef.h>

#include "analysis/clip/body.h"
#include "analysis/clip/joint_kinematics.h"

typedef struct Energy {
    double kinetic;        /* J */
    double potential;      /* J, zero with the centre of mass at the world origin */
    Vec3 momentum;         /* kg m/s */
    Vec3 angular_momentum; /* kg m2/s, about the world origin */
} Energy;

/* Energy and momentum of one frame; gravity in m/s2, world. */
static Energy energy_of_frame(const Body *body, const Kinematics *kinematics, Vec3 gravity, int frame)
{
    Energy sum = {0};
    size_t row = (size_t)frame * (size_t)kinematics->joint_count;
    for (int j = 0; j < body->joint_count; j++) {
        size_t at = row + (size_t)j;
        Quat q = kinematics->orientation[at];
        Vec3 omega = kinematics->angular_velocity[at], arm = quat_rotate(q, body->com[j]);
        Vec3 com = vec3_add(kinematics->position[at], arm);
        /* v = v_joint + omega x r    (thesis 3.4) */
        Vec3 velocity = vec3_add(kinematics->velocity[at], vec3_cross(omega, arm));
        Vec3 momentum = vec3_scale(velocity, body->mass[j]);
        Vec3 spin = quat_rotate(q, sym3_mul(body->inertia[j], quat_rotate_inverse(q, omega)));
        sum.kinetic += 0.5 * (vec3_dot(momentum, velocity) + vec3_dot(spin, omega));
        sum.potential -= body->mass[j] * vec3_dot(gravity, com);
        sum.momentum = vec3_add(sum.momentum, momentum);
        sum.angular_momentum = vec3_add(sum.angular_momentum, vec3_add(vec3_cross(com, momentum), spin));
    }
    return sum;
}

#endif
