/* See mixed_lcp.h. */
#include "analysis/solve/mixed_lcp.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "analysis/math/dense_factor.h"

/* The system of a body under bilateral constraints (docs/sources.md, notes 0.6 and (0.3)). */

/* (0.8) with -(h/2 + beta): G v + (gamma alpha / h^2) h lambda- = -gamma phi / h, gamma = 1 / (1/2 + beta / h). */
SoftRow soft_row(double inverse_stiffness, double damping, double h, double phi)
{
    double gamma = 1 / (0.5 + damping / h);
    return (SoftRow){gamma * inverse_stiffness / (h * h), -gamma * phi / h};
}

void kkt_place(Kkt *k, int size, int bilateral, Arena *memory)
{
    size_t n = (size_t)size, m = (size_t)bilateral;
    *k = (Kkt){.size = size, .bilateral = bilateral};
    k->mass = arena_space(memory, n, n, sizeof *k->mass);
    k->last = arena_space(memory, n, 1, sizeof *k->last);
    k->rows = arena_array(memory, m, n, sizeof *k->rows);
    k->response = arena_array(memory, m, n, sizeof *k->response);
    k->schur = arena_array(memory, m, m, sizeof *k->schur);
}

Status kkt_init(Kkt *k, int size, int bilateral, Error *err)
{
    Arena memory = {0};
    kkt_place(k, size, bilateral, &memory);
    k->memory = memory;
    if (!k->memory.failed)
        return STATUS_OK;
    kkt_free(k);
    return error_no_memory(err);
}

void kkt_free(Kkt *k)
{
    if (!k)
        return;
    arena_free(&k->memory);
    *k = (Kkt){0};
}

Status kkt_factor(Kkt *k, const double *mass, const double *rows, const double *compliance, Error *err)
{
    size_t n = (size_t)k->size, m = (size_t)k->bilateral;
    memcpy(k->mass, mass, n * n * sizeof *mass);
    int done = profile_factor(k->mass, k->size, k->last);
    if (done < k->size)
        return error_set(err, STATUS_NO_RESULT, "mass matrix is not positive definite in row %d", done);
    if (m == 0 || !rows)
        return STATUS_OK;
    memcpy(k->rows, rows, m * n * sizeof *rows);
    memcpy(k->response, rows, m * n * sizeof *rows);
    for (size_t i = 0; i < m; i++) {
        profile_solve(k->mass, k->last, k->size, k->response + i * n);
        for (size_t j = 0; j <= i; j++)
            k->schur[i * m + j] = dot_product(k->rows + j * n, k->response + i * n, k->size);
        k->schur[i * m + i] += compliance ? compliance[i] : 0;
    }
    done = cholesky_factor(k->schur, k->bilateral);
    if (done < k->bilateral)
        return error_set(err, STATUS_NO_RESULT, "bilateral constraint %d depends on those before it", done);
    return STATUS_OK;
}

/* 0.6: lambda = (G M^-1 G' + R)^-1 (g - G M^-1 b),  v = M^-1 b + M^-1 G' lambda. */
void kkt_solve(const void *kkt, double *y)
{
    const Kkt *k = kkt;
    size_t n = (size_t)k->size;
    double *lambda = y + n;
    profile_solve(k->mass, k->last, k->size, y);
    for (int i = 0; i < k->bilateral; i++)
        lambda[i] -= dot_product(k->rows + (size_t)i * n, y, k->size);
    cholesky_solve(k->schur, k->bilateral, lambda);
    for (int i = 0; i < k->bilateral; i++)
        for (size_t j = 0; j < n; j++)
            y[j] += k->response[(size_t)i * n + j] * lambda[i];
}

void kkt_add_impulses(const Kkt *kkt, const double *lambda, double *to)
{
    for (int r = 0; r < kkt->bilateral; r++)
        for (int k = 0; k < kkt->size; k++)
            to[k] += kkt->rows[(size_t)r * (size_t)kkt->size + (size_t)k] * lambda[r];
}

