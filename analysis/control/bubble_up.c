#include "analysis/control/bubble_up.h"

/* tau_(i-1) += tau_i, as in figure 2.2. */
void bubble_up(const Skeleton *skeleton, Vec3 *torque)
{
    for (int j = skeleton->joint_count - 1; j > 0; j--) {
        int parent = skeleton->parent[j];
        torque[parent] = vec3_add(torque[parent], torque[j]);
    }
}

/* Jacobian transpose, (2.9) and (2.10) with their sign corrected (docs/sources.md "Errata"): tau_i = sum (P - P_i) x G
 * over the bodies beyond joint i, with the virtual force G = -m g at each COM P. */
void gravity_compensate(const Plant *plant, const Chain *chain, Vec3 *torque)
{
    for (int j = 0; j < plant->skeleton->joint_count; j++) {
        Vec3 arm = vec3_mad(chain[j].moment, -chain[j].mass, plant->kinematics.position[j]); /* sum of m (P - P_i) */
        torque[j] = vec3_add(torque[j], vec3_cross(arm, vec3_neg(plant->gravity)));
    }
}
