/* See contact_estimate.h. Forces in body weights and contact axes until they are written (contact_problem.h). */
#include "analysis/contact/contact_estimate.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/contact/contact_problem.h"
#include "analysis/contact/measured.h"
#include "analysis/contact/support.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/solve/tridiagonal_qp.h"

/* The problem of ground contact (contact_problem.h) as a chain program over frames (solve/tridiagonal_qp.h). */

/* Every step-th frame from `begin` on, `count` of them. */
typedef struct SolveSpan {
    int begin, count, step;
} SolveSpan;

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
static void add_moment_equation(const ContactProblem *p, TridiagonalQp *qp, int t, const Vec3 *lever,
                                const MomentEquation *e)
{
    int first = qp->first[t], n = qp->first[t + 1] - first;
    for (int a = 0; a < n; a++) {
        double *h = tridiagonal_qp_block(qp, t, a, a);
        int slot = qp->slot[first + a];
        if (e->limb >= 0 && p->points.point[slot].limb != e->limb)
            continue;
        Vec3 ra = vec3_sub(lever[slot], e->centre);
        qp->linear[first + a] = vec3_sub(qp->linear[first + a], vec3_cross(times(e->weight, e->needed), ra));
        for (int b = a; b < n; b++, h += 3)
            if (e->limb < 0 || p->points.point[qp->slot[first + b]].limb == e->limb)
                add_moment_block(h, tridiagonal_row_length(n - a), ra, vec3_sub(lever[qp->slot[first + b]], e->centre),
                                 e->weight);
    }
}

static void add_force_equation(TridiagonalQp *qp, int t, Vec3 needed, Vec3 weight)
{
    int first = qp->first[t], n = qp->first[t + 1] - first;
    for (int a = 0; a < n; a++) {
        double *h = tridiagonal_qp_block(qp, t, a, a);
        size_t length = tridiagonal_row_length(n - a);
        qp->linear[first + a] = vec3_sub(qp->linear[first + a], times(weight, needed));
        for (int b = a; b < n; b++, h += 3) {
            h[0] += weight.x;
            h[length + 1] += weight.y;
            h[2 * length + 2] += weight.z;
        }
    }
}

/* A constant of jumps, of bodies that stand still and of gait, mixed by how like each the motion is in a frame. */
static double of_kind(const ContactProblem *p, size_t frame, const double value[3])
{
    return lerp(lerp(value[0], value[1], p->still[frame]), value[2], p->gait[frame]);
}

/* Least torque in the joints that carry a limb: M_joint = M_without - sum (p - joint) x f. */
static void add_efforts(const ContactProblem *p, TridiagonalQp *qp, int t, size_t frame)
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
static void add_needs(const ContactProblem *p, TridiagonalQp *qp, int t, size_t frame)
{
    const ContactConstants *c = p->points.constants;
    const RequiredWrench *n = &p->need;
    double force = lerp(c->clean_force, c->force_horizontal, n->noise);
    const double weight[3] = {c->jump_moment, c->stand_moment, c->moment_horizontal};
    double moment = lerp(c->clean_moment, of_kind(p, frame, weight), n->noise);
    MomentEquation whole = {.limb = -1, .centre = n->com[frame], .needed = n->moment[frame],
                            .weight = {moment, c->moment_vertical, moment}};
    add_force_equation(qp, t, n->force[frame], vec3(force, 1, force));
    add_moment_equation(p, qp, t, p->lever + frame * (size_t)p->points.count, &whole);
}

