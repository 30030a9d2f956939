/* A scene (scene.h): correction of overlaps at the start, creation, state, steps and queries. */
#include "analysis/sim/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/math/dense_factor.h"
#include "analysis/sim/scene_attachment.h"
#include "analysis/sim/scene_momentum.h"
#include "analysis/sim/scene_rolling.h"
#include "analysis/sim/scene_rows.h"
#include "analysis/sim/scene_softness.h"
#include "analysis/sim/scene_system.h"
#include "analysis/solve/lcp.h"

enum { SCRATCH_BYTES = 1 << 18, SCRATCH_MATRICES = 16, SCRATCH_MAX = 1 << 26 };
enum { MAX_TENDON_POINTS = 64, MAX_SMOOTH_SPEEDS = 64 };
#define MAX_SPEED 1e6   /* m/s or rad/s, above which a scene counts as diverged */

SceneDef scene_default_def(void)
{
    return (SceneDef){.integrator = SCENE_INTEGRATOR_AUTO, .friction_model = FRICTION_CONE, .friction = -1,
                      .restitution_speed = 0.01};
}

static void make_arrays(Scene *s)
{
    const Model *m = s->model;
    size_t q = (size_t)m->q_count, v = (size_t)m->v_count, bodies = (size_t)m->body_count;
    double **of_q[] = {&s->q, &s->q_before, &s->probe_q};
    double **of_v[] = {&s->v, &s->a, &s->v_before, &s->probe_v, &s->rate, &s->bias, &s->inertia, &s->probe_a,
                       &s->row_now, &s->row_impulse, &s->equality_impulse, &s->drive_impulse};
    Vec3 **of_bodies[] = {&s->loads.force, &s->loads.moment, &s->applied.force, &s->applied.moment,
                         &s->held_springs.force, &s->held_springs.moment, &s->on_way.force, &s->on_way.moment,
                         &s->contact_force, &s->contact_moment};
    for (size_t i = 0; i < sizeof of_q / sizeof *of_q; i++)
        *of_q[i] = arena_array(&s->memory, q, 1, sizeof(double));
    for (size_t i = 0; i < sizeof of_v / sizeof *of_v; i++)
        *of_v[i] = arena_array(&s->memory, v, 1, sizeof(double));
    for (size_t i = 0; i < sizeof of_bodies / sizeof *of_bodies; i++)
        *of_bodies[i] = arena_array(&s->memory, bodies, 1, sizeof(Vec3));
    s->mass = arena_array(&s->memory, v, v, sizeof *s->mass);
    s->mass_last = arena_array(&s->memory, v, 1, sizeof *s->mass_last);
    s->control = arena_array(&s->memory, (size_t)m->actuator_count, 1, sizeof *s->control);
    s->error_sum = arena_array(&s->memory, (size_t)s->def.controller_count, 1, sizeof *s->error_sum);
    double **of_given[] = {&s->given_from, &s->given_to, &s->given_speed, &s->given_force};
    for (size_t i = 0; i < sizeof of_given / sizeof *of_given; i++)
        *of_given[i] = arena_array(&s->memory, (size_t)s->def.given_count, 1, sizeof(double));
    s->waits = arena_array(&s->memory, bodies, 1, 1);
    s->limit_holds = arena_array(&s->memory, (size_t)scene_limit_sides(s), 1, 1);
    s->rolling_height = arena_array(&s->memory, (size_t)s->def.rolling_count, 1, sizeof *s->rolling_height);
    size_t constraints = (size_t)scene_constraint_count(s);
    s->equality_force = arena_array(&s->memory, constraints, 1, sizeof(Vec3));
    s->equality_couple = arena_array(&s->memory, constraints, 1, sizeof(Vec3));
}

/* Checks that every speed has an inertia and that the tendons have room. */
static Status check_scene(Scene *s, Error *err)
{
    const Model *m = s->model;
    for (int i = 0; i < m->tendon_count; i++)
        if (m->tendon[i].site_count > MAX_TENDON_POINTS)
            return error_set(err, STATUS_LIMIT, "tendon %s runs over more than %d sites", m->tendon[i].name,
                             MAX_TENDON_POINTS);
    model_motion_set(&s->motion, m, s->q, s->v, NULL);
    model_mass(m, &s->motion, s->mass);
    int done = profile_factor(s->mass, m->v_count, s->mass_last);
    if (done == m->v_count)
        return STATUS_OK;
    const ModelSpeed *speed = &s->motion.speed[done];
    return error_set(err, STATUS_BAD_INPUT, "joint \"%s\" of body \"%s\" moves no mass or inertia",
                     m->joint[speed->joint].name, m->body[speed->body].name);
}

