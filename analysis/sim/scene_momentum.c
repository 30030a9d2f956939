/* The variational step of a scene (scene_momentum.h), with Anderson mixing of its iterations. */
#include "analysis/sim/scene_momentum.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "analysis/math/dense_factor.h"
#include "analysis/sim/anderson.h"
#include "analysis/sim/scene_rolling.h"
#include "analysis/sim/scene_softness.h"
#include "analysis/sim/scene_system.h"

/* Iterations end when the next correction would move no coordinate by more than CONVERGED, m and rad; otherwise the
 * step is halved, at most MAX_HALVINGS times. Anderson mixing begins after PLAIN_ROUNDS corrections, which give it
 * directions. */
#define CONVERGED 1e-10
/* Cosine of half a body's rotation in a step; below it the iteration may converge to another solution than that of
 * shorter steps. */
#define MIN_COSINE 0.3
#define NEARLY_CONVERGED 1e-7
/* m and rad; smaller corrections change no rotation noticeably. */
#define SMALL_CORRECTION 1e-3
/* Fraction of the first correction. If none falls below it within TRIAL_ROUNDS iterations, the iteration does not
 * converge. On clips of dogs, a dance and a backflip, those that converge fall below a thirtieth. */
#define TRIAL_FRACTION 0.1
enum { MAX_ROUNDS = 30, PLAIN_ROUNDS = 2, TRIAL_ROUNDS = 8, MAX_HALVINGS = 6, MAX_ADDITIONS = 16 };

/* One step, or a part of one. */
typedef struct MomentumStep {
    Scene *scene;
    double h;
    SceneSystem system;            /* equations at the beginning */
    ModelSpeed *speed;             /* [speed] partial velocities at the beginning */
    Vec3 *com, *position;          /* [body] at the beginning */
    Quat *orientation;             /* [body] at the beginning */
    ModelLoads momentum;           /* [body] p and L, about the world's origin */
    ModelLoads wrench;             /* [body] copy that model_add_wrenches overwrites */
    double *target;                /* [speed] right side: momenta at the beginning plus impulses */
    double *damped;                /* [speed] k D */
    double *constraint_impulse;    /* [speed] impulses of limits and contacts */
    int has_impulses;              /* some of these are not zero */
    double *residual;              /* [speed] residual of the last iteration, added to the momenta at the end */
    double *u;                     /* [speed and equality] with the impulses of the equalities */
    double *correction;            /* [speed and equality] correction of u */
    Anderson mixing;               /* of the iterations */
    int may_halve;                 /* 1: a step with too large a rotation fails, to be halved */
    double min_cosine;             /* cosine of half the largest rotation of a body */
} MomentumStep;

static Status begin_arrays(MomentumStep *p, Error *err)
{
    Scene *s = p->scene;
    size_t n = (size_t)s->model->v_count, bodies = (size_t)s->model->body_count;
    size_t rows = (size_t)scene_equality_row_count(s);
    Vec3 **of_bodies[] = {&p->com, &p->position, &p->momentum.force, &p->momentum.moment, &p->wrench.force,
                         &p->wrench.moment};
    for (size_t i = 0; i < sizeof of_bodies / sizeof *of_bodies; i++)
        *of_bodies[i] = arena_array(&s->scratch, bodies, 1, sizeof(Vec3));
    p->orientation = arena_array(&s->scratch, bodies, 1, sizeof *p->orientation);
    p->speed = arena_array(&s->scratch, n, 1, sizeof *p->speed);
    p->target = arena_array(&s->scratch, n, 1, sizeof *p->target);
    p->damped = arena_array(&s->scratch, n, 1, sizeof *p->damped);
    p->residual = arena_array(&s->scratch, n, 1, sizeof *p->residual);
    p->constraint_impulse = arena_array(&s->scratch, n, 1, sizeof *p->constraint_impulse);
    p->u = arena_array(&s->scratch, n + rows, 1, sizeof *p->u);
    p->correction = arena_array(&s->scratch, n + rows, 1, sizeof *p->correction);
    anderson_init(&p->mixing, (int)n, &s->scratch);
    return s->scratch.failed ? error_no_memory(err) : STATUS_OK;
}

