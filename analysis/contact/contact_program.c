/* The problem of ground contact as a quadratic program over frames, filled from a ContactProblem and solved.
 *
 * The cost is a sum of equations, weight (row . f - target)^2 / 2 each, on the forces f of the candidate points. Bodies
 * with feet are solved by limbs (solve/limb_qp.h): the points of a foot share one horizontal force and one couple about
 * the vertical, f_i = (a_i (X - tau z_i), y_i, a_i (Z + tau x_i)), with parts a_i that add up to 1 and are smaller
 * where a point costs more, and x_i, z_i from the centre sum a_i p_i. Other bodies are solved by points
 * (solve/tridiagonal_qp.h), with a cone each: creatures have many limbs of one point. */
#include "analysis/contact/contact_program.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/contact/contact_penalty.h"
#include "analysis/contact/contact_program_internal.h"

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
        if (penalty[i] < CONTACT_PENALTY_MAX) {
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
            n += p->penalty[frame * points + i] < CONTACT_PENALTY_MAX;
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
static Vec3 *contact_force(const ContactProblem *p, ContactSpan span, const TridiagonalQp *qp, int t, int contact,
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
            own[c] = *contact_force(p, span, qp, t, c, force);
    status = tridiagonal_qp_solve(program->solver, qp, &solve, own, NULL, err);
    for (int t = 0; t < span.count; t++)
        for (int c = qp->first[t]; c < qp->first[t + 1]; c++)
            *contact_force(p, span, qp, t, c, force) = own[c];
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