static void choose_integrator(Scene *s)
{
    if (s->def.integrator == SCENE_INTEGRATOR_AUTO)
        s->def.integrator = SCENE_VARIATIONAL;
    s->damps_ahead = s->def.integrator == SCENE_VARIATIONAL;
    s->kicks_twice = !s->def.kicks_once && s->damps_ahead && s->pair_count == 0 && !s->def.particles &&
                     !scene_is_dry(s) && !scene_limits_are_soft(s);
    s->h = s->kick = s->def.step;
}

/* Particles and bodies form one system under the implicit integrators. */
static int solves_particles(const Scene *s)
{
    return s->def.particles && (s->def.integrator == IMPLICIT_EULER || s->def.integrator == TRAPEZOIDAL);
}

/* Bodies and particles step together; the particles' explicit steps bound the step size. */
static Status begin_particles(Scene *s, Error *err)
{
    Particles *p = s->def.particles;
    if (!p)
        return STATUS_OK;
    if (solves_particles(s) && s->def.attachment_count)
        return error_set(err, STATUS_BAD_INPUT, "particles beside attached bodies require the integrator "
                                                "symplectic-euler or variational");
    if (solves_particles(s))
        return particles_make_implicit(p, err);
    s->def.step /= ceil(s->def.step / fmin(s->def.step, particles_longest_step(p)));
    return STATUS_OK;
}

/* Allocates the scratch memory of a step once, so that its pages stay in place; a step that needs more adds blocks. */
static void begin_scratch(Scene *s)
{
    size_t n = (size_t)s->model->v_count, bytes = SCRATCH_BYTES + SCRATCH_MATRICES * n * n * sizeof(double);
    arena_space(&s->scratch, bytes < SCRATCH_MAX ? bytes : SCRATCH_MAX, 1, 1);
    arena_return(&s->scratch, (ArenaMark){s->scratch.last, 0});
}

Status scene_create(const Model *model, const SceneDef *def, Scene **out, Error *err)
{
    *out = NULL;
    Scene *s = array_new(1, 1, sizeof *s);
    if (!s)
        return error_no_memory(err);
    s->model = model;
    s->def = *def;
    s->def.step = def->step > 0 ? def->step : model->time_step;
    Status status = begin_particles(s, err);
    make_arrays(s);
    if (!status && s->memory.failed)
        status = error_no_memory(err);
    if (!status)
        status = model_motion_init(&s->motion, model, err);
    if (!status)
        status = scene_find_pairs(s, err);
    choose_integrator(s);
    if (!status && s->def.integrator != SCENE_VARIATIONAL)
        status = integrator_init(&s->integrator, s->def.integrator, model->v_count, err);
    if (!status && s->def.integrator != SCENE_VARIATIONAL && s->def.integrator != SYMPLECTIC_EULER)
        status = scene_join_springs(s, err);
    if (!status) {
        model_reference(model, s->q);
        scene_follow_paths(s);
        status = check_scene(s, err);
        status = status ? status : scene_softness_init(s, err);
        scene_begin_rolling(s);
    }
    if (!status)
        status = scene_attach(s, err);
    arena_free(&s->scratch);
    begin_scratch(s);
    s->kept = status ? NULL : array_new(1, 1, sizeof *s->kept);
    if (!status && !s->kept)
        status = error_no_memory(err);
    if (status)
        scene_destroy(s);
    else
        *out = s;
    return status;
}

void scene_destroy(Scene *s)
{
    if (!s)
        return;
    if (s->kept)
        scene_system_free(s, s->kept);
    free(s->kept);
    arena_free(&s->spare[0]);
    arena_free(&s->spare[1]);
    model_motion_free(&s->motion);
    integrator_free(&s->integrator);
    lcp_solver_free(&s->lcp);
    spring_blocks_free(&s->spring_blocks);
    arena_free(&s->memory);
    arena_free(&s->scratch);
    free(s->contacts.contact);
    free(s->near.contact);
    free(s);
}

