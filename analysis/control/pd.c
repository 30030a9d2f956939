/* See pd.h. */
#include "analysis/control/pd.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/dense_factor.h"
#include "analysis/math/vec.h"

/* State that a controller receives. */

/* Any joint may have loads. */
static Status loads_on_all(Loads *loads, int joints, Error *err)
{
    char *loaded = array_new((size_t)joints, 1, 1);
    if (!loaded)
        return error_no_memory(err);
    memset(loaded, 1, (size_t)joints);
    Status status = loads_init(loads, 1, loaded, joints, err);
    free(loaded);
    return status;
}

Status plant_init(ControlPlant *plant, const Skeleton *skeleton, const Body *body, double dt, Error *err)
{
    int joints = skeleton->joint_count;
    *plant = (ControlPlant){.skeleton = skeleton, .body = body, .gravity = {0, -GRAVITY, 0}, .dt = dt};
    Status status = motion_init(&plant->motion, 1, joints, dt, 0, err);
    if (!status)
        status = kinematics_init(&plant->kinematics, 1, joints, 0, err);
    if (!status)
        status = loads_on_all(&plant->loads, joints, err);
    if (status) {
        plant_free(plant);
        return status;
    }
    for (int j = 0; j < joints; j++)
        plant->motion.rotation[j] = plant->kinematics.orientation[j] = QUAT_IDENTITY;
    return STATUS_OK;
}

void plant_free(ControlPlant *plant)
{
    if (!plant)
        return;
    motion_free(&plant->motion);
    kinematics_free(&plant->kinematics);
    loads_free(&plant->loads);
}

/* Adds a chain to that of its parent, both inertias about their own COM. */
static void join(Subtree *parent, const Subtree *child)
{
    if (!(child->mass > 0))
        return;
    Vec3 child_com = vec3_scale(child->moment, 1 / child->mass);
    if (parent->mass > 0) {
        /* two rigid bodies about their common COM: I1 + I2 + m1 m2 / (m1 + m2) of their distance */
        Vec3 arm = vec3_sub(child_com, vec3_scale(parent->moment, 1 / parent->mass));
        double reduced = parent->mass * child->mass / (parent->mass + child->mass);
        parent->inertia = sym3_add(parent->inertia, sym3_point_inertia(reduced, arm));
    }
    parent->inertia = sym3_add(parent->inertia, child->inertia);
    parent->mass += child->mass;
    parent->moment = vec3_add(parent->moment, child->moment);
}

void chains_find(const ControlPlant *plant, Subtree *chain)
{
    const Kinematics *k = &plant->kinematics;
    const Body *body = plant->body;
    for (int j = 0; j < body->joint_count; j++) {
        Vec3 com = vec3_add(k->position[j], quat_rotate(k->orientation[j], body->com[j]));
        chain[j] = (Subtree){body->mass[j], vec3_scale(com, body->mass[j]),
                             sym3_rotate(quat_to_mat3(k->orientation[j]), body->inertia[j])};
    }
    for (int j = body->joint_count - 1; j >= 0; j--) {
        Subtree *c = &chain[j];
        if (j > 0)
            join(&chain[plant->skeleton->parent[j]], c);
        if (c->mass > 0) {
            Vec3 arm = vec3_sub(vec3_scale(c->moment, 1 / c->mass), k->position[j]);
            c->inertia = sym3_add(c->inertia, sym3_point_inertia(c->mass, arm));
        }
    }
}

Gains gains_default(void) { return (Gains){.stiffness = 300, .integral_max = 1}; }

static double or_common(double of_joint, double of_all) { return isnan(of_joint) ? of_all : of_joint; }

JointGains gains_of_joint(const Gains *g, int joint)
{
    JointGains of = {g->stiffness, g->damping, g->integral, 0};
    if (g->joint) {
        const JointGains *j = &g->joint[joint];
        of = (JointGains){or_common(j->stiffness, of.stiffness), or_common(j->damping, of.damping),
                          or_common(j->integral, of.integral),
                          or_common(j->torque_max, of.torque_max)};
    }
    of.stiffness *= 1 + g->change;
    of.damping *= sqrt(1 + g->change);
    of.integral *= 1 + g->change;
    return of;
}

int gains_integrate(const Gains *g, int joints)
{
    int any = g->integral > 0;
    for (int j = 0; g->joint && j < joints; j++)
        any |= g->joint[j].integral > 0;
    return any;
}

PdDef pd_default_def(void) { return (PdDef){.gains = gains_default()}; }

