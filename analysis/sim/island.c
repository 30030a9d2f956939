/* Solves one island: by pivoting on states, by Gauss-Seidel, or by all rows at once (island.h). */
#include "analysis/sim/island.h"

#include <math.h>
#include <string.h>

#include "analysis/sim/contact_rows.h"
#include "analysis/solve/lcp.h"

/* Tolerances on the residual of the rows, relative to the largest speed of an island: at the end, and before. */
#define MISSED 1e-12
#define MAX_MISSED 1e-9
/* Initial factor on the compliances of an island whose states do not settle. */
#define FIRST_SCALE 1e6
#define NEXT_SCALE 0.1
/* Tolerance of the sweeps, relative to the largest speed of an island. */
#define SWEPT 1e-9

/* Gauss-Seidel (docs/sources.md, notes 0.15, 0.16): each contact is solved alone, with the impulses of the others
 * fixed.
 *
 * M^-1 J' of one side of a contact, [3][size], beside J. */
static double *contact_response(const Island *g, int e, int side)
{
    return g->grip[e].row[side] + 3 * g->block_size[g->grip[e].block[side]];
}

/* Own mobility of each contact, [3][3]. */
static Status begin_sweeps(Island *g, Error *err)
{
    const Kkt *kkt = &g->system->kkt;
    g->own = arena_array(&g->scene->scratch, (size_t)g->count, 9, sizeof *g->own);
    if (!g->own)
        return error_no_memory(err);
    for (int e = 0; e < g->count; e++) {
        double *own = g->own + 9 * e;
        for (int i = 0; i < hold_width(&g->hold[e]) && !g->is_sparse; i++)
            for (int k = 0; k < hold_width(&g->hold[e]); k++)
                own[3 * i + k] = g->mobility[(size_t)(g->place[e] + k) * (size_t)g->width + (size_t)(g->place[e] + i)];
        for (int side = 0; side < 2 && g->is_sparse; side++) {
            int b = g->grip[e].block[side];
            if (b < 0)
                continue;
            int n = g->block_size[b];
            double *response = contact_response(g, e, side);
            memcpy(response, g->grip[e].row[side], 3 * (size_t)n * sizeof *response);
            for (int k = 0; k < 3; k++)
                profile_solve_range(kkt->mass, kkt->last, kkt->size, g->block_start[b], n, response + k * n);
            for (int i = 0; i < 9; i++)
                own[i] += dot_product(g->grip[e].row[side] + i / 3 * n, response + i % 3 * n, n);
        }
    }
    return STATUS_OK;
}

/* The present speeds of one contact. */
static void read_speed(const Island *g, int e, double speed[3])
{
    const Hold *h = &g->hold[e];
    if (g->is_sparse)
        island_find_moved(g, e, g->change, speed);
    for (int k = 0; k < hold_width(h); k++)
        speed[k] = h->speed_before[k] + (g->is_sparse ? speed[k] : g->speed[g->place[e] + k]);
}

static void add_impulse(Island *g, int e, const double impulse[3])
{
    size_t n = (size_t)g->width;
    for (int k = 0; k < hold_width(&g->hold[e]) && !g->is_sparse; k++)
        if (impulse[k] != 0)
            add_scaled(g->speed, impulse[k], g->mobility + ((size_t)g->place[e] + (size_t)k) * n, g->width);
    for (int side = 0; side < 2 && g->is_sparse; side++) {
        int b = g->grip[e].block[side];
        if (b >= 0)
            island_add_transposed(contact_response(g, e, side), g->block_size[b], impulse, g->change + g->lu.place[b]);
    }
}

/* Returns the largest change of a contact's speed by its own impulse, m/s or rad/s. */
static double sweep(Island *g)
{
    double max = 0;
    for (int e = 0; e < g->count; e++) {
        Hold *h = &g->hold[e];
        double *own = g->own + 9 * e, speed[3] = {0}, before[3], change[3];
        read_speed(g, e, speed);
        for (int i = 0; i < 3; i++) {
            before[i] = speed[i];
            for (int k = 0; k < 3; k++)
                before[i] -= own[3 * i + k] * h->impulse[k];
            change[i] = -h->impulse[i];
        }
        if (h->kind == HOLD_TURN)
            hold_bind(h, g->hold[h->normal].impulse[0]);
        hold_solve_alone(h, own, before, &g->zero);
        for (int i = 0; i < 3; i++) {
            change[i] += h->impulse[i];
            max = fmax(max, fabs(change[i]) * own[4 * i]);
        }
        add_impulse(g, e, change);
    }
    return max;
}