/* Stores the pose and the partial velocities of the beginning. */
static void store_pose(MomentumStep *p)
{
    const ModelMotion *m = &p->scene->motion;
    memcpy(p->speed, m->speed, (size_t)m->speed_count * sizeof *p->speed);
    memcpy(p->orientation, m->orientation, (size_t)m->body_count * sizeof *p->orientation);
    memcpy(p->position, m->position, (size_t)m->body_count * sizeof *p->position);
    for (int b = 0; b < m->body_count; b++)
        p->com[b] = model_point(m, b, p->scene->model->body[b].com);
}

/* Returns the motion to the beginning. Iterations change poses alone, unless wheels roll. */
static void restore_motion(const MomentumStep *p)
{
    const Scene *s = p->scene;
    ModelMotion *m = &p->scene->motion;
    if (s->def.rolling_count) {
        model_motion_set(m, s->model, s->q_before, s->v_before, NULL);
        return;
    }
    memcpy(m->orientation, p->orientation, (size_t)m->body_count * sizeof *p->orientation);
    memcpy(m->position, p->position, (size_t)m->body_count * sizeof *p->position);
}

/* Sets up the equations at the beginning: those kept from the end of the last step if there are any. */
static Status begin_system(MomentumStep *p, Error *err)
{
    Scene *s = p->scene;
    if (!s->has_kept)
        return scene_system_init(s, s->q_before, p->h, &p->system, err);
    p->system = *s->kept;
    *s->kept = (SceneSystem){0};
    s->has_kept = 0;
    scene_system_aim(s, s->q_before, p->h, &p->system);
    return STATUS_OK;
}

/* The equations at the end also serve the next step if nothing in them depends on the step: no attachments, damping or
 * soft constraints. */
static int can_keep(const MomentumStep *p)
{
    const Scene *s = p->scene;
    int can = s->kept && s->def.attachment_count == 0;
    for (int i = 0; i < s->model->equality_count; i++)
        can &= !scene_equality_is_soft(s, i);
    for (int i = 0; i < p->system.size; i++)
        can &= p->damped[i] == 0;
    return can && (!s->def.kicks_once || s->def.given_count == p->system.bilateral);
}

/* Keeps the equations for the next step, or for the halves of this one. */
static void keep(Scene *s, SceneSystem *system)
{
    *s->kept = *system;
    s->has_kept = 1;
    *system = (SceneSystem){0};
}

/* Initial u: the speeds that the target momenta give with the mass matrix of the beginning. */
static void initial_speeds(MomentumStep *p)
{
    Scene *s = p->scene;
    size_t n = (size_t)p->system.size, rows = (size_t)p->system.bilateral;
    memcpy(p->u, p->target, n * sizeof *p->u);
    scene_system_fold(s, &p->system, p->u);
    if (rows)
        memcpy(p->u + n, p->system.target, rows * sizeof *p->u);
    scene_system_solve(s, &p->system, p->u);
}

/* Computes the target momenta from the momenta and forces at the beginning, and the initial u. With control forces that
 * push against contacts, an iteration that starts without these forces diverges. */
static Status begin_step(MomentumStep *p, Error *err)
{
    Scene *s = p->scene;
    size_t n = (size_t)s->model->v_count;
    Status status = begin_system(p, err);
    if (status)
        return status;
    store_pose(p);
    scene_applied_forces(s, s->q_before, s->v_before, s->rate);
    scene_system_momentum(&p->system, s->v_before, p->target);
    for (size_t i = 0; i < n; i++) {
        p->target[i] += s->kick * s->rate[i];
        p->damped[i] = p->system.mass[i * n + i] - s->inertia[i];
    }
    memcpy(p->u, s->v_before, n * sizeof *p->u);
    if (s->def.kicks_once)
        initial_speeds(p);
    return STATUS_OK;
}

