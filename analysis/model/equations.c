/* Maps the speeds u0 of kane_method.h to the chosen ones: u0 = W u. A column of W is the change of root velocity,
 * angular velocities and translation velocities per unit of one speed. */
#include "analysis/model/equations.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/math/dense_factor.h"
#include "analysis/motion/dof_motion.h"

#define MOVES 1e-9 /* m: a joint whose offset changes by more than this translates */

/* Scratch of equations_init. */
typedef struct Choice {
    const Clip *clip;
    int frame, old_count, count, capacity;
    double *map;         /* [old][capacity] W */
    double *old, *change; /* [old] u0 and its rates */
    double *drift;       /* [old] W' u, with W' the time derivative */
    DofRate *dof;     /* [dof] */
    char *translates;    /* [joint] */
    Arena memory;
} Choice;

static size_t at_frame(const Choice *c, int joint) { return motion_index(&c->clip->motion, c->frame, joint); }

/* ---- Translating joints ---- */

static void find_translating(const Clip *clip, char *translates)
{
    const Motion *m = &clip->motion;
    for (int f = 0; m->translation && f < m->frame_count; f++)
        for (int j = 1; j < m->joint_count; j++)
            translates[j] |= vec3_distance(m->translation[motion_index(m, f, j)], clip->skeleton.offset[j]) > MOVES;
    for (int i = 0; clip->has_dof && i < clip->dof.count; i++)
        translates[clip->dof.joint[i]] |=
            !dofs_is_rotation(&clip->dof, i) || vec3_norm(clip->dof.anchor[i]) > MOVES;
}

/* Whether the root has no degrees of freedom because it is the world of a scene. */
static int root_is_fixed(const Clip *clip)
{
    int fixed = clip->has_dof;
    for (int i = 0; clip->has_dof && i < clip->dof.count; i++)
        fixed &= clip->dof.joint[i] != 0;
    return fixed;
}

/* World derivative of a joint's translation velocity v - v_p - omega_p x arm, with p its parent. */
static Vec3 slide_rate(const Choice *c, const KaneSystem *s, int joint)
{
    const Kinematics *k = &c->clip->kinematics;
    size_t own = at_frame(c, joint), above = at_frame(c, s->parent[joint]);
    Vec3 arm = vec3_sub(k->position[own], k->position[above]), omega = k->angular_velocity[above];
    Vec3 turned = vec3_add(vec3_cross(k->angular_acceleration[above], arm),
                           vec3_cross(omega, vec3_sub(k->velocity[own], k->velocity[above])));
    return vec3_sub(vec3_sub(k->acceleration[own], k->acceleration[above]), turned);
}

/* Reads u0 and its rates from the kinematics. */
static void read_old(Choice *c, const KaneSystem *s)
{
    const Kinematics *k = &c->clip->kinematics;
    vec3_store(c->old, k->velocity[at_frame(c, 0)]);
    vec3_store(c->change, k->acceleration[at_frame(c, 0)]);
    for (int j = 0; j < s->joint_count; j++) {
        vec3_store(c->old + 3 + 3 * j, k->angular_velocity[at_frame(c, j)]);
        vec3_store(c->change + 3 + 3 * j, k->angular_acceleration[at_frame(c, j)]);
        if (s->translation[j] < 0)
            continue;
        vec3_store(c->old + s->translation[j], s->slide[j]);
        vec3_store(c->change + s->translation[j], slide_rate(c, s, j));
    }
}

/* ---- Columns of W ---- */

static double *entry(const Choice *c, int old, int column)
{
    return &c->map[(size_t)old * (size_t)c->capacity + (size_t)column];
}

static void name_speed(Equations *e, const Choice *c, int joint, const char *what, int is_rotation)
{
    snprintf(e->name[c->count], SPEED_NAME_SIZE, "%s_%s", c->clip->skeleton.name[joint], what);
    e->joint[c->count] = joint;
    e->is_rotation[c->count] = is_rotation;
}

/* Whether a joint is another one or its descendant. */
static int is_beyond(const KaneSystem *s, int joint, int other)
{
    while (joint > other)
        joint = s->parent[joint];
    return joint == other;
}

/* Adds the angular velocity `axis` to a joint and, with all_beyond, to its descendants. */
static void add_turn(const Choice *c, const KaneSystem *s, int joint, Vec3 axis, int all_beyond)
{
    double v[3];
    vec3_store(v, axis);
    for (int j = joint; j < s->joint_count; j++)
        for (int i = 0; i < 3 && (j == joint || (all_beyond && is_beyond(s, j, joint))); i++)
            *entry(c, 3 + 3 * j + i, c->count) += v[i];
}

