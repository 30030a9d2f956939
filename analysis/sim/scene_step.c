/* Steps of a scene by accelerations: the integrators (scene_def.h), the derivatives that the implicit ones require,
 * and particles in the same step (scene_state.h). */
#include <math.h>
#include <string.h>

#include "analysis/math/dense_factor.h"
#include "analysis/sim/scene_attachment.h"
#include "analysis/sim/scene_def.h"
#include "analysis/sim/scene_state.h"

/* Every kind solves M^ dv = h f~ for the change of velocity: the second form of 0.9.2 and 0.9.3, which avoids
 * cancellation when velocities are large and changes small. */

/* One row per kind, in the order of IntegratorKind: whether the force is linearised, theta of the step's mean (0.9.1 to
 * 0.9.3), and whether the step has two halves (0.9.4). */
static const struct Rule {
    int is_implicit;
    double theta;
    int is_halved;
} rules[] = {{0, 1, 0}, {1, 1, 0}, {1, 0.5, 0}, {1, 0.5, 1}};
_Static_assert(sizeof rules / sizeof *rules == INTEGRATOR_KIND_COUNT, "a row for every IntegratorKind");

Status integrator_init(Integrator *s, IntegratorKind kind, int size, Error *err)
{
    size_t n = (size_t)size;
    *s = (Integrator){.kind = kind, .size = size};
    s->matrix = arena_array(&s->memory, n, n, sizeof *s->matrix);
    s->by_position = arena_array(&s->memory, n, n, sizeof *s->by_position);
    s->by_velocity = arena_array(&s->memory, n, n, sizeof *s->by_velocity);
    s->force = arena_array(&s->memory, n, 1, sizeof *s->force);
    s->other = arena_array(&s->memory, n, 1, sizeof *s->other);
    s->exchange = arena_array(&s->memory, n, 1, sizeof *s->exchange);
    if (!s->memory.failed)
        return STATUS_OK;
    integrator_free(s);
    return error_no_memory(err);
}

void integrator_free(Integrator *s)
{
    if (!s)
        return;
    arena_free(&s->memory);
    *s = (Integrator){0};
}

/* M^ = M - damping df/dv - stiffness df/dx. */
static void put_matrix(const MechanicalSystem *m, double damping, double stiffness, Integrator *s)
{
    size_t n = (size_t)m->size;
    for (size_t i = 0; i < n * n; i++) {
        s->matrix[i] = m->mass ? m->mass[i] : i % (n + 1) == 0;
        if (damping != 0)
            s->matrix[i] -= damping * s->by_velocity[i];
        if (stiffness != 0)
            s->matrix[i] -= stiffness * s->by_position[i];
    }
}

static Status factor(const MechanicalSystem *m, Integrator *s, Error *err)
{
    if (lu_factor(s->matrix, m->size, s->exchange) < m->size)
        return error_set(err, STATUS_NO_RESULT, "the matrix of an integration step is singular");
    return STATUS_OK;
}

/* f += scale df/dx v */
static void add_stiffness(int n, double scale, const double *by_position, const double *v, double *f)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            f[i] += scale * by_position[i * n + k] * v[k];
}

/* Replaces f by M^-1 (scale f), the change of velocity. */
static void solve_change(const MechanicalSystem *m, double scale, const Integrator *s, double *f)
{
    for (int i = 0; i < m->size; i++)
        f[i] *= scale;
    lu_solve(s->matrix, s->exchange, m->size, f);
}

static void add(int n, double scale, const double *a, double *to)
{
    for (int i = 0; i < n; i++)
        to[i] += scale * a[i];
}

static int constrain(const MechanicalSystem *m, const double *x, double *v)
{
    return m->constrain ? m->constrain(m->context, x, v) : 0;
}

static void move(const MechanicalSystem *m, double h, const double *v, double *x)
{
    if (m->move)
        m->move(m->context, h, v, x);
    else
        add(m->size, h, v, x);
}