/* Computes p and L of all bodies from the displacement; the motion is at the pose of the end. */
static void displacement_momenta(MomentumStep *p)
{
    const Model *m = p->scene->model;
    const ModelMotion *now = &p->scene->motion;
    p->min_cosine = 1;
    for (int b = 1; b < m->body_count; b++) {
        Quat turn = quat_mul(now->orientation[b], quat_conjugate(p->orientation[b]));
        turn = turn.w < 0 ? quat_neg(turn) : turn;
        p->min_cosine = fmin(p->min_cosine, turn.w);
        Vec3 omega = vec3_scale(quat_log_small(turn), 2 / p->h);
        Vec3 way = vec3_sub(model_point(now, b, m->body[b].com), p->com[b]);
        Quat half = quat_normalize((Quat){1 + turn.w, turn.x, turn.y, turn.z});
        Quat middle = quat_mul(half, p->orientation[b]);
        Vec3 spin = quat_rotate(middle, sym3_mul(m->body[b].inertia, quat_rotate_inverse(middle, omega)));
        Vec3 linear = vec3_scale(way, m->body[b].mass / p->h);
        p->scene->on_way.force[b] = p->momentum.force[b] = linear;
        p->scene->on_way.moment[b] = spin;
        p->momentum.moment[b] = vec3_add(spin, vec3_cross(p->com[b], linear));
    }
}

/* J' (p, L) + A u with the given partial velocities. */
static void project_momenta(MomentumStep *p, const ModelSpeed *speed, double *momentum)
{
    const Model *m = p->scene->model;
    size_t bodies = (size_t)m->body_count * sizeof(Vec3);
    memcpy(p->wrench.force, p->momentum.force, bodies);
    memcpy(p->wrench.moment, p->momentum.moment, bodies);
    for (int i = 0; i < m->v_count; i++)
        momentum[i] = m->joint[speed[i].joint].armature * p->u[i];
    model_add_wrenches(m, speed, &p->wrench, momentum);
}

/* Moves the coordinates to the end by u and computes the residual momenta: target minus actual. */
static void displace(MomentumStep *p, double *missing)
{
    Scene *s = p->scene;
    memcpy(s->q, s->q_before, (size_t)s->model->q_count * sizeof *s->q);
    scene_move(s, p->h, p->u, s->q);
    model_pose_set(&s->motion, s->model, s->q);
    displacement_momenta(p);
    project_momenta(p, p->speed, missing);
    for (int i = 0; i < s->model->v_count; i++)
        missing[i] = p->target[i] - missing[i] - p->damped[i] * p->u[i];
}

/* Nonholonomic rows use the mean of the rows at both ends. */
static void mean_rolling(const MomentumStep *p, const double *rows, double *target)
{
    int count = scene_rolling_rows(p->scene), n = p->system.size;
    for (int k = 0; k < count; k++) {
        size_t i = (size_t)(p->system.bilateral - count + k), at = i * (size_t)n;
        if (!scene_rolling_closes(p->scene, k))
            target[i] = -0.5 * (dot_product(rows + at, p->u, n) + dot_product(p->system.rows + at, p->u, n));
    }
}

/* Residual of the equalities at the end. */
static Status equality_residual(MomentumStep *p, double *target, Error *err)
{
    Scene *s = p->scene;
    if (p->system.bilateral == 0)
        return STATUS_OK;
    ArenaMark mark = arena_mark(&s->scratch);
    double *rows = arena_array(&s->scratch, (size_t)p->system.bilateral, (size_t)p->system.size, sizeof *rows);
    if (!rows)
        return error_no_memory(err);
    if (s->def.rolling_count)
        model_motion_set(&s->motion, s->model, s->q, NULL, NULL);
    scene_put_equalities(s, s->q, p->h, rows, target);
    mean_rolling(p, rows, target);
    arena_return(&s->scratch, mark);
    /* soft rows yield by u as at the beginning, and by their whole impulse */
    for (int i = 0; i < p->system.bilateral; i++)
        if (scene_system_is_soft(&p->system, i))
            target[i] = p->system.target[i] - p->system.soft[i] * p->system.pushed[i] -
                        dot_product(p->system.rows + (size_t)i * (size_t)p->system.size, p->u, p->system.size);
    return STATUS_OK;
}

/* Computes the next correction of u with its equality impulses. *change: the largest displacement it makes, m and
 * rad. */
static Status find_correction(MomentumStep *p, double *change, Error *err)
{
    int n = p->system.size;
    displace(p, p->correction);
    scene_system_fold(p->scene, &p->system, p->correction);
    memcpy(p->residual, p->correction, (size_t)n * sizeof *p->residual);
    Status status = equality_residual(p, p->correction + n, err);
    if (status)
        return status;
    scene_system_solve(p->scene, &p->system, p->correction);
    kkt_add_impulses(&p->system.kkt, p->correction + n, p->residual);
    *change = 0;
    for (int i = 0; i < n; i++) {
        if (!(fabs(p->correction[i]) <= DBL_MAX))
            return error_set(err, STATUS_NO_RESULT, "forces are beyond all numbers");
        *change = fmax(*change, p->h * fabs(p->correction[i]));
    }
    return STATUS_OK;
}