static void add_translation(const Choice *c, const KaneSystem *s, int joint, Vec3 axis)
{
    double v[3];
    int first = joint == 0 ? 0 : s->translation[joint];
    vec3_store(v, axis);
    for (int i = 0; first >= 0 && i < 3; i++)
        *entry(c, first + i, c->count) += v[i];
}

/* Adds the three components of a joint's velocity or angular velocity. */
static void add_triple(Equations *e, Choice *c, int joint, int is_rotation, int all_beyond)
{
    static const char *const what[2][3] = {{"vx", "vy", "vz"}, {"wx", "wy", "wz"}};
    static const Vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++, c->count++) {
        name_speed(e, c, joint, what[is_rotation][i], is_rotation);
        e->axis[c->count] = i;
        if (is_rotation)
            add_turn(c, &e->system, joint, axis[i], all_beyond);
        else
            add_translation(c, &e->system, joint, axis[i]);
    }
}

static void add_components(Equations *e, Choice *c, int relative)
{
    int fixed = root_is_fixed(c->clip);
    if (!fixed)
        add_triple(e, c, 0, 0, 0);
    for (int j = fixed; j < e->system.joint_count; j++)
        add_triple(e, c, j, 1, relative);
    for (int j = 1; j < e->system.joint_count; j++)
        if (e->system.translation[j] >= 0)
            add_triple(e, c, j, 0, 0);
}

/* Adds `slope` times a row of the degrees of freedom to a column. */
static void add_row(const Choice *c, const KaneSystem *s, int row, double slope)
{
    const DofRate *rate = &c->dof[row];
    add_turn(c, s, rate->joint, vec3_scale(rate->omega, slope), 1);
    add_translation(c, s, rate->joint, vec3_scale(rate->v, slope));
}

/* Adds the solver's forces on a row to a speed. */
static void add_parts(Equations *e, const Choice *c, int row, double slope)
{
    const Dofs *d = &c->clip->dof;
    const double *const from[EQUATION_PARTS] = {d->actuator_force, d->passive_force, d->applied_force,
                                                d->constraint_force, d->contact_force};
    for (int i = 0; e->has_parts && i < EQUATION_PARTS; i++)
        e->part[i][c->count] += slope * from[i][dofs_index(d, c->frame, row)];
}

static void add_dofs(Equations *e, Choice *c)
{
    const Dofs *d = &c->clip->dof;
    const double *const parts[] = {d->actuator_force, d->passive_force, d->applied_force, d->constraint_force,
                                   d->contact_force};
    e->has_parts = 1;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        e->has_parts &= parts[i] != NULL;
    for (int row = 0; row < d->count; row++) {
        if (d->locked[row] || d->coupled_to[row] >= 0 || c->dof[row].joint < 0)
            continue;
        snprintf(e->name[c->count], SPEED_NAME_SIZE, "%s", d->name[row]);
        e->joint[c->count] = d->joint[row];
        e->is_rotation[c->count] = dofs_is_rotation(d, row);
        e->axis[c->count] = -1;
        e->speed[c->count] = d->velocity[dofs_index(d, c->frame, row)];
        e->rate[c->count] = d->acceleration[dofs_index(d, c->frame, row)];
        e->armature[(size_t)c->count * (size_t)c->capacity + (size_t)c->count] = d->armature[row];
        for (int i = 0; i < d->count; i++)
            if (i == row || (d->coupled_to[i] == row && c->dof[i].joint >= 0)) {
                add_row(c, &e->system, i, dofs_slope(d, c->frame, i));
                add_parts(e, c, i, dofs_slope(d, c->frame, i));
            }
        c->count++;
    }
}

/* ---- Values of the speeds ---- */

/* Solves u0 = W u for u by least squares. For components in world axes W' = 0, so their rates follow in the same
 * way. */
static Status find_speeds(const Choice *c, const double *old, double *speed, Error *err)
{
    int n = c->count;
    double *normal = array_new((size_t)n, (size_t)n, sizeof *normal);
    if (!normal)
        return error_no_memory(err);
    for (int i = 0; i < n; i++) {
        speed[i] = 0;
        for (int r = 0; r < c->old_count; r++)
            speed[i] += *entry(c, r, i) * old[r];
        for (int k = 0; k <= i; k++)
            for (int r = 0; r < c->old_count; r++)
                normal[i * n + k] += *entry(c, r, i) * *entry(c, r, k);
    }
    Status status = cholesky_factor(normal, n) == n ? STATUS_OK
                    : error_set(err, STATUS_NO_RESULT, "generalized speeds depend on each other");
    if (!status)
        cholesky_solve(normal, n, speed);
    free(normal);
    return status;
}