/* half <- (U^-1 b, L^-1 G M^-1 b), with the factors M = U U' and G M^-1 G' + R = L L'. */
static void solve_half(const Kkt *k, const double *b, double *half)
{
    size_t n = (size_t)k->size;
    memcpy(half, b, n * sizeof *half);
    profile_half_solve(k->mass, k->last, k->size, half);
    for (int i = 0; i < k->bilateral; i++)
        half[n + (size_t)i] = dot_product(k->response + (size_t)i * n, b, k->size);
    cholesky_half_solve(k->schur, k->bilateral, half + n);
}

/* Range [from, to) of the entries of x that are not zero. */
typedef struct Range {
    int from, to;
} Range;

static Range find_range(const double *x, int n)
{
    Range r = {0, n};
    while (r.to > 0 && x[r.to - 1] == 0)
        r.to--;
    while (r.from < r.to && x[r.from] == 0)
        r.from++;
    return r;
}

/* 0.6: N M^-1 N' - N M^-1 G' (G M^-1 G' + R)^-1 G M^-1 N'. Rows of bodies without a common joint have no common
 * non-zero entries. */
void kkt_mobility(const Kkt *k, const double *rows, int count, double *half, double *mobility)
{
    size_t n = (size_t)k->size, all = n + (size_t)k->bilateral, m = (size_t)count;
    for (size_t i = 0; i < m; i++) {
        double *own = half + i * all;
        solve_half(k, rows + i * n, own);
        Range a = find_range(own, k->size);
        for (size_t j = 0; j <= i; j++) {
            const double *other = half + j * all;
            double sum = dot_product(own + a.from, other + a.from, a.to - a.from);
            sum -= dot_product(own + n, other + n, k->bilateral);
            mobility[i * m + j] = mobility[j * m + i] = sum;
        }
    }
}

/* Projected Gauss-Seidel. */

/* Fraction of the largest mobility of a row; far above the rounding error of a row of zeros, 1e-16 squared. */
#define LEAST_SHARE 1e-24

GaussSeidelDef gauss_seidel_default_def(void) { return (GaussSeidelDef){.max_sweeps = 1000, .tolerance = 1e-9}; }

/* Results of a sweep: largest impulse, largest change of an impulse, and largest change of speed along a row. */
typedef struct Sweep {
    double largest, change, speed;
} Sweep;

static void note_change(Sweep *sweep, double before, double after, double weight)
{
    sweep->largest = fmax(sweep->largest, fabs(after));
    sweep->change = fmax(sweep->change, fabs(after - before));
    sweep->speed = fmax(sweep->speed, fabs(after - before) * weight);
}

static int is_settled(const Sweep *sweep, const GaussSeidelDef *def)
{
    return sweep->change <= def->tolerance * sweep->largest;
}

static int all_finite(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return 0;
    return 1;
}

/* Clamps the impulse of row i to its bounds; for a friction row to those of the present normal impulse (0.16: phi_max =
 * mu lambda). */
static double clamp_impulse(const GaussSeidelRows *r, int i, double wanted, const double *impulse)
{
    if (r->normal && r->normal[i] >= 0) {
        double friction = r->frictions ? r->frictions[i] : r->friction;
        double most = friction * fmax(0, impulse[r->normal[i]]);
        return fmax(-most, fmin(most, wanted));
    }
    wanted = r->most ? fmin(r->most[i], wanted) : wanted;
    return fmax(r->least[i], wanted);
}

static void apply_impulse(const GaussSeidelRows *r, int i, double amount, double *v)
{
    const double *response = r->response + (size_t)i * (size_t)r->size;
    for (int k = 0; k < r->size; k++)
        v[k] += response[k] * amount;
}

/* N_i M^-1 N_i' */
static double mobility(const GaussSeidelRows *r, int i)
{
    size_t at = (size_t)i * (size_t)r->size;
    return dot_product(r->rows + at, r->response + at, r->size);
}

/* Rows with no more mobility than this cannot move and get no impulse. */
static double least_mobility(const GaussSeidelRows *r)
{
    double largest = 0;
    for (int i = 0; i < r->count; i++)
        largest = fmax(largest, mobility(r, i));
    return LEAST_SHARE * largest;
}

/* 0.15, accumulating the impulse of row i: lambda_i <- clamp(lambda_i + (c_i - N_i v - R_i lambda_i) / w_i), w_i = N_i
 * M^-1 N_i' + R_i; v is updated with it. The friction step of 0.16 is the same with the bounds +-mu lambda_normal. */
