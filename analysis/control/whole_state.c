/* See whole_state.h. */
#include "analysis/control/whole_state.h"

WholeState whole_state(const Body *body, const Kinematics *k, int frame)
{
    WholeState s = {0};
    Vec3 moment = {0, 0, 0}; /* angular momentum about the world's origin */
    size_t row = (size_t)frame * (size_t)k->joint_count;
    for (int j = 0; j < body->joint_count; j++) {
        size_t at = row + (size_t)j;
        Vec3 arm = quat_rotate(k->orientation[at], body->com[j]), omega = k->angular_velocity[at];
        Vec3 com = vec3_add(k->position[at], arm), velocity = vec3_add(k->velocity[at], vec3_cross(omega, arm));
        Vec3 own = quat_rotate(k->orientation[at],
                               sym3_mul(body->inertia[j], quat_rotate_inverse(k->orientation[at], omega)));
        s.mass += body->mass[j];
        s.com = vec3_mad(s.com, body->mass[j], com);
        s.velocity = vec3_mad(s.velocity, body->mass[j], velocity);
        moment = vec3_add(moment, vec3_mad(own, body->mass[j], vec3_cross(com, velocity)));
        s.kinetic += 0.5 * body->mass[j] * vec3_dot(velocity, velocity) + 0.5 * vec3_dot(omega, own);
    }
    s.com = vec3_scale(s.com, 1 / s.mass);
    s.velocity = vec3_scale(s.velocity, 1 / s.mass);
    s.spin = vec3_mad(moment, -s.mass, vec3_cross(s.com, s.velocity));
    return s;
}
