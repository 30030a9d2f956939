/* The problem of ground contact as a quadratic program over frames, filled from a ContactProblem and solved.
 *
 * The cost is a sum of equations, weight (row . f - target)^2 / 2 each, on the forces f of the candidate points. Bodies
 * with feet are solved by limbs (solve/limb_qp.h): the points of a foot share one horizontal force and one couple about
 * the vertical, f_i = (a_i (X - tau z_i), y_i, a_i (Z + tau x_i)), with parts a_i that add up to 1 and are smaller
 * where a point costs more, and x_i, z_i from the centre sum a_i p_i. Other bodies are solved by points
 * (solve/tridiagonal_qp.h), with a cone each: creatures have many limbs of one point. */
#include "analysis/contact/contact_problem.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/solve/limb_qp.h"
#include "analysis/solve/tridiagonal_qp.h"

#define SMOOTH_TIME 0.01     /* s */
#define NEGLIGIBLE_LOAD 1e-3 /* body weights */

/* Equations of a frame that couple all candidates. */

/* The forces on some points should make a moment about a centre: all points of the body, or those of a limb. */
typedef struct MomentEquation {
    int limb;     /* -1: all */
    Vec3 centre;  /* L, contact axes, world origin */
    Vec3 needed;  /* body weights times L */
    Vec3 side;    /* unit, along the ground */
    Vec3 weight;  /* about the axis ahead of it, the vertical and the side; by points the first stands for the last */
} MomentEquation;

/* Newton and Euler for the whole body: the force that it needs, with its weights, and the moment. */
typedef struct WholeEquations {
    Vec3 force, force_weight;
    MomentEquation moment;
} WholeEquations;

/* Interpolates between the constants of jumps, standing and gait, by the similarity of the motion in a frame. */
static double of_kind(const ContactProblem *p, size_t frame, const double value[3])
{
    return lerp(lerp(value[0], value[1], p->still[frame]), value[2], p->gait[frame]);
}

/* Least torque in the joints that carry the limb of a point, proximal (joint 0) and distal (1). 0: there is none. */
static int contact_effort_equation(const ContactProblem *p, size_t frame, const ContactPoint *point, int joint,
                                   MomentEquation *out)
{
    const double length = p->points.leg_length;
    const ContactConstants *c = p->points.constants;
    const double hip[3] = {c->jump_hip_effort, c->stand_hip_effort, c->hip_effort};
    const double ankle[3] = {c->ankle_effort, c->stand_ankle_effort, c->ankle_effort};
    const double ankle_side[3] = {c->ankle_effort, c->stand_ankle_side_effort, c->ankle_effort};
    int of = joint ? point->distal : point->proximal;
    if (of < 0)
        return 0;
    size_t j = frame * (size_t)p->clip->kinematics->joint_count + (size_t)of;
    double effort = of_kind(p, frame, joint ? ankle : hip), side = of_kind(p, frame, joint ? ankle_side : hip);
    *out = (MomentEquation){
        .limb = point->limb,
        .centre = vec3_scale(mat3_mul(p->axes, p->clip->kinematics->position[j]), 1 / length),
        .needed = vec3_scale(mat3_mul(p->axes, p->unloaded.torque[j]), 1 / (p->weight * length)),
        .side = p->wrench.side[frame],
        .weight = vec3(side, effort, effort),
    };
    return 1;
}

/* Weighted by the reliability of the accelerations. Flight shows it, except that of a landing on both feet: its impact
 * shakes the soft tissue. */
static WholeEquations contact_whole_equations(const ContactProblem *p, size_t frame)
{
    const ContactConstants *c = p->points.constants;
    const RequiredWrench *n = &p->wrench;
    double noise = lerp(n->noise, 1, contact_jump(p, frame));
    double force = lerp(c->clean_force, c->force_horizontal, noise);
    double gait = lerp(c->moment_horizontal, c->run_moment, p->run[frame]);
    const double ahead[3] = {c->jump_moment, c->stand_moment, gait};
    const double aside[3] = {c->jump_moment, c->stand_side_moment, gait};
    double moment = lerp(c->clean_moment, of_kind(p, frame, ahead), noise);
    double side = lerp(c->clean_moment, of_kind(p, frame, aside), noise);
    return (WholeEquations){
        .force = n->force[frame],
        .force_weight = vec3(force, 1, force),
        .moment = {.limb = -1, .centre = n->com[frame], .needed = n->moment[frame], .side = n->side[frame],
                   .weight = {side, c->moment_vertical, moment}},
    };
}

