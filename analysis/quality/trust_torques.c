/* Flags of torques: flights without free fall, and torques of large expected error. */
#include "analysis/quality/trust_marks.h"

#include <math.h>

#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/quality/artifact.h"

/* ---- Flights without free fall ---- */

/* Finds the next frames first to last, from `frame` on, in which nothing supports a tenth of the weight. Returns 0 if
 * there are none. */
static int next_unsupported(const Clip *clip, int frame, int *first, int *last)
{
    const Contact *c = &clip->contact;
    double load = trust_limits.support_load * clip->body.total_mass * GRAVITY;
    *first = -1;
    for (int f = frame; f < c->frame_count; f++) {
        Vec3 had = {0, 0, 0};
        for (int i = 0; i < c->point_count; i++)
            had = vec3_add(had, c->force[(size_t)f * (size_t)c->point_count + (size_t)i]);
        if (vec3_norm(had) > load && *first >= 0)
            return 1;
        if (vec3_norm(had) <= load) {
            *first = *first < 0 ? f : *first;
            *last = f;
        }
    }
    return *first >= 0;
}

/* The mean residual of the valid frames from first to last, in body weights: norm of the force, and of the moment about
 * the COM over half the stature, combined. */
static double mean_residual(const Clip *clip, int first, int last)
{
    double weight = clip->body.total_mass * GRAVITY;
    double length = clip->body.stature > 0 ? 0.5 * clip->body.stature : 1; /* as contact/confidence */
    Vec3 force = {0, 0, 0}, moment = {0, 0, 0};
    int count = 0;
    for (int f = first; f <= last; f++) {
        if (!clip->kinematics.valid[f])
            continue;
        force = vec3_add(force, clip->dynamics.residual_force[f]);
        moment = vec3_add(moment, clip->dynamics.residual_torque[f]);
        count++;
    }
    return count ? sqrt(vec3_dot(force, force) + vec3_dot(moment, moment) / (length * length)) / count / weight : 0;
}

/* Only the middle of an interval is judged, since filters blur its ends. */
void trust_mark_unexplained(Clip *clip)
{
    Trust *trust = &clip->trust;
    double dt = clip->motion.frame_time;
    int reach = (int)(trust_limits.unexplained_reach / dt + 1e-6), first, last;
    for (int f = 0; f < trust->frame_count && next_unsupported(clip, f, &first, &last); f = last + 1) {
        int is_long = (last - first + 1) * dt >= trust_limits.unexplained_least - 1e-6;
        if (!is_long || mean_residual(clip, first + reach, last - reach) <= trust_limits.unexplained)
            continue;
        for (int k = first; k <= last; k++)
            trust->reason[k] |= TRUST_UNEXPLAINED;
    }
}

/* ---- Torques of large expected error ---- */

/* Hip, knee and ankle of both legs; -1: the skeleton has none. */
typedef struct LegJoints {
    int joint[FOOT_COUNT][3];
} LegJoints;

static LegJoints find_legs(const Skeleton *skeleton)
{
    static const Role role[FOOT_COUNT][3] = {[FOOT_LEFT] = {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE},
                                             [FOOT_RIGHT] = {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE}};
    LegJoints legs;
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        for (int i = 0; i < 3; i++)
            legs.joint[foot][i] = skeleton_find_role(skeleton, role[foot][i]);
    return legs;
}

/* Numbers of joints counted, and of uncertain ones among them. */
typedef struct UncertainCount {
    int all, uncertain;
} UncertainCount;

static void count_joint(const Clip *clip, int frame, int joint, UncertainCount *count)
{
    if (joint < 0)
        return;
    count->all++;
    count->uncertain += (trust_joint_reason(&clip->trust, frame, joint) & TRUST_UNCERTAIN) != 0;
}

/* Whether more than half of hip, knee and ankle of the legs with load are uncertain; if no leg has load, of all
 * joints. */
static int is_frame_uncertain(const Clip *clip, const LegJoints *legs, int frame)
{
    double load = trust_limits.support_load * clip->body.total_mass * GRAVITY;
    UncertainCount count = {0};
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        if (vec3_norm(clip->contact.foot_force[(size_t)frame * FOOT_COUNT + (size_t)foot]) > load)
            for (int i = 0; i < 3; i++)
                count_joint(clip, frame, legs->joint[foot][i], &count);
    if (!count.all)
        for (int joint = 0; joint < clip->skeleton.joint_count; joint++)
            count_joint(clip, frame, joint, &count);
    return 2 * count.uncertain > count.all;
}

Status trust_mark_uncertain(Clip *clip, Error *err)
{
    const Dynamics *d = &clip->dynamics;
    Trust *trust = &clip->trust;
    size_t count = (size_t)d->frame_count * (size_t)d->joint_count;
    double most = d->error_limit * clip->body.total_mass / EXPECTED_ERROR;
    size_t first = d->error_limit > 0 ? 0 : count;
    while (first < count && !(vec3_dot(d->torque_sd[first], d->torque_sd[first]) > most * most))
        first++;
    Status status = first < count && !trust->joint_reason ? trust_add_joints(trust, err) : STATUS_OK;
    for (size_t i = first; i < count && !status; i++)
        if (vec3_dot(d->torque_sd[i], d->torque_sd[i]) > most * most)
            trust->joint_reason[i] |= TRUST_UNCERTAIN;
    if (status || first == count || !clip->has_contact)
        return status;
    LegJoints legs = find_legs(&clip->skeleton);
    for (int f = 0; f < d->frame_count; f++)
        trust->reason[f] |= is_frame_uncertain(clip, &legs, f) ? TRUST_UNCERTAIN : 0;
    return STATUS_OK;
}
