#include "analysis/sim/scene_momentum.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "analysis/math/dense_factor.h"
#include "analysis/sim/scene_rolling.h"
#include "analysis/sim/scene_softness.h"
#include "analysis/sim/scene_system.h"
#include "analysis/solve/anderson.h"

/* Rounds end where the last would move nothing by more, m and rad; else the step is halved, so many times. The first
 * rounds are plain: they show mixtures the way. */
#define CLOSED 1e-10
/* Cosine of half the turn of a body within a step, beyond which there may be another solution than the one of shorter
 * steps. */
#define LEAST_COSINE 0.3
#define NEARLY_CLOSED 1e-7
/* m and rad, from which on rounds change no turn by much. */
#define NEARLY_THERE 1e-3
/* Of the first round's move: rounds that are not below it after HOPE_ROUNDS do not close. On dogs, a dance and a
 * backflip those that close are below a thirtieth. */
#define HOPE 0.1
enum { MOST_ROUNDS = 30, PLAIN_ROUNDS = 2, HOPE_ROUNDS = 8, MOST_HALVINGS = 6 };

/* One step, or a part of one. */
typedef struct Passage {
    Scene *scene;
    double h;
    SceneSystem system;     /* at its beginning */
    ModelSpeed *speed;      /* [speed] the same */
    Vec3 *com;              /* [body] the same */
    Quat *orientation;      /* [body] the same */
    ModelLoads momentum;    /* [body] p and L, about the origin */
    ModelLoads spent;       /* [body] a copy that is summed */
    double *aim;            /* [speed] what the momenta at the beginning are to be */
    double *damped;         /* [speed] k D */
    double *pushed;         /* [speed] impulses of limits and contacts */
    int is_pushed;          /* there are such */
    double *left;           /* [speed] what the last round misses yet: it joins the momenta at the end */
    double *u;              /* [speed and equality] with the impulses of the equalities */
    double *right;          /* [speed and equality] */
    Anderson mixing;        /* of rounds */
    int may_halve;          /* where it turns too far */
    double least_cosine;            /* cosine of half the farthest turn of a body */
} Passage;

static Status begin_arrays(Passage *p, Error *err)
{
    Scene *s = p->scene;
    size_t n = (size_t)s->model->v_count, bodies = (size_t)s->model->body_count;
    size_t rows = (size_t)scene_equality_row_count(s);
    Vec3 **of_bodies[] = {&p->com, &p->momentum.force, &p->momentum.moment, &p->spent.force, &p->spent.moment};
    for (size_t i = 0; i < sizeof of_bodies / sizeof *of_bodies; i++)
        *of_bodies[i] = arena_array(&s->scratch, bodies, 1, sizeof(Vec3));
    p->orientation = arena_array(&s->scratch, bodies, 1, sizeof *p->orientation);
    p->speed = arena_array(&s->scratch, n, 1, sizeof *p->speed);
    p->aim = arena_array(&s->scratch, n, 1, sizeof *p->aim);
    p->damped = arena_array(&s->scratch, n, 1, sizeof *p->damped);
    p->left = arena_array(&s->scratch, n, 1, sizeof *p->left);
    p->pushed = arena_array(&s->scratch, n, 1, sizeof *p->pushed);
    p->u = arena_array(&s->scratch, n + rows, 1, sizeof *p->u);
    p->right = arena_array(&s->scratch, n + rows, 1, sizeof *p->right);
    anderson_init(&p->mixing, (int)n, &s->scratch);
    return s->scratch.failed ? error_no_memory(err) : STATUS_OK;
}

/* Where the bodies are and how their speeds act on them. */
static void note_pose(Passage *p)
{
    const ModelMotion *m = &p->scene->motion;
    memcpy(p->speed, m->speed, (size_t)m->speed_count * sizeof *p->speed);
    memcpy(p->orientation, m->orientation, (size_t)m->body_count * sizeof *p->orientation);
    for (int b = 0; b < m->body_count; b++)
        p->com[b] = model_point(m, b, p->scene->model->body[b].com);
}

/* The equations at the beginning: those of the end of the last step, where they serve. */
static Status begin_system(Passage *p, Error *err)
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

/* The equations at the end serve the next step, too, where they are the same: without attachments, damping and what
 * gives way. */
static int can_keep(const Passage *p)
{
    const Scene *s = p->scene;
    int can = s->kept && s->def.attachment_count == 0;
    for (int i = 0; i < s->model->equality_count; i++)
        can &= !scene_equality_is_soft(s, i);
    for (int i = 0; i < p->system.size; i++)
        can &= p->damped[i] == 0;
    return can && (!s->def.kicks_once || s->def.given_count == p->system.bilateral);
}