/* Weights of the change of a force from frame to frame of the span, horizontal and vertical. */
static void contact_smoothing(const ContactProblem *p, ContactSpan span, double *horizontal, double *vertical)
{
    double per_frame = SMOOTH_TIME / (span.step * p->frame_time);
    *horizontal = p->points.constants->smooth_horizontal * (per_frame * per_frame);
    *vertical = p->points.constants->smooth_vertical * (per_frame * per_frame);
}

static TridiagonalQpDef contact_solver_def(const ContactProgramDef *def)
{
    TridiagonalQpDef out = tridiagonal_qp_default_def();
    out.friction = def->friction;
    out.lanes = def->lanes;
    out.tolerance = fmax(out.tolerance, def->tolerance);
    out.acceptance = NEGLIGIBLE_LOAD;
    return out;
}

/* The program by limbs. */

#define PART_SMOOTHING 0.03 /* of the smoothing within 10 ms: cost of a point in addition to its penalty, for its
                               fraction */
#define LEAST_SHARED 0.03   /* body weights: load of a point in addition to its own, for its fraction */
#define LEAST_SPREAD 1e-9  /* L^2: points closer together transmit no couple */

_Static_assert((int)LIMB_POINTS == (int)FOOT_POINTS, "a foot is the limb of several points");

typedef struct LimbProgram {
    LimbQp qp;
    LimbQpSolver *solver;
} LimbProgram;

static Status limb_program_create(LimbProgram **program, Error *err)
{
    *program = calloc(1, sizeof **program);
    if (!*program)
        return error_no_memory(err);
    return limb_qp_solver_create(&(*program)->solver, err);
}

static void limb_program_destroy(LimbProgram *program)
{
    if (!program)
        return;
    limb_qp_free(&program->qp);
    limb_qp_solver_destroy(program->solver);
    free(program);
}

/* Forces on the points of a limb from its unknowns: f_i = (a_i (X - tau z_i), y_i, a_i (Z + tau x_i)). */
typedef struct LimbShape {
    int first, points;          /* index among the body's points */
    unsigned open;              /* bit i: point i is a candidate */
    double part[LIMB_POINTS];   /* a_i, sum 1; 0 if a point is not a candidate */
    double x[LIMB_POINTS], z[LIMB_POINTS]; /* L, from the centre sum a_i p_i */
    double inertia;             /* L^2, sum a_i r_i^2; 0: no couple */
} LimbShape;

/* Fractions a_i of the open points: friction goes to the points of least cost and, as far as an estimate is known, of
 * most load. */
static void find_parts(const ContactProblem *p, const double *penalty, const double *load, LimbShape *s)
{
    const double smoothing = PART_SMOOTHING * p->points.constants->smooth_horizontal;
    double sum = 0;
    for (int i = 0; i < s->points; i++) {
        s->part[i] = s->open >> i & 1 ? (load ? load[i] + LEAST_SHARED : 1) / (penalty[i] + smoothing) : 0;
        sum += s->part[i];
    }
    for (int i = 0; i < s->points && s->open; i++)
        s->part[i] /= sum;
}

/* The limb whose points begin at `first`; open is 0 if none is a candidate. */
static LimbShape shape_of(const ContactProblem *p, size_t frame, int first)
{
    const size_t at = frame * (size_t)p->points.count + (size_t)first;
    const Vec3 *lever = p->lever + at;
    LimbShape s = {.first = first};
    double x = 0, z = 0;
    for (int i = first; i < p->points.count && p->points.point[i].limb == p->points.point[first].limb; i++) {
        s.open |= (unsigned)(p->penalty[at + (size_t)s.points] < CONTACT_PENALTY_MOST) << s.points;
        s.points++;
    }
    find_parts(p, p->penalty + at, p->load ? p->load + at : NULL, &s);
    for (int i = 0; i < s.points; i++) {
        x += s.part[i] * lever[i].x;
        z += s.part[i] * lever[i].z;
    }
    for (int i = 0; i < s.points; i++) {
        s.x[i] = lever[i].x - x;
        s.z[i] = lever[i].z - z;
        s.inertia += s.part[i] * (s.x[i] * s.x[i] + s.z[i] * s.z[i]);
    }
    if (!(s.inertia > LEAST_SPREAD))
        s.inertia = 0;
    return s;
}

