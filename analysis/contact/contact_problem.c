/* See contact_problem.h. */
#include "analysis/contact/contact_problem.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/contact/contact_penalty.h"
#include "analysis/contact/contact_prior.h"
#include "analysis/contact/rail.h"
#include "analysis/contact/seat.h"
#include "analysis/dynamics/inverse_dynamics.h"

#define SMOOTH_TIME 0.01  /* s */
#define LEAST_AHEAD 0.1   /* of the toes' length: toes that point more steeply have no direction along the ground */

/* Forward of the body in the first frame: normal to the ground normal and to the line between the hips. */
static Mat3 contact_axes(const Skeleton *s, const Kinematics *k, Vec3 normal)
{
    int left = skeleton_find_role(s, ROLE_LEFT_HIP), right = skeleton_find_role(s, ROLE_RIGHT_HIP);
    Vec3 side = left >= 0 && right >= 0 ? vec3_sub(k->position[right], k->position[left])
                                        : quat_rotate(k->orientation[0], vec3(1, 0, 0));
    Vec3 forward = vec3_cross(normal, side);
    if (vec3_norm(forward) < 1e-6)
        forward = vec3_cross(normal, quat_rotate(k->orientation[0], vec3(0, 1, 0)));
    if (vec3_norm(forward) < 1e-6)
        forward = vec3(1, 0, 0);
    forward = vec3_normalize(vec3_mad(forward, -vec3_dot(forward, normal), normal));
    return (Mat3){{forward, normal, vec3_cross(forward, normal)}};
}

/* Where a point of the body is, m, contact axes. */
static Vec3 point_at(const ContactProblem *p, int frame, int point)
{
    const ContactPoint *c = &p->points.point[point];
    const Kinematics *k = p->clip->kinematics;
    size_t j = (size_t)frame * (size_t)k->joint_count + (size_t)c->joint;
    return mat3_mul(p->axes, vec3_add(k->position[j], quat_rotate(k->orientation[j], c->position)));
}

/* Toes bend where they begin and stay on the ground while the heel rises: their point, the last of a foot, lies as far
 * ahead of the two points of the ball before it as the toes are long, however the foot is pitched. */
static Vec3 toe_at(const ContactProblem *p, int frame, int point)
{
    Vec3 tip = point_at(p, frame, point);
    Vec3 ball = vec3_scale(vec3_add(point_at(p, frame, point - 2), point_at(p, frame, point - 1)), 0.5);
    Vec3 toe = vec3_sub(tip, ball), ahead = vec3(toe.x, 0, toe.z);
    double way = vec3_norm(ahead), length = vec3_norm(toe);
    return way > LEAST_AHEAD * length ? vec3_mad(ball, length / way, ahead) : tip;
}

/* Force on a point acts straight below it, at the level of the sole (or of the step it rests on). */
static void place_levers(ContactProblem *p)
{
    size_t points = (size_t)p->points.count;
    for (int f = 0; f < p->clip->kinematics->frame_count; f++)
        for (int i = 0; i < p->points.count; i++) {
            const ContactPoint *point = &p->points.point[i];
            size_t at = (size_t)f * (size_t)p->ground.group_count + (size_t)point->group;
            Vec3 x = point->foot >= 0 && !point->is_gauge ? toe_at(p, f, i) : point_at(p, f, i);
            x.y = p->ground.raised[at] ? p->ground.level[at] : p->ground.height + p->ground.lift[f];
            p->lever[(size_t)f * points + (size_t)i] = vec3_scale(x, 1 / p->points.leg_length);
        }
}

/* H += [a]' D [b] for two levers: what their forces' moments cost together. */
static void add_moment_block(double *h, size_t width, Vec3 a, Vec3 b, Vec3 d)
{
    h[0] += d.y * a.z * b.z + d.z * a.y * b.y;
    h[1] -= d.z * a.y * b.x;
    h[2] -= d.y * a.z * b.x;
    h += width;
    h[0] -= d.z * a.x * b.y;
    h[1] += d.x * a.z * b.z + d.z * a.x * b.x;
    h[2] -= d.x * a.z * b.y;
    h += width;
    h[0] -= d.y * a.x * b.z;
    h[1] -= d.x * a.y * b.z;
    h[2] += d.x * a.y * b.y + d.y * a.x * b.x;
}

