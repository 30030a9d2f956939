/* The equations of a scene's speeds, factorised. */
#include "analysis/sim/scene_system.h"

#include <string.h>

#include "analysis/math/dense_factor.h"
#include "analysis/sim/scene_rolling.h"
#include "analysis/solve/lcp.h"

/* 1/kg and 1/(kg m2), compliance of rigid equalities: they may be redundant, as a connect across a plane mechanism is,
 * and the compliance keeps the system regular. */
#define EQUALITY_COMPLIANCE 1e-10

/* Replaces M by M^ = M - theta h df/dv - theta^2 h^2 df/dx of the implicit integrators (0.9.2, 0.9.3), whose velocities
 * respond to an impulse through it (0.10). f is known by its accelerations: df = M da. The rotation of bodies makes M^
 * slightly unsymmetric, so its symmetric part is used. If that is not positive definite, M stays. */
static void add_implicit_part(Scene *s, size_t n)
{
    const Integrator *g = &s->integrator;
    double theta = g->kind == IMPLICIT_EULER ? 1 : g->kind == TRAPEZOIDAL ? 0.5 : 0, h = theta * s->def.step;
    if (h == 0)
        return;
    double *whole = arena_array(&s->scratch, n, n, sizeof *whole);
    double *tried = arena_array(&s->scratch, n, n, sizeof *tried);
    if (s->scratch.failed)
        return;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            double sum = s->mass[i * n + k];
            for (size_t j = 0; j < n; j++)
                sum -= s->mass[i * n + j] * (h * g->by_velocity[j * n + k] + h * h * g->by_position[j * n + k]);
            whole[i * n + k] = sum;
        }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            tried[i * n + k] = 0.5 * (whole[i * n + k] + whole[k * n + i]);
    memcpy(whole, tried, n * n * sizeof *whole);
    if (cholesky_factor(tried, (int)n) == (int)n)
        memcpy(s->mass, whole, n * n * sizeof *whole);
}

void scene_system_aim(Scene *s, const double *q, double ahead, SceneSystem *y)
{
    size_t rows = (size_t)y->bilateral;
    if (rows == 0)
        return;
    memset(y->rows, 0, rows * (size_t)y->size * sizeof *y->rows);
    scene_put_equalities(s, q, ahead, y->rows, y->target);
    for (size_t i = 0; i < rows; i++)
        y->soft[i] = EQUALITY_COMPLIANCE;
    scene_soften_equalities(s, ahead, y->soft, y->target);
}

/* Memory of a system that was freed: its pages are in place. */
static Arena take_memory(Scene *s)
{
    Arena memory = s->spare[0];
    s->spare[0] = s->spare[1];
    s->spare[1] = (Arena){0};
    return memory;
}

Status scene_system_init(Scene *s, const double *q, double ahead, SceneSystem *out, Error *err)
{
    int size = s->model->v_count, bilateral = scene_equality_row_count(s);
    size_t n = (size_t)size, m = (size_t)bilateral;
    double *none = arena_array(&s->scratch, n, 1, sizeof *none);
    *out = (SceneSystem){.size = size, .bilateral = bilateral, .mass = s->mass, .memory = take_memory(s)};
    double *rows = out->rows = arena_array(&out->memory, m, n, sizeof *rows);
    out->target = arena_array(&out->memory, m, 1, sizeof *out->target);
    out->soft = arena_array(&out->memory, m, 1, sizeof *out->soft);
    out->pushed = arena_array(&out->memory, m, 1, sizeof *out->pushed);
    kkt_place(&out->kkt, size, bilateral, &out->memory);
    if (s->scratch.failed || out->memory.failed)
        return error_no_memory(err);
    if (!s->has_mass)
        model_mass(s->model, &s->motion, s->mass);
    s->has_mass = 0;
    for (size_t i = 0; s->def.integrator == SCENE_VARIATIONAL && i < n; i++)
        s->inertia[i] = s->mass[i * n + i];
    add_implicit_part(s, n);
    scene_damp_ahead(s);
    scene_system_aim(s, q, ahead, out);
    DenseSystem system = {size, bilateral, s->mass, none, rows, out->target};
    Status status = s->def.attachment_count ? scene_fold_attached(s, &system, &out->carried, err) : STATUS_OK;
    if (!status && s->def.attachment_count) {
        out->mass = out->carried.whole.mass;
        out->rows = out->carried.whole.rows;
    }
    return status ? status : kkt_factor(&out->kkt, s->mass, rows, out->soft, err);
}

int scene_system_is_soft(const SceneSystem *y, int row) { return y->soft[row] > EQUALITY_COMPLIANCE; }

/* The newest block of the memory is the largest one. */
void scene_system_free(Scene *s, SceneSystem *y)
{
    Arena *spare = s->spare[0].last ? &s->spare[1] : &s->spare[0];
    if (y->memory.last && !y->memory.failed && !spare->last) {
        arena_return(&y->memory, (ArenaMark){y->memory.last, 0});
        *spare = y->memory;
    } else {
        arena_free(&y->memory);
    }
    *y = (SceneSystem){0};
}

void scene_system_momentum(const SceneSystem *y, const double *v, double *momentum)
{
    size_t n = (size_t)y->size;
    memset(momentum, 0, n * sizeof *momentum);
    for (size_t k = 0; k < n; k++) /* column k of the symmetric M^ */
        add_scaled(momentum, v[k], y->mass + k * n, y->size);
}

void scene_system_fold(const Scene *s, const SceneSystem *y, double *b)
{
    if (s->def.attachment_count)
        scene_fold_rows(s, &y->carried, 1, b);
}

void scene_system_solve(const Scene *s, const SceneSystem *y, double *b)
{
    kkt_solve(&y->kkt, b);
    if (s->def.attachment_count)
        scene_spread_speeds(s, &y->carried, b);
}

void scene_system_add_impulses(const SceneSystem *y, const double *lambda, double *to)
{
    size_t n = (size_t)y->size;
    for (size_t k = 0; k < n; k++)
        for (size_t r = 0; r < (size_t)y->bilateral; r++)
            to[k] += y->rows[r * n + k] * lambda[r];
}

void scene_note_held(Scene *s, const SceneSystem *y, const double *lambda)
{
    size_t n = (size_t)y->size;
    int driven = scene_driven_row(s), end = y->bilateral - scene_rolling_rows(s);
    scene_note_equalities(s, lambda);
    scene_system_add_impulses(y, lambda, s->equality_impulse);
    for (int r = driven; r < end; r++)
        add_scaled(s->drive_impulse, lambda[r], y->rows + (size_t)r * n, y->size);
}

Status scene_make_room(Scene *s, int rows, Error *err)
{
    if (rows <= s->lcp.capacity)
        return STATUS_OK;
    lcp_solver_free(&s->lcp);
    return lcp_solver_init(&s->lcp, 2 * rows, err);
}