/* Compacts an array [rows][capacity] to [rows][count]. */
static void close_up(double *a, int rows, int capacity, int count)
{
    for (int r = 0; r < rows; r++)
        memmove(a + (size_t)r * (size_t)count, a + (size_t)r * (size_t)capacity, (size_t)count * sizeof *a);
}

/* W' u = u0' - W u' */
static void find_drift(const Choice *c, const double *rate)
{
    for (int r = 0; r < c->old_count; r++) {
        c->drift[r] = c->change[r];
        for (int k = 0; k < c->count; k++)
            c->drift[r] -= *entry(c, r, k) * rate[k];
    }
}

static Status choose(Equations *e, Choice *c, SpeedKind kind, Error *err)
{
    Status status = STATUS_OK;
    if (kind == SPEEDS_DOF)
        add_dofs(e, c);
    else
        add_components(e, c, kind == SPEEDS_RELATIVE);
    if (c->count == 0)
        return error_set(err, STATUS_BAD_INPUT, "nothing moves: no generalized speeds");
    if (kind != SPEEDS_DOF && ((status = find_speeds(c, c->old, e->speed, err)) ||
                               (status = find_speeds(c, c->change, e->rate, err))))
        return status;
    find_drift(c, e->rate);
    close_up(c->map, c->old_count, c->capacity, c->count);
    close_up(e->armature, c->count, c->capacity, c->count);
    e->speed_count = c->count;
    return kane_choose_speeds(&e->system, c->map, c->count, kind == SPEEDS_DOF ? c->drift : NULL, err);
}

/* Allocates for the largest possible number of speeds. */
static Status make_room(Equations *e, Choice *c, Error *err)
{
    size_t n = (size_t)c->capacity, old = (size_t)c->old_count;
    Arena *memory = &e->memory;
    e->name = arena_array(memory, n, 1, sizeof *e->name);
    int **const ints[] = {&e->joint, &e->axis, &e->is_rotation};
    double **const rows[] = {&e->speed,   &e->rate,    &e->active,  &e->inertia, &e->torque, &e->rest,
                             &e->part[0], &e->part[1], &e->part[2], &e->part[3], &e->part[4],
                             &e->solver_excess};
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        *ints[i] = arena_array(memory, n, 1, sizeof **ints[i]);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        *rows[i] = arena_array(memory, n, 1, sizeof **rows[i]);
    e->mass = arena_array(memory, n, n, sizeof *e->mass);
    e->armature = arena_array(memory, n, n, sizeof *e->armature);
    c->map = arena_array(&c->memory, old, n, sizeof *c->map);
    c->old = arena_array(&c->memory, old, 1, sizeof *c->old);
    c->change = arena_array(&c->memory, old, 1, sizeof *c->change);
    c->drift = arena_array(&c->memory, old, 1, sizeof *c->drift);
    return memory->failed || c->memory.failed ? error_no_memory(err) : STATUS_OK;
}

static Status fill(Equations *e, Choice *c, SpeedKind kind, Error *err)
{
    const Clip *clip = c->clip;
    ClipView view = clip_view(clip);
    int joints = clip->skeleton.joint_count, dofs = clip->has_dof ? clip->dof.count : 0;
    c->translates = arena_array(&c->memory, (size_t)joints, 1, 1);
    c->dof = arena_array(&c->memory, (size_t)dofs + 1, 1, sizeof *c->dof);
    if (c->memory.failed)
        return error_no_memory(err);
    find_translating(clip, c->translates);
    Status status = kane_init_translating(&e->system, joints, c->translates, err);
    if (status)
        return status;
    c->old_count = e->system.speed_count;
    c->capacity = kind == SPEEDS_DOF ? dofs + 1 : c->old_count;
    if ((status = make_room(e, c, err)))
        return status;
    kane_set_frame(&e->system, &view, c->frame);
    read_old(c, &e->system);
    if (dofs > 0 && kind == SPEEDS_DOF)
        dofs_rates(clip, c->frame, c->dof);
    return choose(e, c, kind, err);
}

Status equations_init(Equations *e, const Clip *clip, SpeedKind kind, int frame, Error *err)
{
    Choice c = {.clip = clip, .frame = frame};
    *e = (Equations){0};
    if (kind == SPEEDS_DOF && !(clip->has_dof && clip->dof.velocity && clip->dof.acceleration))
        return error_set(err, STATUS_BAD_INPUT, "has no degrees of freedom with velocities: choose other speeds");
    Status status = fill(e, &c, kind, err);
    arena_free(&c.memory);
    if (status)
        equations_free(e);
    return status;
}