/* x' = x + h (theta v' + (1 - theta) v); overwrites v. */
static void move_between(const MechanicalSystem *m, double h, double theta, const double *after, double *v, double *x)
{
    for (int i = 0; i < m->size; i++)
        v[i] = theta * after[i] + (1 - theta) * v[i];
    move(m, h, v, x);
}

/* 0.9.1 to 0.9.3: M^ (v' - v) = h (f + theta h df/dx v), x' = x + h (theta v' + (1 - theta) v). */
static Status step_once(Integrator *s, const MechanicalSystem *m, double h, double *x, double *v, Error *err)
{
    int n = m->size, implicit = rules[s->kind].is_implicit;
    double theta = rules[s->kind].theta;
    double damping = implicit ? theta * h : 0, stiffness = implicit ? theta * theta * h * h : 0;
    if (implicit)
        m->jacobians(m->context, x, v, s->by_position, s->by_velocity);
    int plain = !implicit && !m->mass; /* the identity needs no factorisation */
    if (!plain)
        put_matrix(m, damping, stiffness, s);
    m->force(m->context, x, v, s->force);
    if (implicit)
        add_stiffness(n, theta * h, s->by_position, v, s->force);
    if (implicit && m->couple)
        m->couple(m->context, h, theta, s->matrix, s->force);
    Status status = plain ? STATUS_OK : factor(m, s, err);
    if (status)
        return status;
    memcpy(s->other, v, (size_t)n * sizeof *v);
    if (plain)
        add(n, h, s->force, v);
    else {
        solve_change(m, h, s, s->force);
        add(n, 1, s->force, v);
    }
    theta = constrain(m, x, v) ? 1 : theta;
    move_between(m, h, theta, v, s->other, x);
    return STATUS_OK;
}

/* 0.9.4: half a step of acceleration, the constraints, the displacement; then the velocity change over the whole step
 * with the mean of the forces at both ends. */
static Status step_bridson_marino(Integrator *s, const MechanicalSystem *m, double h, double *x, double *v, Error *err)
{
    int n = m->size;
    double *half = s->by_position; /* by_position is not needed: its memory serves the velocity at half the step */
    m->jacobians(m->context, x, v, s->by_position, s->by_velocity);
    put_matrix(m, 0.5 * h, 0, s);
    Status status = factor(m, s, err);
    if (status)
        return status;
    m->force(m->context, x, v, s->force);
    memcpy(s->other, s->force, (size_t)n * sizeof *v);
    solve_change(m, 0.5 * h, s, s->other);
    memcpy(half, v, (size_t)n * sizeof *v);
    add(n, 1, s->other, half);
    constrain(m, x, half);
    move(m, h, half, x);
    m->force(m->context, x, v, s->other);
    add(n, 1, s->force, s->other);
    solve_change(m, 0.5 * h, s, s->other);
    add(n, 1, s->other, v);
    constrain(m, x, v);
    return STATUS_OK;
}

Status integrator_step(Integrator *s, const MechanicalSystem *m, double h, double *x, double *v, Error *err)
{
    if (m->size > s->size)
        return error_set(err, STATUS_USAGE, "system of %d variables, room is for %d", m->size, s->size);
    return rules[s->kind].is_halved ? step_bridson_marino(s, m, h, x, v, err) : step_once(s, m, h, x, v, err);
}

/* Derivatives of a scene's accelerations for the implicit integrators (scene_state.h). */

#define DIFFERENCE 1e-6 /* step of the differences in coordinates; in speeds it is multiplied by one plus their
                           magnitude */

/* State at one pose. */
typedef struct Slopes {
    Scene *scene;
    const double *q, *v;
    ModelSpeed *speed;         /* [speed] */
    Vec3 *position;            /* [body] */
    Vec3 *move, *turn;         /* [body] partial velocities by a speed: of its origin, and angular */
    char *moves, *hangs;       /* [body] whether the speed moves it; scratch */
    Vec3 *drift, *spin;        /* [body] change of its velocities by a displacement at constant speeds */
    ModelLoads wrench;         /* [body] resulting change of spring wrenches, about the world's origin */
    double *column;            /* [speed] */
    double *moved;             /* [speed] probe: one speed and the dependent ones */
    Carried carried;           /* attachments at the pose */
} Slopes;

