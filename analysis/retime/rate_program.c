/* See rate_program.h. */
#include "analysis/retime/rate_program.h"

#include <math.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/solve/band_matrix.h"

enum { ROUNDS = 8, NEWTON_STEPS = 40, HALVINGS = 30, POINTS = 4 };

static const double first_weight = 1, weight_growth = 4, max_weight = 1e4;
static const double at_bound = 1e-12, min_fall = 1e-4, settled = 1e-9;

/* Gauss-Legendre points and weights on 0..1. */
static const double point[POINTS] = {0.0694318442029737, 0.3300094782075719, 0.6699905217924281, 0.9305681557970263};
static const double share[POINTS] = {0.1739274225687269, 0.3260725774312731, 0.3260725774312731, 0.1739274225687269};

typedef struct Solver {
    const RateProgram *program;
    TimeWarp *warp;
    WarpBasis *basis;   /* [row] */
    double *multiplier; /* [row] */
    double weight;      /* of the squared violations */
    double *gradient, *step, *tried; /* [count] */
    BandMatrix hessian;
} Solver;

double rate_program_smoothness(double width) { return 0.5 * width * width * width * width; }

static Vec3 row_vector(const RateRow *row, WarpRate rate)
{
    return vec3_mad(vec3_mad(row->now, rate.square, row->by_square), rate.push, row->by_push);
}

double rate_row_value(const RateRow *row, WarpRate rate)
{
    Vec3 v = row_vector(row, rate);
    return row->is_one_sided ? v.x : vec3_norm(v);
}

static WarpRate rate_of_basis(const WarpBasis *basis, const double *square)
{
    WarpRate rate = {0};
    for (int k = 0; k < WARP_ORDER; k++) {
        rate.square += basis->value[k] * square[basis->first + k];
        rate.push += 0.5 * basis->slope[k] * square[basis->first + k];
    }
    return rate;
}

/* Violation of a row plus its multiplier over the weight; rows below 0 do not act. */
static double acting(const Solver *s, int i, WarpRate rate)
{
    return rate_row_value(&s->program->row[i], rate) - 1 + s->multiplier[i] / s->weight;
}

static double merit(const Solver *s, const double *square)
{
    const TimeWarp *warp = s->warp;
    double sum = 0, h = warp->step;
    for (int i = 0; i + WARP_ORDER <= warp->count; i++)
        for (int p = 0; p < POINTS; p++) {
            WarpBasis basis = time_warp_basis(warp, (i + point[p]) * h);
            sum += share[p] * h / sqrt(rate_of_basis(&basis, square).square);
        }
    for (int i = 0; i + 2 < warp->count; i++) {
        double bend = square[i] - 2 * square[i + 1] + square[i + 2];
        sum += 0.5 * s->program->smoothness * bend * bend / (h * h * h);
    }
    for (int i = 0; i < s->program->row_count; i++) {
        double over = acting(s, i, rate_of_basis(&s->basis[i], square));
        sum += over > 0 ? 0.5 * s->weight * over * over : 0;
    }
    return sum;
}

/* Adds factor * a a' to the Hessian, a being non-zero at `count` coefficients from `first` on. */
static void add_square(Solver *s, int first, int count, const double *a, double factor)
{
    for (int k = 0; k < count; k++)
        for (int l = k; l < count; l++)
            *band_matrix_at(&s->hessian, (size_t)(first + k), (size_t)(first + l)) += factor * a[k] * a[l];
}

static void add_gradient(Solver *s, int first, int count, const double *a, double factor)
{
    for (int k = 0; k < count; k++)
        s->gradient[first + k] += factor * a[k];
}

static void add_time(Solver *s)
{
    double h = s->warp->step;
    for (int i = 0; i + WARP_ORDER <= s->warp->count; i++)
        for (int p = 0; p < POINTS; p++) {
            WarpBasis basis = time_warp_basis(s->warp, (i + point[p]) * h);
            double x = rate_of_basis(&basis, s->warp->square).square, root = 1 / (x * sqrt(x));
            add_gradient(s, basis.first, WARP_ORDER, basis.value, -0.5 * share[p] * h * root);
            add_square(s, basis.first, WARP_ORDER, basis.value, 0.75 * share[p] * h * root / x);
        }
}

static void add_bend(Solver *s)
{
    static const double second[3] = {1, -2, 1};
    const double *x = s->warp->square;
    double factor = s->program->smoothness / (s->warp->step * s->warp->step * s->warp->step);
    for (int i = 0; i + 2 < s->warp->count; i++) {
        add_gradient(s, i, 3, second, factor * (x[i] - 2 * x[i + 1] + x[i + 2]));
        add_square(s, i, 3, second, factor);
    }
}