static Vec3 times(Vec3 a, Vec3 b) { return vec3(a.x * b.x, a.y * b.y, a.z * b.z); }

/* The forces on some points should make a moment about a centre: all points of the body, or those of a limb. */
typedef struct MomentEquation {
    int limb;     /* -1: all */
    Vec3 centre;  /* L, contact axes, world origin */
    Vec3 needed;  /* body weights times L */
    Vec3 weight;
} MomentEquation;

/* The equation for the candidates of the chain's frame t, whose levers are lever[point]. */
static void add_moment_equation(const ContactProblem *p, ChainQp *qp, int t, const Vec3 *lever,
                                const MomentEquation *e)
{
    int first = qp->first[t], n = qp->first[t + 1] - first;
    for (int a = 0; a < n; a++) {
        double *h = chain_qp_block(qp, t, a, a);
        int slot = qp->slot[first + a];
        if (e->limb >= 0 && p->points.point[slot].limb != e->limb)
            continue;
        Vec3 ra = vec3_sub(lever[slot], e->centre);
        qp->linear[first + a] = vec3_sub(qp->linear[first + a], vec3_cross(times(e->weight, e->needed), ra));
        for (int b = a; b < n; b++, h += 3)
            if (e->limb < 0 || p->points.point[qp->slot[first + b]].limb == e->limb)
                add_moment_block(h, chain_row_length(n - a), ra, vec3_sub(lever[qp->slot[first + b]], e->centre),
                                 e->weight);
    }
}

static void add_force_equation(ChainQp *qp, int t, Vec3 needed, Vec3 weight)
{
    int first = qp->first[t], n = qp->first[t + 1] - first;
    for (int a = 0; a < n; a++) {
        double *h = chain_qp_block(qp, t, a, a);
        size_t length = chain_row_length(n - a);
        qp->linear[first + a] = vec3_sub(qp->linear[first + a], times(weight, needed));
        for (int b = a; b < n; b++, h += 3) {
            h[0] += weight.x;
            h[length + 1] += weight.y;
            h[2 * length + 2] += weight.z;
        }
    }
}

static double between(double a, double b, double part) { return a + part * (b - a); }

/* A constant of jumps, of bodies that stand still and of gait, mixed by how like each the motion is in a frame. */
static double of_kind(const ContactProblem *p, size_t frame, const double value[3])
{
    return between(between(value[0], value[1], p->still[frame]), value[2], p->gait[frame]);
}

/* Least torque in the joints that carry a limb: M_joint = M_without - sum (p - joint) x f. */
static void add_efforts(const ContactProblem *p, ChainQp *qp, int t, size_t frame)
{
    const double length = p->points.leg_length;
    const ContactConstants *c = p->points.constants;
    const double hip[3] = {c->jump_hip_effort, c->stand_hip_effort, c->hip_effort};
    const Vec3 *lever = p->lever + frame * (size_t)p->points.count;
    for (int i = 0; i < p->points.count; i++) {
        const ContactPoint *point = &p->points.point[i];
        if (i > 0 && p->points.point[i - 1].limb == point->limb)
            continue;
        const int joints[2] = {point->proximal, point->distal};
        for (int k = 0; k < 2; k++) {
            if (joints[k] < 0)
                continue;
            size_t j = frame * (size_t)p->clip->kinematics->joint_count + (size_t)joints[k];
            double effort = k ? c->ankle_effort : of_kind(p, frame, hip);
            const MomentEquation equation = {
                .limb = point->limb,
                .centre = vec3_scale(mat3_mul(p->axes, p->clip->kinematics->position[j]), 1 / length),
                .needed = vec3_scale(mat3_mul(p->axes, p->unloaded.torque[j]), 1 / (p->weight * length)),
                .weight = vec3(effort, effort, effort),
            };
            add_moment_equation(p, qp, t, lever, &equation);
        }
    }
}