static int make_arrays(Scene *s, Slopes *out)
{
    size_t n = (size_t)s->model->v_count, bodies = (size_t)s->model->body_count;
    Vec3 **of_bodies[] = {&out->position, &out->move, &out->turn, &out->drift, &out->spin, &out->wrench.force,
                          &out->wrench.moment};
    for (size_t i = 0; i < sizeof of_bodies / sizeof *of_bodies; i++)
        *of_bodies[i] = arena_array(&s->scratch, bodies, 1, sizeof(Vec3));
    out->speed = arena_array(&s->scratch, n, 1, sizeof *out->speed);
    out->moves = arena_array(&s->scratch, bodies, 1, 1);
    out->hangs = arena_array(&s->scratch, bodies, 1, 1);
    out->column = arena_array(&s->scratch, n, 1, sizeof *out->column);
    out->moved = arena_array(&s->scratch, n, 1, sizeof *out->moved);
    return !s->scratch.failed;
}

/* Partial velocities of a speed: those of its body and all descendants. */
static void add_moves(Slopes *p, int i, double size)
{
    const Model *m = p->scene->model;
    const ModelSpeed *speed = &p->speed[i];
    char *hangs = p->hangs;
    hangs[0] = 0;
    for (int b = 1; b < m->body_count; b++) {
        hangs[b] = b == speed->body || hangs[m->body[b].parent];
        if (!hangs[b])
            continue;
        Vec3 swing = vec3_cross(speed->axis, vec3_sub(p->position[b], speed->anchor));
        p->moves[b] = 1;
        p->turn[b] = speed->turns ? vec3_mad(p->turn[b], size, speed->axis) : p->turn[b];
        p->move[b] = vec3_mad(p->move[b], size, speed->turns ? swing : speed->axis);
    }
}

/* A unit speed and the dependent speeds that follow from it. */
static void find_moves(Slopes *p, int i)
{
    Scene *s = p->scene;
    size_t bodies = (size_t)s->model->body_count;
    memset(p->moves, 0, bodies);
    memset(p->move, 0, bodies * sizeof *p->move);
    memset(p->turn, 0, bodies * sizeof *p->turn);
    add_moves(p, i, 1);
    for (int k = 0; k < s->follower_count; k++) {
        double size = -p->carried.all.rows[(size_t)k * (size_t)s->model->v_count + (size_t)i];
        if (size != 0)
            add_moves(p, s->follower[k], size);
    }
}

static void add_block(const double *block, Vec3 a, Vec3 b, double *to)
{
    const double x[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++)
            to[i] += block[6 * i + k] * x[k];
}

/* Adds the change of spring forces to the column, by displacements or by velocities. */
static void add_springs(Slopes *p, int by_speed)
{
    Scene *s = p->scene;
    const SpringBlocks *blocks = &s->spring_blocks;
    size_t bodies = (size_t)s->model->body_count * sizeof(Vec3);
    memset(p->wrench.force, 0, bodies);
    memset(p->wrench.moment, 0, bodies);
    for (int k = 0; k < blocks->pair_count; k++) {
        int row = blocks->row[k], column = blocks->column[k];
        double change[6] = {0};
        if (by_speed && p->moves[column])
            add_block(blocks->by_velocity + 36 * k, p->move[column], p->turn[column], change);
        if (!by_speed && p->moves[column])
            add_block(blocks->by_position + 36 * k, p->move[column], p->turn[column], change);
        if (!by_speed)
            add_block(blocks->by_velocity + 36 * k, p->drift[column], p->spin[column], change);
        Vec3 force = vec3_load(change), moment = vec3_load(change + 3);
        p->wrench.force[row] = vec3_add(p->wrench.force[row], force);
        p->wrench.moment[row] = vec3_add(p->wrench.moment[row], vec3_add(moment, vec3_cross(p->position[row], force)));
    }
    if (blocks->pair_count)
        model_add_wrenches(s->model, p->speed, &p->wrench, p->column);
}