/* The reference's orientation, angular velocity and acceleration of a body relative to its parent, in the parent's
 * axes. */
typedef struct Relative {
    Quat rotation;
    Vec3 spin, acceleration;
} Relative;

static Relative desired_relative(const Desired *d, int joint, int parent)
{
    if (parent < 0)
        return (Relative){d->orientation[joint], d->angular_velocity[joint], d->angular_acceleration[joint]};
    Quat up = d->orientation[parent];
    Vec3 spin = vec3_sub(d->angular_velocity[joint], d->angular_velocity[parent]);
    Vec3 acceleration = vec3_sub(d->angular_acceleration[joint], d->angular_acceleration[parent]);
    /* in the rotating frame of the parent */
    acceleration = vec3_sub(acceleration, vec3_cross(d->angular_velocity[parent], spin));
    return (Relative){quat_mul(quat_conjugate(up), d->orientation[joint]), quat_rotate_inverse(up, spin),
                      quat_rotate_inverse(up, acceleration)};
}

JointError joint_error_find(const ControlPlant *plant, const Desired *desired, int joint, int zero_velocity)
{
    const Kinematics *k = &plant->kinematics;
    int parent = plant->skeleton->parent[joint];
    Relative wanted = desired_relative(desired, joint, parent);
    Quat up = parent < 0 ? QUAT_IDENTITY : k->orientation[parent];
    Quat now = quat_mul(quat_conjugate(up), k->orientation[joint]);
    Vec3 error = vec3_scale(quat_log(quat_mul(wanted.rotation, quat_conjugate(now))), 2);
    JointError e;
    e.rotation = quat_rotate(up, error);
    e.spin = k->angular_velocity[joint];
    if (parent >= 0)
        e.spin = vec3_sub(e.spin, k->angular_velocity[parent]);
    e.velocity = zero_velocity ? vec3_neg(e.spin) : vec3_sub(quat_rotate(up, wanted.spin), e.spin);
    e.acceleration = quat_rotate(up, wanted.acceleration);
    return e;
}

static const Sym3 identity = {1, 1, 1, 0, 0, 0};

/* Critical damping of a torque is 2 sqrt(kp I) (docs/sources.md "Errata"); with kp = K I it is 2 sqrt(K) I. Other gains
 * use the mean of the three principal inertias. */
GainMatrices pd_gains(const Gains *gains, int joint, const Subtree *chain)
{
    JointGains g = gains_of_joint(gains, joint);
    double mean = (chain->inertia.xx + chain->inertia.yy + chain->inertia.zz) / 3;
    double size = gains->scale == GAINS_BY_MASS ? chain->mass : 1;
    Sym3 unit = gains->scale == GAINS_BY_INERTIA ? chain->inertia : sym3_scale(identity, size);
    double critical = gains_critical(gains, g.stiffness);
    if (gains->scale != GAINS_BY_INERTIA)
        critical = size > 0 ? gains_critical(gains, g.stiffness * size * mean) / size : 0;
    return (GainMatrices){sym3_scale(unit, g.stiffness), sym3_scale(unit, g.damping > 0 ? g.damping : critical),
                          sym3_scale(unit, g.integral)};
}

/* ki times the time integral of a joint's error (2.1), world axes. */
static Vec3 integral_part(const ControlPlant *plant, const PdDef *def, int joint, const GainMatrices *g)
{
    int parent = plant->skeleton->parent[joint];
    if (!def->sum)
        return vec3(0, 0, 0);
    Vec3 sum = def->sum[joint];
    return sym3_mul(g->ki, parent < 0 ? sum : quat_rotate(plant->kinematics.orientation[parent], sum));
}

void pd_torques(const ControlPlant *plant, const Desired *desired, const Subtree *chain, const PdDef *def, Vec3 *torque)
{
    for (int j = 0; j < plant->skeleton->joint_count; j++) {
        JointError e = joint_error_find(plant, desired, j, def->zero_velocity);
        GainMatrices g = pd_gains(&def->gains, j, &chain[j]);
        /* tau = kp (q_r - q_c) + kd (q'_r - q'_c) (2.2) */
        torque[j] = vec3_add(sym3_mul(g.kp, e.rotation), sym3_mul(g.kd, e.velocity));
        torque[j] = vec3_add(torque[j], integral_part(plant, def, j, &g));
        /* + q''_r (2.3) is an acceleration: times the inertia of the chain */
        if (def->feedforward)
            torque[j] = vec3_add(torque[j], sym3_mul(chain[j].inertia, e.acceleration));
    }
}