/* The limb of the program, with only its offset among the unknowns still to be set. */
static QpLimb limb_of(const ContactProblem *p, size_t frame, const LimbShape *s)
{
    QpLimb out = {.slot = p->points.point[s->first].limb, .points = s->points,
                  .grip = (uint8_t)(s->points == 1 && contact_grips(p, (int)frame, s->first))};
    unsigned couple = s->inertia > 0;
    out.open = (uint8_t)(s->open | 3u << s->points | couple << (s->points + 2));
    for (int i = 0; i < s->points; i++) {
        out.part[i] = s->part[i];
        out.turn[0][i] = couple * s->part[i] * s->x[i];
        out.turn[1][i] = couple * s->part[i] * s->z[i];
    }
    return out;
}

/* Entries of an equation with the coefficients c of the force on point i. */
static void add_point(const LimbShape *s, int i, Vec3 c, double *entry)
{
    if (!(s->open >> i & 1))
        return;
    entry[i] += c.y;
    entry[s->points] += s->part[i] * c.x;
    entry[s->points + 1] += s->part[i] * c.z;
    if (s->inertia > 0)
        entry[s->points + 2] += s->part[i] * (s->x[i] * c.z - s->z[i] * c.x);
}

/* Unknowns of a limb that reproduce the forces on its points. */
static void collect(const LimbShape *s, const Vec3 *force, double *x)
{
    double *f = x + s->points, couple = 0;
    f[0] = f[1] = 0;
    for (int i = 0; i < s->points; i++) {
        Vec3 own = s->open >> i & 1 ? force[s->first + i] : vec3(0, 0, 0);
        x[i] = own.y;
        f[0] += own.x;
        f[1] += own.z;
        couple += s->x[i] * own.z - s->z[i] * own.x;
    }
    if (s->points > 1)
        f[2] = s->inertia > 0 ? couple / s->inertia : 0;
}

/* The limbs of a frame. */
typedef struct FrameLimbs {
    const ContactProblem *problem;
    LimbQp *qp;
    int t, count;
    int feet, of_foot[FOOT_COUNT]; /* the first limbs are feet; index of each foot among them, -1: none */
    size_t frame;
    LimbShape shape[LIMB_WIDEST / LIMB_SINGLE];
} FrameLimbs;

static int limb_at(const FrameLimbs *f, int l) { return f->qp->limb[f->qp->first[f->t] + l].at; }

/* Adds weight (sum c f - target)^2 / 2 for one component of the force on all limbs. */
static void add_force_row(FrameLimbs *f, Vec3 c, double weight, double target)
{
    int first = f->qp->first[f->t];
    double *entry = limb_qp_next_row(f->qp, f->t, first, first + f->count, weight, target);
    for (int l = 0; l < f->count; l++)
        for (int i = 0; i < f->shape[l].points; i++)
            add_point(&f->shape[l], i, c, entry + limb_at(f, l));
}

/* The three components of sum (p - centre) x f on the limbs [from, to) of the frame. */
static void add_moment_rows(FrameLimbs *f, int from, int to, const MomentEquation *e)
{
    const ContactProblem *p = f->problem;
    const Vec3 *lever = p->lever + f->frame * (size_t)p->points.count;
    const Vec3 axis[3] = {{e->side.z, 0, -e->side.x}, {0, 1, 0}, e->side};
    int first = f->qp->first[f->t];
    for (int k = 0; k < 3; k++) {
        double *entry = limb_qp_next_row(f->qp, f->t, first + from, first + to, vec3_component(e->weight, k),
                                         vec3_dot(axis[k], e->needed));
        for (int l = from; l < to; l++)
            for (int i = 0; i < f->shape[l].points; i++) {
                Vec3 r = vec3_sub(lever[f->shape[l].first + i], e->centre);
                add_point(&f->shape[l], i, vec3_cross(axis[k], r), entry + limb_at(f, l));
            }
    }
}