void equations_free(Equations *e)
{
    if (!e)
        return;
    kane_free(&e->system);
    arena_free(&e->memory);
    *e = (Equations){0};
}

/* ---- User-defined speeds ---- */

/* V of u = V u_new: the identity, with the inverse of the forms where speeds are replaced. */
static Status invert_forms(const SpeedForms *forms, int speed_count, double *map, Error *err)
{
    int n = forms->count;
    double *factor = array_new((size_t)n, (size_t)n + 1, sizeof *factor), *column = factor + (size_t)n * (size_t)n;
    int *exchange = array_new((size_t)n, 1, sizeof *exchange);
    Status status = factor && exchange ? STATUS_OK : error_no_memory(err);
    if (!status) {
        memcpy(factor, forms->coefficient, (size_t)n * (size_t)n * sizeof *factor);
        if (lu_factor(factor, n, exchange) < n)
            status = error_set(err, STATUS_BAD_INPUT, "the speeds of the table do not determine those they replace");
    }
    for (int r = 0; !status && r < speed_count; r++)
        map[(size_t)r * (size_t)speed_count + (size_t)r] = 1;
    for (int k = 0; !status && k < n; k++) {
        for (int i = 0; i < n; i++)
            column[i] = i == k;
        lu_solve(factor, exchange, n, column);
        for (int i = 0; i < n; i++)
            map[(size_t)forms->of[i] * (size_t)speed_count + (size_t)forms->of[k]] = column[i];
    }
    free(factor);
    free(exchange);
    return status;
}

/* Replaces a by map^T a; scratch[n]. */
static void multiply_transposed(const double *map, size_t n, double *a, double *scratch)
{
    memcpy(scratch, a, n * sizeof *a);
    for (size_t k = 0; k < n; k++) {
        a[k] = 0;
        for (size_t r = 0; r < n; r++)
            a[k] += map[r * n + k] * scratch[r];
    }
}

/* out = map^T a map, all [n][n] */
static void change_basis(const double *a, const double *map, int n, double *out)
{
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) {
            out[r * n + c] = 0;
            for (int i = 0; i < n; i++)
                for (int k = 0; k < n && map[i * n + r] != 0; k++)
                    out[r * n + c] += map[i * n + r] * a[i * n + k] * map[k * n + c];
        }
}

static void put_forms(Equations *e, const SpeedForms *forms, const double *values, double *out)
{
    for (int k = 0; k < forms->count; k++) {
        const double *row = forms->coefficient + (size_t)k * (size_t)forms->count;
        out[forms->of[k]] = 0;
        for (int i = 0; i < forms->count; i++)
            out[forms->of[k]] += row[i] * values[forms->of[i]];
        memcpy(e->name[forms->of[k]], forms->name[k], SPEED_NAME_SIZE);
        e->joint[forms->of[k]] = e->axis[forms->of[k]] = -1;
    }
}

Status equations_choose(Equations *e, const SpeedForms *forms, Error *err)
{
    size_t n = (size_t)e->speed_count;
    Arena scratch = {0};
    double *map = arena_array(&scratch, n, n, sizeof *map), *before = arena_array(&scratch, n, n, sizeof *before);
    Status status = scratch.failed ? error_no_memory(err) : invert_forms(forms, e->speed_count, map, err);
    if (!status)
        status = kane_choose_speeds(&e->system, map, e->speed_count, NULL, err);
    if (!status) {
        memcpy(before, e->armature, n * n * sizeof *before);
        change_basis(before, map, e->speed_count, e->armature);
        memcpy(before, e->speed, n * sizeof *before);
        put_forms(e, forms, before, e->speed);
        memcpy(before, e->rate, n * sizeof *before);
        put_forms(e, forms, before, e->rate);
        for (int i = 0; e->has_parts && i < EQUATION_PARTS; i++) /* F' = V^T F with u = V u' */
            multiply_transposed(map, n, e->part[i], before);
    }
    arena_free(&scratch);
    return status;
}

/* ---- Forces ---- */

/* Adds the forces of the joints: torques, and forces where a joint translates; other joint forces do no work. */
static void add_joints(const Equations *e, const Clip *clip, int frame, Vec3 *force, Vec3 *couple)
{
    size_t row = motion_index(&clip->motion, frame, 0);
    Vec3 root_force = clip->dynamics.residual_force[frame];
    kane_add_joint_torques(&e->system, clip->dynamics.torque + row, root_force, force, couple);
    for (int j = 1; j < e->system.joint_count; j++)
        if (e->system.translation[j] >= 0)
            kane_add_joint_force(&e->system, j, clip->dynamics.force[row + (size_t)j], force, couple);
}

