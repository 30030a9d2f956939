/* See contact_chain.h. */
#include "analysis/contact/contact_chain.h"

#include <string.h>

#include "analysis/contact/contact_penalty.h"
#include "analysis/contact/contact_prior.h"

#define SMOOTH_TIME 0.01 /* s */

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

Status contact_chain_fill(const ContactProblem *p, FrameSpan span, ChainQp *qp, Error *err)
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
