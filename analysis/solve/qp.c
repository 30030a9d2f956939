#include "analysis/solve/qp.h"

#include "analysis/base/memory.h"
#include "analysis/solve/kkt.h"
#include "analysis/solve/mixed_lcp.h"

/* The mixed problem without bilateral rows: M = Q, N = A, f = -c, n = b. */
Status qp_solve(const Qp *qp, const LcpDef *def, double *x, double *z, LcpResult *result, Error *err)
{
    Kkt kkt = {0};
    MixedLcpSolver solver = {0};
    double *f = array_new((size_t)qp->size, 1, sizeof *f);
    Status status = f ? kkt_init(&kkt, qp->size, 0, err) : error_no_memory(err);
    if (!status)
        status = mixed_lcp_solver_init(&solver, qp->size, qp->rows, err);
    if (!status)
        status = kkt_factor(&kkt, qp->quadratic, NULL, NULL, err);
    if (status)
        goto done;
    for (int i = 0; i < qp->size; i++)
        f[i] = -qp->linear[i];
    MixedLcp problem = {.size = qp->size, .unilateral = qp->rows, .solve = kkt_solve, .context = &kkt, .rows = qp->a,
                        .f = f, .n = qp->b};
    status = mixed_lcp_solve(&solver, &problem, def, x, NULL, z, NULL, result, err);
done:
    free(f);
    mixed_lcp_solver_free(&solver);
    kkt_free(&kkt);
    return status;
}
