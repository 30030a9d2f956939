/* Segment masses of one person (mass_fit.h). */
#include "analysis/contact/mass_fit.h"

#include <math.h>

#include "analysis/solve/lcp.h"
#include "analysis/solve/mixed_lcp.h"

/* Frames are not independent: errors of a rigid skeleton and of soft tissue recur with every step, so a second counts
 * as about two samples. With 16, those of a signal up to 8 Hz, walks were fitted to such errors (docs/decisions.md). */
#define INDEPENDENT_RATE 2.0 /* 1/s */

#define MIN_NOISE 1e-3 /* body weights: smallest noise of a recording */
#define AT_BOUND 0.999 /* of the bound: a larger change is at the bound */

/* The trunk compensates: its change follows from the others'. */
enum { FREE = BODY_PARTS - 1, ROWS = 2 * BODY_PARTS, ROUNDS = 4 };
_Static_assert(PART_TRUNK == 0, "the free parts are those behind the trunk");

MassFitDef mass_fit_default_def(void) { return (MassFitDef){.bound = 0.15, .min_gain = 0.02}; }

static double part_spread(BodyPart part)
{
    for (int i = 0; i < part_spreads_count; i++)
        if (part_spreads[i].part == part)
            return part_spreads[i].spread;
    return 0;
}

/* Variables of the fit. */
typedef struct Sample {
    const MassEquations *clip; /* [count] */
    int count;
    const double *part_mass; /* [BODY_PARTS] kg */
    double bound;
} Sample;

/* Cost of all clips but one, plus the departure from the table, in the changes of all parts. */
typedef struct Cost {
    double quadratic[BODY_PARTS][BODY_PARTS], linear[BODY_PARTS];
} Cost;

static void find_cost(const Sample *s, int left_out, const double *change, Cost *cost)
{
    *cost = (Cost){0};
    for (int c = 0; c < s->count; c++) {
        const MassEquations *clip = &s->clip[c];
        if (c == left_out || !(clip->square > 0))
            continue;
        double noise = fmax(mass_equations_error(clip, change), MIN_NOISE * MIN_NOISE);
        double weight = 6 * INDEPENDENT_RATE * clip->duration / noise;
        for (int a = 0; a < BODY_PARTS; a++) {
            cost->linear[a] += weight * clip->linear[a];
            for (int b = 0; b < BODY_PARTS; b++)
                cost->quadratic[a][b] += weight * clip->normal[a][b];
        }
    }
    for (int a = 0; a < BODY_PARTS; a++)
        cost->quadratic[a][a] += 1 / (part_spread((BodyPart)a) * part_spread((BodyPart)a));
}

/* Change of the trunk per unit change of each free part, at constant total mass. */
static void find_fractions(const double *part_mass, double *fraction)
{
    for (int a = 0; a < FREE; a++)
        fraction[a] = -part_mass[a + 1] / part_mass[PART_TRUNK];
}

static void put_bounds(const double *fraction, double bound, double a[ROWS][FREE], double *b)
{
    for (int row = 0; row < ROWS; row++) {
        int part = row / 2, sign = row % 2 ? -1 : 1;
        b[row] = -bound;
        for (int i = 0; i < FREE; i++)
            a[row][i] = sign * (part == PART_TRUNK ? fraction[i] : part == i + 1);
    }
}

static Status solve(const Cost *cost, const double *part_mass, double bound, double *change, Error *err)
{
    double fraction[FREE], q[FREE][FREE], c[FREE], a[ROWS][FREE], b[ROWS], z[ROWS] = {0}, x[FREE] = {0};
    LcpDef def = lcp_default_def();
    find_fractions(part_mass, fraction);
    for (int i = 0; i < FREE; i++) {
        c[i] = cost->linear[i + 1] + fraction[i] * cost->linear[PART_TRUNK];
        for (int k = 0; k < FREE; k++)
            q[i][k] = cost->quadratic[i + 1][k + 1] + fraction[i] * cost->quadratic[PART_TRUNK][k + 1] +
                      fraction[k] * cost->quadratic[i + 1][PART_TRUNK] +
                      fraction[i] * fraction[k] * cost->quadratic[PART_TRUNK][PART_TRUNK];
    }
    put_bounds(fraction, bound, a, b);
    Status status = qp_solve(&(Qp){FREE, ROWS, q[0], c, a[0], b}, &def, x, z, err);
    change[PART_TRUNK] = 0;
    for (int i = 0; i < FREE; i++) {
        change[i + 1] = x[i];
        change[PART_TRUNK] += fraction[i] * x[i];
    }
    return status;
}

/* The noise of a clip is its residual after the fit, so that each iteration estimates it better. */
static Status fit_without(const Sample *s, int left_out, double *change, Error *err)
{
    Status status = STATUS_OK;
    for (int a = 0; a < BODY_PARTS; a++)
        change[a] = 0;
    for (int round = 0; round < ROUNDS && !status; round++) {
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
    for (int c = 0; c < count && !status; c++) {
        double change[BODY_PARTS];
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
    if (status || out->clips == 0)
        return status;
    out->gain /= duration;
    out->gain_fitted /= duration;
    for (int part = 0; part < BODY_PARTS; part++)
        out->at_bound += fabs(out->change[part]) > AT_BOUND * def->bound;
    out->is_found = out->clips > 1 && out->gain >= def->min_gain && 2 * out->better > out->clips &&
                    2 * out->at_bound < BODY_PARTS;
    return STATUS_OK;
}