static Sweep sweep_rows(const GaussSeidelRows *r, double least, double *v, double *impulse)
{
    Sweep sweep = {0};
    for (int i = 0; i < r->count; i++) {
        const double *row = r->rows + (size_t)i * (size_t)r->size;
        double soft = r->compliance ? r->compliance[i] : 0, before = impulse[i];
        double weight = mobility(r, i);
        if (!(weight > least))
            continue;
        double gap = r->target[i] - dot_product(row, v, r->size) - soft * before;
        impulse[i] = clamp_impulse(r, i, before + gap / (weight + soft), impulse);
        apply_impulse(r, i, impulse[i] - before, v);
        note_change(&sweep, before, impulse[i], weight);
    }
    return sweep;
}

static Status check_rows(const GaussSeidelRows *r, const double *v, Error *err)
{
    size_t count = (size_t)r->count, size = (size_t)r->size;
    if (!all_finite(r->rows, count * size) || !all_finite(r->response, count * size) ||
        !all_finite(r->target, count) || !all_finite(v, size))
        return error_set(err, STATUS_NO_RESULT, "Gauss-Seidel was given a number that is not finite");
    return STATUS_OK;
}

/* Sweeps until convergence or max_sweeps; *last: results of the last sweep, *done: number of sweeps. */
static Status sweep_all(const GaussSeidelRows *r, const GaussSeidelDef *def, double *v, double *impulse, Sweep *last,
                        int *done)
{
    double least = least_mobility(r);
    for (int i = 0; i < r->count; i++) {
        impulse[i] = mobility(r, i) > least ? impulse[i] : 0;
        apply_impulse(r, i, impulse[i], v);
    }
    do
        *last = sweep_rows(r, least, v, impulse);
    while (++*done < def->max_sweeps && !is_settled(last, def));
    return is_settled(last, def) ? STATUS_OK : STATUS_NO_RESULT;
}

static Status report(const Sweep *last, int done, Error *err)
{
    return error_set(err, STATUS_NO_RESULT,
                     "Gauss-Seidel did not converge in %d sweeps: speeds still change by %.2g m/s", done,
                     last->speed);
}

Status gauss_seidel_rows(const GaussSeidelRows *r, const GaussSeidelDef *def, double *v, double *impulse, int *sweeps,
                         Error *err)
{
    int done = 0;
    Sweep last = {0};
    Status status = check_rows(r, v, err);
    if (!status && sweep_all(r, def, v, impulse, &last, &done))
        status = report(&last, done, err);
    if (sweeps)
        *sweeps = done;
    return status;
}

Status gauss_seidel_go_on(const GaussSeidelRows *r, const GaussSeidelDef *def, double *v, double *impulse,
                          UnsettledSweeps *unsettled, Error *err)
{
    int done = 0;
    Sweep last = {0};
    Status status = check_rows(r, v, err);
    if (status || !sweep_all(r, def, v, impulse, &last, &done) || last.speed <= LEAST_ROUGH)
        return status;
    if (unsettled->count++ == 0) {
        unsettled->time = unsettled->now;
        report(&last, done, &unsettled->why);
    }
    return STATUS_OK;
}

typedef struct LcpColumns {
    const MixedLcp *problem;
    double *work;
} LcpColumns;

Status mixed_lcp_solver_init(MixedLcpSolver *s, int size, int unilateral, Error *err)
{
    *s = (MixedLcpSolver){.size = size};
    Status status = lcp_solver_init(&s->lcp, unilateral, err);
    s->q = arena_array(&s->memory, (size_t)unilateral, 1, sizeof *s->q);
    s->work = arena_array(&s->memory, (size_t)size, 1, sizeof *s->work);
    if (!status && s->memory.failed)
        status = error_no_memory(err);
    if (status)
        mixed_lcp_solver_free(s);
    return status;
}

void mixed_lcp_solver_free(MixedLcpSolver *s)
{
    if (!s)
        return;
    lcp_solver_free(&s->lcp);
    arena_free(&s->memory);
    *s = (MixedLcpSolver){0};
}

