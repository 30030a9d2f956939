/* Pivoting on the states of an island. */
#include <math.h>
#include <string.h>

#include "analysis/sim/island.h"

enum { PIVOTS = 12, SOFT_PIVOTS = 8, PLAIN_PIVOTS = 4, LEMKE_HOLDS = 16, MOST_REFINEMENTS = 3 };

/* Tolerances on the residual of the rows, relative to the largest speed of an island: at the end, and before. */
#define MISSED 1e-12
#define MOST_MISSED 1e-9

/* Initial factor on the compliances of an island whose states do not settle. */
#define FIRST_SCALE 1e6
#define NEXT_SCALE 0.1

/* Unknowns are impulses. */

static double row_product(const Hold *h, int i, const double *x)
{
    double sum = 0;
    for (int k = 0; k < hold_width(h); k++)
        sum += h->row[i][k] * x[k];
    return sum;
}

/* The speeds that the present impulses give. */
static void find_speeds_dense(Island *g)
{
    size_t n = (size_t)g->width;
    memset(g->speed, 0, n * sizeof *g->speed);
    for (int e = 0; e < g->count; e++)
        for (int k = 0; k < hold_width(&g->hold[e]); k++)
            if (g->hold[e].impulse[k] != 0)
                add_scaled(g->speed, g->hold[e].impulse[k], g->mobility + ((size_t)g->place[e] + (size_t)k) * n,
                           g->width);
    for (int e = 0; e < g->count; e++)
        for (int k = 0; k < hold_width(&g->hold[e]); k++)
            g->hold[e].speed[k] = g->hold[e].speed_before[k] + g->speed[g->place[e] + k];
}

/* Matrix column of one unknown: row . mobility column + compliance, over all unknowns. */
static void put_column(Island *g, int of, int unknown, int count, int at)
{
    const Hold *h = &g->hold[of];
    size_t n = (size_t)g->width;
    memset(g->impulse, 0, n * sizeof *g->impulse);
    for (int k = 0; k < hold_width(h); k++)
        if (h->column[unknown][k] != 0)
            add_scaled(g->impulse, h->column[unknown][k], g->mobility + ((size_t)g->place[of] + (size_t)k) * n,
                       g->width);
    for (int e = 0; e < g->turns && h->kind == HOLD_CONTACT && unknown == 0; e++)
        if (g->hold[e].kind == HOLD_TURN && g->hold[e].normal == of && g->hold[e].state == HOLD_SLIDES)
            add_scaled(g->impulse, g->hold[e].mask ? g->hold[e].friction : -g->hold[e].friction,
                       g->mobility + (size_t)g->place[e] * n, g->width);
    for (int e = 0, row = 0; e < g->count; e++)
        for (int i = 0; i < g->hold[e].unknowns; i++, row++)
            g->matrix[(size_t)row * (size_t)count + (size_t)at] =
                row_product(&g->hold[e], i, g->impulse + g->place[e]) + (e == of ? h->compliance[i][unknown] : 0);
}

/* The bounds against turning, from the present normal impulses. */
static void bind_turns(Island *g)
{
    for (int e = 0; e < g->turns; e++)
        if (g->hold[e].kind == HOLD_TURN) {
            hold_bind(&g->hold[e], g->hold[g->hold[e].normal].unknown[0]);
            hold_set_impulse(&g->hold[e]);
        }
}

static int count_unknowns(const Island *g)
{
    int count = 0;
    for (int e = 0; e < g->count; e++)
        count += g->hold[e].unknowns;
    return count;
}

static int factor_dense(Island *g)
{
    int count = count_unknowns(g), at = 0;
    for (int e = 0; e < g->count; e++)
        for (int i = 0; i < g->hold[e].unknowns; i++)
            put_column(g, e, i, count, at++);
    return lu_factor(g->matrix, count, g->exchange) == count;
}

