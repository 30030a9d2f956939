/* See gauss_seidel.h. */
#include "analysis/solve/gauss_seidel.h"

#include <math.h>
#include <stddef.h>

#include "analysis/math/dense_factor.h"

/* Fraction of the largest mobility of a row; far above the rounding error of a row of zeros, 1e-16 squared. */
#define MIN_SHARE 1e-24

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
        double max = friction * fmax(0, impulse[r->normal[i]]);
        return fmax(-max, fmin(max, wanted));
    }
    wanted = r->max ? fmin(r->max[i], wanted) : wanted;
    return fmax(r->min[i], wanted);
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
static double min_mobility(const GaussSeidelRows *r)
{
    double largest = 0;
    for (int i = 0; i < r->count; i++)
        largest = fmax(largest, mobility(r, i));
    return MIN_SHARE * largest;
}

/* 0.15, accumulating the impulse of row i: lambda_i <- clamp(lambda_i + (c_i - N_i v - R_i lambda_i) / w_i), w_i = N_i
 * M^-1 N_i' + R_i; v is updated with it. The friction step of 0.16 is the same with the bounds +-mu lambda_normal. */
static Sweep sweep_rows(const GaussSeidelRows *r, double min, double *v, double *impulse)
{
    Sweep sweep = {0};
    for (int i = 0; i < r->count; i++) {
        const double *row = r->rows + (size_t)i * (size_t)r->size;
        double soft = r->compliance ? r->compliance[i] : 0, before = impulse[i];
        double weight = mobility(r, i);
        if (!(weight > min))
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
    double min = min_mobility(r);
    for (int i = 0; i < r->count; i++) {
        impulse[i] = mobility(r, i) > min ? impulse[i] : 0;
        apply_impulse(r, i, impulse[i], v);
    }
    do
        *last = sweep_rows(r, min, v, impulse);
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
    if (status || !sweep_all(r, def, v, impulse, &last, &done) || last.speed <= MIN_ROUGH)
        return status;
    if (unsettled->count++ == 0) {
        unsettled->time = unsettled->now;
        report(&last, done, &unsettled->why);
    }
    return STATUS_OK;
}