void scene_set_state(Scene *s, const double *q, const double *v, const double *control)
{
    const Model *m = s->model;
    if (q)
        memcpy(s->q, q, (size_t)m->q_count * sizeof *q);
    if (v)
        memcpy(s->v, v, (size_t)m->v_count * sizeof *v);
    if (control)
        memcpy(s->control, control, (size_t)m->actuator_count * sizeof *control);
    s->is_set = s->has_kept = s->has_mass = 0;
    if (s->kept)
        scene_system_free(s, s->kept);
    scene_follow_paths(s);
    scene_hold_attached(s, NULL);
    if (s->def.rolling_count) {
        model_motion_set(&s->motion, m, s->q, s->v, NULL);
        scene_begin_rolling(s);
    }
    for (int i = 0; i < s->def.given_count; i++)
        s->given_to[i] = s->q[m->joint[s->def.given[i]].q_start];
}

/* Context of the integrator's callbacks. */
typedef struct Call {
    Scene *scene;
} Call;

static Scene *call_scene(const void *context) { return ((const Call *)context)->scene; }

static void on_force(const void *context, const double *x, const double *v, double *f)
{
    scene_acceleration(call_scene(context), x, v, f);
}

static void on_move(const void *context, double h, const double *v, double *x)
{
    scene_move(call_scene(context), h, v, x);
}

static void on_jacobians(const void *context, const double *x, const double *v, double *by_position,
                         double *by_velocity)
{
    Scene *s = call_scene(context);
    ArenaMark mark = arena_mark(&s->scratch);
    scene_differentiate(s, x, v, s->def.integrator == BRIDSON_MARINO ? NULL : by_position, by_velocity);
    arena_return(&s->scratch, mark);
}

static void on_couple(const void *context, double h, double theta, double *matrix, double *force)
{
    scene_couple_particles(call_scene(context), h, theta, matrix, force);
}

/* Bridson-Marino constrains the speeds at half the step, with which it moves, and then those at its end. */
static int on_constrain(const void *context, const double *x, double *v)
{
    Scene *s = call_scene(context);
    int at_end = s->def.integrator == BRIDSON_MARINO && s->constrained++ > 0, held = 0;
    ContactRule rule = {at_end ? 0 : s->def.step, at_end || s->def.integrator != BRIDSON_MARINO, s->def.restitution,
                        s->def.restitution_speed, vec3_norm(s->model->gravity)};
    ArenaMark mark = arena_mark(&s->scratch);
    s->kick = rule.bounce ? s->def.step : 0.5 * s->def.step;
    if (!s->status)
        s->status = scene_constrain(s, x, &rule, v, &held, s->err);
    arena_return(&s->scratch, mark);
    return held;
}

/* Index of the first speed that is not a number, else of the largest; *most receives its magnitude. */
static int find_wildest(const Scene *s, double *max)
{
    int wildest = 0;
    *max = 0;
    for (int i = 0; i < s->model->v_count; i++) {
        if (!isfinite(s->v[i]) || !(fabs(s->v[i]) <= *max)) {
            wildest = i;
            *max = fabs(s->v[i]);
        }
        if (!isfinite(s->v[i]))
            break;
    }
    return wildest;
}

static int all_finite(const double *x, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += x[i] * 0;
    return sum == 0;
}

const char *scene_body_name(const Model *m, int body, char *text, size_t size)
{
    const char *name = m->body[body].name;
    if (*name)
        snprintf(text, size, "body \"%s\"", name);
    else
        snprintf(text, size, "body %d", body);
    return text;
}

/* Reports the body, the time and the reason: `why` is the message of the failed solve, empty if only speeds show the
 * divergence. */
static Status fly_apart(Scene *s, const Error *why, Error *err)
{
    char name[128], reason[ERROR_TEXT_SIZE];
    double max;
    int speed = find_wildest(s, &max), body = s->lost ? s->lost : s->motion.speed[speed].body;
    int turns = s->motion.speed[speed].turns;
    if (why->status)
        snprintf(reason, sizeof reason, "%s", why->text);
    else if (isfinite(max))
        snprintf(reason, sizeof reason, "speed %.2g %s", max, turns ? "rad/s" : "m/s");
    else
        snprintf(reason, sizeof reason, "its speed is beyond all numbers");
    return error_set(err, STATUS_NO_RESULT, "diverges at %.4g s: %s: %s; the time step %.3g s is too long for the "
                     "forces", s->time, scene_body_name(s->model, body, name, sizeof name), reason, s->def.step);
}