/* Corrects the unknowns by the residual of their rows; *missed is the largest residual. */
static void correct_dense(Island *g, double *missed)
{
    int count = count_unknowns(g), at = 0;
    *missed = 0;
    for (int e = 0; e < g->count; e++) {
        double residual[3];
        hold_residual(&g->hold[e], residual);
        for (int i = 0; i < g->hold[e].unknowns; i++) {
            g->right[at++] = residual[i];
            *missed = fmax(*missed, fabs(residual[i]));
        }
    }
    lu_solve(g->matrix, g->exchange, count, g->right);
    at = 0;
    for (int e = 0; e < g->count; e++) {
        for (int i = 0; i < g->hold[e].unknowns; i++)
            g->hold[e].unknown[i] += g->right[at++];
        hold_set_impulse(&g->hold[e]);
    }
    bind_turns(g);
    find_speeds_dense(g);
}

/* Unknowns are speeds. */

/* S^-1, the inverse of a contact's compliance. */
static void invert(const Hold *h, double out[3][3])
{
    memset(out, 0, 9 * sizeof(double));
    if (h->unknowns > 0)
        out[0][0] = 1 / h->compliance[0][0];
    if (h->unknowns == 2)
        out[1][1] = 1 / h->compliance[1][1];
    if (h->unknowns < 3)
        return;
    double a = h->compliance[1][1], b = h->compliance[1][2], d = h->compliance[2][2], inverse = 1 / (a * d - b * b);
    out[1][1] = d * inverse;
    out[2][2] = a * inverse;
    out[1][2] = out[2][1] = -b * inverse;
}

/* block += J_a' (K J_b) */
static inline void add_stiffness(double *restrict block, const double *restrict first, int n,
                                 double stiffness[3][3], const double *restrict second, int m)
{
    for (int k = 0; k < m; k++) {
        double pushed[3];
        for (int i = 0; i < 3; i++)
            pushed[i] = stiffness[i][0] * second[k] + stiffness[i][1] * second[m + k] +
                        stiffness[i][2] * second[2 * m + k];
        for (int j = 0; j < n; j++)
            block[j * m + k] += first[j] * pushed[0] + first[n + j] * pushed[1] + first[2 * n + j] * pushed[2];
    }
}

/* Adds column S^-1 row, the contribution of a contact in its state. */
static void add_contact(Island *g, const Hold *h, const Grip *grip)
{
    double inverse[3][3], stiffness[3][3] = {{0}};
    invert(h, inverse);
    for (int a = 0; a < h->unknowns; a++)
        for (int b = 0; b < h->unknowns; b++)
            for (int i = 0; i < 3; i++)
                for (int k = 0; k < 3; k++)
                    stiffness[i][k] += h->column[a][i] * inverse[a][b] * h->row[b][k];
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            int i = grip->block[a], k = grip->block[b];
            if (i < 0 || k < 0)
                continue;
            double *block = block_lu_at(&g->lu, i, k);
            if (g->block_size[i] == 6 && g->block_size[k] == 6)
                add_stiffness(block, grip->row[a], 6, stiffness, grip->row[b], 6);
            else
                add_stiffness(block, grip->row[a], g->block_size[i], stiffness, grip->row[b], g->block_size[k]);
        }
}

static int factor_sparse(Island *g)
{
    block_lu_clear(&g->lu);
    for (int b = 0; b < g->lu.count; b++) {
        size_t n = (size_t)g->block_size[b], start = (size_t)g->block_start[b], size = (size_t)g->system->size;
        for (size_t i = 0; i < n; i++)
            memcpy(block_lu_at(&g->lu, b, b) + i * n, g->system->mass + (start + i) * size + start,
                   n * sizeof(double));
    }
    for (int e = 0; e < g->count; e++)
        if (g->hold[e].unknowns)
            add_contact(g, &g->hold[e], &g->grip[e]);
    return block_lu_factor(&g->lu);
}