/* Velocities of the probe, one side of the difference minus the other. */
static void add_drift(Slopes *p, double scale)
{
    const ModelMotion *m = &p->scene->motion;
    for (int b = 0; b < m->body_count; b++) {
        p->drift[b] = vec3_mad(p->drift[b], scale, m->velocity[b]);
        p->spin[b] = vec3_mad(p->spin[b], scale, m->angular_velocity[b]);
    }
}

/* Computes changes of the dependent speeds from those of the others. */
static void follow(const Slopes *p, double *change)
{
    Attachment all = p->carried.all;
    all.bias = NULL;
    if (p->scene->def.attachment_count)
        attachment_velocity(&all, p->scene->model->v_count, change);
}

/* Residual forces at the probe, with attached bodies moved with their carriers. */
static void find_probe(Slopes *p, const double *v)
{
    Scene *s = p->scene;
    size_t n = (size_t)s->model->v_count;
    ArenaMark mark = arena_mark(&s->scratch);
    Carried carried;
    if (s->def.attachment_count == 0) {
        scene_rest_forces(s, s->probe_q, v, s->probe_a, s->rate);
        return;
    }
    memcpy(p->moved, v, n * sizeof *v);
    scene_place_attached(s, s->probe_q);
    Status status = scene_carry(s, s->probe_q, p->moved, &carried, s->err);
    s->status = s->status ? s->status : status;
    if (!status) {
        scene_spread_speeds(s, &carried, s->probe_a);
        scene_rest_forces(s, s->probe_q, p->moved, s->probe_a, s->rate);
        scene_fold_rows(s, &carried, 1, s->rate);
    }
    arena_return(&s->scratch, mark);
}

/* Dependent speeds have no columns. */
static int is_follower(const Scene *s, int i)
{
    int is = 0;
    for (int k = 0; k < s->follower_count; k++)
        is |= s->follower[k] == i;
    return is;
}

/* Column i: central differences of the residual forces at the present accelerations, by a small displacement in speed i
 * or a small change of it, plus the analytic part of the springs. */
static void put_column(Slopes *p, int i, double *jacobian, int by_speed)
{
    Scene *s = p->scene;
    size_t n = (size_t)s->model->v_count, bodies = (size_t)s->model->body_count;
    double size = by_speed ? DIFFERENCE * (1 + fabs(p->v[i])) : DIFFERENCE;
    memset(p->column, 0, n * sizeof *p->column);
    memset(p->drift, 0, bodies * sizeof *p->drift);
    memset(p->spin, 0, bodies * sizeof *p->spin);
    for (int side = -1; side <= 1; side += 2) {
        memcpy(s->probe_q, p->q, (size_t)s->model->q_count * sizeof *p->q);
        memset(s->probe_v, 0, n * sizeof *p->v);
        s->probe_v[i] = side * size;
        if (!by_speed)
            model_advance(s->model, 1, s->probe_v, s->probe_q);
        for (size_t k = 0; by_speed && k < n; k++)
            s->probe_v[k] += p->v[k];
        find_probe(p, by_speed ? s->probe_v : p->v);
        add_drift(p, side / (2 * size));
        for (size_t k = 0; k < n; k++)
            p->column[k] += side * s->rate[k] / (2 * size);
    }
    add_springs(p, by_speed);
    if (s->def.attachment_count)
        scene_fold_rows(s, &p->carried, 1, p->column);
    profile_solve(s->mass, s->mass_last, (int)n, p->column);
    follow(p, p->column);
    for (size_t k = 0; k < n; k++)
        jacobian[k * n + (size_t)i] = p->column[k];
}