/* tau_(i-1) += tau_i, figure 2.2. */
void bubble_up(const Skeleton *skeleton, Vec3 *torque)
{
    for (int j = skeleton->joint_count - 1; j > 0; j--) {
        int parent = skeleton->parent[j];
        torque[parent] = vec3_add(torque[parent], torque[j]);
    }
}

/* Jacobian transpose, (2.9) and (2.10) with corrected sign (docs/sources.md "Errata"): tau_i = sum (P - P_i) x G over
 * the bodies beyond joint i, with the virtual force G = -m g at each COM P. */
void gravity_compensate(const ControlPlant *plant, const Subtree *chain, Vec3 *torque)
{
    for (int j = 0; j < plant->skeleton->joint_count; j++) {
        Vec3 arm = vec3_mad(chain[j].moment, -chain[j].mass, plant->kinematics.position[j]); /* sum of m (P - P_i) */
        torque[j] = vec3_add(torque[j], vec3_cross(arm, vec3_neg(plant->gravity)));
    }
}

void loads_compensate(const ControlPlant *plant, Vec3 *torque)
{
    for (int l = 0; l < plant->loads.load_count; l++)
        for (int j = plant->loads.joint[l]; j >= 0; j = plant->skeleton->parent[j]) {
            Vec3 lever = vec3_cross(plant->kinematics.position[j], plant->loads.force[l]);
            torque[j] = vec3_sub(torque[j], vec3_sub(plant->loads.moment[l], lever));
        }
}

enum { ROOT_SPEEDS = 3 };

/* Stable PD: with joint speeds w = omega_j - omega_parent = J u, and u the speeds of Kane's method, (2.8) is
 *
 * tau = p - dt Kd J u',   p = Kp (q_r(n+1) - q - dt w) + Kd (w_r(n+1) - w) + torques that balance known loads.
 *
 * With M u' = J^T tau + Q the accelerations follow from (M + dt J^T Kd J) u' = J^T p + Q. The root's own acceleration
 * is given. */
Status stable_pd_init(StablePd *s, int joint_count, const PdDef *def, Error *err)
{
    *s = (StablePd){.def = *def};
    Status status = kane_init(&s->system, joint_count, err);
    if (status)
        return status;
    size_t speeds = (size_t)s->system.speed_count, joints = (size_t)joint_count;
    s->matrix = arena_array(&s->memory, speeds, speeds, sizeof *s->matrix);
    s->reduced = arena_array(&s->memory, 3 * joints, 3 * joints, sizeof *s->reduced);
    s->applied = arena_array(&s->memory, 2, speeds, sizeof *s->applied);
    s->force = arena_array(&s->memory, joints, 1, sizeof *s->force);
    s->couple = arena_array(&s->memory, joints, 1, sizeof *s->couple);
    s->damping = arena_array(&s->memory, joints, 1, sizeof *s->damping);
    if (!s->memory.failed)
        return STATUS_OK;
    stable_pd_free(s);
    return error_no_memory(err);
}

void stable_pd_free(StablePd *s)
{
    if (!s)
        return;
    kane_free(&s->system);
    arena_free(&s->memory);
    *s = (StablePd){0};
}

/* The law predicts q + dt q' with the present q', which is explicit. A degree of freedom of inertia i under kp = k I,
 * kd = d I changes by (1 + c d dt) v' = -c (k (x + dt v) + d v), c = I / i, and is stable under symplectic Euler if 3 k
 * dt^2 < 2 d dt + 4 / c. A chain's inertia I is that of everything beyond the joint as one rigid body. If the parent
 * body is light, i is smaller and c can be any number above 1, so only d >= 1.5 k dt is sufficient for all. Critical
 * damping falls below that from sqrt(k) dt = 4/3 on. */
#define MIN_DAMPING_STEPS 1.5