/* Adds M^-1 J' impulse to the speeds. */
static void find_speeds_sparse(Island *g)
{
    memset(g->sum, 0, (size_t)g->lu.total * sizeof *g->sum);
    for (int e = 0; e < g->count; e++)
        for (int side = 0; side < 2; side++) {
            int b = g->grip[e].block[side];
            if (b >= 0 && g->hold[e].unknowns)
                island_add_transposed(g->grip[e].row[side], g->block_size[b], g->hold[e].impulse,
                                      g->sum + g->lu.place[b]);
        }
    memcpy(g->change, g->sum, (size_t)g->lu.total * sizeof *g->sum);
    const Kkt *kkt = &g->system->kkt;
    for (int b = 0; b < g->lu.count; b++)
        profile_solve_range(kkt->mass, kkt->last, kkt->size, g->block_start[b], g->block_size[b],
                            g->change + g->lu.place[b]);
    for (int e = 0; e < g->count; e++) {
        double moved[3];
        island_find_moved(g, e, g->change, moved);
        for (int k = 0; k < 3; k++)
            g->hold[e].speed[k] = g->hold[e].speed_before[k] + moved[k];
    }
}

/* Corrects the unknowns by the residual of their rows, and the speeds by the effect of that as the factors give it. */
static void correct_sparse(Island *g, double *missed)
{
    memset(g->sum, 0, (size_t)g->lu.total * sizeof *g->sum);
    *missed = 0;
    for (int e = 0; e < g->count; e++) {
        const Hold *h = &g->hold[e];
        double residual[3], inverse[3][3], impulse[3] = {0};
        hold_residual(h, residual);
        invert(h, inverse);
        for (int a = 0; a < h->unknowns; a++) {
            *missed = fmax(*missed, fabs(residual[a]));
            for (int b = 0; b < h->unknowns; b++)
                for (int i = 0; i < 3; i++)
                    impulse[i] += h->column[a][i] * inverse[a][b] * residual[b];
        }
        for (int side = 0; side < 2 && h->unknowns; side++) {
            int b = g->grip[e].block[side];
            if (b >= 0)
                island_add_transposed(g->grip[e].row[side], g->block_size[b], impulse, g->sum + g->lu.place[b]);
        }
    }
    block_lu_solve(&g->lu, g->sum);
    for (int e = 0; e < g->count; e++) {
        Hold *h = &g->hold[e];
        double residual[3], inverse[3][3], moved[3];
        hold_residual(h, residual);
        invert(h, inverse);
        island_find_moved(g, e, g->sum, moved);
        for (int a = 0; a < h->unknowns; a++)
            residual[a] -= row_product(h, a, moved);
        for (int a = 0; a < h->unknowns; a++)
            for (int b = 0; b < h->unknowns; b++)
                h->unknown[a] += inverse[a][b] * residual[b];
        hold_set_impulse(h);
        for (int k = 0; k < 3; k++)
            h->speed[k] += moved[k];
    }
}

/* Pivoting. */

static void begin_state(Island *g)
{
    for (int e = 0; e < g->count; e++) {
        hold_relate(&g->hold[e]);
        hold_set_impulse(&g->hold[e]);
        memcpy(g->hold[e].speed, g->hold[e].speed_before, sizeof g->hold[e].speed);
    }
    bind_turns(g);
    if (!g->is_sparse)
        find_speeds_dense(g);
}

static void correct(Island *g, double *missed)
{
    if (g->is_sparse)
        correct_sparse(g, missed);
    else
        correct_dense(g, missed);
}

static void set_zero(Island *g)
{
    double impulse = 0, speed = 0;
    for (int e = 0; e < g->count; e++) {
        const Hold *h = &g->hold[e];
        speed = fmax(speed, fabs(h->least));
        for (int i = 0; i < h->unknowns; i++)
            impulse = fmax(impulse, fabs(h->unknown[i]));
        for (int k = 0; k < hold_width(h); k++)
            speed = fmax(speed, fabs(h->speed_before[k]));
    }
    g->zero = (HoldTolerance){ISLAND_ZERO * impulse, ISLAND_ZERO * speed};
}

