/* See contact_problem.h. */
#include "analysis/contact/contact_problem.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/contact/contact_constants.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "analysis/signal/biquad.h"

/* Spread between people of those members of contact_constants.h that are the same for all. */

static double *constant_named(ContactConstants *c, const char *name)
{
    for (int i = 0; i < contact_constants_count; i++)
        if (!strcmp(contact_constants_list[i].name, name))
            return (double *)((char *)c + contact_constants_list[i].offset);
    return NULL;
}

void contact_constants_vary(const ContactConstants *from, const double *deviate, ContactConstants *out)
{
    *out = *from;
    for (int i = 0; i < contact_spread_count; i++) {
        double *constant = constant_named(out, contact_spread_list[i].name);
        if (constant)
            *constant += deviate[i] * *(const double *)((const char *)&contact_spread + contact_spread_list[i].offset);
    }
}

/* Force and moment that the motion requires of the ground. */

#define LEAST_SUPPORT 0.3 /* body weights: below this the centre of pressure is undefined */
#define FLIGHT_FORCE 0.2  /* body weights: below this required vertical force the body is in flight */
#define LEAST_FLIGHT 0.03 /* s: shorter flights are not used to estimate noise */

static void find_required(const ClipView *clip, const Dynamics *unloaded, const Mat3 *axes, RequiredWrench *n)
{
    const Kinematics *k = clip->kinematics;
    for (int t = 0; t < n->frame_count; t++) {
        Vec3 force = unloaded->residual_force[t], moment = unloaded->residual_torque[t];
        n->force[t] = vec3_scale(mat3_mul(*axes, force), 1 / n->weight);
        n->moment[t] = vec3_scale(mat3_mul(*axes, moment), 1 / (n->weight * n->length));
        n->com[t] = vec3_scale(mat3_mul(*axes, k->com[t]), 1 / n->length);
    }
}

/* From the left to the right hip along the ground; z without hips, or if one is above the other. */
static void find_sides(const ClipView *clip, const Mat3 *axes, RequiredWrench *n)
{
    const Kinematics *k = clip->kinematics;
    int left = skeleton_find_role(clip->skeleton, ROLE_LEFT_HIP);
    int right = skeleton_find_role(clip->skeleton, ROLE_RIGHT_HIP);
    for (int t = 0; t < n->frame_count; t++) {
        const Vec3 *position = k->position + (size_t)t * (size_t)k->joint_count;
        Vec3 side = {0, 0, 1};
        if (left >= 0 && right >= 0) {
            Vec3 across = mat3_mul(*axes, vec3_sub(position[right], position[left]));
            across.y = 0;
            side = vec3_norm(across) > 1e-6 ? vec3_normalize(across) : side;
        }
        n->side[t] = side;
    }
}

/* 1 / (1 + (doubt / sigma)^4), with sigma the RMS horizontal force in flight. */
static double find_noise(const RequiredWrench *n, double frame_time, double doubt)
{
    double sum = 0;
    int frames = 0;
    for (int t = 0; t < n->frame_count; t++)
        if (n->force[t].y < FLIGHT_FORCE) {
            sum += n->force[t].x * n->force[t].x + n->force[t].z * n->force[t].z;
            frames++;
        }
    if (frames * frame_time < LEAST_FLIGHT)
        return 1;
    double square = sum / frames / (doubt * doubt);
    return square * square / (1 + square * square);
}

/* Low-passes the required force along `side`, in proportion to the clip's noise. */
static Status calm_sides(RequiredWrench *n, double rate, double cutoff, Arena *arena)
{
    double *calm = arena_array(arena, (size_t)n->frame_count, 1, sizeof *calm);
    if (arena->failed)
        return STATUS_NO_MEMORY;
    for (int t = 0; t < n->frame_count; t++)
        calm[t] = vec3_dot(n->force[t], n->side[t]);
    double cut = cutoff_limit(cutoff, rate);
    Biquad section = butterworth_biquad(cut, rate);
    const Samples samples = {calm, (size_t)n->frame_count, 1};
    Status status = biquad_filter(&section, &samples, cutoff_pad(cut, rate), LANES_SCALAR, NULL);
    for (int t = 0; !status && t < n->frame_count; t++)
        n->force[t] = vec3_mad(n->force[t], n->noise * (calm[t] - vec3_dot(n->force[t], n->side[t])), n->side[t]);
    return status;
}

Status required_wrench_find(const ClipView *clip, const Dynamics *unloaded, const Mat3 *axes,
                            const ContactConstants *constants, Arena *arena, RequiredWrench *out)
{
    size_t frames = (size_t)clip->kinematics->frame_count;
    out->frame_count = clip->kinematics->frame_count;
    out->force = arena_array(arena, frames, 1, sizeof *out->force);
    out->moment = arena_array(arena, frames, 1, sizeof *out->moment);
    out->com = arena_array(arena, frames, 1, sizeof *out->com);
    out->side = arena_array(arena, frames, 1, sizeof *out->side);
    if (arena->failed)
        return STATUS_NO_MEMORY;
    find_required(clip, unloaded, axes, out);
    find_sides(clip, axes, out);
    out->noise = find_noise(out, clip->motion->frame_time, constants->noise_doubt);
    return calm_sides(out, 1 / clip->motion->frame_time, constants->side_cutoff, arena);
}