/* Sets up the attachments at the pose and makes v consistent. */
static int begin_attached(Slopes *p, const double *v)
{
    Scene *s = p->scene;
    size_t n = (size_t)s->model->v_count;
    double *own = arena_array(&s->scratch, n, 1, sizeof *own);
    if (!own) {
        s->status = s->status ? s->status : error_no_memory(s->err);
        return 0;
    }
    memcpy(own, v, n * sizeof *own);
    p->v = own;
    Status status = scene_carry(s, p->q, own, &p->carried, s->err);
    s->status = s->status ? s->status : status;
    return !status;
}

void scene_differentiate(Scene *s, const double *q, const double *v, double *by_position, double *by_velocity)
{
    Slopes p = {.scene = s, .q = q, .v = v};
    const ModelMotion *motion = &s->motion;
    if (!make_arrays(s, &p)) {
        s->status = s->status ? s->status : error_no_memory(s->err);
        return;
    }
    scene_acceleration(s, q, v, s->probe_a);
    if (s->def.attachment_count && !begin_attached(&p, v))
        return;
    memcpy(p.speed, motion->speed, (size_t)motion->speed_count * sizeof *p.speed);
    memcpy(p.position, motion->position, (size_t)motion->body_count * sizeof *p.position);
    scene_differentiate_springs(s);
    s->holds_springs = 1;
    for (int i = 0; i < s->model->v_count; i++) {
        size_t n = (size_t)s->model->v_count;
        if (is_follower(s, i)) {
            for (size_t k = 0; k < n; k++)
                by_velocity[k * n + (size_t)i] = 0;
            for (size_t k = 0; by_position && k < n; k++)
                by_position[k * n + (size_t)i] = 0;
            continue;
        }
        find_moves(&p, i);
        if (by_position)
            put_column(&p, i, by_position, 0);
        put_column(&p, i, by_velocity, 1);
    }
    s->holds_springs = 0;
}

/* Particles and bodies in one implicit step (docs/sources.md, notes 0.9.2, 0.9.3). The particles' equations are
 * eliminated (particles.c), and their Schur complement joins the equations of the speeds. With S the response
 * of the springs, J the velocities of attached particles per speed and P = M - S of the free ones,
 *
 * (A - J' S (J + P^-1 S J)) dv = h f + J' S P^-1 r,   P dv_free = r + S J dv. */

/* Whether a speed moves a body with springs to particles. */
static int moves_some(const Scene *s, const char *carries, int speed)
{
    const Model *m = s->model;
    int some = 0;
    for (int b = 1; b < m->body_count; b++)
        for (int up = b; carries[b] && up > 0; up = m->body[up].parent)
            some |= up == s->motion.speed[speed].body;
    return some;
}

static int hangs(const Model *m, int body, int on)
{
    while (body > 0 && body != on)
        body = m->body[body].parent;
    return body == on;
}

/* Velocities of the attached particles per unit of one speed; zero for the free ones. */
static void put_velocities(const Scene *s, int speed, Vec3 *velocity)
{
    const Particles *p = s->def.particles;
    const ModelSpeed *by = &s->motion.speed[speed];
    for (int i = 0; i < p->count; i++) {
        velocity[i] = vec3(0, 0, 0);
        if (p->body[i] > 0 && hangs(s->model, p->body[i], by->body))
            velocity[i] = by->turns ? vec3_cross(by->axis, vec3_sub(p->x[i], by->anchor)) : by->axis;
    }
}

/* Accelerations of the speeds by forces on the attached particles. The mass matrix must be factorised. */
static void accelerate(Scene *s, const Vec3 *force, double *a)
{
    const Particles *p = s->def.particles;
    size_t bodies = (size_t)s->model->body_count * sizeof(Vec3);
    memset(s->loads.force, 0, bodies);
    memset(s->loads.moment, 0, bodies);
    memset(a, 0, (size_t)s->model->v_count * sizeof *a);
    for (int i = 0; i < p->count; i++) {
        int b = p->body[i];
        if (b < 0)
            continue;
        s->loads.force[b] = vec3_add(s->loads.force[b], force[i]);
        s->loads.moment[b] = vec3_add(s->loads.moment[b], vec3_cross(p->x[i], force[i]));
    }
    model_add_wrenches(s->model, s->motion.speed, &s->loads, a);
    profile_solve(s->mass, s->mass_last, s->model->v_count, a);
}