/* The next step, or the halves of this one, begin with these equations. */
static void keep(Scene *s, SceneSystem *system)
{
    *s->kept = *system;
    s->has_kept = 1;
    *system = (SceneSystem){0};
}

/* Speeds that the masses of the beginning make of the momenta. */
static void guess(Passage *p)
{
    Scene *s = p->scene;
    size_t n = (size_t)p->system.size, rows = (size_t)p->system.bilateral;
    memcpy(p->u, p->aim, n * sizeof *p->u);
    scene_system_fold(s, &p->system, p->u);
    if (rows)
        memcpy(p->u + n, p->system.target, rows * sizeof *p->u);
    scene_system_solve(s, &p->system, p->u);
}

/* Momenta and forces of the beginning, and the first u: with forces that controllers hold against contacts, a round
 * without these leads astray. */
static Status kick(Passage *p, Error *err)
{
    Scene *s = p->scene;
    size_t n = (size_t)s->model->v_count;
    Status status = begin_system(p, err);
    if (status)
        return status;
    note_pose(p);
    scene_applied_forces(s, s->q_before, s->v_before, s->rate);
    scene_system_momentum(&p->system, s->v_before, p->aim);
    for (size_t i = 0; i < n; i++) {
        p->aim[i] += s->kick * s->rate[i];
        p->damped[i] = p->system.mass[i * n + i] - s->inertia[i];
    }
    memcpy(p->u, s->v_before, n * sizeof *p->u);
    if (s->def.kicks_once)
        guess(p);
    return STATUS_OK;
}

