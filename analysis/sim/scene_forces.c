/* What drives a scene: gravity, inertia, springs and dampers of joints and tendons, actuators, wrenches over time. */
#include <math.h>
#include <string.h>

#include "analysis/math/dense_factor.h"
#include "analysis/sim/scene.h"
#include "analysis/sim/scene_state.h"
#include "analysis/sim/springs.h"

enum { TENDON_POINTS = 64 };

static void add_at(const Scene *s, int body, Vec3 point, Vec3 force)
{
    s->loads.force[body] = vec3_add(s->loads.force[body], force);
    s->loads.moment[body] = vec3_add(s->loads.moment[body], vec3_cross(point, force));
}

/* A tendon rests between two lengths. */
static AxialSpring tendon_law(const ModelTendon *t, double length)
{
    return (AxialSpring){t->stiffness, t->damping, fmin(t->most, fmax(t->least, length)), 0};
}

/* Places, and velocities, of a tendon's points; returns their number. */
static int tendon_points(const Scene *s, const ModelTendon *t, Vec3 *x, Vec3 *v)
{
    int count = t->site_count < TENDON_POINTS ? t->site_count : TENDON_POINTS;
    for (int k = 0; k < count; k++) {
        const ModelSite *site = &s->model->site[s->model->tendon_site[t->site_start + k]];
        x[k] = model_point(&s->motion, site->body, site->position);
        v[k] = model_point_velocity(&s->motion, site->body, site->position);
    }
    return count;
}

static void add_tendon(const Scene *s, const ModelTendon *t)
{
    Vec3 x[TENDON_POINTS], v[TENDON_POINTS], f[TENDON_POINTS];
    double length, rate;
    int count = tendon_points(s, t, x, v);
    MultipointSpring spring = {.point_count = count};
    multipoint_spring_length(&spring, x, v, &length, &rate);
    spring.law = tendon_law(t, length);
    multipoint_spring_forces(&spring, x, v, f);
    for (int k = 0; k < count; k++)
        add_at(s, s->model->site[s->model->tendon_site[t->site_start + k]].body, x[k], f[k]);
}

/* Share of row `next` at a time between it and the one before; 0 rows before: -1. */
static int find_rows(const SceneDrive *d, double time, double *share)
{
    int next = 0;
    while (next < d->row_count && d->time[next] <= time)
        next++;
    if (next == 0 || next == d->row_count)
        return -1;
    *share = (time - d->time[next - 1]) / (d->time[next] - d->time[next - 1]);
    return next;
}

static Vec3 mix(const Vec3 *rows, int next, double share)
{
    return vec3_mad(vec3_scale(rows[next - 1], 1 - share), share, rows[next]);
}

/* When a force of the step is taken: in its middle, and of the two of Bridson-Marino at its ends. */
static double drive_time(const Scene *s)
{
    double share = s->def.integrator != BRIDSON_MARINO && !s->kicks_twice ? 0.5 : s->constrained ? 1 : 0;
    return s->time + share * s->h;
}

static void add_drive(const Scene *s, const SceneDrive *d, double *force)
{
    double share;
    int next = find_rows(d, drive_time(s), &share);
    if (next < 0)
        return;
    Vec3 f = mix(d->force, next, share);
    if (d->body < 0) {
        force[s->model->joint[d->joint].v_start] += f.x;
        return;
    }
    s->loads.force[d->body] = vec3_add(s->loads.force[d->body], f);
    s->loads.moment[d->body] = vec3_add(s->loads.moment[d->body], mix(d->moment, next, share));
}

static double limited(int is, double value, double least, double most)
{
    return is ? fmin(most, fmax(least, value)) : value;
}

/* A position drive of a given damping ratio: 2 zeta sqrt(k m) with the inertia that the joint moves, M_ii
 * (docs/sources.md "The springs": the three regimes of x'' = -omega^2 x - 2 zeta omega x'). */
static double drive_damping(const Scene *s, int speed, double stiffness, double damping)
{
    double inertia = s->inertia[speed];
    return s->def.damping_ratio > 0 && stiffness > 0 ? 2 * s->def.damping_ratio * sqrt(stiffness * inertia) : damping;
}

/* The same of an actuator, of its joint's rate: its bias is -stiffness, -damping of its own length, gear times that. */
static double actuator_damping(const Scene *s, const ModelActuator *a)
{
    double square = a->gear * a->gear;
    return drive_damping(s, s->model->joint[a->joint].v_start, -a->bias[1] * square, -a->bias[2] * square);
}