Vec3 required_wrench_pressure(const RequiredWrench *n, int frame, double level)
{
    Vec3 force = n->force[frame], moment = n->moment[frame], com = n->com[frame];
    double height = com.y - level;
    if (!(force.y > LEAST_SUPPORT))
        return vec3(NAN, NAN, NAN);
    double x = com.x - (height * force.x - moment.z) / force.y, z = com.z - (height * force.z + moment.x) / force.y;
    return vec3(x, level, z);
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

/* Cost of a force at a contact point, from its clearance and its sliding speed. */

enum { DIRECTIONS = 32 };

#define MOST_EXPONENT 13.8     /* e^13.8 times the least penalty is equivalent to the largest */
#define LIKELY_PENALTY 1.0     /* below this a point may be a support */
#define SUPPORT_REACH 0.06     /* L: a centre of pressure this far outside requires another support */

double contact_rest_penalty(const ContactPoints *points, int point)
{
    return points->point[point].foot >= 0 ? points->constants->rest_penalty : points->constants->skin_penalty;
}

/* Grows smoothly with clearance and speed: rest near the ground is cheap, a swing expensive. A descending ball is about
 * to be loaded, and a rising heel has been unloaded, so that vertical speed counts less for the one and more for the
 * other. */
static double penalty_of(const ContactPoints *points, const Ground *g, size_t frame, int point)
{
    const ContactConstants *c = points->constants;
    const ContactPoint *p = &points->point[point];
    int is_ball = p->foot >= 0 && !points->group[p->group].is_heel;
    size_t at = frame * (size_t)points->count + (size_t)point;
    int is_heel = p->foot >= 0 && !is_ball;
    double counts = is_ball && g->rise[at] < 0 ? c->ball_sinking : is_heel && g->rise[at] > 0 ? c->heel_rising : 1;
    double rise = counts * g->rise[at], speed = sqrt(g->slide[at] * g->slide[at] + rise * rise);
    double height = g->clearance[at] / ((is_ball ? c->ball_clearance : c->heel_clearance) * points->leg_length);
    double exponent = height * sqrt(height) + speed / (c->slide_speed * sqrt(GRAVITY * points->leg_length));
    if (exponent > MOST_EXPONENT)
        return CONTACT_PENALTY_MOST;
    return fmin(CONTACT_PENALTY_MOST, contact_rest_penalty(points, point) * elementary_exp(exponent));
}

/* max over u of u . p - max u . lever. */
double contact_outside(const ContactPoints *points, const uint8_t *raised, const double *cost, double limit,
                       const Vec3 *lever, Vec3 p)
{
    double sine[DIRECTIONS], cosine[DIRECTIONS], farthest[DIRECTIONS], outside = 0;
    for (int d = 0; d < DIRECTIONS; d++) {
        elementary_sincos(2 * PI / DIRECTIONS * d, &sine[d], &cosine[d]);
        farthest[d] = -INFINITY;
    }
    for (int i = 0; i < points->count; i++) {
        if ((raised && raised[points->point[i].group]) || !(cost[i] < limit))
            continue;
        for (int d = 0; d < DIRECTIONS; d++) { /* the compiler makes vectors of it, not of fmax */
            double reach = cosine[d] * lever[i].x + sine[d] * lever[i].z;
            farthest[d] = reach > farthest[d] ? reach : farthest[d];
        }
    }
    for (int d = 0; d < DIRECTIONS; d++) {
        double beyond = cosine[d] * p.x + sine[d] * p.z - farthest[d];
        outside = beyond > outside ? beyond : outside;
    }
    return outside;
}

static int any_raised(const Ground *g, const uint8_t *raised)
{
    for (int k = 0; k < g->group_count; k++)
        if (raised[k])
            return 1;
    return 0;
}

/* If the motion requires support, some point has it, however fast it lands: the penalty of the point nearest to rest is
 * at most `least`, the others are scaled likewise. */
static void relax(int count, double required, double least, double *penalty)
{
    double best = CONTACT_PENALTY_MOST, part = ground_support_certainty(required);
    for (int i = 0; i < count; i++)
        best = fmin(best, penalty[i]);
    if (!(part > 0) || best <= least || best >= CONTACT_PENALTY_MOST)
        return;
    double factor = elementary_pow(least / best, part);
    for (int i = 0; i < count; i++)
        if (penalty[i] < CONTACT_PENALTY_MOST)
            penalty[i] *= factor;
}

void contact_penalties(const ContactPoints *points, const Ground *ground, const Vec3 *lever, const Vec3 *pressure,
                       const double *required, double *penalty)
{
    const ContactConstants *c = points->constants;
    size_t count = (size_t)points->count;
    for (size_t f = 0; f < (size_t)ground->frame_count; f++) {
        const uint8_t *raised = ground->raised + f * (size_t)ground->group_count;
        double *own = penalty + f * count, outside = 0;
        for (int i = 0; i < points->count; i++)
            own[i] = penalty_of(points, ground, f, i);
        relax(points->count, required[f], c->needed_penalty, own);
        if (!any_raised(ground, raised))
            continue;
        if (!isnan(pressure[f].x))
            outside = contact_outside(points, raised, own, LIKELY_PENALTY, lever + f * count, pressure[f]);
        double factor = elementary_pow(c->raised_factor, 1 - fmin(1, outside / SUPPORT_REACH));
        for (int i = 0; i < points->count; i++)
            if (raised[points->point[i].group])
                own[i] = fmin(CONTACT_PENALTY_MOST, own[i] * factor);
    }
}
