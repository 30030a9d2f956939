/* Velocities under joints, contacts and limits: by pivoting with either model of friction, or by sweeps.
 *
 * Contacts touch few bodies, so their problem is posed on the velocities of these alone; the tree answers for all
 * others. A row has six columns for each body that is touched. */
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/sim/world_state.h"
#include "analysis/solve/mixed_lcp.h"

enum { SWEEPS = 200 };

/* Contacts give way by so much, as a share of the mobility of their body (0.11): feet with more points than they need
 * would otherwise share their load in no definite way. */
#define COMPLIANCE 1e-7

/* Zeroed rows for the limits and so many a contact; the limits are written. The impulses that the last problem of this
 * size ended with are a start; where their rows are others, it is one that costs a few pivots. */
static Status begin_rows(World *w, int rows_a_contact, Error *err)
{
    int count = w->limit_row_count + rows_a_contact * w->contact_count;
    Status status = unilateral_rows_reset(&w->rows, count, 6 * w->touched_count, err);
    if (status)
        return status;
    world_put_limits(w, &w->phase, 1);
    if (count > w->z_room) {
        double *z = array_new((size_t)count, 1, sizeof *z);
        if (!z)
            return error_no_memory(err);
        free(w->z);
        w->z = z;
        w->z_room = count;
    }
    if (count != w->z_count)
        memset(w->z, 0, (size_t)count * sizeof *w->z);
    w->z_count = count;
    return STATUS_OK;
}

static const double *row_at(const World *w, int row) { return w->rows.rows + (size_t)row * (size_t)w->rows.size; }

/* Adds the touched bodies' part to the whole system's. */
static void scatter(const World *w, const double *part, double scale, double *whole)
{
    for (int k = 0; k < w->touched_count; k++)
        for (int i = 0; i < 6; i++)
            whole[6 * w->touched[k] + i] += scale * part[6 * k + i];
}

static void gather(const World *w, const double *whole, double *part)
{
    for (int k = 0; k < w->touched_count; k++)
        memcpy(part + 6 * k, whole + 6 * w->touched[k], 6 * sizeof *part);
}

static size_t system_size(const World *w) { return 6 * (size_t)w->tree.body_count + (size_t)w->tree.row_count; }

/* Velocities that impulses on the touched bodies make, through these and what they hang on. The solution is scratch. */
static void respond_by_tree(const World *w, double *y)
{
    memset(w->solution, 0, system_size(w) * sizeof *w->solution);
    scatter(w, y, 1, w->solution);
    joint_tree_solve_part(&w->tree, w->holds_touched, w->solution);
    gather(w, w->solution, y);
}

/* The same from the mobility, where that was made: the shape that MixedLcp asks for. */
static void respond(const void *context, double *y)
{
    const World *w = context;
    size_t size = 6 * (size_t)w->touched_count;
    if (!w->has_mobility) {
        respond_by_tree(w, y);
        return;
    }
    double *sum = w->mobility + size * size;
    for (size_t i = 0; i < size; i++) {
        sum[i] = 0;
        for (size_t k = 0; k < size; k++)
            sum[i] += w->mobility[i * size + k] * y[k];
    }
    memcpy(y, sum, size * sizeof *y);
}

/* Many rows on few bodies: what these answer to each unit impulse is found once, [size][size], symmetric, and room for
 * a product behind it. */
static Status prepare_mobility(World *w, Error *err)
{
    size_t size = 6 * (size_t)w->touched_count, need = size * (size + 1);
    w->has_mobility = 0;
    if ((size_t)w->rows.count < 2 * size)
        return STATUS_OK;
    if (need > w->mobility_room) {
        double *grown = array_new(need, 1, sizeof *grown);
        if (!grown)
            return error_no_memory(err);
        free(w->mobility);
        w->mobility = grown;
        w->mobility_room = need;
    }
    memset(w->mobility, 0, need * sizeof *w->mobility);
    for (size_t i = 0; i < size; i++) {
        w->mobility[i * size + i] = 1;
        respond_by_tree(w, w->mobility + i * size);
    }
    w->has_mobility = 1;
    return STATUS_OK;
}

/* Right side to solution, without contacts. */
static void solve_free(World *w)
{
    memcpy(w->solution, w->right_side, system_size(w) * sizeof *w->solution);
    joint_tree_solve(&w->tree, w->solution);
}

/* The rows' impulses z join the right side, and the joints answer. */
static void solve_with_impulses(World *w)
{
    for (int i = 0; i < w->rows.count; i++)
        scatter(w, row_at(w, i), w->z[i], w->right_side);
    solve_free(w);
}

/* n of the rows becomes what is still wanted beyond the velocities of the bodies as they are. */
static void subtract_velocities(World *w, const double *v)
{
    for (int i = 0; i < w->rows.count; i++)
        for (int k = 0; k < w->rows.size; k++)
            w->rows.n[i] -= row_at(w, i)[k] * v[k];
}