/* PriorSink.add: a row of the prior, on the candidates among the points of the feet. */
static void add_prior_row(void *to, const PriorRow *row)
{
    FrameLimbs *f = to;
    const ContactPoint *point = f->problem->points.point;
    int first = f->qp->first[f->t], both = row->foot == FOOT_COUNT;
    int begin = both ? 0 : f->of_foot[row->foot], end = both ? f->feet : begin + 1;
    if (begin < 0 || begin == end)
        return;
    double *entry = limb_qp_next_row(f->qp, f->t, first + begin, first + end, row->weight, row->target);
    for (int l = begin; l < end; l++)
        for (int i = 0; i < LIMB_POINTS; i++)
            add_point(&f->shape[l], i, row->coefficient[point[f->shape[l].first].foot][i], entry + limb_at(f, l));
}

/* B'D B, D the penalties of the points. */
static void add_penalties(FrameLimbs *f)
{
    int n = limb_qp_size(f->qp, f->t);
    for (int l = 0; l < f->count; l++) {
        const LimbShape *s = &f->shape[l];
        const double *penalty = f->problem->penalty + f->frame * (size_t)f->problem->points.count + (size_t)s->first;
        double *q = f->qp->hessian + f->qp->block[f->t] + limb_at(f, l) * (n + 1), *h = q + s->points * (n + 1);
        for (int i = 0; i < s->points; i++) {
            double cost = s->part[i] * s->part[i] * penalty[i];
            if (!(s->open >> i & 1))
                continue;
            q[i * (n + 1)] += penalty[i];
            h[0] += cost;
            h[n + 1] += cost;
            if (!(s->inertia > 0))
                continue;
            h[2] -= cost * s->z[i], h[2 * n] -= cost * s->z[i];
            h[n + 2] += cost * s->x[i], h[2 * n + 1] += cost * s->x[i];
            h[2 * n + 2] += cost * (s->x[i] * s->x[i] + s->z[i] * s->z[i]);
        }
    }
}

/* The limbs of a frame that have candidates; wide ones first, as in the body. */
static void find_limbs(const ContactProblem *p, size_t frame, FrameLimbs *out)
{
    out->count = out->feet = 0;
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        out->of_foot[foot] = -1;
    for (int first = 0; first < p->points.count;) {
        LimbShape shape = shape_of(p, frame, first);
        if (shape.open && shape.points > 1)
            out->of_foot[p->points.point[first].foot] = out->feet++;
        if (shape.open)
            out->shape[out->count++] = shape;
        first += shape.points;
    }
}

static void fill_limb_frame(FrameLimbs *f)
{
    const ContactProblem *p = f->problem;
    LimbQp *qp = f->qp;
    const PriorSink sink = {add_prior_row, f};
    MomentEquation effort;
    find_limbs(p, f->frame, f);
    for (int l = 0; l < f->count; l++)
        qp->limb[qp->first[f->t] + l] = limb_of(p, f->frame, &f->shape[l]);
    limb_qp_begin_frame(qp, f->t, f->count);
    if (f->count == 0)
        return;
    WholeEquations whole = contact_whole_equations(p, f->frame);
    for (int k = 0; k < 3; k++)
        add_force_row(f, vec3(k == 0, k == 1, k == 2), vec3_component(whole.force_weight, k),
                      vec3_component(whole.force, k));
    add_moment_rows(f, 0, f->count, &whole.moment);
    for (int l = 0; l < f->count; l++)
        for (int joint = 0; joint < 2; joint++)
            if (contact_effort_equation(p, f->frame, &p->points.point[f->shape[l].first], joint, &effort))
                add_moment_rows(f, l, l + 1, &effort);
    contact_prior_rows(p->prior, p, f->frame, &sink);
    limb_qp_end_frame(qp, f->t);
    add_penalties(f);
}