/* Gauss-Seidel sweeps from zero impulses. Returns the largest change of speed in the last sweep. */
static Status island_sweep(Island *g, double *left, Error *err)
{
    Status status = begin_sweeps(g, err);
    if (status)
        return status;
    if (g->is_sparse)
        memset(g->change, 0, (size_t)g->lu.total * sizeof *g->change);
    else
        memset(g->speed, 0, (size_t)g->width * sizeof *g->speed);
    for (int e = 0; e < g->count; e++)
        memset(g->hold[e].impulse, 0, sizeof g->hold[e].impulse);
    for (int i = 0; i < ISLAND_SWEEPS; i++) {
        g->sweeps++;
        *left = sweep(g);
        if (*left <= SWEPT * g->zero.speed / ISLAND_ZERO)
            break;
    }
    return STATUS_OK;
}

/* Mobility along the holds of an island whose unknowns are speeds. */
static Status begin_rows(Island *g, Error *err)
{
    Scene *s = g->scene;
    if (!g->is_sparse)
        return STATUS_OK;
    size_t n = 3 * (size_t)g->count;
    Status status = begin_sweeps(g, err);
    g->width = (int)n;
    g->place = arena_array(&s->scratch, (size_t)g->count, 1, sizeof *g->place);
    g->mobility = arena_array(&s->scratch, n, n, sizeof *g->mobility);
    g->impulse = arena_array(&s->scratch, n, 2, sizeof *g->impulse);
    g->speed = g->impulse + n;
    if (status || s->scratch.failed)
        return status ? status : error_no_memory(err);
    for (int e = 0; e < g->count; e++)
        g->place[e] = 3 * e;
    for (int e = 0; e < g->count; e++)
        for (int k = 0; k < 3; k++) {
            double one[3] = {k == 0, k == 1, k == 2};
            memset(g->change, 0, (size_t)g->lu.total * sizeof *g->change);
            add_impulse(g, e, one);
            for (int f = 0; f < g->count; f++)
                island_find_moved(g, f, g->change, g->mobility + (size_t)(3 * e + k) * n + (size_t)(3 * f));
        }
    return STATUS_OK;
}

/* ---- Rows (contact_rows.h), for Lemke's method ---- */

static int row_count(const Hold *h)
{
    return h->kind == HOLD_CONTACT ? CONE_CONTACT_ROWS : hold_is_dry(h) ? 2 : 1;
}

static int first_row(const Island *g, int e)
{
    int first = 0;
    for (int i = 0; i < e; i++)
        first += row_count(&g->hold[i]);
    return first;
}

/* Converts speeds along an island's holds into speeds along all rows. */
static void read_rows(const Island *g, const double *speed, double *out)
{
    for (int e = 0; e < g->count; e++) {
        const double *own = speed + g->place[e];
        memset(out, 0, (size_t)row_count(&g->hold[e]) * sizeof *out);
        out[0] = own[0];
        for (int k = 0; k < CONE_DIRECTIONS && g->hold[e].kind == HOLD_CONTACT; k++)
            out[1 + k] = cone_along(k, own + 1);
        out += row_count(&g->hold[e]);
    }
}

/* Column j of C of one contact's rows. */
static void add_own(const Hold *h, int j, double *out)
{
    int slip = row_count(h) - 1;
    if (h->kind == HOLD_CONTACT) {
        for (int k = 1; k <= CONE_DIRECTIONS && j == slip; k++)
            out[k] += 1;
        out[slip] += j == 0 ? h->friction : j == slip ? 0 : -1;
        out[j] += j == 0 ? h->soft[0] : j == slip ? 0 : h->soft[1];
    } else if (hold_is_dry(h)) {
        out[!j] += j ? 1 : -1;
        out[j] += j ? 0 : h->soft[0];
    } else {
        out[0] += h->soft[0];
    }
}

/* The impulse of row j of one contact. */
static void row_impulse(const Hold *h, int j, double impulse[3])
{
    impulse[0] = j == 0;
    impulse[1] = impulse[2] = 0;
    if (h->kind == HOLD_CONTACT && j > 0 && j <= CONE_DIRECTIONS) {
        impulse[1] = cone_direction(j - 1, 0);
        impulse[2] = cone_direction(j - 1, 1);
    }
}

/* z of friction against turning counts from its lower bound, -length theta. */
static void push_turns(Island *g, int contact)
{
    for (int e = 0; e < g->turns; e++)
        if (g->hold[e].kind == HOLD_TURN && g->hold[e].normal == contact)
            add_scaled(g->impulse, -g->hold[e].friction, g->mobility + (size_t)g->place[e] * (size_t)g->width,
                       g->width);
}

