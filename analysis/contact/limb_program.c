/* The program by limbs (contact_program_internal.h). */
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/clip/contact.h"
#include "analysis/contact/contact_penalty.h"
#include "analysis/contact/contact_prior.h"
#include "analysis/contact/contact_program_internal.h"
#include "analysis/solve/limb_qp.h"

#define PART_SMOOTHING 0.03 /* of the smoothing within 10 ms: cost of a point in addition to its penalty, for its
                               fraction */
#define MIN_SHARED 0.03     /* body weights: load of a point in addition to its own, for its fraction */
#define MIN_SPREAD 1e-9  /* L^2: points closer together transmit no couple */

_Static_assert((int)LIMB_POINTS == (int)FOOT_POINTS, "a foot is the limb of several points");

struct LimbProgram {
    LimbQp qp;
    LimbQpSolver *solver;
};

Status limb_program_create(LimbProgram **program, Error *err)
{
    *program = calloc(1, sizeof **program);
    if (!*program)
        return error_no_memory(err);
    return limb_qp_solver_create(&(*program)->solver, err);
}

void limb_program_destroy(LimbProgram *program)
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
        s->part[i] = s->open >> i & 1 ? (load ? load[i] + MIN_SHARED : 1) / (penalty[i] + smoothing) : 0;
        sum += s->part[i];
    }
    for (int i = 0; i < s->points && s->open; i++)
        s->part[i] /= sum;
}

/* The limb whose points begin at `first`; open is 0 if none is a candidate. */
static LimbShape limb_shape(const ContactProblem *p, size_t frame, int first)
{
    const size_t at = frame * (size_t)p->points.count + (size_t)first;
    const Vec3 *lever = p->lever + at;
    LimbShape s = {.first = first};
    double x = 0, z = 0;
    for (int i = first; i < p->points.count && p->points.point[i].limb == p->points.point[first].limb; i++) {
        s.open |= (unsigned)(p->penalty[at + (size_t)s.points] < CONTACT_PENALTY_MAX) << s.points;
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
    if (!(s.inertia > MIN_SPREAD))
        s.inertia = 0;
    return s;
}

/* The limb of the program, with only its offset among the unknowns still to be set. */
static QpLimb contact_qp_limb(const ContactProblem *p, size_t frame, const LimbShape *s)
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
        LimbShape shape = limb_shape(p, frame, first);
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
        qp->limb[qp->first[f->t] + l] = contact_qp_limb(p, f->frame, &f->shape[l]);
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
                open |= penalty[last] < CONTACT_PENALTY_MAX;
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

Status limb_program_solve(LimbProgram *program, const ContactProblem *p, ContactSpan span,
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