/* Newton and Euler for the whole body, as far as its accelerations are believed. */
static void add_needs(const ContactProblem *p, ChainQp *qp, int t, size_t frame)
{
    const ContactConstants *c = p->points.constants;
    const ContactNeed *n = &p->need;
    double force = between(c->clean_force, c->force_horizontal, n->noise);
    const double weight[3] = {c->jump_moment, c->stand_moment, c->moment_horizontal};
    double moment = between(c->clean_moment, of_kind(p, frame, weight), n->noise);
    MomentEquation whole = {.limb = -1, .centre = n->com[frame], .needed = n->moment[frame],
                            .weight = {moment, c->moment_vertical, moment}};
    add_force_equation(qp, t, n->force[frame], vec3(force, 1, force));
    add_moment_equation(p, qp, t, p->lever + frame * (size_t)p->points.count, &whole);
}

static void fill_frame(const ContactProblem *p, ChainQp *qp, int t, size_t frame)
{
    const double *penalty = p->penalty + frame * (size_t)p->points.count;
    int first = qp->first[t], n = 0;
    for (int i = 0; i < p->points.count; i++)
        if (penalty[i] < CONTACT_PENALTY_MOST) {
            qp->grip[first + n] = (uint8_t)contact_grips(p, (int)frame, i);
            qp->slot[first + n++] = i;
        }
    qp->first[t + 1] = first + n;
    qp->block[t + 1] = qp->block[t] + chain_entries(n);
    memset(qp->hessian + qp->block[t], 0, chain_entries(n) * sizeof *qp->hessian);
    memset(qp->linear + first, 0, (size_t)n * sizeof *qp->linear);
    for (int a = 0; a < n; a++) {
        double *h = chain_qp_block(qp, t, a, a);
        for (size_t k = 0; k < 3; k++)
            h[k * chain_row_length(n - a) + k] = penalty[qp->slot[first + a]];
    }
    add_needs(p, qp, t, frame);
    add_efforts(p, qp, t, frame);
    contact_prior_add(p->prior, p, qp, t, frame);
}

Status contact_problem_stretch(const ContactProblem *p, FrameSpan span, ChainQp *qp, Error *err)
{
    size_t points = (size_t)p->points.count, contacts = 0, entries = 0;
    for (int t = 0; t < span.count; t++) {
        size_t frame = (size_t)(span.begin + t * span.step);
        int n = 0;
        for (size_t i = 0; i < points; i++)
            n += p->penalty[frame * points + i] < CONTACT_PENALTY_MOST;
        contacts += (size_t)n;
        entries += chain_entries(n);
    }
    Status status = chain_qp_init(qp, span.count, p->points.count, contacts, entries, err);
    if (status)
        return status;
    double per_frame = SMOOTH_TIME / (span.step * p->frame_time);
    const ContactConstants *c = p->points.constants;
    qp->smooth = vec3_scale(vec3(c->smooth_horizontal, c->smooth_vertical, c->smooth_horizontal),
                            per_frame * per_frame);
    for (int t = 0; t < span.count; t++)
        fill_frame(p, qp, t, (size_t)(span.begin + t * span.step));
    return STATUS_OK;
}