/* p of every joint, and Kd dt. */
static void explicit_part(StablePd *s, const ControlPlant *plant, const Subtree *chain, const Desired *next, Vec3 *p)
{
    for (int j = 0; j < s->system.joint_count; j++) {
        JointError e = joint_error_find(plant, next, j, s->def.zero_velocity);
        GainMatrices g = pd_gains(&s->def.gains, j, &chain[j]);
        Sym3 kp = g.kp, kd = g.kd;
        if (!(gains_of_joint(&s->def.gains, j).damping > 0) && kd.xx < MIN_DAMPING_STEPS * plant->dt * kp.xx)
            kd = sym3_scale(kp, MIN_DAMPING_STEPS * plant->dt);
        p[j] = vec3_add(sym3_mul(kp, vec3_mad(e.rotation, -plant->dt, e.spin)), sym3_mul(kd, e.velocity));
        p[j] = vec3_add(p[j], integral_part(plant, &s->def, j, &g));
        s->damping[j] = (Sym3){kd.xx * plant->dt, kd.yy * plant->dt, kd.zz * plant->dt,
                               kd.xy * plant->dt, kd.xz * plant->dt, kd.yz * plant->dt};
    }
}

/* J^T p + Q without the root's rows, minus the part of the root's given acceleration. */
static void right_side(StablePd *s, const ControlPlant *plant, const Vec3 *p, Vec3 root_acceleration, double *active)
{
    const double root[ROOT_SPEEDS] = {root_acceleration.x, root_acceleration.y, root_acceleration.z};
    int speeds = s->system.speed_count;
    memset(s->force, 0, (size_t)s->system.joint_count * sizeof *s->force);
    memset(s->couple, 0, (size_t)s->system.joint_count * sizeof *s->couple);
    kane_add_weight(&s->system, plant->gravity, s->force);
    kane_add_loads(&s->system, &plant->loads, 0, s->force, s->couple);
    kane_add_joint_torques(&s->system, p, vec3(0, 0, 0), s->force, s->couple);
    kane_active_forces(&s->system, s->force, s->couple, active);
    kane_inertia_forces(&s->system, NULL, s->applied);
    for (int r = ROOT_SPEEDS; r < speeds; r++) {
        s->applied[r] += active[r];
        for (int c = 0; c < ROOT_SPEEDS; c++)
            s->applied[r] -= s->matrix[(size_t)r * (size_t)speeds + (size_t)c] * root[c];
    }
}

/* M + dt J^T Kd J without the root's rows and columns. */
static void left_side(StablePd *s)
{
    int speeds = s->system.speed_count, size = speeds - ROOT_SPEEDS;
    for (int r = 0; r < size; r++)
        memcpy(s->reduced + (size_t)r * (size_t)size,
               s->matrix + (size_t)(r + ROOT_SPEEDS) * (size_t)speeds + ROOT_SPEEDS, (size_t)size * sizeof(double));
    for (int j = 0; j < s->system.joint_count; j++) {
        Mat3 d = mat3_from_sym3(s->damping[j]);
        int parent = s->system.parent[j];
        mat3_add_block(s->reduced, size, 3 * j, 3 * j, 1, d);
        if (parent < 0)
            continue;
        mat3_add_block(s->reduced, size, 3 * parent, 3 * parent, 1, d);
        mat3_add_block(s->reduced, size, 3 * j, 3 * parent, -1, d);
        mat3_add_block(s->reduced, size, 3 * parent, 3 * j, -1, d);
    }
}

Status stable_pd_torques(StablePd *s, const ControlPlant *plant, const Subtree *chain, const Desired *next,
                         Vec3 *torque, Error *err)
{
    int joints = s->system.joint_count, size = 3 * joints;
    explicit_part(s, plant, chain, next, torque);
    for (int j = 0; s->feedforward && j < joints; j++)
        torque[j] = vec3_add(torque[j], s->feedforward[j]);
    if (!s->feedforward)
        loads_compensate(plant, torque);
    ClipView view = plant_view(plant);
    kane_set_frame(&s->system, &view, 0);
    kane_mass_matrix(&s->system, s->matrix);
    right_side(s, plant, torque, next->root_acceleration, s->applied + s->system.speed_count);
    left_side(s);
    int pivot = cholesky_factor(s->reduced, size);
    if (pivot < size)
        return error_set(err, STATUS_NO_RESULT, "stable PD: joint %d moves no inertia", pivot / 3);
    double *rate = s->applied + ROOT_SPEEDS;
    cholesky_solve(s->reduced, size, rate);
    for (int j = 0; j < joints; j++) {
        int parent = s->system.parent[j];
        Vec3 relative = vec3(rate[3 * j], rate[3 * j + 1], rate[3 * j + 2]);
        if (parent >= 0)
            relative = vec3_sub(relative, vec3(rate[3 * parent], rate[3 * parent + 1], rate[3 * parent + 2]));
        torque[j] = vec3_sub(torque[j], sym3_mul(s->damping[j], relative));
    }
    return STATUS_OK;
}