Vec3 equations_gravity(const Equations *e, const Clip *clip, const Loads *loads, int load_count, int frame)
{
    const Kinematics *k = &clip->kinematics;
    Vec3 sum = vec3_neg(clip->dynamics.residual_force[frame]);
    double mass = 0;
    for (int j = 0; j < e->system.joint_count; j++) {
        size_t at = motion_index(&clip->motion, frame, j);
        Vec3 arm = vec3_sub(e->system.com_position[j], e->system.joint_position[j]), omega = k->angular_velocity[at];
        Vec3 turned = vec3_add(vec3_cross(k->angular_acceleration[at], arm), vec3_cross(omega, vec3_cross(omega, arm)));
        sum = vec3_mad(sum, e->system.mass[j], vec3_add(k->acceleration[at], turned));
        mass += e->system.mass[j];
    }
    for (int i = 0; i < load_count; i++)
        for (int l = 0; l < loads[i].load_count; l++)
            sum = vec3_sub(sum, loads[i].force[(size_t)frame * (size_t)loads[i].load_count + (size_t)l]);
    return mass > 0 ? vec3_scale(sum, 1 / mass) : sum;
}

/* Forces of the solver less those that the motion needs; `loaded`: generalised forces of the loads. */
static void compare_parts(Equations *e, const double *loaded)
{
    for (int r = 0; r < e->speed_count && e->has_parts; r++) {
        e->solver_excess[r] = -(e->torque[r] + loaded[r]);
        for (int i = 0; i < EQUATION_PARTS; i++)
            e->solver_excess[r] += e->part[i][r];
    }
}

static void add_armature(Equations *e)
{
    int n = e->speed_count;
    for (int r = 0; r < n; r++)
        for (int k = 0; k < n; k++) {
            double armature = e->armature[r * n + k];
            e->mass[r * n + k] += armature;
            e->torque[r] += armature * e->rate[k];
            e->inertia[r] -= armature * e->rate[k];
        }
}

Status equations_solve(Equations *e, const Clip *clip, const Loads *loads, int load_count, int frame, Error *err)
{
    Arena scratch = {0};
    size_t joints = (size_t)e->system.joint_count, n = (size_t)e->speed_count;
    Vec3 *force = arena_array(&scratch, joints, 2, sizeof *force), *couple = force + joints;
    Vec3 *own_force = arena_array(&scratch, joints, 2, sizeof *own_force), *own_couple = own_force + joints;
    double *still = arena_array(&scratch, n, 2, sizeof *still), *loaded = still + n;
    if (scratch.failed) {
        arena_free(&scratch);
        return error_no_memory(err);
    }
    Vec3 gravity = clip->has_simulation ? equations_gravity(e, clip, loads, load_count, frame) : vec3(0, -GRAVITY, 0);
    for (int i = 0; i < load_count; i++)
        kane_add_loads(&e->system, &loads[i], frame, force, couple);
    kane_active_forces(&e->system, force, couple, loaded);
    kane_add_weight(&e->system, gravity, force);
    add_joints(e, clip, frame, own_force, own_couple);
    kane_active_forces(&e->system, force, couple, e->active);
    kane_active_forces(&e->system, own_force, own_couple, e->torque);
    kane_inertia_forces(&e->system, NULL, still);
    kane_inertia_forces(&e->system, e->rate, e->inertia);
    kane_mass_matrix(&e->system, e->mass);
    for (size_t r = 0; r < n; r++)
        e->rest[r] = e->active[r] + still[r];
    add_armature(e);
    compare_parts(e, loaded);
    for (size_t r = 0; r < n; r++)
        e->active[r] += e->torque[r];
    arena_free(&scratch);
    return STATUS_OK;
}

double equations_moved(const Equations *e, int r)
{
    return dot_product(e->mass + (size_t)r * (size_t)e->speed_count, e->rate, e->speed_count);
}

EquationsCheck equations_check(const Equations *e)
{
    EquationsCheck check = {0};
    for (int r = 0; r < e->speed_count; r++) {
        check.force = fmax(check.force, fabs(e->active[r] + e->inertia[r]));
        check.torque = fmax(check.torque, fabs(e->torque[r] - (equations_moved(e, r) - e->rest[r])));
        check.largest = fmax(check.largest, fabs(e->torque[r]));
        check.solver = fmax(check.solver, e->has_parts ? fabs(e->solver_excess[r]) : 0);
    }
    return check;
}
