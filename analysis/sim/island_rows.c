/* Islands by Gauss-Seidel and by rows. */
#include <math.h>
#include <string.h>

#include "analysis/sim/contact_rows.h"
#include "analysis/sim/island.h"

/* Tolerance of the sweeps, relative to the largest speed of an island. */
#define SWEPT 1e-9

/* Gauss-Seidel (docs/sources.md, notes 0.15, 0.16): each contact is solved alone, with the impulses of the others
 * fixed. */

/* M^-1 J' of one side of a contact, [3][size], beside J. */
static double *response_of(const Island *g, int e, int side)
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
            double *response = response_of(g, e, side);
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
            island_add_transposed(response_of(g, e, side), g->block_size[b], impulse, g->change + g->lu.place[b]);
    }
}

/* Returns the largest change of a contact's speed by its own impulse, m/s or rad/s. */
static double sweep(Island *g)
{
    double most = 0;
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
            most = fmax(most, fabs(change[i]) * own[4 * i]);
        }
        add_impulse(g, e, change);
    }
    return most;
}

Status island_sweep(Island *g, double *left, Error *err)
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

/* Rows (contact_rows.h), for Lemke's method. */

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
Status island_solve_by_rows(Island *g, Error *err)
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
        wanted[at] = h->least;
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

