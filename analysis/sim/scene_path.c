/* Paths of driven joints: cubic splines (scene_def.h). */
#include "analysis/sim/scene_path.h"

#include <string.h>

#include "analysis/base/arena.h"

#define SAME_TIME 1e-9 /* relative; rounding of summed steps at a row's time */

/* Row i of the equations for the second derivatives: lower M_(i-1) + own M_i + upper M_(i+1) = right. */
typedef struct Rows {
    double *lower, *own, *upper;
} Rows;

static double *at(const ScenePath *p, double *rows, int row, int column)
{
    return &rows[(size_t)row * (size_t)p->width + (size_t)column];
}

static double span(const ScenePath *p, int row) { return p->time[row + 1] - p->time[row]; }

/* End conditions: M_0 = M_1 + (h_0 / h_1) (M_1 - M_2). */
static double first_share(const ScenePath *p) { return span(p, 0) / span(p, 1); }
static double last_share(const ScenePath *p) { return span(p, p->row_count - 2) / span(p, p->row_count - 3); }

/* Forward elimination. */
static void factor(const ScenePath *p, const Rows *r)
{
    int last = p->row_count - 2;
    for (int i = 1; i <= last; i++) {
        r->lower[i] = span(p, i - 1);
        r->own[i] = 2 * (span(p, i - 1) + span(p, i));
        r->upper[i] = span(p, i);
    }
    r->own[1] += span(p, 0) * (1 + first_share(p));
    r->upper[1] -= span(p, 0) * first_share(p);
    r->own[last] += span(p, last) * (1 + last_share(p));
    r->lower[last] -= span(p, last) * last_share(p);
    for (int i = 2; i <= last; i++) {
        r->lower[i] /= r->own[i - 1];
        r->own[i] -= r->lower[i] * r->upper[i - 1];
    }
}

static double bend(const ScenePath *p, int row, int column)
{
    const double *before = at(p, p->value, row - 1, column), *here = at(p, p->value, row, column);
    const double *after = at(p, p->value, row + 1, column);
    return 6 * ((*after - *here) / span(p, row) - (*here - *before) / span(p, row - 1));
}

static void solve(const ScenePath *p, const Rows *r, int column)
{
    int last = p->row_count - 2;
    for (int i = 1; i <= last; i++)
        *at(p, p->curve, i, column) = bend(p, i, column) -
                                      (i > 1 ? r->lower[i] * *at(p, p->curve, i - 1, column) : 0);
    for (int i = last; i >= 1; i--) {
        double *m = at(p, p->curve, i, column);
        *m = (*m - (i < last ? r->upper[i] * *at(p, p->curve, i + 1, column) : 0)) / r->own[i];
    }
    double first = first_share(p), end = last_share(p);
    *at(p, p->curve, 0, column) = (1 + first) * *at(p, p->curve, 1, column) - first * *at(p, p->curve, 2, column);
    *at(p, p->curve, last + 1, column) = (1 + end) * *at(p, p->curve, last, column) -
                                         end * *at(p, p->curve, last - 1, column);
}

/* With three rows, a parabola. */
static void bend_evenly(const ScenePath *p)
{
    for (int k = 0; k < p->width; k++)
        for (int i = 0; i < 3; i++)
            *at(p, p->curve, i, k) = bend(p, 1, k) / (3 * (span(p, 0) + span(p, 1)));
}

static void align(const ScenePath *p)
{
    for (int i = 1; p->width == PATH_OF_BODY && i < p->row_count; i++) {
        double *before = at(p, p->value, i - 1, 3), *here = at(p, p->value, i, 3), dot = 0;
        for (int k = 0; k < 4; k++)
            dot += before[k] * here[k];
        for (int k = 0; k < 4 && dot < 0; k++)
            here[k] = -here[k];
    }
}

Status scene_path_prepare(ScenePath *p, Error *err)
{
    Arena memory = {0};
    size_t rows = (size_t)p->row_count;
    Rows r = {arena_array(&memory, rows, 1, sizeof *r.lower), arena_array(&memory, rows, 1, sizeof *r.own),
              arena_array(&memory, rows, 1, sizeof *r.upper)};
    Status status = memory.failed ? error_no_memory(err) : STATUS_OK;
    align(p);
    if (!status && p->row_count == 3)
        bend_evenly(p);
    if (!status && p->row_count > 3) {
        factor(p, &r);
        for (int k = 0; k < p->width; k++)
            solve(p, &r, k);
    }
    arena_free(&memory);
    return status;
}

/* The row at or before a time, but not the last. */
static int find_row(const ScenePath *p, double time)
{
    int low = 0, high = p->row_count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (p->time[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void scene_path_at(const ScenePath *p, double time, double *value, double *rate)
{
    int last = p->row_count - 1;
    double slack = SAME_TIME * (p->time[last] - p->time[0]);
    int is_beyond = time > p->time[last] + slack;
    if (time < p->time[0] - slack || is_beyond || last == 0) {
        memcpy(value, at(p, p->value, is_beyond ? last : 0, 0), (size_t)p->width * sizeof *value);
        memset(rate, 0, (size_t)p->width * sizeof *rate);
        return;
    }
    int row = find_row(p, time);
    double h = span(p, row), b = (time - p->time[row]) / h, a = 1 - b;
    for (int k = 0; k < p->width; k++) {
        double x = *at(p, p->value, row, k), y = *at(p, p->value, row + 1, k);
        double m = *at(p, p->curve, row, k), n = *at(p, p->curve, row + 1, k);
        value[k] = a * x + b * y + h * h / 6 * ((a * a * a - a) * m + (b * b * b - b) * n);
        rate[k] = (y - x) / h + h / 6 * ((1 - 3 * a * a) * m + (3 * b * b - 1) * n);
    }
}