/* p and L of all bodies, whose motion is that of the end. */
static void find_momenta(Passage *p)
{
    const Model *m = p->scene->model;
    const ModelMotion *now = &p->scene->motion;
    p->least_cosine = 1;
    for (int b = 1; b < m->body_count; b++) {
        Quat turn = quat_mul(now->orientation[b], quat_conjugate(p->orientation[b]));
        turn = turn.w < 0 ? quat_neg(turn) : turn;
        p->least_cosine = fmin(p->least_cosine, turn.w);
        Vec3 omega = vec3_scale(quat_turn_of(turn), 2 / p->h);
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

/* J' (p, L) + A u at the pose whose speeds are given. */
static void project(Passage *p, const ModelSpeed *speed, double *momentum)
{
    const Model *m = p->scene->model;
    size_t bodies = (size_t)m->body_count * sizeof(Vec3);
    memcpy(p->spent.force, p->momentum.force, bodies);
    memcpy(p->spent.moment, p->momentum.moment, bodies);
    for (int i = 0; i < m->v_count; i++)
        momentum[i] = m->joint[speed[i].joint].armature * p->u[i];
    model_add_wrenches(m, speed, &p->spent, momentum);
}

/* Moves to the end, and finds by how much the momenta of the beginning miss what they are to be. */
static void move(Passage *p, double *missing)
{
    Scene *s = p->scene;
    memcpy(s->q, s->q_before, (size_t)s->model->q_count * sizeof *s->q);
    scene_move(s, p->h, p->u, s->q);
    model_pose_set(&s->motion, s->model, s->q);
    find_momenta(p);
    project(p, p->speed, missing);
    for (int i = 0; i < s->model->v_count; i++)
        missing[i] = p->aim[i] - missing[i] - p->damped[i] * p->u[i];
}

/* Speeds that are held are so by the mean of the rows at both ends. */
static void mean_rolling(const Passage *p, const double *rows, double *target)
{
    int count = scene_rolling_rows(p->scene), n = p->system.size;
    for (int k = 0; k < count; k++) {
        size_t i = (size_t)(p->system.bilateral - count + k), at = i * (size_t)n;
        if (!scene_rolling_closes(p->scene, k))
            target[i] = -0.5 * (dot_product(rows + at, p->u, n) + dot_product(p->system.rows + at, p->u, n));
    }
}

/* What equalities are to close by yet. */
static Status put_open(Passage *p, double *target, Error *err)
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
    /* what gives way does so by u, as at the beginning, and by all of its impulse */
    for (int i = 0; i < p->system.bilateral; i++)
        if (scene_system_is_soft(&p->system, i))
            target[i] = p->system.target[i] - p->system.soft[i] * p->system.pushed[i] -
                        dot_product(p->system.rows + (size_t)i * (size_t)p->system.size, p->u, p->system.size);
    return STATUS_OK;
}

/* What the next round would move, *change in m and rad; p->right is by how much u, and the impulses that this takes. */
static Status look(Passage *p, double *change, Error *err)
{
    int n = p->system.size;
    move(p, p->right);
    scene_system_fold(p->scene, &p->system, p->right);
    memcpy(p->left, p->right, (size_t)n * sizeof *p->left);
    Status status = put_open(p, p->right + n, err);
    if (status)
        return status;
    scene_system_solve(p->scene, &p->system, p->right);
    kkt_add_impulses(&p->system.kkt, p->right + n, p->left);
    *change = 0;
    for (int i = 0; i < n; i++) {
        if (!(fabs(p->right[i]) <= DBL_MAX))
            return error_set(err, STATUS_NO_RESULT, "forces are beyond all numbers");
        *change = fmax(*change, p->h * fabs(p->right[i]));
    }
    return STATUS_OK;
}

/* A round; of those that go before it a mixture is taken where it is not among the first. */
static void take(Passage *p, int mixes)
{
    int n = p->system.size;
    anderson_note(&p->mixing, p->u, p->right);
    if (mixes)
        anderson_mix(&p->mixing, p->u, p->right);
    for (int i = 0; i < n; i++)
        p->u[i] += p->right[i];
    for (int i = n; i < n + p->system.bilateral; i++)
        p->u[i] = p->right[i];
}

/* Rounds until they end; the pose is then that of u. */
static Status close(Passage *p, Error *err)
{
    double change = 0, first = 0, least = INFINITY;
    int n = p->system.size;
    anderson_begin(&p->mixing);
    for (int i = 0; i < MOST_ROUNDS; i++) {
        Status status = look(p, &change, err);
        if (status)
            return status;
        int is_closed = change <= CLOSED || (change <= NEARLY_CLOSED && !(change < least)); /* as near as digits go */
        if (p->may_halve && change <= NEARLY_THERE && p->least_cosine < LEAST_COSINE)
            break;
        if (is_closed) {
            memcpy(p->u + n, p->right + n, (size_t)p->system.bilateral * sizeof *p->u);
            if (p->system.bilateral)
                scene_note_equalities(p->scene, p->u + n);
            return STATUS_OK;
        }
        first = i ? first : change;
        least = fmin(least, change);
        if (i == HOPE_ROUNDS && least > HOPE * first)
            break;
        take(p, i >= PLAIN_ROUNDS);
    }
    return error_set(err, STATUS_NO_RESULT, "something turns too fast for a step");
}

/* Limits and contacts act on the speeds of a round without them. */
static Status push(Passage *p, const ContactRule *rule, Error *err)
{
    Scene *s = p->scene;
    Status status = STATUS_OK;
    anderson_begin(&p->mixing);
    if (!s->def.kicks_once) {
        double change;
        status = look(p, &change, err);
        if (status)
            return status;
        take(p, 0);
        model_motion_set(&s->motion, s->model, s->q_before, s->v_before, NULL);
    }
    SceneRowsAsk ask = {.q = s->q_before, .rule = rule};
    status = scene_system_push(s, &p->system, &ask, p->u, p->pushed, err);
    for (int i = 0; i < p->system.size; i++) {
        p->aim[i] += p->pushed[i];
        p->is_pushed |= p->pushed[i] != 0;
    }
    return status;
}

/* What holds the attached bodies is what their momenta miss without it. */
static Status note_attached(Passage *p, Error *err)
{
    Scene *s = p->scene;
    size_t n = (size_t)p->system.size;
    double *force = arena_array(&s->scratch, n, 1, sizeof *force);
    if (!force)
        return error_no_memory(err);
    move(p, p->right);
    scene_system_momentum(&p->system, p->u, force);
    for (size_t i = 0; i < n; i++)
        force[i] += p->right[i];
    scene_system_add_impulses(&p->system, p->u + n, force);
    scene_note_attached(s, &p->system.carried, p->u, force);
    return STATUS_OK;
}

/* Half of the forces act at the end, on speeds that lead as far from u as those of the beginning. Limits held the way
 * alone: at the end they see the speeds without that, so that none is left of what pushed back what was beyond one. */
static void kick_again(Passage *p, double *momentum)
{
    Scene *s = p->scene;
    int n = s->model->v_count;
    s->constrained = 1;
    for (int i = 0; i < n; i++) {
        s->probe_v[i] = p->is_pushed ? p->u[i] : 2 * p->u[i] - s->v_before[i];
        momentum[i] -= p->pushed[i];
    }
    model_motion_set(&s->motion, s->model, s->q, s->probe_v, NULL);
    scene_applied_forces(s, s->q, s->probe_v, s->rate);
    for (int i = 0; i < n; i++)
        momentum[i] += s->kick * s->rate[i] + p->damped[i] * (s->probe_v[i] - p->u[i]);
}

static ContactRule rule_of(const Scene *s, double ahead, int bounces)
{
    return (ContactRule){ahead, bounces, s->def.restitution, s->def.restitution_speed, vec3_norm(s->model->gravity)};
}

/* Speeds of the momenta at the end; limits see them where half of the forces act there. */
static Status read_speeds(Passage *p, SceneSystem *end, double *momentum, Error *err)
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
        scene_note_equalities(s, y + n);
    if (!s->kicks_twice || !scene_has_limits(s))
        return STATUS_OK;
    ContactRule rule = rule_of(s, 0, 1);
    SceneRowsAsk ask = {.q = s->q, .rule = &rule};
    return scene_system_push(s, end, &ask, s->v, momentum, err);
}

