/* Position of the pressure under a foot in gait, for a clip: contact_problem.h. */
#include "analysis/contact/contact_problem.h"

#include "analysis/math/elementary.h"

#define MOSTLY 0.98 /* of the load: a foot with this fraction counts as the only support */

/* Vector from the joint to the midpoint of two of its points, the first given; m, world axes. */
static Vec3 middle_of(const ContactProblem *p, int point, size_t frame)
{
    const ContactPoint *c = &p->points.point[point];
    const Kinematics *k = p->clip->kinematics;
    Vec3 middle = vec3_scale(vec3_add(c[0].probe, c[1].probe), 0.5);
    return quat_rotate(k->orientation[frame * (size_t)k->joint_count + (size_t)c->joint], middle);
}

static FootPressure find_foot_pressure(const ContactProblem *p, int first, int side, size_t frame)
{
    const ContactConstants *c = p->points.constants;
    const Vec3 *lever = p->lever + frame * (size_t)p->points.count;
    FootPressure out = {.ball = vec3_scale(vec3_add(lever[first + 2], lever[first + 3]), 0.5)};
    Vec3 heel = vec3_scale(vec3_add(lever[first], lever[first + 1]), 0.5);
    Vec3 forward = vec3_sub(out.ball, heel), com = vec3_sub(p->wrench.com[frame], out.ball);
    Vec3 sole = vec3_sub(middle_of(p, first + 2, frame), middle_of(p, first, frame));
    double up = vec3_dot(sole, p->ground.normal), length = vec3_norm(sole);
    forward = vec3_normalize(vec3(forward.x, 0, forward.z));
    out.axis[0] = forward;
    out.axis[1] = vec3_scale(vec3(-forward.z, 0, forward.x), side == FOOT_LEFT ? -1 : 1);
    RollOverPose pose = {.com = vec3_dot(com, forward), .length = length / p->points.leg_length, .run = p->run[frame],
                         .pitch = elementary_atan2(-up, sqrt(fmax(0, length * length - up * up)))};
    out.at[0] = c->pressure_at + (1 - pose.run) * c->pressure_walk_at + roll_over_position(p->roll_over, pose);
    out.at[1] = c->pressure_side + c->pressure_side_com * vec3_dot(com, out.axis[1]);
    return out;
}

/* Mean offset of the required pressure from that position in this clip, weighted by the load in single support. */
static void find_offset(const ContactProblem *p, const double *sum, ContactPrior *prior)
{
    double load = 0, off[2] = {0, 0}, run = 0;
    for (int t = 0; t < p->wrench.frame_count; t++) {
        double fraction = prior->left_fraction[t];
        int alone = fraction <= 1 - MOSTLY || fraction >= MOSTLY;
        if (!(sum[t] > CONTACT_LEAST_SUM) || !alone || !(p->wrench.force[t].y > CONTACT_LEAST_SUM))
            continue;
        if (p->bridged && p->bridged[t])
            continue;
        int foot = fraction > 0.5 ? FOOT_LEFT : FOOT_RIGHT;
        const FootPressure *pressure = &prior->pressure[FOOT_COUNT * t + foot];
        Vec3 offset = vec3_sub(required_wrench_pressure(&p->wrench, t, pressure->ball.y), pressure->ball);
        load += p->wrench.force[t].y;
        run += p->wrench.force[t].y * p->run[t];
        for (int axis = 0; axis < 2; axis++)
            off[axis] += p->wrench.force[t].y * (vec3_dot(offset, pressure->axis[axis]) - pressure->at[axis]);
    }
    if (!(load > 0))
        return;
    const ContactConstants *c = p->points.constants;
    double time = load * p->frame_time, own = (1 - run / load) * time / (time + c->pressure_own_time);
    for (int axis = 0; axis < 2; axis++)
        prior->offset[axis] = (axis ? c->pressure_side_own : own) * off[axis] / load;
}

/* Runners push off with the tip of the shoe. */
static void extend_toes(ContactProblem *p, const ContactPrior *prior)
{
    const double reach = p->points.constants->run_toe_reach;
    for (int t = 0; t < p->wrench.frame_count; t++)
        for (int foot = 0; foot < FOOT_COUNT; foot++) {
            Vec3 *lever = p->lever + (size_t)t * (size_t)p->points.count + prior->first[foot];
            Vec3 ahead = vec3_sub(lever[4], vec3_scale(vec3_add(lever[2], lever[3]), 0.5));
            ahead.y = 0;
            double distance = vec3_norm(ahead);
            if (distance > 0)
                lever[4] = vec3_mad(lever[4], p->run[t] * p->gait[t] * reach / distance, ahead);
        }
}

void contact_pressure_find(ContactProblem *p, const double *sum, ContactPrior *prior)
{
    for (int t = 0; t < p->wrench.frame_count; t++)
        for (int foot = 0; foot < FOOT_COUNT; foot++)
            prior->pressure[FOOT_COUNT * t + foot] = find_foot_pressure(p, prior->first[foot], foot, (size_t)t);
    extend_toes(p, prior);
    find_offset(p, sum, prior);
}