/* C of these rows in the column of theta. */
static void add_turns(const Island *g, int contact, double *out)
{
    for (int e = 0; e < g->turns; e++) {
        const Hold *h = &g->hold[e];
        if (h->kind == HOLD_TURN && h->normal == contact) {
            out[first_row(g, e)] -= h->soft[0] * h->friction;
            out[first_row(g, e) + 1] += 2 * h->friction;
        }
    }
}

static void make_row_column(const void *context, int j, double *out)
{
    Island *g = (Island *)context;
    int e = 0, first = 0;
    while (j >= first + row_count(&g->hold[e]))
        first += row_count(&g->hold[e++]);
    double impulse[3];
    row_impulse(&g->hold[e], j - first, impulse);
    memset(g->impulse, 0, (size_t)g->width * sizeof *g->impulse);
    for (int k = 0; k < hold_width(&g->hold[e]); k++)
        if (impulse[k] != 0)
            add_scaled(g->impulse, impulse[k], g->mobility + (size_t)(g->place[e] + k) * (size_t)g->width, g->width);
    int is_normal = g->hold[e].kind == HOLD_CONTACT && j == first;
    if (is_normal)
        push_turns(g, e);
    read_rows(g, g->impulse, out);
    add_own(&g->hold[e], j - first, out + first);
    if (is_normal)
        add_turns(g, e, out);
}

/* Impulse and state of one contact from its rows. */
static void take_rows(Hold *h, const double *z)
{
    double impulse[3];
    memset(h->impulse, 0, sizeof h->impulse);
    if (hold_is_dry(h))
        h->impulse[0] = -h->bound;
    for (int j = 0; j < row_count(h); j++) {
        row_impulse(h, j, impulse);
        for (int k = 0; k < 3 && !(hold_is_dry(h) && j); k++)
            h->impulse[k] += z[j] * impulse[k];
    }
    hold_take_rows(h, z);
}

/* Solves all rows at once by lcp.h. */
static Status island_solve_by_rows(Island *g, Error *err)
{
    Scene *s = g->scene;
    int count = 0;
    for (int e = 0; e < g->count; e++)
        count += row_count(&g->hold[e]);
    double *q = arena_array(&s->scratch, (size_t)count, 3, sizeof *q), *z = q + count, *wanted = z + count;
    Status status = begin_rows(g, err);
    if (!status)
        status = scene_make_room(s, count, err);
    if (status || s->scratch.failed)
        return status ? status : error_no_memory(err);
    for (int e = 0, at = 0; e < g->count; at += row_count(&g->hold[e++])) {
        Hold *h = &g->hold[e];
        for (int k = 0; k < hold_width(h); k++)
            g->speed[g->place[e] + k] = h->speed_before[k];
        wanted[at] = h->min;
        if (h->kind == HOLD_DRY)
            wanted[at + 1] = -2 * h->bound;
    }
    for (int e = 0; e < g->count; e++)
        if (g->hold[e].kind == HOLD_DRY)
            add_scaled(g->speed, -g->hold[e].bound, g->mobility + (size_t)g->place[e] * (size_t)g->width, g->width);
    read_rows(g, g->speed, q);
    for (int i = 0; i < count; i++)
        q[i] -= wanted[i];
    LcpDef def = lcp_default_def();
    status = lcp_solve(&s->lcp, &(Lcp){count, q, make_row_column, g}, &def, z, NULL, err);
    for (int e = 0, at = 0; !status && e < g->count; at += row_count(&g->hold[e++])) {
        if (g->hold[e].kind == HOLD_TURN)
            hold_bind(&g->hold[e], z[first_row(g, g->hold[e].normal)]);
        take_rows(&g->hold[e], z + at);
    }
    return status;
}

/* ---- Pivoting on the states of an island ---- */

enum { PIVOTS = 12, SOFT_PIVOTS = 8, PLAIN_PIVOTS = 4, LEMKE_HOLDS = 16, MAX_REFINEMENTS = 3 };

/* ---- Unknowns are impulses ---- */

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

/* ---- Unknowns are speeds ---- */

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

/* ---- Pivoting ---- */

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
        speed = fmax(speed, fabs(h->min));
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
    for (int i = 0; i < MAX_REFINEMENTS; i++) {
        if (g->is_sparse)
            find_speeds_sparse(g);
        correct(g, &missed);
        if (missed <= MISSED / ISLAND_ZERO * g->zero.speed)
            break;
    }
    if (g->is_sparse)
        find_speeds_sparse(g);
    return missed <= MAX_MISSED / ISLAND_ZERO * g->zero.speed;
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
static int pivot(Island *g, int max)
{
    for (int i = 0; i < max; i++) {
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
