/* Load on a foot (foot_load.h). */
#include "analysis/contact/foot_load.h"

#include "analysis/math/quat.h"

/* Smallest normal force for a meaningful centre of pressure. */
#define MIN_NORMAL_FORCE 1.0 /* N */

int foot_of_segment(Role segment)
{
    if (segment == ROLE_LEFT_ANKLE || segment == ROLE_LEFT_TOE)
        return FOOT_LEFT;
    return segment == ROLE_RIGHT_ANKLE || segment == ROLE_RIGHT_TOE ? FOOT_RIGHT : FOOT_COUNT;
}

int foot_sole_joint(const Skeleton *skeleton, int foot)
{
    int ankle = skeleton_find_role(skeleton, foot == FOOT_LEFT ? ROLE_LEFT_ANKLE : ROLE_RIGHT_ANKLE);
    int toe = skeleton_find_role(skeleton, foot == FOOT_LEFT ? ROLE_LEFT_TOE : ROLE_RIGHT_TOE);
    int joint = toe >= 0 ? skeleton->parent[toe] : ankle, above = joint;
    while (above > ankle)
        above = skeleton->parent[above];
    return above == ankle ? joint : ankle;
}

int foot_has_pressure_centre(Vec3 force, Vec3 normal)
{
    return vec3_dot(normal, force) >= MIN_NORMAL_FORCE;
}

/* Force F and moment M about the point O of the plane. */
static void reduce_to_plane(Vec3 force, Vec3 moment, Vec3 origin, Vec3 normal, Vec3 *cop, Vec3 *free_moment)
{
    double carried = vec3_dot(normal, force);
    *cop = *free_moment = vec3(0, 0, 0);
    if (!foot_has_pressure_centre(force, normal))
        return;
    Vec3 arm = vec3_scale(vec3_cross(normal, moment), 1 / carried);
    *cop = vec3_add(origin, arm);
    *free_moment = vec3_scale(normal, vec3_dot(normal, vec3_sub(moment, vec3_cross(arm, force))));
}

void foot_summarize(const Skeleton *skeleton, const Kinematics *kinematics, Contact *c)
{
    Vec3 origin = {0, c->ground_height, 0};
    for (int f = 0; f < c->frame_count; f++) {
        Vec3 force[FOOT_COUNT] = {{0, 0, 0}}, moment[FOOT_COUNT] = {{0, 0, 0}};
        for (int i = 0; i < c->point_count; i++) {
            int foot = foot_of_segment(skeleton->segment[c->point_joint[i]]);
            if (foot == FOOT_COUNT)
                continue;
            size_t at = (size_t)f * (size_t)c->point_count + (size_t)i;
            size_t j = (size_t)f * (size_t)kinematics->joint_count + (size_t)c->point_joint[i];
            Vec3 point = vec3_add(kinematics->position[j],
                                  quat_rotate(kinematics->orientation[j], c->point_position[i]));
            force[foot] = vec3_add(force[foot], c->force[at]);
            moment[foot] = vec3_add(moment[foot], vec3_cross(vec3_sub(point, origin), c->force[at]));
            if (c->moment)
                moment[foot] = vec3_add(moment[foot], c->moment[at]);
        }
        for (int foot = 0; foot < FOOT_COUNT; foot++) {
            size_t at = (size_t)f * FOOT_COUNT + (size_t)foot;
            c->foot_force[at] = force[foot];
            reduce_to_plane(force[foot], moment[foot], origin, c->ground_normal, &c->foot_cop[at],
                            &c->foot_free_moment[at]);
        }
    }
}