/* Applies a correction, after mixing it with those of earlier iterations if `mixes`. */
static void apply_correction(MomentumStep *p, int mixes)
{
    int n = p->system.size;
    anderson_note(&p->mixing, p->u, p->correction);
    if (mixes)
        anderson_mix(&p->mixing, p->u, p->correction);
    for (int i = 0; i < n; i++)
        p->u[i] += p->correction[i];
    for (int i = n; i < n + p->system.bilateral; i++)
        p->u[i] = p->correction[i];
}

/* Iterates until the corrections vanish; the pose is then that of u. */
static Status iterate(MomentumStep *p, Error *err)
{
    double change = 0, first = 0, min = INFINITY;
    int n = p->system.size;
    anderson_begin(&p->mixing);
    for (int i = 0; i < MAX_ROUNDS; i++) {
        Status status = find_correction(p, &change, err);
        if (status)
            return status;
        int converges = change <= CONVERGED || (change <= NEARLY_CONVERGED && !(change < min));   /* by rounding */
        if (p->may_halve && change <= SMALL_CORRECTION && p->min_cosine < MIN_COSINE)
            break;
        if (converges) {
            memcpy(p->u + n, p->correction + n, (size_t)p->system.bilateral * sizeof *p->u);
            if (p->system.bilateral)
                scene_note_held(p->scene, &p->system, p->u + n);
            return STATUS_OK;
        }
        first = i ? first : change;
        min = fmin(min, change);
        if (i == TRIAL_ROUNDS && min > TRIAL_FRACTION * first)
            break;
        apply_correction(p, i >= PLAIN_ROUNDS);
    }
    return error_set(err, STATUS_NO_RESULT, "something turns too fast for a step");
}

/* Solves limits and contacts. In a pile, an impact makes bodies collide that did not approach each other before: their
 * contacts are added, and all are solved again. Not done under equalities, whose forces are recorded by the solve. */
static Status push_closing(MomentumStep *p, const ContactRule *rule, Error *err)
{
    Scene *s = p->scene;
    SceneRowsAsk ask = {.q = s->q_before, .rule = rule};
    size_t bytes = (size_t)p->system.size * sizeof *p->u;
    double *before = arena_space(&s->scratch, (size_t)p->system.size, 1, sizeof *before);
    if (!before)
        return error_no_memory(err);
    memcpy(before, p->u, bytes);
    for (int i = 0, added = 1;; i++) {
        memset(p->constraint_impulse, 0, bytes);
        Status status = scene_system_push(s, &p->system, &ask, p->u, p->constraint_impulse, err);
        if (!status && p->system.bilateral == 0 && i < MAX_ADDITIONS)
            status = scene_add_closing(s, s->q_before, p->u, p->h, &added, err);
        else
            added = 0;
        if (status || !added)
            return status;
        memcpy(p->u, before, bytes);
    }
}

/* Solves limits and contacts on the speeds of one iteration without them. */
static Status solve_constraints(MomentumStep *p, const ContactRule *rule, Error *err)
{
    Scene *s = p->scene;
    Status status = STATUS_OK;
    anderson_begin(&p->mixing);
    if (!s->def.kicks_once) {
        double change;
        status = find_correction(p, &change, err);
        if (status)
            return status;
        apply_correction(p, 0);
        restore_motion(p);
    }
    status = push_closing(p, rule, err);
    for (int i = 0; i < p->system.size; i++) {
        p->target[i] += p->constraint_impulse[i];
        p->has_impulses |= p->constraint_impulse[i] != 0;
    }
    return status;
}

/* The forces that hold attached bodies are those that their momenta lack without them. */
static Status attachment_forces(MomentumStep *p, Error *err)
{
    Scene *s = p->scene;
    size_t n = (size_t)p->system.size;
    double *force = arena_array(&s->scratch, n, 1, sizeof *force);
    if (!force)
        return error_no_memory(err);
    displace(p, p->correction);
    scene_system_momentum(&p->system, p->u, force);
    for (size_t i = 0; i < n; i++)
        force[i] += p->correction[i];
    scene_system_add_impulses(&p->system, p->u + n, force);
    scene_note_attached(s, &p->system.carried, p->u, force);
    return STATUS_OK;
}

