#include "analysis/solve/mixed_lcp.h"

#include <string.h>

#include "analysis/base/memory.h"

typedef struct Columns {
    const MixedLcp *problem;
    double *work;
} Columns;

Status mixed_lcp_solver_init(MixedLcpSolver *s, int size, int unilateral, Error *err)
{
    *s = (MixedLcpSolver){.size = size};
    Status status = lcp_solver_init(&s->lcp, unilateral, err);
    s->q = array_new((size_t)unilateral, 1, sizeof *s->q);
    s->work = array_new((size_t)size, 1, sizeof *s->work);
    if (!status && (!s->q || !s->work))
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
    free(s->q);
    free(s->work);
    *s = (MixedLcpSolver){0};
}

/* out = N x */
static void multiply_rows(const MixedLcp *p, const double *x, double *out)
{
    for (int i = 0; i < p->unilateral; i++) {
        const double *row = p->rows + (size_t)i * (size_t)p->size;
        double sum = 0;
        for (int k = 0; k < p->size; k++)
            sum += row[k] * x[k];
        out[i] = sum;
    }
}

/* 0.8: column j of N- A^-1 N-' + C. */
static void make_column(const void *context, int j, double *out)
{
    const Columns *c = context;
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

Status mixed_lcp_solve(MixedLcpSolver *s, const MixedLcp *p, const LcpDef *def, double *x, double *lambda, double *z,
                       double *w, LcpResult *result, Error *err)
{
    if (p->size + p->bilateral > s->size || p->unilateral > s->lcp.capacity)
        return error_set(err, STATUS_USAGE, "mixed complementarity problem is larger than the room for it");
    Columns columns = {p, s->work};
    Lcp lcp = {p->unilateral, s->q, make_column, &columns};
    /* 0.7, with the -n that 0.8 leaves out: q = N- A^-1 b - n. */
    load_right_side(p, s->work);
    p->solve(p->context, s->work);
    multiply_rows(p, s->work, s->q);
    for (int i = 0; i < p->unilateral; i++)
        s->q[i] -= p->n[i];
    Status status = lcp_solve(&s->lcp, &lcp, def, z, w, result, err);
    if (status)
        return status;
    /* (x, lambda) = A^-1 (b + N-' z) */
    load_right_side(p, s->work);
    for (int i = 0; i < p->unilateral; i++)
        for (int k = 0; z[i] > 0 && k < p->size; k++)
            s->work[k] += p->rows[(size_t)i * (size_t)p->size + (size_t)k] * z[i];
    p->solve(p->context, s->work);
    memcpy(x, s->work, (size_t)p->size * sizeof *x);
    if (p->bilateral)
        memcpy(lambda, s->work + p->size, (size_t)p->bilateral * sizeof *lambda);
    return STATUS_OK;
}
