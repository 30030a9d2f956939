/* Loads on unrecorded supports (support.h). */
#include "analysis/contact/support.h"

#include <math.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/vec.h"

#define CLEAR_HEIGHT 0.3 /* leg lengths: at smaller heights above the lowest joint it may press on the ground itself */

static const Role bearing[SUPPORT_KINDS][FOOT_COUNT] = {{ROLE_LEFT_HIP, ROLE_RIGHT_HIP},
                                                        {ROLE_LEFT_WRIST, ROLE_RIGHT_WRIST}};
static const char *const names[SUPPORT_KINDS] = {"seat", "rail"};

const char *support_name(SupportKind kind) { return names[kind]; }

/* m, twice the thigh; 0 without a thigh. */
static double measure_leg(const Skeleton *s, const Vec3 *position)
{
    int hip = skeleton_find_role(s, ROLE_LEFT_HIP), knee = skeleton_find_role(s, ROLE_LEFT_KNEE);
    return hip < 0 || knee < 0 ? 0 : 2 * vec3_distance(position[hip], position[knee]);
}

static double lowest_height(const Skeleton *s, const Vec3 *position, Vec3 up)
{
    double lowest = INFINITY;
    for (int j = 0; j < s->joint_count; j++)
        lowest = fmin(lowest, vec3_dot(position[j], up));
    return lowest;
}

/* A leg that ends at the knee: the load at the hips is that of the missing foot. */
static int lacks_foot(const Skeleton *s)
{
    return skeleton_find_role(s, ROLE_LEFT_ANKLE) < 0 || skeleton_find_role(s, ROLE_RIGHT_ANKLE) < 0;
}

double support_load(const ClipView *clip, const Contact *c, int frame, SupportKind kind)
{
    const Skeleton *s = clip->skeleton;
    const Vec3 *position = clip->kinematics->position + (size_t)frame * (size_t)clip->kinematics->joint_count;
    double leg = 0, lowest = NAN;
    if (kind == SUPPORT_OF_HIPS && lacks_foot(s))
        return 0;
    Vec3 sum = {0, 0, 0};
    for (int i = 0; c->friction > 0 && i < c->point_count; i++) {
        Vec3 force = c->force[(size_t)frame * (size_t)c->point_count + (size_t)i];
        Role role = s->role[c->point_joint[i]];
        if ((role != bearing[kind][0] && role != bearing[kind][1]) || vec3_dot(force, force) == 0)
            continue;
        if (isnan(lowest)) { /* few frames reach this test */
            leg = measure_leg(s, position);
            lowest = lowest_height(s, position, c->ground_normal);
        }
        double height = vec3_dot(position[c->point_joint[i]], c->ground_normal) - lowest;
        if (leg > 0 && height > CLEAR_HEIGHT * leg)
            sum = vec3_add(sum, force);
    }
    double load = kind == SUPPORT_OF_HIPS ? vec3_dot(sum, c->ground_normal) : vec3_norm(sum);
    return load / (clip->body->total_mass * GRAVITY);
}

int support_is_presumed(const ClipView *clip, const Contact *contact, int frame)
{
    for (int kind = 0; kind < SUPPORT_KINDS; kind++)
        if (support_load(clip, contact, frame, kind) > SUPPORT_MIN_LOAD)
            return 1;
    return 0;
}
