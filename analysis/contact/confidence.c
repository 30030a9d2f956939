#include "analysis/contact/confidence.h"

#include "analysis/dynamics/inverse_dynamics.h"

Status confidence_rate(const Skeleton *skeleton, const Body *body, const Motion *motion, const Kinematics *kinematics,
                       LaneWidth lanes, Contact *contact, Error *err)
{
    Loads loads = {0};
    Dynamics left = {0};
    InverseDynamicsDef def = inverse_dynamics_default_def();
    def.lanes = lanes;
    double weight = body->total_mass * GRAVITY, length = body->stature > 0 ? 0.5 * body->stature : 1;
    Status status = loads_from_contact(contact, kinematics, &loads, err);
    if (!status)
        status = inverse_dynamics(skeleton, body, motion, kinematics, &loads, &def, &left, err);
    for (int f = 0; !status && f < contact->frame_count; f++) {
        Vec3 root = kinematics->position[(size_t)f * (size_t)kinematics->joint_count];
        Vec3 force = left.residual_force[f], com = kinematics->com[f];
        Vec3 moment = vec3_add(left.residual_torque[f], vec3_cross(vec3_sub(root, com), force));
        force = vec3_scale(force, 1 / weight);
        moment = vec3_scale(moment, 1 / (weight * length));
        contact->confidence[f] = 1 / (1 + 100 * (vec3_dot(force, force) + vec3_dot(moment, moment)));
    }
    loads_free(&loads);
    dynamics_free(&left);
    return status;
}