/* out = N x */
static void multiply_rows(const MixedLcp *p, const double *x, double *out)
{
    for (int i = 0; i < p->unilateral; i++)
        out[i] = dot_product(p->rows + (size_t)i * (size_t)p->size, x, p->size);
}

/* 0.8: column j of N- A^-1 N-' + C. */
static void make_column(const void *context, int j, double *out)
{
    const LcpColumns *c = context;
    const MixedLcp *p = c->problem;
    memcpy(c->work, p->rows + (size_t)j * (size_t)p->size, (size_t)p->size * sizeof *out);
    memset(c->work + p->size, 0, (size_t)p->bilateral * sizeof *out);
    p->solve(p->context, c->work);
    multiply_rows(p, c->work, out);
    for (int i = 0; p->added && i < p->unilateral; i++)
        out[i] += p->added[(size_t)i * (size_t)p->unilateral + (size_t)j];
}

static void load_right_side(const MixedLcp *p, double *y)
{
    memcpy(y, p->f, (size_t)p->size * sizeof *y);
    if (p->bilateral)
        memcpy(y + p->size, p->g, (size_t)p->bilateral * sizeof *y);
}

/* (x, lambda) = A^-1 (b + N-' z) */
static void find_rest(MixedLcpSolver *s, const MixedLcp *p, const MixedLcpSolution *out)
{
    load_right_side(p, s->work);
    for (int i = 0; i < p->unilateral; i++)
        for (int k = 0; out->z[i] > 0 && k < p->size; k++)
            s->work[k] += p->rows[(size_t)i * (size_t)p->size + (size_t)k] * out->z[i];
    p->solve(p->context, s->work);
    memcpy(out->x, s->work, (size_t)p->size * sizeof *out->x);
    if (out->lambda)
        memcpy(out->lambda, s->work + p->size, (size_t)p->bilateral * sizeof *out->lambda);
}

Status mixed_lcp_solve(MixedLcpSolver *s, const MixedLcp *p, const LcpDef *def, const MixedLcpSolution *out, Error *err)
{
    if (p->size + p->bilateral > s->size || p->unilateral > s->lcp.capacity)
        return error_set(err, STATUS_USAGE, "mixed complementarity problem is larger than the room for it");
    LcpColumns columns = {p, s->work};
    Lcp lcp = {p->unilateral, s->q, make_column, &columns};
    /* 0.7, with the -n that 0.8 omits: q = N- A^-1 b - n. */
    load_right_side(p, s->work);
    p->solve(p->context, s->work);
    multiply_rows(p, s->work, s->q);
    for (int i = 0; i < p->unilateral; i++)
        s->q[i] -= p->n[i];
    Status status = lcp_solve(&s->lcp, &lcp, def, out->z, out->w, err);
    if (!status)
        find_rest(s, p, out);
    return status;
}

/* M = Q, N = A, f = -c, n = b: computes columns of A Q^-1 A' on demand, then x = Q^-1 (A'z - c). */
Status qp_solve(const Qp *qp, const LcpDef *def, double *x, double *z, Error *err)
{
    Kkt kkt = {0};
    MixedLcpSolver solver = {0};
    Arena arena = {0};
    double *f = arena_array(&arena, (size_t)qp->size, 1, sizeof *f);
    Status status = arena.failed ? error_no_memory(err) : kkt_init(&kkt, qp->size, 0, err);
    if (!status)
        status = mixed_lcp_solver_init(&solver, qp->size, qp->rows, err);
    if (!status)
        status = kkt_factor(&kkt, qp->quadratic, NULL, NULL, err);
    for (int i = 0; !status && i < qp->size; i++)
        f[i] = -qp->linear[i];
    MixedLcp problem = {.size = qp->size, .unilateral = qp->rows, .solve = kkt_solve, .context = &kkt, .rows = qp->a,
                        .f = f, .n = qp->b};
    MixedLcpSolution solution = {.x = x, .z = z};
    if (!status)
        status = mixed_lcp_solve(&solver, &problem, def, &solution, err);
    mixed_lcp_solver_free(&solver);
    kkt_free(&kkt);
    arena_free(&arena);
    return status;
}