/* Everything from the ground to the penalties. */
static Status prepare(ContactProblem *p, const GroundDef *def, Error *err)
{
    size_t frames = (size_t)p->clip->kinematics->frame_count, points = (size_t)p->points.count;
    p->lever = arena_array(&p->memory, frames, points, sizeof *p->lever);
    p->gait = arena_array(&p->memory, frames, 1, sizeof *p->gait);
    p->still = arena_array(&p->memory, frames, 1, sizeof *p->still);
    p->vertical = arena_array(&p->memory, frames, 1, sizeof *p->vertical);
    p->pressure = arena_array(&p->memory, frames, 1, sizeof *p->pressure);
    p->support = arena_array(&p->memory, frames, 1, sizeof *p->support);
    p->penalty = arena_array(&p->memory, frames, points, sizeof *p->penalty);
    if (p->memory.failed)
        return error_no_memory(err);
    Status status = ground_estimate(&p->points, p->clip->kinematics, p->frame_time, def, &p->ground, err);
    if (status)
        return status;
    for (size_t f = 0; f < frames; f++) {
        p->vertical[f] = vec3_dot(p->ground.normal, p->unloaded.residual_force[f]) / p->weight;
        p->gait[f] = p->points.has_feet;
    }
    if (!def->has_height)
        ground_raise(&p->points, p->vertical, &p->ground);
    p->axes = contact_axes(p->clip->skeleton, p->clip->kinematics, p->ground.normal);
    p->need = (ContactNeed){.weight = p->weight, .length = p->points.leg_length};
    if (contact_need_find(p->clip, &p->unloaded, &p->axes, p->points.constants, &p->memory, &p->need))
        return error_no_memory(err);
    place_levers(p);
    for (size_t f = 0; f < frames; f++) {
        double level = (p->ground.height + p->ground.lift[f]) / p->points.leg_length;
        p->pressure[f] = contact_need_pressure(&p->need, (int)f, level);
    }
    if (!def->no_support && (seat_find(p) + rail_find(p)) > 0)
        place_levers(p);
    contact_penalties(&p->points, &p->ground, p->lever, p->pressure, p->vertical, p->penalty);
    return STATUS_OK;
}

/* A mechanism whose root stays to the micrometre while it moves hangs from its root: the ground has no part in it. */
static int hangs_from_root(const Skeleton *s, const Kinematics *k)
{
    double way = 0, speed = 0;
    if (skeleton_find_role(s, ROLE_LEFT_ANKLE) >= 0 || skeleton_find_role(s, ROLE_RIGHT_ANKLE) >= 0)
        return 0;
    for (int f = 0; f < k->frame_count; f++) {
        const Vec3 *v = k->velocity + (size_t)f * (size_t)k->joint_count;
        way = fmax(way, vec3_distance(k->position[(size_t)f * (size_t)k->joint_count], k->position[0]));
        for (int j = 0; j < k->joint_count; j++)
            speed = fmax(speed, vec3_norm(v[j]));
    }
    return way < 1e-6 && speed > 1e-2;
}

Status contact_problem_init(const ClipView *clip, const ContactConstants *constants, const GroundDef *ground,
                            LaneWidth lanes, ContactProblem *out, Error *err)
{
    InverseDynamicsDef def = inverse_dynamics_default_def();
    *out = (ContactProblem){.clip = clip, .weight = clip->body->total_mass * GRAVITY,
                            .frame_time = clip->motion->frame_time, .bridged = ground->bridged};
    Status status = contact_points_init(constants, clip->skeleton, clip->body, clip->kinematics, &out->points, err);
    if (!status && hangs_from_root(clip->skeleton, clip->kinematics))
        out->points.count = 0;
    if (status || out->points.count == 0)
        return status;
    def.lanes = lanes;
    status = inverse_dynamics(clip, NULL, &def, &out->unloaded, err);
    free(out->unloaded.force); /* not asked for, and a tenth of the memory of a long clip */
    free(out->unloaded.power);
    out->unloaded.force = NULL;
    out->unloaded.power = NULL;
    if (!status)
        status = prepare(out, ground, err);
    if (status)
        contact_problem_free(out);
    return status;
}

void contact_problem_solved(ContactProblem *p)
{
    Ground plane = {.normal = p->ground.normal, .height = p->ground.height};
    ground_free(&p->ground);
    dynamics_free(&p->unloaded);
    p->ground = plane;
}

void contact_problem_free(ContactProblem *p)
{
    if (!p)
        return;
    contact_points_free(&p->points);
    ground_free(&p->ground);
    dynamics_free(&p->unloaded);
    arena_free(&p->memory);
    *p = (ContactProblem){0};
}
