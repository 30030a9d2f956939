#include "analysis/contact/mass_fit.h"

#include <math.h>

#include "analysis/solve/mixed_lcp.h"

/* Frames are not independent: what a fixed skeleton and soft tissue do wrong comes back with every step, so a second
 * says about as much as two readings. With 16, those of a signal up to 8 Hz, walks were fitted to such errors
 * (docs/decisions.md). */
#define INDEPENDENT_RATE 2.0 /* 1/s */

#define LEAST_NOISE 1e-3 /* body weights: no recording is better */
#define AT_BOUND 0.999 /* of the bound: a part that ends there */

/* The trunk takes what the others give: its change follows from theirs. */
enum { FREE = PART_COUNT - 1, ROWS = 2 * PART_COUNT, ROUNDS = 4 };
_Static_assert(PART_TRUNK == 0, "the free parts are those behind the trunk");

MassFitDef mass_fit_default_def(void) { return (MassFitDef){.bound = 0.15, .least_gain = 0.02}; }

static double spread_of(BodyPart part)
{
    for (int i = 0; i < part_spreads_count; i++)
        if (part_spreads[i].part == part)
            return part_spreads[i].spread;
    return 0;
}

/* What is fitted. */
typedef struct Sample {
    const MassEquations *clip; /* [count] */
    int count;
    const double *part_mass; /* [PART_COUNT] kg */
    double bound;
} Sample;

/* The cost of all clips but one and of the departure from the table, in the changes of all parts. */
typedef struct Cost {
    double quadratic[PART_COUNT][PART_COUNT], linear[PART_COUNT];
} Cost;

static void find_cost(const Sample *s, int left_out, const double *change, Cost *cost)
{
    *cost = (Cost){0};
    for (int c = 0; c < s->count; c++) {
        const MassEquations *clip = &s->clip[c];
        if (c == left_out || !(clip->square > 0))
            continue;
        double noise = fmax(mass_equations_error(clip, change), LEAST_NOISE * LEAST_NOISE);
        double weight = 6 * INDEPENDENT_RATE * clip->duration / noise;
        for (int a = 0; a < PART_COUNT; a++) {
            cost->linear[a] += weight * clip->linear[a];
            for (int b = 0; b < PART_COUNT; b++)
                cost->quadratic[a][b] += weight * clip->normal[a][b];
        }
    }
    for (int a = 0; a < PART_COUNT; a++)
        cost->quadratic[a][a] += 1 / (spread_of((BodyPart)a) * spread_of((BodyPart)a));
}

/* The trunk's change for one of each free part: what keeps the total. */
static void find_shares(const double *part_mass, double *share)
{
    for (int a = 0; a < FREE; a++)
        share[a] = -part_mass[a + 1] / part_mass[PART_TRUNK];
}

static void put_bounds(const double *share, double bound, double a[ROWS][FREE], double *b)
{
    for (int row = 0; row < ROWS; row++) {
        int part = row / 2, sign = row % 2 ? -1 : 1;
        b[row] = -bound;
        for (int i = 0; i < FREE; i++)
            a[row][i] = sign * (part == PART_TRUNK ? share[i] : part == i + 1);
    }
}

static Status solve(const Cost *cost, const double *part_mass, double bound, double *change, Error *err)
{
    double share[FREE], q[FREE][FREE], c[FREE], a[ROWS][FREE], b[ROWS], z[ROWS] = {0}, x[FREE] = {0};
    LcpDef def = lcp_default_def();
    find_shares(part_mass, share);
    for (int i = 0; i < FREE; i++) {
        c[i] = cost->linear[i + 1] + share[i] * cost->linear[PART_TRUNK];
        for (int k = 0; k < FREE; k++)
            q[i][k] = cost->quadratic[i + 1][k + 1] + share[i] * cost->quadratic[PART_TRUNK][k + 1] +
                      share[k] * cost->quadratic[i + 1][PART_TRUNK] +
                      share[i] * share[k] * cost->quadratic[PART_TRUNK][PART_TRUNK];
    }
    put_bounds(share, bound, a, b);
    Status status = qp_solve(&(Qp){FREE, ROWS, q[0], c, a[0], b}, &def, x, z, err);
    change[PART_TRUNK] = 0;
    for (int i = 0; i < FREE; i++) {
        change[i + 1] = x[i];
        change[PART_TRUNK] += share[i] * x[i];
    }
    return status;
}

/* A clip's noise is what the fit leaves of it, so that each round knows it better. */
static Status fit_without(const Sample *s, int left_out, double *change, Error *err)
{
    Status status = STATUS_OK;
    for (int a = 0; a < PART_COUNT; a++)
        change[a] = 0;
    for (int round = 0; round < ROUNDS && status == STATUS_OK; round++) {
        Cost cost;
        find_cost(s, left_out, change, &cost);
        status = solve(&cost, s->part_mass, s->bound, change, err);
    }
    return status;
}

Status mass_fit(const MassEquations *clip, int count, const double *part_mass, const MassFitDef *def, MassFit *out,
                Error *err)
{
    const Sample sample = {clip, count, part_mass, def->bound};
    double duration = 0;
    *out = (MassFit){0};
    Status status = fit_without(&sample, -1, out->change, err);
    for (int c = 0; c < count && status == STATUS_OK; c++) {
        double change[PART_COUNT];
        if (!(clip[c].square > 0))
            continue;
        status = fit_without(&sample, c, change, err);
        double gain = 1 - mass_equations_error(&clip[c], change) / clip[c].square;
        out->gain += gain * clip[c].duration;
        out->gain_fitted += clip[c].duration * (1 - mass_equations_error(&clip[c], out->change) / clip[c].square);
        out->better += gain > 0;
        out->clips++;
        duration += clip[c].duration;
    }
    if (status != STATUS_OK || out->clips == 0)
        return status;
    out->gain /= duration;
    out->gain_fitted /= duration;
    for (int part = 0; part < PART_COUNT; part++)
        out->at_bound += fabs(out->change[part]) > AT_BOUND * def->bound;
    out->is_found = out->clips > 1 && out->gain >= def->least_gain && 2 * out->better > out->clips &&
                    2 * out->at_bound < PART_COUNT;
    return STATUS_OK;
}

void mass_fit_apply(const MassFit *fit, const Skeleton *skeleton, Body *body)
{
    for (int j = 0; j < body->joint_count; j++) {
        BodyPart part = body_part_of(skeleton->segment[j]);
        double factor = 1 + (part == PART_NONE ? 0 : fit->change[part]);
        Sym3 *i = &body->inertia[j];
        body->mass[j] *= factor;
        *i = (Sym3){factor * i->xx, factor * i->yy, factor * i->zz, factor * i->xy, factor * i->xz, factor * i->yz};
    }
}