/* Adds half of the forces at the end, evaluated at the extrapolated speeds 2 u - v. After impulses of limits it uses u,
 * and it removes these impulses from the momenta: the limits act again at the end, on speeds without them, so that no
 * rebound remains from pushing a joint back into its range. */
static void add_end_forces(MomentumStep *p, double *momentum)
{
    Scene *s = p->scene;
    int n = s->model->v_count;
    s->constrained = 1;
    for (int i = 0; i < n; i++) {
        s->probe_v[i] = p->has_impulses ? p->u[i] : 2 * p->u[i] - s->v_before[i];
        momentum[i] -= p->constraint_impulse[i];
    }
    model_motion_set(&s->motion, s->model, s->q, s->probe_v, NULL);
    scene_applied_forces(s, s->q, s->probe_v, s->rate);
    for (int i = 0; i < n; i++)
        momentum[i] += s->kick * s->rate[i] + p->damped[i] * (s->probe_v[i] - p->u[i]);
}

static ContactRule contact_rule(const Scene *s, double ahead, int bounces)
{
    return (ContactRule){ahead, bounces, s->def.restitution, s->def.restitution_speed, vec3_norm(s->model->gravity)};
}

/* Converts the momenta at the end into speeds. Limits act on these if half of the forces act at the end. */
static Status end_speeds(MomentumStep *p, SceneSystem *end, double *momentum, Error *err)
{
    Scene *s = p->scene;
    size_t n = (size_t)end->size;
    if (s->def.kicks_once && can_keep(p)) {
        memcpy(s->v, momentum, n * sizeof *s->v);
        profile_solve(end->kkt.mass, end->kkt.last, end->size, s->v);
        return STATUS_OK;
    }
    double *y = arena_array(&s->scratch, n + (size_t)end->bilateral, 1, sizeof *y);
    if (!y)
        return error_no_memory(err);
    memcpy(y, momentum, n * sizeof *y);
    if (end->bilateral)
        memcpy(y + n, end->target, (size_t)end->bilateral * sizeof *y);
    scene_system_fold(s, end, y);
    scene_system_solve(s, end, y);
    memcpy(s->v, y, n * sizeof *y);
    scene_system_add_impulses(end, y + n, momentum);
    if (end->bilateral)
        scene_note_held(s, end, y + n);
    if (!s->kicks_twice || !scene_has_limits(s))
        return STATUS_OK;
    ContactRule rule = contact_rule(s, 0, 1);
    SceneRowsAsk ask = {.q = s->q, .rule = &rule};
    return scene_system_push(s, end, &ask, s->v, momentum, err);
}

/* Completes the step: momenta at the end, then speeds. */
static Status end_step(MomentumStep *p, Error *err)
{
    Scene *s = p->scene;
    SceneSystem end = {0};
    double *momentum = arena_array(&s->scratch, (size_t)s->model->v_count, 1, sizeof *momentum);
    if (!momentum)
        return error_no_memory(err);
    model_motion_set(&s->motion, s->model, s->q, NULL, NULL);
    project_momenta(p, s->motion.speed, momentum);
    for (int i = 0; i < s->model->v_count; i++)
        momentum[i] += p->residual[i];
    if (s->kicks_twice)
        add_end_forces(p, momentum);
    s->kick = 0;
    int keeps = s->def.kicks_once && can_keep(p); /* its rows then also serve the next step */
    s->has_mass = 0;
    Status status = scene_system_init(s, s->q, keeps ? p->h : 0, &end, err);
    if (!status)
        status = end_speeds(p, &end, momentum, err);
    if (!status && s->def.attachment_count)
        scene_note_attached(s, &end.carried, s->v, momentum);
    s->has_mass = !status && s->def.attachment_count == 0; /* without damping, since s->kick is 0 */
    if (!status && can_keep(p))
        keep(s, &end);
    scene_system_free(s, &end);
    return status;
}