static void add_controllers(const Scene *s, const double *q, const double *v, double *force)
{
    for (int i = 0; i < s->def.controller_count; i++) {
        const SceneController *c = &s->def.controller[i];
        const ModelJoint *j = &s->model->joint[c->joint];
        double damping = drive_damping(s, j->v_start, c->stiffness, c->damping);
        force[j->v_start] += c->stiffness * (c->target - q[j->q_start]) - damping * v[j->v_start];
    }
}

static void add_actuators(const Scene *s, const double *q, const double *v, double *force)
{
    const Model *m = s->model;
    for (int i = 0; i < m->actuator_count && !m->off.no_actuation; i++) {
        const ModelActuator *a = &m->actuator[i];
        const ModelJoint *j = &m->joint[a->joint];
        double control = limited(a->control_limited, s->control[i], a->control_least, a->control_most);
        double length = a->gear * q[j->q_start], rate = a->gear * v[j->v_start], square = a->gear * a->gear;
        double damping = square > 0 ? actuator_damping(s, a) / square : 0;
        double f = a->gain * control + a->bias[0] + a->bias[1] * length - damping * rate;
        force[j->v_start] += a->gear * limited(a->force_limited, f, a->force_least, a->force_most);
    }
    add_controllers(s, q, v, force);
    for (int i = 0; i < m->joint_count; i++) {
        const ModelJoint *j = &m->joint[i];
        if (j->force_limited && (j->kind == MODEL_HINGE || j->kind == MODEL_SLIDE))
            force[j->v_start] = limited(1, force[j->v_start], j->force_least, j->force_most);
    }
}

static void add_damping(Scene *s, int speed, double damping)
{
    s->mass[(size_t)speed * ((size_t)s->model->v_count + 1)] += s->kick * fmax(damping, 0);
}

/* Drives that a limit may hold say nothing: where it does, they do not damp. */
static void add_drive_damping(Scene *s)
{
    const Model *m = s->model;
    for (int i = 0; i < s->def.controller_count; i++) {
        const SceneController *c = &s->def.controller[i];
        const ModelJoint *j = &m->joint[c->joint];
        if (!j->force_limited)
            add_damping(s, j->v_start, drive_damping(s, j->v_start, c->stiffness, c->damping));
    }
    for (int i = 0; i < m->actuator_count && !m->off.no_actuation; i++) {
        const ModelActuator *a = &m->actuator[i];
        const ModelJoint *j = &m->joint[a->joint];
        if (!j->force_limited && !a->force_limited)
            add_damping(s, j->v_start, actuator_damping(s, a));
    }
}

void scene_damp_ahead(Scene *s)
{
    const Model *m = s->model;
    if (!s->damps_ahead)
        return;
    for (int i = 0; i < m->joint_count && !m->off.no_passive; i++)
        for (int k = 0; k < model_joint_speeds(m->joint[i].kind); k++)
            add_damping(s, m->joint[i].v_start + k, m->joint[i].damping);
    add_drive_damping(s);
}

static SpringPose pose_of(const Scene *s)
{
    const ModelMotion *m = &s->motion;
    return (SpringPose){m->position, m->orientation, m->velocity, m->angular_velocity};
}

static void gather_loads(Scene *s, double *force)
{
    const Model *m = s->model;
    size_t bodies = (size_t)m->body_count * sizeof(Vec3);
    memset(s->loads.force, 0, bodies);
    memset(s->loads.moment, 0, bodies);
    for (int i = 0; i < m->tendon_count && !m->off.no_passive; i++)
        add_tendon(s, &m->tendon[i]);
    for (int i = 0; i < s->def.drive_count; i++)
        add_drive(s, &s->def.drive[i], force);
    for (int b = 0; s->def.particles && b < m->body_count; b++) {
        s->loads.force[b] = vec3_add(s->loads.force[b], s->def.particles->loads.force[b]);
        s->loads.moment[b] = vec3_add(s->loads.moment[b], s->def.particles->loads.moment[b]);
    }
    for (int b = 1; b < m->body_count; b++) {
        add_at(s, b, model_point(&s->motion, b, m->body[b].com), s->applied.force[b]);
        s->loads.moment[b] = vec3_add(s->loads.moment[b], s->applied.moment[b]);
    }
    SpringPose pose = pose_of(s);
    if (s->def.springs)
        springs_add(s->def.springs, &pose, s->loads.force, s->loads.moment);
}

