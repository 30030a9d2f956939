#include "analysis/contact/measured.h"

#include <stdlib.h>

/* A force with less normal part than this leaves no centre of pressure that means anything. */
#define LEAST_NORMAL_FORCE 1.0 /* N */

/* FOOT_LEFT, FOOT_RIGHT, or -1 for a joint of no foot. */
static int foot_of(const Skeleton *skeleton, int joint)
{
    switch (skeleton->segment[joint]) {
    case ROLE_LEFT_ANKLE:
    case ROLE_LEFT_TOE:
        return FOOT_LEFT;
    case ROLE_RIGHT_ANKLE:
    case ROLE_RIGHT_TOE:
        return FOOT_RIGHT;
    default:
        return -1;
    }
}

/* The load as force at the joint centre P and couple about it: M_P = M_O - P x F. */
static void fill_points(const Loads *loads, const Kinematics *kinematics, Contact *out)
{
    for (int f = 0; f < loads->frame_count; f++)
        for (int i = 0; i < loads->load_count; i++) {
            size_t at = (size_t)f * (size_t)loads->load_count + (size_t)i;
            Vec3 centre = kinematics->position[(size_t)f * (size_t)kinematics->joint_count + (size_t)loads->joint[i]];
            out->force[at] = loads->force[at];
            out->moment[at] = vec3_sub(loads->moment[at], vec3_cross(centre, loads->force[at]));
            out->state[at] = vec3_dot(loads->force[at], loads->force[at]) > 0;
        }
}

/* Force F and moment M_O about the origin, reduced to the plane y = ground. With M = M_O - (0, ground, 0) x F the
 * moment at the COP has no horizontal part:  C = (M.z / F.y, ground, -M.x / F.y);  what stays is the free moment
 * T = M.y - (C x F).y about the normal. */
static void fill_foot(Vec3 force, Vec3 moment, double ground, Vec3 *cop, Vec3 *free_moment)
{
    *cop = *free_moment = (Vec3){0, 0, 0};
    if (!(force.y >= LEAST_NORMAL_FORCE))
        return;
    Vec3 m = vec3_sub(moment, vec3_cross((Vec3){0, ground, 0}, force));
    *cop = (Vec3){m.z / force.y, ground, -m.x / force.y};
    Vec3 arm = {cop->x, 0, cop->z};
    free_moment->y = m.y - vec3_cross(arm, force).y;
}

static void fill_feet(const Loads *loads, const Skeleton *skeleton, double ground, Contact *out)
{
    for (int f = 0; f < loads->frame_count; f++)
        for (int foot = 0; foot < FOOT_COUNT; foot++) {
            size_t at = (size_t)f * FOOT_COUNT + (size_t)foot;
            Vec3 force = {0, 0, 0}, moment = {0, 0, 0};
            for (int i = 0; i < loads->load_count; i++) {
                size_t load = (size_t)f * (size_t)loads->load_count + (size_t)i;
                if (foot_of(skeleton, loads->joint[i]) != foot)
                    continue;
                force = vec3_add(force, loads->force[load]);
                moment = vec3_add(moment, loads->moment[load]);
            }
            out->foot_force[at] = force;
            fill_foot(force, moment, ground, &out->foot_cop[at], &out->foot_free_moment[at]);
        }
}

Status contact_from_external(const ExternalRows *rows, const Skeleton *skeleton, const Motion *motion,
                             const Kinematics *kinematics, double ground, Contact *out, Error *err)
{
    Loads loads = {0};
    *out = (Contact){0};
    Status status = loads_from_external(rows, motion, &loads, err);
    if (status == STATUS_OK)
        status = contact_init(out, motion->frame_count, loads.load_count, 1, err);
    if (status != STATUS_OK) {
        loads_free(&loads);
        return status;
    }
    out->ground_height = ground;
    for (int i = 0; i < loads.load_count; i++)
        out->point_joint[i] = loads.joint[i];
    fill_points(&loads, kinematics, out);
    fill_feet(&loads, skeleton, ground, out);
    loads_free(&loads);
    return STATUS_OK;
}