static LimbQpSize measure(const ContactProblem *p, ContactSpan span)
{
    LimbQpSize out = {.frames = span.count};
    const ContactPoint *point = p->points.point;
    for (int t = 0; t < span.count; t++) {
        const double *penalty = p->penalty + (size_t)(span.begin + t * span.step) * (size_t)p->points.count;
        int wide = 0, single = 0;
        for (int first = 0, last; first < p->points.count; first = last) {
            int open = 0;
            for (last = first; last < p->points.count && point[last].limb == point[first].limb; last++)
                open |= penalty[last] < CONTACT_PENALTY_MOST;
            wide += open && last - first > 1;
            single += open && last - first == 1;
        }
        size_t n = (size_t)limb_qp_padded(wide, single);
        out.limbs += (size_t)(wide + single);
        out.unknowns += n;
        out.entries += n * n;
        out.widest = (int)n > out.widest ? (int)n : out.widest;
    }
    return out;
}

/* Builds the program, with the present forces as a start. */
static Status fill(LimbProgram *program, const ContactProblem *p, ContactSpan span, const ContactProgramDef *def,
                   const Vec3 *force, double **x, Error *err)
{
    double horizontal, vertical;
    FrameLimbs f = {.problem = p, .qp = &program->qp};
    LimbQpSize size = measure(p, span);
    contact_smoothing(p, span, &horizontal, &vertical);
    Status status = limb_qp_init(&program->qp, &size, def->lanes, err);
    if (status)
        return status;
    *x = array_new(size.unknowns, 1, sizeof **x);
    if (!*x)
        return error_no_memory(err);
    for (f.t = 0; f.t < span.count; f.t++) {
        f.frame = (size_t)(span.begin + f.t * span.step);
        fill_limb_frame(&f);
        for (int l = 0; l < f.count; l++)
            collect(&f.shape[l], force + f.frame * (size_t)p->points.count,
                    *x + program->qp.unknown[f.t] + limb_at(&f, l));
    }
    for (f.t = 1; f.t < span.count; f.t++) {
        double jump = contact_jump(p, (size_t)(span.begin + f.t * span.step));
        double more = lerp(1, p->points.constants->jump_smooth, jump);
        limb_qp_tie(&program->qp, f.t, more * vertical, more * horizontal);
    }
    program->qp.held_count = def->held_count;
    return STATUS_OK;
}

/* Writes the forces on the points of a limb, the first of which is given. */
static void spread(const QpLimb *limb, const double *x, Vec3 *force)
{
    const double *f = x + limb->points, couple = limb->points > 1 ? f[2] : 0;
    for (int i = 0; i < limb->points; i++)
        if (limb->open >> i & 1)
            force[i] = vec3(limb->part[i] * f[0] - couple * limb->turn[1][i], x[i],
                            limb->part[i] * f[1] + couple * limb->turn[0][i]);
}

/* Writes the forces of the span's frames. Points that are no candidates keep theirs, and so do held frames. */
static void write_forces(const LimbProgram *program, const ContactProblem *p, ContactSpan span, const double *x,
                         Vec3 *force)
{
    const LimbQp *qp = &program->qp;
    for (int t = qp->held_count; t < span.count; t++) {
        Vec3 *own = force + (size_t)(span.begin + t * span.step) * (size_t)p->points.count;
        for (int l = qp->first[t], point = 0; l < qp->first[t + 1]; l++) {
            while (p->points.point[point].limb != qp->limb[l].slot)
                point++;
            spread(&qp->limb[l], x + qp->unknown[t] + qp->limb[l].at, own + point);
        }
    }
}

static Status limb_program_solve(LimbProgram *program, const ContactProblem *p, ContactSpan span,
                                 const ContactProgramDef *def, Vec3 *force, Error *err)
{
    double *x = NULL;
    const TridiagonalQpDef solve = contact_solver_def(def);
    Status status = fill(program, p, span, def, force, &x, err);
    if (!status) {
        status = limb_qp_solve(program->solver, &program->qp, &solve, x, NULL, err);
        write_forces(program, p, span, x, force);
    }
    free(x);
    return status;
}

/* The program by points. */

/* H += [a]' D [b] for two levers: the joint cost of their forces' moments. */
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

/* Adds the equation for the candidates of the chain's frame t, whose levers are lever[point]. */
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