/* Nothing moves a body that waits. */
static void leave_waiting(const Scene *s, double *force)
{
    const Model *m = s->model;
    for (int b = 1; b < m->body_count; b++)
        for (int k = 0; s->waits[b] && k < model_joint_speeds(MODEL_FREE); k++)
            force[m->body[b].v_start + k] = 0;
}

/* Forces less those that move the model with the accelerations a (NULL: none); the motion is set. */
static void find_rest(Scene *s, const double *q, const double *v, const double *a, double *force)
{
    const Model *m = s->model;
    memset(force, 0, (size_t)m->v_count * sizeof *force);
    add_actuators(s, q, v, force);
    gather_loads(s, force);
    model_add_passive(m, q, v, force);
    model_inverse(m, &s->motion, a, &s->loads, s->bias);
    for (int i = 0; i < m->v_count; i++)
        force[i] -= s->bias[i];
    leave_waiting(s, force);
}

/* Weights join the loads. */
static void add_weights(const Scene *s)
{
    const Model *m = s->model;
    for (int b = 1; b < m->body_count; b++)
        add_at(s, b, model_point(&s->motion, b, m->body[b].com), vec3_scale(m->gravity, m->body[b].mass));
}

void scene_applied_forces(Scene *s, const double *q, const double *v, double *force)
{
    const Model *m = s->model;
    memset(force, 0, (size_t)m->v_count * sizeof *force);
    add_actuators(s, q, v, force);
    gather_loads(s, force);
    add_weights(s);
    model_add_passive(m, q, v, force);
    model_add_wrenches(m, s->motion.speed, &s->loads, force);
    leave_waiting(s, force);
}

void scene_rest_forces(Scene *s, const double *q, const double *v, const double *a, double *force)
{
    model_motion_set(&s->motion, s->model, q, v, a);
    find_rest(s, q, v, a, force);
}

void scene_acceleration(Scene *s, const double *q, const double *v, double *a)
{
    int n = s->model->v_count;
    model_motion_set(&s->motion, s->model, q, v, NULL);
    model_mass(s->model, &s->motion, s->mass);
    for (int i = 0; i < n; i++)
        s->inertia[i] = s->mass[(size_t)i * (size_t)n + (size_t)i];
    scene_damp_ahead(s);
    find_rest(s, q, v, NULL, a);
    int done = profile_factor(s->mass, n, s->mass_last);
    if (done < n) {
        memset(a, 0, (size_t)n * sizeof *a);
        s->lost = s->motion.speed[done].body;
        s->status = s->status ? s->status : error_set(s->err, STATUS_NO_RESULT, "the mass matrix is singular");
        return;
    }
    profile_solve(s->mass, s->mass_last, n, a);
}

/* The motion is set. */
static double tendon_energy(const Scene *s)
{
    double energy = 0;
    for (int i = 0; i < s->model->tendon_count && !s->model->off.no_passive; i++) {
        Vec3 x[TENDON_POINTS], v[TENDON_POINTS];
        double length, rate;
        MultipointSpring spring = {.point_count = tendon_points(s, &s->model->tendon[i], x, v)};
        multipoint_spring_length(&spring, x, v, &length, &rate);
        AxialSpring law = tendon_law(&s->model->tendon[i], length);
        energy += axial_spring_energy(&law, length);
    }
    return energy;
}

SceneEnergy scene_energy(Scene *s)
{
    const Model *m = s->model;
    SceneEnergy e = {0, 0, 0};
    s->is_set = 0;
    model_motion_set(&s->motion, m, s->q, s->v, NULL);
    e.kinetic = model_kinetic_energy(m, &s->motion, s->v);
    e.potential = model_potential_energy(m, &s->motion, s->q);
    SpringPose pose = pose_of(s);
    e.springs = tendon_energy(s);
    if (s->def.springs)
        e.springs += springs_energy(s->def.springs, &pose);
    if (s->def.particles) {
        particles_follow(s->def.particles, &s->motion);
        e.kinetic += particles_kinetic_energy(s->def.particles);
        e.potential += particles_weight_energy(s->def.particles, m->gravity);
        e.springs += particles_spring_energy(s->def.particles);
    }
    return e;
}
