/* The integrators (integrator.h).
 *
 * Every kind solves M^ dv = h f~ for the change of velocity: the second form of 0.9.2 and 0.9.3, which avoids
 * cancellation when velocities are large and changes small. */
#include "analysis/sim/integrator.h"

#include <stdint.h>
#include <string.h>

#include "analysis/math/dense_factor.h"

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