/* Solves in the present states to rounding; returns 0 if precision does not suffice. */
static int refine(Island *g)
{
    double missed = 0;
    for (int i = 0; i < MOST_REFINEMENTS; i++) {
        if (g->is_sparse)
            find_speeds_sparse(g);
        correct(g, &missed);
        if (missed <= MISSED / ISLAND_ZERO * g->zero.speed)
            break;
    }
    if (g->is_sparse)
        find_speeds_sparse(g);
    return missed <= MOST_MISSED / ISLAND_ZERO * g->zero.speed;
}

static int change_states(Island *g, int damped)
{
    int wrong = 0;
    for (int e = 0; e < g->count; e++) {
        Hold as_was = g->hold[e];
        if (!hold_change(&g->hold[e], &g->zero))
            continue;
        g->random = g->random * 1664525u + 1013904223u;
        if (damped && wrong && g->random >> 31)
            g->hold[e] = as_was;
        wrong++;
    }
    return wrong;
}

enum { SINGULAR = -1, UNSETTLED = 0, SETTLED = 1 };

/* Solves and changes states until all are consistent. */
static int pivot(Island *g, int most)
{
    for (int i = 0; i < most; i++) {
        double missed;
        g->pivots++;
        begin_state(g);
        if (!(g->is_sparse ? factor_sparse(g) : factor_dense(g)))
            return SINGULAR;
        correct(g, &missed);
        set_zero(g);
        int wrong = change_states(g, i >= PLAIN_PIVOTS);
        if (!wrong) {
            if (!refine(g))
                return SINGULAR;
            set_zero(g);
            wrong = change_states(g, i >= PLAIN_PIVOTS);
        }
        if (!wrong)
            return SETTLED;
    }
    return UNSETTLED;
}

static void scale_compliance(Island *g, double by)
{
    for (int e = 0; e < g->count; e++)
        for (int i = 0; i < 2; i++)
            g->hold[e].soft[i] *= by;
}

/* Continuation in compliance: softer contacts settle their states sooner, and these states start the harder problem. */
static int pivot_softly(Island *g)
{
    int settled = UNSETTLED;
    for (double scale = FIRST_SCALE; scale >= 1; scale *= NEXT_SCALE) {
        scale_compliance(g, scale);
        settled = pivot(g, SOFT_PIVOTS);
        scale_compliance(g, 1 / scale);
    }
    return settled;
}

/* Holds except friction against turning. */
static int count_others(const Island *g)
{
    int count = 0;
    for (int e = 0; e < g->count; e++)
        count += g->hold[e].kind != HOLD_TURN;
    return count;
}

Status island_settle(Island *g, double *left, Error *err)
{
    int settled = pivot(g, PIVOTS);
    settled = settled == UNSETTLED ? pivot_softly(g) : settled;
    *left = 0;
    if (settled == SETTLED)
        return STATUS_OK;
    int exact = g->scene->def.exact;
    if ((exact || count_others(g) <= LEMKE_HOLDS) && !island_solve_by_rows(g, NULL)) {
        g->scene->solves.by_rows++;
        return STATUS_OK;
    }
    if (exact || (settled == SINGULAR && !g->is_sparse))
        return error_set(err, STATUS_NO_RESULT, "constraints depend on each other");
    Status status = island_sweep(g, left, err);
    Hold *swept = arena_array(&g->scene->scratch, (size_t)g->count, 1, sizeof *swept);
    if (status || !swept)
        return status ? status : error_no_memory(err);
    memcpy(swept, g->hold, (size_t)g->count * sizeof *swept);
    if (pivot(g, PIVOTS) == SETTLED)
        *left = 0;
    else
        memcpy(g->hold, swept, (size_t)g->count * sizeof *swept);
    return STATUS_OK;
}