static Status make_room(World *w, Error *err)
{
    int size = w->rows.size, count = w->rows.count;
    if (size <= w->lcp.size && count <= w->lcp.lcp.capacity)
        return STATUS_OK;
    size = size > w->lcp.size ? size : w->lcp.size;
    count = count > w->lcp.lcp.capacity ? count : w->lcp.lcp.capacity;
    mixed_lcp_solver_free(&w->lcp);
    return mixed_lcp_solver_init(&w->lcp, size, count, err);
}

/* Impulses z of the rows, on velocities as the right side alone would leave them (0.7, 0.8). */
static Status pivot(World *w, Error *err)
{
    size_t size = (size_t)w->rows.size;
    Status status = make_room(w, err);
    if (!status)
        status = prepare_mobility(w, err);
    double *v = status ? NULL : array_new(size, 3, sizeof *v);
    if (status || !v)
        return status ? status : error_no_memory(err);
    solve_free(w);
    gather(w, w->solution, v);
    subtract_velocities(w, v);
    MixedLcp problem = {.size = w->rows.size, .unilateral = w->rows.count, .solve = respond, .context = w,
                        .rows = w->rows.rows, .added = w->rows.added, .f = v + size, .n = w->rows.n};
    LcpDef def = lcp_default_def();
    status = mixed_lcp_solve(&w->lcp, &problem, &def, &(MixedLcpSolution){.x = v + 2 * size, .z = w->z}, err);
    free(v);
    return status;
}

/* Adds the impulses z of a contact's rows on its second body, reversed on the first. */
static void note_impulse(World *w, const ContactPair *c, int at, int count)
{
    for (int i = at; i < at + count; i++) {
        const double *row = row_at(w, i) + 6 * c->second;
        Vec3 impulse = vec3_scale(vec3(row[0], row[1], row[2]), w->z[i]);
        Vec3 *second = &w->contact_impulse[w->touched[c->second] - FRAME_BODIES];
        *second = vec3_add(*second, impulse);
        if (c->first >= 0) {
            Vec3 *first = &w->contact_impulse[w->touched[c->first] - FRAME_BODIES];
            *first = vec3_sub(*first, impulse);
        }
    }
}

static void finish(World *w, int rows_a_contact)
{
    solve_with_impulses(w);
    for (int k = 0; k < w->contact_count; k++)
        note_impulse(w, &w->contact[k], w->limit_row_count + k * rows_a_contact, rows_a_contact);
}

/* Adds the compliance to rows [at, at + count) of a contact, `step` apart. */
static void add_compliance(World *w, const ContactPair *c, int at, int count, int step)
{
    double soft = COMPLIANCE / w->body[w->touched[c->second] - FRAME_BODIES].mass;
    for (int i = at; i < at + count; i += step)
        w->rows.added[(size_t)i * (size_t)w->rows.count + (size_t)i] += soft;
}

static Status solve_cone(World *w, Error *err)
{
    Status status = begin_rows(w, CONE_CONTACT_ROWS, err);
    for (int k = 0; !status && k < w->contact_count; k++) {
        int at = w->limit_row_count + k * CONE_CONTACT_ROWS;
        contact_cone_rows(&w->rows, at, &w->contact[k]);
        add_compliance(w, &w->contact[k], at, 1 + CONE_DIRECTIONS, 1);
    }
    if (!status)
        status = pivot(w, err);
    if (!status)
        finish(w, CONE_CONTACT_ROWS);
    return status;
}

/* Bounds of the box: mu times the impulses of a solve without friction (0.10: an estimate of theta). */
static Status estimate_bounds(World *w, double *most, Error *err)
{
    Status status = begin_rows(w, 1, err);
    for (int k = 0; !status && k < w->contact_count; k++) {
        int row = w->limit_row_count + k;
        contact_speed_row(&w->contact[k], w->contact[k].normal, w->rows.rows + (size_t)row * (size_t)w->rows.size);
        w->rows.n[row] = w->contact[k].least_speed;
        add_compliance(w, &w->contact[k], row, 1, 1);
    }
    if (!status)
        status = pivot(w, err);
    for (int k = 0; !status && k < w->contact_count; k++)
        most[k] = w->contact[k].friction * w->z[w->limit_row_count + k];
    return status;
}

/* Adds scale times the bound along every tangent to the right side: the part of the impulses that z leaves out. */
static void shift_right_side(World *w, const double *most, double scale)
{
    for (int k = 0; k < w->contact_count; k++)
        for (int i = 1; i < BOX_CONTACT_ROWS; i += 2)
            scatter(w, row_at(w, w->limit_row_count + k * BOX_CONTACT_ROWS + i), scale * most[k], w->right_side);
}

