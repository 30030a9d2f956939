/* See mixed_lcp.h. */
#include "analysis/solve/mixed_lcp.h"

#include <stddef.h>
#include <string.h>

#include "analysis/math/dense_factor.h"
#include "analysis/solve/kkt.h"

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
