/* Contacts and limits of a world: found, written as rows, solved. */
#include <string.h>

#include "analysis/base/memory.h"
#include "analysis/sim/collision.h"
#include "analysis/sim/world_state.h"
#include "analysis/solve/gauss_seidel.h"

/* Overlap below the slop is left alone; of what is deeper a share is pushed out each step, no faster than the limit. */
#define SLOP 5e-4
#define PUSH_SHARE 0.2
#define PUSH_SPEED 1.0
enum { SWEEPS = 200 };

static Status add_contact(World *w, int first, int second, const Collision *c, double least_speed, Error *err)
{
    if (w->contact_count == w->contact_room) {
        int room = 2 * w->contact_room + 16;
        ContactPoint *grown = realloc(w->contact, (size_t)room * sizeof *grown);
        if (!grown)
            return error_no_memory(err);
        w->contact = grown;
        w->contact_room = room;
    }
    ContactPoint *p = &w->contact[w->contact_count++];
    *p = (ContactPoint){.first = first < 0 ? -1 : first + FRAME_BODIES, .second = second + FRAME_BODIES,
                        .normal = c->normal, .least_speed = least_speed, .friction = w->def.friction};
    if (first >= 0)
        p->first_arm = vec3_sub(c->point, w->body[first].position);
    p->second_arm = vec3_sub(c->point, w->body[second].position);
    return STATUS_OK;
}

static Vec3 velocity_at(const RigidBody *b, Vec3 point)
{
    return vec3_add(b->velocity, vec3_cross(rigid_body_angular_velocity(b), vec3_sub(point, b->position)));
}

/* Speed at which two shapes separate, as the step found the bodies. */
static double separation_speed(const World *w, int first, int second, const Collision *c)
{
    Vec3 v = velocity_at(&w->start[second], c->point);
    if (first >= 0)
        v = vec3_sub(v, velocity_at(&w->start[first], c->point));
    return vec3_dot(v, c->normal);
}

/* A contact that may close becomes a row: it bounces, or it must not close further than its gap, or it is pushed
 * out slowly. */
static Status consider(World *w, int first, int second, const Collision *c, const ContactPhase *phase, Error *err)
{
    double speed = separation_speed(w, first, second, c), ahead = phase->ahead;
    double fall = vec3_norm(w->def.gravity) * ahead;
    if (c->gap > SLOP - ahead * fmin(0, 2 * (speed - fall)))
        return STATUS_OK;
    double least = 0;
    if (ahead > 0)
        least = c->gap > 0 ? -c->gap / ahead : fmin(PUSH_SPEED, fmax(0, PUSH_SHARE * (-c->gap - SLOP) / ahead));
    int meets = c->gap + speed * ahead <= (ahead > 0 ? 0 : SLOP);
    if (phase->bounce && meets && speed < -w->def.restitution_speed)
        least = fmax(least, -w->def.restitution * speed);
    return add_contact(w, first, second, c, least, err);
}

static Status find_ball_contacts(World *w, int ball, const ContactPhase *phase, Error *err)
{
    Vec3 centre = w->body[ball].position;
    Status status = STATUS_OK;
    for (int k = 0; !status && k < w->capsule_count; k++) {
        const Capsule *capsule = &w->capsule[k];
        const RigidBody *b = &w->body[capsule->body];
        Collision c = collide_capsule_sphere(rigid_body_point(b, capsule->from), rigid_body_point(b, capsule->to),
                                             capsule->radius, centre, w->radius[ball]);
        status = consider(w, capsule->body, ball, &c, phase, err);
    }
    for (int other = w->joint_count; !status && other < ball; other++) {
        Collision c = collide_spheres(w->body[other].position, w->radius[other], centre, w->radius[ball]);
        status = consider(w, other, ball, &c, phase, err);
    }
    if (!status && isfinite(w->def.ground_height)) {
        Collision c = collide_ground_sphere(w->def.ground_height, centre, w->radius[ball]);
        status = consider(w, -1, ball, &c, phase, err);
    }
    return status;
}

/* Angles of a limited joint and the rows of (0.2) in world axes. */
static JointAngles limit_rows(const World *w, int j, Mat3 *rows)
{
    Quat parent = w->body[w->joint[j].parent].orientation;
    JointAngles a = joint_angles(quat_mul(quat_conjugate(parent), w->body[j].orientation));
    *rows = joint_limit_rows(a);
    for (int i = 0; i < 3; i++)
        rows->r[i] = quat_rotate(parent, rows->r[i]);
    return a;
}

/* How far angle i is from its lower (side 0) or upper limit, rad. */
static double limit_gap(const JointAngles *angles, const JointLimits *limits, int i, int side)
{
    const double *a = (const double *)angles;
    return side ? ((const double *)&limits->most)[i] - a[i] : a[i] - ((const double *)&limits->least)[i];
}

/* Writes the rows of limits that are nearer than what the joint may turn in the time ahead; returns how many. With
 * rows NULL they are only counted. */
