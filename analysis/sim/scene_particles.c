/* Particles and bodies in one implicit step (docs/sources.md, notes 0.9.2, 0.9.3). The particles' equations are
 * eliminated (particles.c), and their Schur complement joins the equations of the speeds. With S the response
 * of the springs, J the velocities of attached particles per speed and P = M - S of the free ones,
 *
 * (A - J' S (J + P^-1 S J)) dv = h f + J' S P^-1 r,   P dv_free = r + S J dv. */
#include <string.h>

#include "analysis/math/dense_factor.h"
#include "analysis/model/model.h"
#include "analysis/sim/scene_def.h"
#include "analysis/sim/scene_state.h"

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