static Status take_step(MomentumStep *p, Error *err)
{
    Scene *s = p->scene;
    ContactRule rule = contact_rule(s, p->h, !s->kicks_twice);
    s->h = p->h;
    s->kick = s->kicks_twice ? 0.5 * p->h : p->h;
    s->constrained = 0;
    memset(s->row_now, 0, (size_t)s->model->v_count * sizeof *s->row_now);
    Status status = scene_find_contacts(s, s->q_before, &rule, err);
    if (!status)
        status = begin_arrays(p, err);
    if (!status)
        status = begin_step(p, err);
    if (!status && (s->contacts.count || scene_has_limits(s)))
        status = solve_constraints(p, &rule, err);
    if (!status && (status = iterate(p, err)) && can_keep(p))
        keep(s, &p->system);
    if (!status && s->def.attachment_count)
        status = attachment_forces(p, err);
    return status ? status : end_step(p, err);
}

/* Saves or restores the forces of equalities and attachments. */
static void copy_forces(Vec3 *to, const Vec3 *from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = from[i];
}

static Status try_step(Scene *s, double h, int may_halve, Error *err)
{
    MomentumStep p = {.scene = s, .h = h, .may_halve = may_halve};
    ArenaMark mark = arena_mark(&s->scratch);
    size_t count = (size_t)scene_constraint_count(s);
    Vec3 *force = arena_array(&s->scratch, count, 1, sizeof *force);
    Vec3 *couple = arena_array(&s->scratch, count, 1, sizeof *couple);
    size_t n = (size_t)s->model->v_count;
    double *held = arena_array(&s->scratch, n, 2, sizeof *held), *drive = held + n;
    if (s->scratch.failed)
        return error_no_memory(err);
    memcpy(held, s->equality_impulse, n * sizeof *held);
    memcpy(drive, s->drive_impulse, n * sizeof *drive);
    copy_forces(force, s->equality_force, count);
    copy_forces(couple, s->equality_couple, count);
    memcpy(s->q_before, s->q, (size_t)s->model->q_count * sizeof *s->q);
    memcpy(s->v_before, s->v, (size_t)s->model->v_count * sizeof *s->v);
    Status status = take_step(&p, err);
    scene_system_free(s, &p.system);
    if (status) {
        copy_forces(s->equality_force, force, count);
        copy_forces(s->equality_couple, couple, count);
        memcpy(s->equality_impulse, held, n * sizeof *held);
        memcpy(s->drive_impulse, drive, n * sizeof *drive);
        memcpy(s->q, s->q_before, (size_t)s->model->q_count * sizeof *s->q);
        memcpy(s->v, s->v_before, (size_t)s->model->v_count * sizeof *s->v);
    } else {
        s->time += h;
        scene_record_contacts(s);
        add_scaled(s->row_impulse, 1, s->row_now, s->model->v_count);
    }
    arena_return(&s->scratch, mark);
    return status;
}

/* Advances to fraction `end` of the step. A part that fails is split in two. */
static Status advance(Scene *s, double h, double end, int halvings, Error *err)
{
    s->given_share = end;
    Status status = try_step(s, h, halvings > 0, err);
    if (status != STATUS_NO_RESULT || halvings == 0)
        return status;
    status = advance(s, 0.5 * h, end - 0.5 * h / s->def.step, halvings - 1, err);
    return status ? status : advance(s, 0.5 * h, end, halvings - 1, err);
}

Status scene_momentum_step(Scene *s, Error *err)
{
    size_t q = (size_t)s->model->q_count, v = (size_t)s->model->v_count;
    ArenaMark mark = arena_mark(&s->scratch);
    double *start_q = arena_array(&s->scratch, q, 1, sizeof *start_q);
    double *start_v = arena_array(&s->scratch, v, 1, sizeof *start_v), time = s->time;
    if (s->scratch.failed)
        return error_no_memory(err);
    memcpy(start_q, s->q, q * sizeof *start_q);
    memcpy(start_v, s->v, v * sizeof *start_v);
    scene_clear_held(s);
    Status status = advance(s, s->def.step, 1, MAX_HALVINGS, err);
    if (status && s->has_kept) { /* of an intermediate pose */
        scene_system_free(s, s->kept);
        s->has_kept = 0;
    }
    s->has_mass &= !status;
    memcpy(s->q_before, start_q, q * sizeof *start_q);
    memcpy(s->v_before, start_v, v * sizeof *start_v);
    s->time = time;
    arena_return(&s->scratch, mark);
    return status;
}
