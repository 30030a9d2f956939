/* Velocities under joints, contacts and limits: by pivoting with either model of friction, or by sweeps. */
#include <string.h>

#include "analysis/base/memory.h"
#include "analysis/sim/world_state.h"
#include "analysis/solve/gauss_seidel.h"

enum { SWEEPS = 200 };

/* Zeroed rows for the limits and so many a contact; the limits are written. */
static Status begin_rows(World *w, int rows_a_contact, Error *err)
{
    int count = w->limit_row_count + rows_a_contact * w->contact_count;
    Status status = unilateral_rows_reset(&w->rows, count, 6 * w->tree.body_count, err);
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
    memset(w->z, 0, (size_t)count * sizeof *w->z);
    return STATUS_OK;
}

/* Solves the mixed problem of the rows on the right side; impulses in z, velocities and joint impulses in solution. */
static Status pivot(World *w, Error *err)
{
    int size = w->rows.size, bilateral = w->tree.row_count, count = w->rows.count;
    if (size + bilateral > w->lcp.size || count > w->lcp.lcp.capacity) {
        int room = count > w->lcp.lcp.capacity ? count : w->lcp.lcp.capacity;
        mixed_lcp_solver_free(&w->lcp);
        Status status = mixed_lcp_solver_init(&w->lcp, size + bilateral, room, err);
        if (status)
            return status;
    }
    MixedLcp problem = {.size = size, .bilateral = bilateral, .unilateral = count, .solve = joint_tree_solve,
                        .context = &w->tree, .rows = w->rows.rows, .added = w->rows.added, .f = w->right_side,
                        .g = w->right_side + size, .n = w->rows.n};
    LcpDef def = lcp_default_def();
    return mixed_lcp_solve(&w->lcp, &problem, &def, w->solution, w->solution + size, w->z, NULL, NULL, err);
}

static const double *row_at(const World *w, int row) { return w->rows.rows + (size_t)row * (size_t)w->rows.size; }

/* Adds the impulses z of rows [at, at + count) on the contact's second body, reversed on the first. */
static void note_impulse(World *w, const ContactPair *c, int at, int count, const double *z)
{
    for (int i = at; i < at + count; i++) {
        const double *row = row_at(w, i) + 6 * c->second;
        Vec3 impulse = vec3(row[0] * z[i], row[1] * z[i], row[2] * z[i]);
        Vec3 *second = &w->contact_impulse[c->second - FRAME_BODIES];
        *second = vec3_add(*second, impulse);
        if (c->first >= 0) {
            Vec3 *first = &w->contact_impulse[c->first - FRAME_BODIES];
            *first = vec3_sub(*first, impulse);
        }
    }
}

static void note_impulses(World *w, int rows_a_contact)
{
    for (int k = 0; k < w->contact_count; k++)
        note_impulse(w, &w->contact[k], w->limit_row_count + k * rows_a_contact, rows_a_contact, w->z);
}

static Status solve_cone(World *w, Error *err)
{
    Status status = begin_rows(w, CONE_CONTACT_ROWS, err);
    for (int k = 0; !status && k < w->contact_count; k++)
        contact_cone_rows(&w->rows, w->limit_row_count + k * CONE_CONTACT_ROWS, &w->contact[k]);
    if (!status)
        status = pivot(w, err);
    if (!status)
        note_impulses(w, CONE_CONTACT_ROWS);
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
            row_add_impulse(row_at(w, w->limit_row_count + k * BOX_CONTACT_ROWS + i), w->rows.size, scale * most[k],
                            w->right_side);
}

static Status solve_in_box(World *w, const double *most, Error *err)
{
    Status status = begin_rows(w, BOX_CONTACT_ROWS, err);
    if (status)
        return status;
    for (int k = 0; k < w->contact_count; k++)
        contact_box_rows(&w->rows, w->limit_row_count + k * BOX_CONTACT_ROWS, &w->contact[k], most[k]);
    shift_right_side(w, most, -1);
    status = pivot(w, err);
    if (status) {
        shift_right_side(w, most, 1);
        return status;
    }
    for (int k = 0; k < w->contact_count; k++)
        for (int i = 1; i < BOX_CONTACT_ROWS; i += 2)
            w->z[w->limit_row_count + k * BOX_CONTACT_ROWS + i] -= most[k];
    note_impulses(w, BOX_CONTACT_ROWS);
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
        contact_tangents(w->contact[k].normal, tangent);
        contact_speed_row(&w->contact[k], w->contact[k].normal, row);
        w->rows.n[at] = w->contact[k].least_speed;
        for (int i = 0; i < 2; i++) {
            contact_speed_row(&w->contact[k], tangent[i], row + (size_t)(i + 1) * (size_t)w->rows.size);
            normal[at + 1 + i] = at;
        }
    }
}

/* Velocities that each row's unit impulse makes through the joints. */
static void respond(const World *w, double *response)
{
    for (int i = 0; i < w->rows.count; i++) {
        double *y = w->solution;
        memcpy(y, row_at(w, i), (size_t)w->rows.size * sizeof *y);
        memset(y + w->rows.size, 0, (size_t)w->tree.row_count * sizeof *y);
        joint_tree_solve(&w->tree, y);
        memcpy(response + (size_t)i * (size_t)w->rows.size, y, (size_t)w->rows.size * sizeof *y);
    }
}

/* Right side to solution, without contacts. */
static void solve_free(World *w)
{
    size_t size = 6 * (size_t)w->tree.body_count + (size_t)w->tree.row_count;
    memcpy(w->solution, w->right_side, size * sizeof *w->solution);
    joint_tree_solve(&w->tree, w->solution);
}

/* 0.15 and 0.16 on the velocities that the joints allow; a rough answer is an answer. */
static Status solve_sweeps(World *w, Error *err)
{
    Status status = begin_rows(w, SWEEP_CONTACT_ROWS, err);
    if (status)
        return status;
    size_t count = (size_t)w->rows.count, size = (size_t)w->rows.size;
    double *least = array_new(count, 1, sizeof *least), *response = array_new(count, size, sizeof *response);
    int *normal = array_new(count, 1, sizeof *normal);
    if (!least || !normal || !response) {
        status = error_no_memory(err);
        goto done;
    }
    put_sweep_rows(w, least, normal);
    respond(w, response);
    solve_free(w);
    GaussSeidelRows rows = {.size = w->rows.size, .count = w->rows.count, .rows = w->rows.rows, .response = response,
                            .target = w->rows.n, .least = least, .normal = normal, .friction = w->def.friction};
    GaussSeidelDef def = {.max_sweeps = SWEEPS, .tolerance = 1e-9};
    (void)gauss_seidel_rows(&rows, &def, w->solution, w->z, NULL, NULL);
    for (int i = 0; i < w->rows.count; i++)
        row_add_impulse(row_at(w, i), w->rows.size, w->z[i], w->right_side);
    solve_free(w);
    note_impulses(w, SWEEP_CONTACT_ROWS);
done:
    free(least);
    free(normal);
    free(response);
    return status;
}

/* Where pivoting finds no solution, sweeps give one that is good enough to go on with. */
Status world_solve(World *w, Error *err)
{
    Status status = STATUS_NO_RESULT;
    if (w->contact_count == 0 && w->limit_row_count == 0) {
        solve_free(w);
        return STATUS_OK;
    }
    if (w->def.friction_model == FRICTION_CONE)
        status = solve_cone(w, err);
    else if (w->def.friction_model == FRICTION_BOX)
        status = solve_box(w, err);
    return status == STATUS_NO_RESULT ? solve_sweeps(w, err) : status;
}