static int put_limits(World *w, const ContactPhase *phase, int at, int write)
{
    int count = 0;
    for (int j = 1; j < w->joint_count; j++) {
        Mat3 rows;
        if (!w->joint[j].limited)
            continue;
        int p = w->joint[j].parent;
        JointAngles a = limit_rows(w, j, &rows);
        double speed = vec3_norm(vec3_sub(world_angular_velocity(w, j), world_angular_velocity(w, p)));
        for (int k = 0; k < 6; k++) {
            double gap = limit_gap(&a, &w->joint[j].limits, k / 2, k % 2);
            if (gap > 2 * (speed + 1) * phase->ahead)
                continue;
            int row = at + count++;
            if (!write)
                continue;
            Vec3 d = vec3_scale(rows.r[k / 2], k % 2 ? -1 : 1);
            double *n = w->rows.rows + (size_t)row * (size_t)w->rows.size;
            for (int i = 0; i < 3; i++) {
                n[6 * (j + FRAME_BODIES) + 3 + i] = ((const double *)&d)[i];
                n[6 * (p + FRAME_BODIES) + 3 + i] = -((const double *)&d)[i];
            }
            double least = phase->ahead > 0 ? -gap / phase->ahead : 0;
            w->rows.n[row] = gap > 0 ? least : fmin(PUSH_SPEED, PUSH_SHARE * least);
        }
    }
    return count;
}

Status world_find_contacts(World *w, const ContactPhase *phase, Error *err)
{
    Status status = STATUS_OK;
    w->contact_count = 0;
    w->phase = *phase;
    for (int b = w->joint_count; !status && b < w->body_count; b++)
        status = find_ball_contacts(w, b, phase, err);
    for (int k = 0; !status && isfinite(w->def.ground_height) && k < w->point_count; k++) {
        Vec3 point = rigid_body_point(&w->body[w->point[k].body], w->point[k].point);
        Collision c = collide_ground_sphere(w->def.ground_height, point, 0);
        status = consider(w, -1, w->point[k].body, &c, phase, err);
    }
    w->limit_row_count = put_limits(w, phase, 0, 0);
    return status;
}

/* Zeroed rows for the limits and so many a contact; the limits are written. */
static Status begin_rows(World *w, int rows_a_contact, Error *err)
{
    int count = w->limit_row_count + rows_a_contact * w->contact_count;
    Status status = unilateral_rows_reset(&w->rows, count, 6 * w->tree.body_count, err);
    if (status)
        return status;
    put_limits(w, &w->phase, 0, 1);
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
static void note_impulse(World *w, const ContactPoint *c, int at, int count, const double *z)
{
    for (int i = at; i < at + count; i++) {
        const double *row = row_at(w, i) + 6 * c->second;
        Vec3 impulse = vec3(row[0] * z[i], row[1] * z[i], row[2] * z[i]);
        int second = c->second - FRAME_BODIES;
        w->contact_force[second] = vec3_add(w->contact_force[second], impulse);
        if (c->first >= 0)
            w->contact_force[c->first - FRAME_BODIES] = vec3_sub(w->contact_force[c->first - FRAME_BODIES], impulse);
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

/* Bounds from a solve without friction (0.10: an estimate of theta). */
static Status solve_box(World *w, Error *err)
{
    Status status = begin_rows(w, 1, err);
    for (int k = 0; !status && k < w->contact_count; k++) {
        double *row = w->rows.rows + (size_t)(w->limit_row_count + k) * (size_t)w->rows.size;
        contact_speed_row(&w->contact[k], w->contact[k].normal, row);
        w->rows.n[w->limit_row_count + k] = w->contact[k].least_speed;
    }
    if (!status)
        status = pivot(w, err);
    double *most = status ? NULL : array_new((size_t)w->contact_count, 1, sizeof *most);
    if (!status && !most)
        status = error_no_memory(err);
    for (int k = 0; !status && k < w->contact_count; k++)
        most[k] = w->contact[k].friction * w->z[w->limit_row_count + k];
    if (!status)
        status = begin_rows(w, BOX_CONTACT_ROWS, err);
    for (int k = 0; !status && k < w->contact_count; k++) {
        int at = w->limit_row_count + k * BOX_CONTACT_ROWS;
        contact_box_rows(&w->rows, at, &w->contact[k], most[k]);
        for (int i = 1; i < BOX_CONTACT_ROWS; i += 2)
            row_add_impulse(row_at(w, at + i), w->rows.size, -most[k], w->right_side);
    }
    if (!status)
        status = pivot(w, err);
    for (int k = 0; !status && k < w->contact_count; k++) {
        int at = w->limit_row_count + k * BOX_CONTACT_ROWS;
        for (int i = 1; i < BOX_CONTACT_ROWS; i += 2)
            w->z[at + i] -= most[k];
        note_impulse(w, &w->contact[k], at, BOX_CONTACT_ROWS, w->z);
    }
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

Status world_solve(World *w, Error *err)
{
    if (w->contact_count == 0 && w->limit_row_count == 0) {
        solve_free(w);
        return STATUS_OK;
    }
    if (w->def.friction_model == FRICTION_CONE)
        return solve_cone(w, err);
    if (w->def.friction_model == FRICTION_BOX)
        return solve_box(w, err);
    return solve_sweeps(w, err);
}