/* Arrays of particles in scratch memory; NULL if memory fails. */
static Vec3 *make_room(Scene *s)
{
    Vec3 *room = arena_array(&s->scratch, (size_t)s->def.particles->count, 1, sizeof *room);
    if (!room && !s->status)
        s->status = error_no_memory(s->err);
    return room;
}

static void clear(const Scene *s, Vec3 *x) { memset(x, 0, (size_t)s->def.particles->count * sizeof *x); }

/* Column of the matrix: the accelerations of the springs' response to a unit speed, directly and through the
 * particles. */
static void take_column(Scene *s, int speed, double *matrix, Vec3 *change, Vec3 *answer)
{
    Particles *p = s->def.particles;
    size_t n = (size_t)s->model->v_count;
    double *column = arena_array(&s->scratch, n, 1, sizeof *column);
    if (!column)
        return;
    put_velocities(s, speed, change);
    clear(s, answer);
    particles_respond(p, change, answer);
    particles_solve(p, answer);
    for (int i = 0; i < p->count; i++)
        change[i] = vec3_add(change[i], answer[i]);
    clear(s, answer);
    particles_respond(p, change, answer);
    accelerate(s, answer, column);
    for (size_t k = 0; k < n; k++)
        matrix[k * n + (size_t)speed] -= column[k];
}

void scene_couple_particles(Scene *s, double h, double theta, double *matrix, double *acceleration)
{
    Particles *p = s->def.particles;
    const Model *m = s->model;
    size_t n = (size_t)m->v_count;
    ArenaMark mark = arena_mark(&s->scratch);
    Vec3 *change = make_room(s), *answer = make_room(s);
    double *a = arena_array(&s->scratch, n, 1, sizeof *a);
    char *carries = arena_array(&s->scratch, (size_t)m->body_count, 1, 1);
    if (!change || !answer || s->scratch.failed)
        return;
    particles_linearize(p, &s->motion, m->gravity, h, theta);
    memcpy(change, p->step.right, (size_t)p->count * sizeof *change);
    particles_solve(p, change);
    particles_respond(p, change, answer);
    for (int i = 0; i < p->count; i++) {
        answer[i] = vec3_mad(p->step.slope[i], 1 / h, answer[i]);
        if (p->body[i] > 0)
            carries[p->body[i]] = 1;
    }
    accelerate(s, answer, a);
    for (size_t k = 0; k < n; k++)
        acceleration[k] += a[k];
    for (int i = 0; i < m->v_count; i++) {
        ArenaMark inner = arena_mark(&s->scratch);
        if (moves_some(s, carries, i))
            take_column(s, i, matrix, change, answer);
        arena_return(&s->scratch, inner);
    }
    arena_return(&s->scratch, mark);
}

void scene_finish_particles(Scene *s)
{
    Particles *p = s->def.particles;
    ArenaMark mark = arena_mark(&s->scratch);
    Vec3 *change = make_room(s), *answer = make_room(s);
    if (change && answer) {
        model_motion_set(&s->motion, s->model, s->q_before, s->v, NULL);
        for (int i = 0; i < p->count; i++)
            if (p->body[i] >= 0)
                change[i] = vec3_sub(model_point_velocity(&s->motion, p->body[i], p->local[i]), p->v[i]);
        particles_respond(p, change, answer);
        for (int i = 0; i < p->count; i++)
            answer[i] = vec3_add(answer[i], p->step.right[i]);
        particles_solve(p, answer);
        particles_advance(p, answer);
    }
    arena_return(&s->scratch, mark);
}
