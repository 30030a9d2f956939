/* Derivatives of a scene's accelerations for the implicit integrators (scene_state.h). */
#include <math.h>
#include <string.h>

#include "analysis/math/dense_factor.h"
#include "analysis/model/model.h"
#include "analysis/sim/attachment.h"
#include "analysis/sim/scene_attachment.h"
#include "analysis/sim/scene_def.h"
#include "analysis/sim/scene_state.h"
#include "analysis/springs/spring_blocks.h"

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