void scene_give(Scene *s, int given, double place, double speed)
{
    s->given_to[given] = place;
    s->given_speed[given] = speed;
}

double scene_given_force(const Scene *s, int given) { return s->given_force[given]; }

void scene_apply(Scene *s, int body, Vec3 force, Vec3 couple)
{
    s->applied.force[body] = vec3_add(s->applied.force[body], force);
    s->applied.moment[body] = vec3_add(s->applied.moment[body], couple);
}

void scene_apply_at(Scene *s, int body, Vec3 force, Vec3 couple)
{
    if (!s->is_set)
        scene_motion(s);
    Vec3 arm = quat_rotate(s->motion.orientation[body], s->model->body[body].com);
    scene_apply(s, body, force, vec3_sub(couple, vec3_cross(arm, force)));
}

void scene_kept_momentum(const Scene *s, int body, Vec3 *linear, Vec3 *angular)
{
    *linear = s->on_way.force[body];
    *angular = s->on_way.moment[body];
}

void scene_set_waiting(Scene *s, int body, int waits) { s->waits[body] = (char)waits; }

static void clear_applied(Scene *s)
{
    size_t bodies = (size_t)s->model->body_count * sizeof(Vec3);
    memset(s->applied.force, 0, bodies);
    memset(s->applied.moment, 0, bodies);
    for (int i = 0; i < s->def.given_count; i++)
        s->given_speed[i] = 0;
}

/* Adds the forces that hold attached bodies at a pose, times scale: those that balance the residual of their
 * accelerations. */
static Status note_attached(Scene *s, const double *q, const double *v, double scale, Error *err)
{
    size_t n = (size_t)s->model->v_count;
    Carried carried;
    double *own = arena_array(&s->scratch, n, 1, sizeof *own), *a = arena_array(&s->scratch, n, 1, sizeof *a);
    if (s->scratch.failed)
        return error_no_memory(err);
    memcpy(own, v, n * sizeof *own);
    Status status = scene_carry(s, q, own, &carried, err);
    if (status)
        return status;
    scene_acceleration(s, q, own, a);
    scene_rest_forces(s, q, own, a, s->rate);
    scene_note_rest(s, &carried, scale * s->def.step, s->rate);
    return s->status;
}

/* Moves attached bodies with their carriers at the end of a step. Their holding force is the mean of both ends unless
 * contacts or equalities have determined it already. */
static Status settle_attached(Scene *s, Error *err)
{
    ArenaMark mark = arena_mark(&s->scratch);
    Carried carried;
    Status status = scene_carry(s, s->q, s->v, &carried, err);
    if (!status && !s->has_noted) {
        scene_clear_held(s);
        status = note_attached(s, s->q_before, s->v_before, 0.5, err);
        status = status ? status : note_attached(s, s->q, s->v, 0.5, err);
    }
    arena_return(&s->scratch, mark);
    s->is_set = 0;
    return status;
}

