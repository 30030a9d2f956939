#include "analysis/stats/joint_quantity.h"

static Vec3 contact_force(const Contact *c, int frame, int joint)
{
    Vec3 sum = {0, 0, 0};
    for (int p = 0; p < c->point_count; p++)
        if (c->point_joint[p] == joint)
            sum = vec3_add(sum, c->force[(size_t)frame * (size_t)c->point_count + (size_t)p]);
    return sum;
}

static double component_of(Vec3 v, JointComponent component)
{
    switch (component) {
    case COMPONENT_X: return v.x;
    case COMPONENT_Y: return v.y;
    case COMPONENT_Z: return v.z;
    default: return vec3_norm(v);
    }
}

static Status check_held(const Clip *clip, JointQuantity quantity, Error *err)
{
    if ((quantity == QUANTITY_TORQUE || quantity == QUANTITY_POWER) && !clip->has_dynamics)
        return error_set(err, STATUS_BAD_INPUT, "holds no joint torques (/dynamics)");
    if (quantity == QUANTITY_ANGULAR_VELOCITY && !clip->has_kinematics)
        return error_set(err, STATUS_BAD_INPUT, "holds no velocities (/kinematics)");
    if (quantity == QUANTITY_CONTACT_FORCE && (!clip->has_contact || clip->contact.point_count == 0))
        return error_set(err, STATUS_BAD_INPUT, "holds no contact points (/contact)");
    return STATUS_OK;
}

Status joint_quantity(const Clip *clip, int joint, JointQuantity quantity, JointComponent component, double *value,
                      Error *err)
{
    Status status = check_held(clip, quantity, err);
    for (int f = 0; f < clip->motion.frame_count && status == STATUS_OK; f++) {
        size_t i = motion_index(&clip->motion, f, joint);
        switch (quantity) {
        case QUANTITY_TORQUE: value[f] = component_of(clip->dynamics.torque[i], component); break;
        case QUANTITY_POWER: value[f] = clip->dynamics.power[i]; break;
        case QUANTITY_ANGULAR_VELOCITY:
            value[f] = component_of(clip->kinematics.angular_velocity[i], component);
            break;
        default: value[f] = component_of(contact_force(&clip->contact, f, joint), component); break;
        }
    }
    return status;
}