static Status solve_in_box(World *w, const double *most, Error *err)
{
    Status status = begin_rows(w, BOX_CONTACT_ROWS, err);
    if (status)
        return status;
    for (int k = 0; k < w->contact_count; k++) {
        int at = w->limit_row_count + k * BOX_CONTACT_ROWS;
        contact_box_rows(&w->rows, at, &w->contact[k], most[k]);
        add_compliance(w, &w->contact[k], at, 1, 1);
        add_compliance(w, &w->contact[k], at + 1, BOX_CONTACT_ROWS - 1, 2);
    }
    shift_right_side(w, most, -1);
    status = pivot(w, err);
    shift_right_side(w, most, 1);
    if (status)
        return status;
    for (int k = 0; k < w->contact_count; k++)
        for (int i = 1; i < BOX_CONTACT_ROWS; i += 2)
            w->z[w->limit_row_count + k * BOX_CONTACT_ROWS + i] -= most[k];
    finish(w, BOX_CONTACT_ROWS);
    return STATUS_OK;
}

static Status solve_box(World *w, Error *err)
{
    double *most = array_new((size_t)w->contact_count, 1, sizeof *most);
    if (!most)
        return error_no_memory(err);
    Status status = estimate_bounds(w, most, err);
    if (!status)
        status = solve_in_box(w, most, err);
    free(most);
    return status;
}

/* Rows of Gauss-Seidel: limits, then normal and two tangents a contact. */
static void put_sweep_rows(World *w, double *least, int *normal)
{
    for (int i = 0; i < w->rows.count; i++) {
        least[i] = 0;
        normal[i] = -1;
    }
    for (int k = 0; k < w->contact_count; k++) {
        int at = w->limit_row_count + k * SWEEP_CONTACT_ROWS;
        Vec3 tangent[2];
        double *row = w->rows.rows + (size_t)at * (size_t)w->rows.size;
        contact_tangents(&w->contact[k], tangent);
        contact_speed_row(&w->contact[k], w->contact[k].normal, row);
        w->rows.n[at] = w->contact[k].least_speed;
        for (int i = 0; i < 2; i++) {
            contact_speed_row(&w->contact[k], tangent[i], row + (size_t)(i + 1) * (size_t)w->rows.size);
            normal[at + 1 + i] = at;
        }
    }
}

/* What a set of sweeps works on. */
typedef struct SweepRoom {
    double *least, *response, *v;
    int *normal;
} SweepRoom;

/* 0.15 and 0.16 on the velocities that the joints allow; a rough answer is an answer. */
static Status sweep(World *w, SweepRoom *r, Error *err)
{
    size_t count = (size_t)w->rows.count, size = (size_t)w->rows.size;
    put_sweep_rows(w, r->least, r->normal);
    memcpy(r->response, w->rows.rows, count * size * sizeof *r->response);
    for (size_t i = 0; i < count; i++)
        respond(w, r->response + i * size);
    solve_free(w);
    gather(w, w->solution, r->v);
    GaussSeidelRows rows = {.size = w->rows.size, .count = w->rows.count, .rows = w->rows.rows,
                            .response = r->response, .target = w->rows.n, .least = r->least, .normal = r->normal,
                            .friction = w->def.friction};
    GaussSeidelDef def = gauss_seidel_default_def();
    def.max_sweeps = SWEEPS;
    w->unsettled.now = w->time;
    return gauss_seidel_go_on(&rows, &def, r->v, w->z, &w->unsettled, err);
}

static Status solve_sweeps(World *w, Error *err)
{
    Arena arena = {0};
    Status status = begin_rows(w, SWEEP_CONTACT_ROWS, err);
    if (!status)
        status = prepare_mobility(w, err);
    if (status)
        return status;
    size_t count = (size_t)w->rows.count, size = (size_t)w->rows.size;
    SweepRoom room = {.least = arena_array(&arena, count, 1, sizeof *room.least),
                      .response = arena_array(&arena, count, size, sizeof *room.response),
                      .v = arena_array(&arena, size, 1, sizeof *room.v),
                      .normal = arena_array(&arena, count, 1, sizeof *room.normal)};
    status = arena.failed ? error_no_memory(err) : sweep(w, &room, err);
    if (!status)
        finish(w, SWEEP_CONTACT_ROWS);
    arena_free(&arena);
    return status;
}

typedef Status FrictionSolver(World *w, Error *err);
static FrictionSolver *const solvers[] = {solve_cone, solve_box, solve_sweeps};
_Static_assert(sizeof solvers / sizeof *solvers == FRICTION_MODEL_COUNT, "a solver for every FrictionModel");

/* Where pivoting finds no solution, sweeps give one that is good enough to go on with. */
Status world_solve(World *w, Error *err)
{
    FrictionSolver *solve = solvers[w->def.friction_model];
    if (w->contact_count == 0 && w->limit_row_count == 0) {
        solve_free(w);
        return STATUS_OK;
    }
    Status status = solve(w, err);
    return status == STATUS_NO_RESULT && solve != solve_sweeps ? solve_sweeps(w, err) : status;
}