static void fill_frame(const ContactProblem *p, TridiagonalQp *qp, int t, size_t frame)
{
    const double *penalty = p->penalty + frame * (size_t)p->points.count;
    int first = qp->first[t], n = 0;
    for (int i = 0; i < p->points.count; i++)
        if (penalty[i] < CONTACT_PENALTY_MOST) {
            qp->grip[first + n] = (uint8_t)contact_grips(p, (int)frame, i);
            qp->slot[first + n++] = i;
        }
    qp->first[t + 1] = first + n;
    qp->block[t + 1] = qp->block[t] + tridiagonal_entries(n);
    memset(qp->hessian + qp->block[t], 0, tridiagonal_entries(n) * sizeof *qp->hessian);
    memset(qp->linear + first, 0, (size_t)n * sizeof *qp->linear);
    for (int a = 0; a < n; a++) {
        double *h = tridiagonal_qp_block(qp, t, a, a);
        for (size_t k = 0; k < 3; k++)
            h[k * tridiagonal_row_length(n - a) + k] = penalty[qp->slot[first + a]];
    }
    add_needs(p, qp, t, frame);
    add_efforts(p, qp, t, frame);
    contact_prior_add(p->prior, p, qp, t, frame);
}

/* The frames of a span as a chain; its slots are the contact points. */
static Status contact_qp_fill(const ContactProblem *p, SolveSpan span, TridiagonalQp *qp, Error *err)
{
    size_t points = (size_t)p->points.count, contacts = 0, entries = 0;
    for (int t = 0; t < span.count; t++) {
        size_t frame = (size_t)(span.begin + t * span.step);
        int n = 0;
        for (size_t i = 0; i < points; i++)
            n += p->penalty[frame * points + i] < CONTACT_PENALTY_MOST;
        contacts += (size_t)n;
        entries += tridiagonal_entries(n);
    }
    Status status = tridiagonal_qp_init(qp, span.count, p->points.count, contacts, entries, err);
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

#define LEAST_LOAD 0.04   /* body weights: a limb that carries less is not in contact */
#define RESTING_LOAD 1e-3 /* body weights: the same for a limb at rest on the ground */
#define REST_PENALTY 2 /* rest penalties: a point that touches and rests, or nearly */
#define BRUSH_TIME 0.04   /* s: a limb that touches for no longer, */
#define BRUSH_LOAD 0.15   /* body weights: and with no more than this, brushes the ground */
#define NEGLIGIBLE_LOAD 1e-3 /* body weights */
#define FIRST_RATE 40      /* 1/s: at least so many frames are solved for the forces that the prior looks at */
#define FIRST_TOLERANCE 1e-6 /* body weights: of those forces */
#define START_TOLERANCE 1e-3 /* body weights: of forces to start from */
#define SURE_LOAD 0.06    /* body weights: a limb that carries this once is in contact down to the least */

typedef struct Estimate {
    ContactProblem problem;
    const ContactEstimateDef *def;
    Vec3 *force;      /* [frame][point] body weights, contact axes */
    double tolerance; /* body weights, of the forces; 0: as exact as can be */
    double solved, whole; /* frames, each time that they are solved */
    TridiagonalQpSolver *solver;
    TridiagonalQp qp;           /* of the stretch that is solved */
} Estimate;

ContactEstimateDef contact_estimate_default_def(void)
{
    return (ContactEstimateDef){.friction = 0.8, .ground = ground_default_def(), .lanes = LANES_AUTO, .stretch = 1024,
                                .overlap = 5, .constants = &contact_constants};
}

/* The force on a contact of a stretch. */
static Vec3 *force_of(const Estimate *e, SolveSpan span, const TridiagonalQp *qp, int t, int contact)
{
    size_t frame = (size_t)(span.begin + t * span.step);
    return e->force + frame * (size_t)e->problem.points.count + (size_t)qp->slot[contact];
}

/* The stretch's program and, as a start, the forces known so far. */
static Status fill_stretch(Estimate *e, SolveSpan span, Vec3 **force, Error *err)
{
    TridiagonalQp *qp = &e->qp;
    Status status = contact_qp_fill(&e->problem, span, qp, err);
    if (status)
        return status;
    *force = array_new((size_t)qp->first[span.count], 1, sizeof **force);
    if (!*force)
        return error_no_memory(err);
    for (int t = 0; t < span.count; t++)
        for (int c = qp->first[t]; c < qp->first[t + 1]; c++)
            (*force)[c] = *force_of(e, span, qp, t, c);
    return STATUS_OK;
}

/* Solves the frames of a span together; the first one is held where an earlier stretch has found it. */
static Status solve_stretch(Estimate *e, SolveSpan span, Error *err)
{
    TridiagonalQp *qp = &e->qp;
    TridiagonalQpResult result = {0};
    Vec3 *force = NULL;
    TridiagonalQpDef def = tridiagonal_qp_default_def();
    def.friction = e->def->friction;
    def.lanes = e->def->lanes;
    def.tolerance = fmax(def.tolerance, fmax(e->tolerance, e->def->tolerance));
    Status status = fill_stretch(e, span, &force, err);
    qp->held_count = span.begin > 0;
    if (status)
        goto done;
    status = tridiagonal_qp_solve(e->solver, qp, &def, force, &result, err);
    /* The best forces found serve where the last digits will not settle; the confidence measures what they explain. */
    if (status == STATUS_NO_RESULT && result.residual < NEGLIGIBLE_LOAD)
        status = STATUS_OK;
    for (int t = 0; !status && t < span.count; t++)
        for (int c = qp->first[t]; c < qp->first[t + 1]; c++)
            *force_of(e, span, qp, t, c) = force[c];
done:
    free(force);
    return status;
}

/* Every step-th frame, in stretches that start from the last frame of the one before. The frames after a stretch's end
 * that are solved with it, and again by the next, remove the effect of its cut. */
static Status solve_all(Estimate *e, int step, Error *err)
{
    int count = (e->problem.clip->kinematics->frame_count + step - 1) / step;
    int overlap = (int)fmin(count, ceil(e->def->overlap / (step * e->problem.frame_time)));
    Status status = STATUS_OK;
    for (int first = 0; !status && first < count; first += e->def->stretch) {
        int last = count - first > e->def->stretch ? first + e->def->stretch : count;
        int end = count - last > overlap ? last + overlap : count, begin = first > 0 ? first - 1 : 0;
        status = solve_stretch(e, (SolveSpan){begin * step, end - begin, step}, err);
        e->solved += last - first;
        if (e->def->progress)
            *e->def->progress = (float)(e->solved / e->whole);
        if (end == count)
            break;
    }
    return status;
}

static double least_penalty(const Estimate *e, int frame, int first, int last)
{
    double least = CONTACT_PENALTY_MOST;
    for (int i = first; i < last; i++)
        least = fmin(least, e->problem.penalty[(size_t)frame * (size_t)e->problem.points.count + (size_t)i]);
    return least;
}

static double load_of(const Estimate *e, int frame, int first, int last)
{
    double load = 0;
    for (int i = first; i < last; i++) {
        Vec3 force = e->force[(size_t)frame * (size_t)e->problem.points.count + (size_t)i];
        load += contact_grips(&e->problem, frame, i) ? vec3_norm(force) : force.y;
    }
    return load;
}

/* The frame after the last, from `begin`, in which a limb carries the least load; *in_contact where it comes to carry
 * the sure load before, and does not just brush the ground. A limb that touches and rests is in contact with hardly any
 * load. */
static int end_of_contact(const Estimate *e, int begin, int first, int last, int *in_contact)
{
    double most = 0, sure = 0, rest = REST_PENALTY * contact_rest_penalty(&e->problem.points, first);
    int end = begin;
    for (; end < e->problem.clip->kinematics->frame_count; end++) {
        double load = load_of(e, end, first, last);
        int rests = least_penalty(e, end, first, last) < rest;
        if (load < (rests ? RESTING_LOAD : LEAST_LOAD))
            break;
        most = fmax(most, load);
        sure = fmax(sure, rests ? SURE_LOAD : load);
    }
    int frames = e->problem.clip->kinematics->frame_count, cut = begin == 0 || end == frames;
    int brushes = !cut && (end - begin) * e->problem.frame_time <= BRUSH_TIME && most <= BRUSH_LOAD;
    *in_contact = sure >= SURE_LOAD && !brushes;
    return end;
}

/* A limb is in contact from the frame where it carries the least load, if it comes to carry the sure load before it
 * lets go, and does not just brush the ground; otherwise its forces are dropped, and it is no candidate any more: the
 * two thresholds make the hysteresis. */
static void drop_small_loads(Estimate *e)
{
    const ContactPoint *point = e->problem.points.point;
    int frames = e->problem.clip->kinematics->frame_count, count = e->problem.points.count;
    for (int first = 0, last; first < count; first = last) {
        for (last = first; last < count && point[last].limb == point[first].limb; last++)
            ;
        for (int f = 0, end, in_contact; f < frames; f = end + 1) {
            end = end_of_contact(e, f, first, last, &in_contact);
            for (int t = in_contact ? end : f; t <= end && t < frames; t++)
                for (int i = first; i < last; i++) {
                    size_t at = (size_t)t * (size_t)count + (size_t)i;
                    e->force[at] = vec3(0, 0, 0);
                    e->problem.penalty[at] = CONTACT_PENALTY_MOST;
                }
        }
    }
}

/* The state of the points of a limb in contact is 1 for the one nearest to rest on the ground, less for those that
 * hover or slide more. */
static void write_states(const Estimate *e, Contact *out)
{
    const ContactPoint *point = e->problem.points.point;
    int count = e->problem.points.count;
    for (int first = 0, last; first < count; first = last) {
        for (last = first; last < count && point[last].limb == point[first].limb; last++)
            ;
        for (int f = 0; f < out->frame_count; f++) {
            double least = least_penalty(e, f, first, last);
            for (int i = first; i < last && least < CONTACT_PENALTY_MOST; i++) {
                size_t at = (size_t)f * (size_t)count + (size_t)i;
                out->state[at] = least / e->problem.penalty[at];
            }
        }
    }
}

/* Forces to world axes and newtons; the couple moves each from its point in the body to where it acts. */
static void write_forces(const Estimate *e, Contact *out)
{
    const double length = e->problem.points.leg_length;
    for (int i = 0; i < e->problem.points.count; i++) {
        out->point_joint[i] = e->problem.points.point[i].joint;
        out->point_position[i] = e->problem.points.point[i].position;
    }
    for (int f = 0; f < out->frame_count; f++)
        for (int i = 0; i < e->problem.points.count; i++) {
            size_t at = (size_t)f * (size_t)e->problem.points.count + (size_t)i;
            const ContactPoint *p = &e->problem.points.point[i];
            size_t j = (size_t)f * (size_t)e->problem.clip->kinematics->joint_count + (size_t)p->joint;
            Vec3 arm = quat_rotate(e->problem.clip->kinematics->orientation[j], p->position);
            Vec3 in_body = vec3_add(e->problem.clip->kinematics->position[j], arm);
            Vec3 acts_at = vec3_scale(mat3_mul_transposed(e->problem.axes, e->problem.lever[at]), length);
            out->force[at] = vec3_scale(mat3_mul_transposed(e->problem.axes, e->force[at]), e->problem.weight);
            out->moment[at] = vec3_cross(vec3_sub(acts_at, in_body), out->force[at]);
        }
}

static Status write_contact(Estimate *e, Contact *out, Error *err)
{
    Status status = contact_init(out, e->problem.clip->kinematics->frame_count, e->problem.points.count, 1, err);
    if (status)
        return status;
    drop_small_loads(e);
    write_states(e, out);
    write_forces(e, out);
    out->ground_normal = e->problem.ground.normal;
    out->ground_height = e->problem.ground.height / e->problem.ground.normal.y;
    foot_summarize(e->problem.clip->skeleton, e->problem.clip->kinematics, out);
    return STATUS_OK;
}

/* The frames between those of a coarse estimate: forces in proportion to the time since and until, of the points that
 * are candidates. */
static void fill_between(Estimate *e, int step)
{
    int frames = e->problem.clip->kinematics->frame_count;
    size_t points = (size_t)e->problem.points.count;
    for (int f = 0; f < frames; f++) {
        int before = f - f % step, after = before + step < frames ? before + step : before;
        double part = (double)(f - before) / step;
        const Vec3 *from = e->force + (size_t)before * points, *to = e->force + (size_t)after * points;
        for (size_t i = 0; f != before && i < points; i++)
            if (e->problem.penalty[(size_t)f * points + i] < CONTACT_PENALTY_MOST)
                e->force[(size_t)f * points + i] = vec3_add(vec3_scale(from[i], 1 - part), vec3_scale(to[i], part));
    }
}

/* Solves every step-th frame; the others get what lies between. */
static Status solve_coarsely(Estimate *e, int step, double tolerance, Error *err)
{
    e->tolerance = tolerance;
    Status status = solve_all(e, step, err);
    e->tolerance = 0;
    if (!status)
        fill_between(e, step);
    return status;
}

/* Where every frame is solved, pairs of points are joined: which foot carries when hardly hangs on where the pressure
 * lies across it. */
static Status solve_first(Estimate *e, int step, Error *err)
{
    ContactPairs pairs;
    if (step > 1)
        return solve_coarsely(e, step, FIRST_TOLERANCE, err);
    Status status = contact_pairs_join(&e->problem, &pairs, err);
    if (status)
        return status;
    status = solve_coarsely(e, 1, FIRST_TOLERANCE, err);
    contact_pairs_part(&e->problem, &pairs, e->force);
    return status;
}

/* The loads of a coarse estimate give the prior; with it, another is where the forces themselves start from. */
static Status solve_twice(Estimate *e, Error *err)
{
    int step = (int)fmax(1, 1 / (FIRST_RATE * e->problem.frame_time) + 1e-9);
    int frames = e->problem.clip->kinematics->frame_count, coarse = (frames + step - 1) / step;
    e->whole = frames + (step > 1 ? 2.0 : 1.0) * coarse;
    Status status = solve_first(e, step, err);
    if (status)
        return status;
    drop_small_loads(e);
    if (contact_prior_find(&e->problem, e->force, &e->problem.memory, &e->problem.prior))
        return error_no_memory(err);
    if (step > 1 && e->problem.prior)
        status = solve_coarsely(e, step, START_TOLERANCE, err);
    return status ? status : solve_all(e, 1, err);
}

/* With candidates for contact. What is not needed any more goes at once: a long clip takes little more memory than its
 * container has bytes. */
static Status estimate(Estimate *e, Contact *out, Error *err)
{
    int frames = e->problem.clip->kinematics->frame_count;
    e->force = array_new((size_t)frames, (size_t)e->problem.points.count, sizeof *e->force);
    Status status = e->force ? tridiagonal_qp_solver_create(&e->solver, err) : error_no_memory(err);
    if (!status)
        status = solve_twice(e, err);
    tridiagonal_qp_solver_destroy(e->solver);
    tridiagonal_qp_free(&e->qp);
    contact_problem_solved(&e->problem);
    if (!status)
        status = write_contact(e, out, err);
    free(e->force);
    return status;
}

Status contact_estimate(const ClipView *clip, const ContactEstimateDef *def, Contact *out, Error *err)
{
    Estimate e = {.def = def};
    if (!(clip->body->total_mass > 0))
        return error_set(err, STATUS_BAD_INPUT, "the body has no mass: ground contact cannot be estimated");
    if (!clip->kinematics->com)
        return error_set(err, STATUS_BAD_INPUT, "has no /kinematics/com: run kane body, then kane kinematics");
    Status status = contact_setup(clip, def->constants, &def->ground, def->lanes, &e.problem, err);
    if (status)
        return status;
    int has_points = e.problem.points.count > 0;
    if (has_points)
        status = estimate(&e, out, err);
    else
        status = contact_init(out, clip->kinematics->frame_count, 0, 0, err);
    out->friction = def->friction;
    contact_problem_free(&e.problem);
    if (!status && has_points)
        status = confidence_rate(clip, def->lanes, out, err);
    if (status)
        contact_free(out);
    return status;
}