/* Adds an acting row: the square of its value's gradient, and the curvature of the length of a vector. */
static void add_row(Solver *s, int i)
{
    const RateRow *row = &s->program->row[i];
    const WarpBasis *basis = &s->basis[i];
    WarpRate rate = rate_of_basis(basis, s->warp->square);
    double over = acting(s, i, rate), along[WARP_ORDER], part[3][WARP_ORDER];
    if (!(over > 0))
        return;
    Vec3 v = row_vector(row, rate);
    double length = row->is_one_sided ? 1 : vec3_norm(v);
    Vec3 n = row->is_one_sided ? vec3(1, 0, 0) : vec3_scale(v, 1 / fmax(length, 1e-300));
    for (int k = 0; k < WARP_ORDER; k++) {
        Vec3 slope = vec3_mad(vec3_scale(row->by_square, basis->value[k]), 0.5 * basis->slope[k], row->by_push);
        along[k] = vec3_dot(n, slope);
        Vec3 rest = vec3_mad(slope, -along[k], n);
        part[0][k] = rest.x;
        part[1][k] = rest.y;
        part[2][k] = rest.z;
    }
    add_gradient(s, basis->first, WARP_ORDER, along, s->weight * over);
    add_square(s, basis->first, WARP_ORDER, along, s->weight);
    for (int c = 0; c < 3 && !row->is_one_sided && length > 0; c++)
        add_square(s, basis->first, WARP_ORDER, part[c], s->weight * over / length);
}

/* Holds coefficients at a bound from which the gradient does not lead away. */
static void hold_bounds(Solver *s)
{
    const RateProgram *p = s->program;
    int count = s->warp->count;
    for (int i = 0; i < count; i++) {
        double x = s->warp->square[i], g = s->gradient[i];
        if (!(p->low[i] == p->high[i] || (x <= p->low[i] + at_bound && g > 0) ||
              (x >= p->high[i] - at_bound && g < 0)))
            continue;
        for (int k = i - WARP_ORDER + 1; k < i + WARP_ORDER; k++)
            if (k >= 0 && k < count)
                *band_matrix_at(&s->hessian, (size_t)(k < i ? k : i), (size_t)(k < i ? i : k)) = k == i;
        s->gradient[i] = 0;
    }
}

static int newton_step(Solver *s)
{
    int count = s->warp->count;
    band_matrix_clear(&s->hessian);
    memset(s->gradient, 0, (size_t)count * sizeof *s->gradient);
    add_time(s);
    add_bend(s);
    for (int i = 0; i < s->program->row_count; i++)
        add_row(s, i);
    hold_bounds(s);
    for (int i = 0; i < count; i++)
        s->step[i] = -s->gradient[i];
    return band_matrix_solve(&s->hessian, s->step);
}

/* Moves along the step, projected onto the bounds, until the merit falls. Returns the fall. */
static double move(Solver *s, double before)
{
    const RateProgram *p = s->program;
    double factor = 1;
    for (int k = 0; k < HALVINGS; k++, factor *= 0.5) {
        double expected = 0;
        for (int i = 0; i < s->warp->count; i++) {
            double x = s->warp->square[i] + factor * s->step[i];
            s->tried[i] = fmin(fmax(x, p->low[i]), p->high[i]);
            expected += s->gradient[i] * (s->tried[i] - s->warp->square[i]);
        }
        double fall = before - merit(s, s->tried);
        if (fall > 0 && fall >= -min_fall * expected) {
            memcpy(s->warp->square, s->tried, (size_t)s->warp->count * sizeof *s->tried);
            return fall;
        }
    }
    return 0;
}

static void raise_multipliers(Solver *s)
{
    for (int i = 0; i < s->program->row_count; i++)
        s->multiplier[i] = s->weight * fmax(0, acting(s, i, rate_of_basis(&s->basis[i], s->warp->square)));
}

static void minimise(Solver *s)
{
    for (int i = 0; i < NEWTON_STEPS && newton_step(s); i++) {
        double before = merit(s, s->warp->square);
        if (move(s, before) <= settled * fabs(before))
            return;
    }
}

Status rate_program_solve(const RateProgram *program, TimeWarp *warp, Error *err)
{
    size_t rows = (size_t)program->row_count, count = (size_t)warp->count;
    Arena arena = {0};
    Solver s = {.program = program, .warp = warp, .weight = first_weight};
    s.basis = arena_array(&arena, rows, 1, sizeof *s.basis);
    s.multiplier = arena_array(&arena, rows, 1, sizeof *s.multiplier);
    s.gradient = arena_array(&arena, count, 1, sizeof *s.gradient);
    s.step = arena_array(&arena, count, 1, sizeof *s.step);
    s.tried = arena_array(&arena, count, 1, sizeof *s.tried);
    s.hessian = band_matrix(count, WARP_ORDER - 1, &arena);
    if (arena.failed) {
        arena_free(&arena);
        return error_no_memory(err);
    }
    for (size_t i = 0; i < rows; i++)
        s.basis[i] = time_warp_basis(warp, program->row[i].place);
    for (size_t i = 0; i < count; i++)
        warp->square[i] = fmin(fmax(warp->square[i], program->low[i]), program->high[i]);
    for (int round = 0; round < ROUNDS; round++) {
        minimise(&s);
        raise_multipliers(&s);
        s.weight = fmin(s.weight * weight_growth, max_weight);
    }
    arena_free(&arena);
    return STATUS_OK;
}