static void fill_frame(const ContactProblem *p, TridiagonalQp *qp, int t, size_t frame)
{
    const double *penalty = p->penalty + frame * (size_t)p->points.count;
    int first = qp->first[t], n = 0;
    MomentEquation effort;
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
    const Vec3 *lever = p->lever + frame * (size_t)p->points.count;
    WholeEquations whole = contact_whole_equations(p, frame);
    add_force_equation(qp, t, whole.force, whole.force_weight);
    add_moment_equation(p, qp, t, lever, &whole.moment);
    for (int i = 0; i < p->points.count; i++)
        for (int joint = 0; joint < 2 && (i == 0 || p->points.point[i - 1].limb != p->points.point[i].limb); joint++)
            if (contact_effort_equation(p, frame, &p->points.point[i], joint, &effort))
                add_moment_equation(p, qp, t, lever, &effort);
}

/* The frames of a span as a chain, with one slot per contact point. */
static Status fill_points(const ContactProblem *p, ContactSpan span, TridiagonalQp *qp, Error *err)
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
    double horizontal, vertical;
    contact_smoothing(p, span, &horizontal, &vertical);
    qp->smooth = vec3(horizontal, vertical, horizontal);
    for (int t = 0; t < span.count; t++)
        fill_frame(p, qp, t, (size_t)(span.begin + t * span.step));
    return STATUS_OK;
}

struct ContactProgram {
    LimbProgram *limbs;
    TridiagonalQp qp;
    TridiagonalQpSolver *solver;
};

Status contact_program_create(ContactProgram **program, Error *err)
{
    ContactProgram *out = *program = calloc(1, sizeof *out);
    if (!out)
        return error_no_memory(err);
    Status status = limb_program_create(&out->limbs, err);
    if (!status)
        status = tridiagonal_qp_solver_create(&out->solver, err);
    if (status) {
        contact_program_destroy(out);
        *program = NULL;
    }
    return status;
}

void contact_program_destroy(ContactProgram *program)
{
    if (!program)
        return;
    limb_program_destroy(program->limbs);
    tridiagonal_qp_solver_destroy(program->solver);
    tridiagonal_qp_free(&program->qp);
    free(program);
}

/* Force on a contact of a span. */
static Vec3 *force_of(const ContactProblem *p, ContactSpan span, const TridiagonalQp *qp, int t, int contact,
                      Vec3 *force)
{
    size_t frame = (size_t)(span.begin + t * span.step);
    return force + frame * (size_t)p->points.count + (size_t)qp->slot[contact];
}

static Status solve_by_points(ContactProgram *program, const ContactProblem *p, ContactSpan span,
                              const ContactProgramDef *def, Vec3 *force, Error *err)
{
    TridiagonalQp *qp = &program->qp;
    const TridiagonalQpDef solve = contact_solver_def(def);
    Status status = fill_points(p, span, qp, err);
    if (status)
        return status;
    qp->held_count = def->held_count;
    Vec3 *own = array_new((size_t)qp->first[span.count], 1, sizeof *own);
    if (!own)
        return error_no_memory(err);
    for (int t = 0; t < span.count; t++)
        for (int c = qp->first[t]; c < qp->first[t + 1]; c++)
            own[c] = *force_of(p, span, qp, t, c, force);
    status = tridiagonal_qp_solve(program->solver, qp, &solve, own, NULL, err);
    for (int t = 0; t < span.count; t++)
        for (int c = qp->first[t]; c < qp->first[t + 1]; c++)
            *force_of(p, span, qp, t, c, force) = own[c];
    free(own);
    return status;
}

int contact_program_has_limbs(const ContactPoints *points)
{
    for (int i = 0; i < points->count; i++)
        if (points->point[i].foot >= 0)
            return 1;
    return 0;
}

Status contact_program_solve(ContactProgram *program, const ContactProblem *p, ContactSpan span,
                             const ContactProgramDef *def, Vec3 *force, Error *err)
{
    if (contact_program_has_limbs(&p->points))
        return limb_program_solve(program->limbs, p, span, def, force, err);
    return solve_by_points(program, p, span, def, force, err);
}