/* Momenta at the end become speeds. */
static Status arrive(Passage *p, Error *err)
{
    Scene *s = p->scene;
    SceneSystem end = {0};
    double *momentum = arena_array(&s->scratch, (size_t)s->model->v_count, 1, sizeof *momentum);
    if (!momentum)
        return error_no_memory(err);
    model_motion_set(&s->motion, s->model, s->q, NULL, NULL);
    project(p, s->motion.speed, momentum);
    for (int i = 0; i < s->model->v_count; i++)
        momentum[i] += p->left[i];
    if (s->kicks_twice)
        kick_again(p, momentum);
    s->kick = 0;
    int keeps = s->def.kicks_once && can_keep(p); /* rows are then those of the next step */
    Status status = scene_system_init(s, s->q, keeps ? p->h : 0, &end, err);
    if (!status)
        status = read_speeds(p, &end, momentum, err);
    if (!status && s->def.attachment_count)
        scene_note_attached(s, &end.carried, s->v, momentum);
    if (!status && can_keep(p))
        keep(s, &end);
    scene_system_free(&end);
    return status;
}

static Status pass(Passage *p, Error *err)
{
    Scene *s = p->scene;
    ContactRule rule = rule_of(s, p->h, !s->kicks_twice);
    s->h = p->h;
    s->kick = s->kicks_twice ? 0.5 * p->h : p->h;
    s->constrained = 0;
    Status status = scene_find_contacts(s, s->q_before, &rule, err);
    if (!status)
        status = begin_arrays(p, err);
    if (!status)
        status = kick(p, err);
    if (!status && (s->contact_count || scene_has_limits(s)))
        status = push(p, &rule, err);
    if (!status && (status = close(p, err)) && can_keep(p))
        keep(s, &p->system);
    if (!status && s->def.attachment_count)
        status = note_attached(p, err);
    return status ? status : arrive(p, err);
}

/* What holds equalities and attachments, to and fro. */
static void copy_held(Vec3 *to, const Vec3 *from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = from[i];
}

static Status attempt(Scene *s, double h, int may_halve, Error *err)
{
    Passage p = {.scene = s, .h = h, .may_halve = may_halve};
    ArenaMark mark = arena_mark(&s->scratch);
    size_t count = (size_t)scene_constraint_count(s);
    Vec3 *force = arena_array(&s->scratch, count, 1, sizeof *force);
    Vec3 *couple = arena_array(&s->scratch, count, 1, sizeof *couple);
    if (s->scratch.failed)
        return error_no_memory(err);
    copy_held(force, s->equality_force, count);
    copy_held(couple, s->equality_couple, count);
    memcpy(s->q_before, s->q, (size_t)s->model->q_count * sizeof *s->q);
    memcpy(s->v_before, s->v, (size_t)s->model->v_count * sizeof *s->v);
    Status status = pass(&p, err);
    scene_system_free(&p.system);
    if (status) {
        copy_held(s->equality_force, force, count);
        copy_held(s->equality_couple, couple, count);
        memcpy(s->q, s->q_before, (size_t)s->model->q_count * sizeof *s->q);
        memcpy(s->v, s->v_before, (size_t)s->model->v_count * sizeof *s->v);
    } else {
        s->time += h;
        scene_record_contacts(s);
    }
    arena_return(&s->scratch, mark);
    return status;
}

/* To `end` of the step. One that is too long for what turns in it is made of two. */
static Status advance(Scene *s, double h, double end, int halvings, Error *err)
{
    s->given_share = end;
    Status status = attempt(s, h, halvings > 0, err);
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
    Status status = advance(s, s->def.step, 1, MOST_HALVINGS, err);
    if (status && s->has_kept) { /* of a pose on the way */
        scene_system_free(s->kept);
        s->has_kept = 0;
    }
    memcpy(s->q_before, start_q, q * sizeof *start_q);
    memcpy(s->v_before, start_v, v * sizeof *start_v);
    s->time = time;
    arena_return(&s->scratch, mark);
    return status;
}
