/* Motion across a joint of an OpenSim model (osim.h). */
#include "formats/opensim/osim.h"

/* The normal of an ellipsoid joint is the z axis of M: Simbody's MobilizedBody::Ellipsoid. */
static Vec3 on_ellipsoid(Vec3 radii, Vec3 normal)
{
    return vec3(radii.x * normal.x, radii.y * normal.y, radii.z * normal.z);
}

OsimFrame osim_joint_pose(const OsimJoint *joint, const double *values, OsimRate *rate)
{
    OsimFrame pose = {{0, 0, 0}, QUAT_IDENTITY};
    for (int c = 0; rate && c < joint->coordinate_count; c++)
        rate[c] = (OsimRate){{0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < OSIM_AXES; k++) {
        const OsimAxis *a = &joint->axis[k];
        double slope, value = osim_function_value(&a->function, a->coordinate < 0 ? 0 : values[a->coordinate], &slope);
        OsimRate *own = rate && a->coordinate >= 0 ? &rate[a->coordinate - joint->coordinate_start] : NULL;
        if (k < OSIM_ROTATIONS) {
            if (own)
                own->omega = vec3_mad(own->omega, slope, quat_rotate(pose.q, a->axis));
            pose.q = quat_mul(pose.q, quat_from_axis_angle(a->axis, value));
        } else {
            if (own)
                own->v = vec3_mad(own->v, slope, a->axis);
            pose.x = vec3_mad(pose.x, value, a->axis);
        }
    }
    pose.q = quat_normalize(pose.q);
    Vec3 normal = quat_rotate(pose.q, vec3(0, 0, 1));
    pose.x = vec3_add(pose.x, on_ellipsoid(joint->radii, normal));
    for (int c = 0; rate && c < joint->coordinate_count; c++)
        rate[c].v = vec3_add(rate[c].v, on_ellipsoid(joint->radii, vec3_cross(rate[c].omega, normal)));
    return pose;
}