Status scene_step(Scene *s, Error *err)
{
    const Model *m = s->model;
    Call call = {s};
    Error *why = &s->why;
    MechanicalSystem system = {.size = m->v_count, .force = on_force, .jacobians = on_jacobians,
                               .constrain = on_constrain, .move = on_move, .context = &call,
                               .couple = s->def.particles ? on_couple : NULL};
    s->is_set &= s->def.integrator == SCENE_VARIATIONAL; /* which begins with the motion as it is */
    memcpy(s->q_before, s->q, (size_t)m->q_count * sizeof *s->q);
    memcpy(s->v_before, s->v, (size_t)m->v_count * sizeof *s->v);
    for (int i = 0; i < s->def.given_count; i++)
        s->given_from[i] = s->q[m->joint[s->def.given[i]].q_start];
    s->given_share = 1;
    s->constrained = s->has_noted = 0;
    s->status = STATUS_OK;
    s->lost = 0;
    *why = (Error){0};
    s->err = why;
    if (s->def.particles) {
        s->is_set = 0;
        model_motion_set(&s->motion, m, s->q, s->v, NULL);
        if (solves_particles(s))
            particles_load(s->def.particles, &s->motion);
        else
            particles_step(s->def.particles, &s->motion, m->gravity, s->def.step);
    }
    memset(s->row_now, 0, (size_t)m->v_count * sizeof *s->row_now);
    memset(s->row_impulse, 0, (size_t)m->v_count * sizeof *s->row_impulse);
    memset(s->contact_force, 0, (size_t)m->body_count * sizeof(Vec3));
    memset(s->contact_moment, 0, (size_t)m->body_count * sizeof(Vec3));
    s->is_set &= s->def.attachment_count == 0;
    s->status = scene_choose_followers(s, why);
    Status status = s->def.integrator == SCENE_VARIATIONAL ? scene_momentum_step(s, why)
                  : integrator_step(&s->integrator, &system, s->def.step, s->q, s->v, why);
    status = s->status ? s->status : status;
    if (!status && s->def.attachment_count && s->def.integrator != SCENE_VARIATIONAL)
        status = settle_attached(s, why);
    if (!status && solves_particles(s))
        scene_finish_particles(s);
    double max;
    find_wildest(s, &max);
    if (status == STATUS_NO_RESULT || (!status && !(max <= MAX_SPEED && all_finite(s->q, m->q_count))))
        status = fly_apart(s, why, err);
    else if (status && err)
        *err = *why;
    if (status) {
        memcpy(s->q, s->q_before, (size_t)m->q_count * sizeof *s->q);
        memcpy(s->v, s->v_before, (size_t)m->v_count * sizeof *s->v);
        return status;
    }
    s->time += s->def.step;
    scene_sum_errors(s);
    if (s->def.integrator != SCENE_VARIATIONAL) {
        scene_record_contacts(s);
        memcpy(s->row_impulse, s->row_now, (size_t)m->v_count * sizeof *s->row_impulse);
    }
    clear_applied(s);
    for (int i = 0; i < m->v_count; i++)
        s->a[i] = (s->v[i] - s->v_before[i]) / s->def.step;
    if (s->def.particles) {
        s->is_set = 0;
        particles_follow(s->def.particles, scene_motion(s));
    }
    return STATUS_OK;
}

SceneFeatures scene_features(const Scene *s)
{
    const Model *m = s->model;
    SceneFeatures f = {.collides = s->pair_count > 0, .moves = m->v_count > 0 || s->def.particles};
    for (int i = 0; i < s->pair_count; i++) {
        f.rubs |= (s->def.friction >= 0 ? s->def.friction : s->pair[i].friction.slide) > 0;
    }
    for (int i = 0; i < m->joint_count && !m->off.no_limits; i++)
        f.limits |= m->joint[i].limited;
    for (int i = 0; i < m->actuator_count && !m->off.no_actuation; i++)
        f.drives |= m->actuator[i].bias[1] < 0;
    for (int i = 0; i < s->def.controller_count; i++)
        f.drives |= s->def.controller[i].stiffness > 0;
    f.limits |= s->def.angle_limit_count > 0;
    return f;
}

const UnsettledSweeps *scene_unsettled(const Scene *s) { return &s->unsettled; }
SceneSolves scene_solves(const Scene *s) { return s->solves; }
double scene_time(const Scene *s) { return s->time; }
double scene_step_size(const Scene *s) { return s->def.step; }
const double *scene_q(const Scene *s) { return s->q; }
const double *scene_v(const Scene *s) { return s->v; }
Vec3 scene_contact_force(const Scene *s, int body) { return s->contact_force[body]; }
Vec3 scene_contact_moment(const Scene *s, int body) { return s->contact_moment[body]; }
Vec3 scene_equality_force(const Scene *s, int equality) { return s->equality_force[equality]; }
Vec3 scene_equality_couple(const Scene *s, int equality) { return s->equality_couple[equality]; }

const ModelMotion *scene_motion(Scene *s)
{
    if (!s->is_set)
        model_motion_set(&s->motion, s->model, s->q, s->v, s->a);
    s->is_set = 1;
    return &s->motion;
}
