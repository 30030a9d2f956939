/* Applied forces of a scene: gravity, inertia, springs and dampers of joints and tendons, actuators, tabulated
 * wrenches. */
#include <math.h>
#include <string.h>

#include "analysis/math/dense_factor.h"
#include "analysis/math/elementary.h"
#include "analysis/sim/scene.h"
#include "analysis/sim/scene_attachment.h"
#include "analysis/sim/scene_state.h"
#include "analysis/springs/springs.h"

enum { TENDON_POINTS = 64 };

static void add_at(const Scene *s, int body, Vec3 point, Vec3 force)
{
    s->loads.force[body] = vec3_add(s->loads.force[body], force);
    s->loads.moment[body] = vec3_add(s->loads.moment[body], vec3_cross(point, force));
}

/* A tendon is slack between two lengths. */
static AxialSpring tendon_law(const ModelTendon *t, double length)
{
    return (AxialSpring){t->stiffness, t->damping, fmin(t->max, fmax(t->min, length)), 0, NULL};
}

/* Positions and velocities of a tendon's points; returns their number. */
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

/* Interpolation fraction of row `next` at a time; -1 without a previous row. */
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

/* Time at which a step evaluates its forces: its middle; Bridson-Marino evaluates them at both ends. */
static double drive_time(const Scene *s)
{
    double share = s->def.integrator != BRIDSON_MARINO && !s->kicks_twice ? 0.5 : s->constrained ? 1 : 0;
    return s->time + share * s->h;
}

static void add_drive(const Scene *s, const SceneDrive *d, double time, double *force)
{
    double share;
    int next = find_rows(d, time, &share);
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

void scene_add_driven(const Scene *s, double time, double *force)
{
    for (int i = 0; i < s->def.drive_count; i++)
        add_drive(s, &s->def.drive[i], time, force);
}

static double limited(int is, double value, double min, double max)
{
    return is ? fmin(max, fmax(min, value)) : value;
}

/* Damping of a position drive by its damping ratio: 2 zeta sqrt(k m), with m the diagonal entry M_ii of the joint
 * (docs/sources.md "The springs": the three regimes of x'' = -omega^2 x - 2 zeta omega x'). */
static double ratio_damping(const Scene *s, double inertia, double stiffness, double damping)
{
    return s->def.damping_ratio > 0 && stiffness > 0 ? 2 * s->def.damping_ratio * sqrt(stiffness * inertia) : damping;
}

/* The same for an actuator, in terms of its joint's rate: its bias is -stiffness, -damping in its own length, gear
 * times the joint's. */
static double actuator_damping(const Scene *s, const ModelActuator *a)
{
    double square = a->gear * a->gear;
    double inertia = s->inertia[s->model->joint[a->joint].v_start];
    return ratio_damping(s, inertia, -a->bias[1] * square, -a->bias[2] * square);
}

/* State of a drive: its error, its torque (hinges and slides in x), and the damping of up to three speeds. */
typedef struct DriveState {
    double position;
    Vec3 effort, damping;
    Vec3 left; /* error: target minus position in x, or a rotation vector in axes of the ball */
} DriveState;

/* Time integral of its error. */
static Vec3 error_sum(const Scene *s, const SceneController *c) { return s->error_sum[c - s->def.controller]; }

/* Diagonal inertias of a joint's three speeds. */
static Vec3 ball_inertia(const Scene *s, const ModelJoint *j)
{
    return vec3_load(s->inertia + j->v_start);
}

/* Axis, in axes of the rotated frame, of each angle alone: z' of the parent, y', x''. */
static Vec3 angle_axis(Quat turn, double yaw, int angle)
{
    double sine, cosine;
    elementary_sincos(yaw, &sine, &cosine);
    return angle == 0   ? quat_rotate_inverse(turn, vec3(0, 0, 1))
           : angle == 1 ? vec3(0, cosine, -sine)
                        : vec3(1, 0, 0);
}

static DriveState drive_angle(const Scene *s, const SceneController *c, Quat turn, Vec3 v)
{
    int i = c->driven - DRIVEN_ROLL;
    TurnAngles t = turn_angles(turn, v);
    Vec3 row = t.rows.r[i], size = {fabs(row.x), fabs(row.y), fabs(row.z)};
    Vec3 axis = angle_axis(turn, t.angle.z, i), inertia = ball_inertia(s, &s->model->joint[c->joint]);
    double moved = inertia.x * axis.x * axis.x + inertia.y * axis.y * axis.y + inertia.z * axis.z * axis.z;
    double angle = vec3_component(t.angle, i), left = c->target - angle;
    left -= 2 * PI * nearbyint(left / (2 * PI));
    double damping = ratio_damping(s, moved, c->stiffness, c->damping);
    double torque = c->stiffness * left - damping * vec3_component(t.rate, i) + c->integral * error_sum(s, c).x;
    return (DriveState){angle, vec3_scale(row, torque), vec3_scale(size, damping * (size.x + size.y + size.z)),
                        {left, 0, 0}};
}

static DriveState drive_rotation(const Scene *s, const SceneController *c, Quat turn, Vec3 v)
{
    Quat left = quat_mul(quat_conjugate(turn), c->rotation);
    Vec3 way = vec3_scale(quat_log(left.w < 0 ? quat_neg(left) : left), 2);
    Vec3 inertia = ball_inertia(s, &s->model->joint[c->joint]);
    Vec3 damping = {ratio_damping(s, inertia.x, c->stiffness, c->damping),
                    ratio_damping(s, inertia.y, c->stiffness, c->damping),
                    ratio_damping(s, inertia.z, c->stiffness, c->damping)};
    Vec3 slowed = {damping.x * v.x, damping.y * v.y, damping.z * v.z};
    Vec3 torque = vec3_mad(vec3_scale(way, c->stiffness), c->integral, error_sum(s, c));
    return (DriveState){vec3_norm(way), vec3_sub(torque, slowed), damping, way};
}

static DriveState drive_state(const Scene *s, const SceneController *c, const double *q, const double *v)
{
    const ModelJoint *j = &s->model->joint[c->joint];
    const double *at = q + j->q_start, *speed = v + j->v_start;
    if (c->driven != DRIVEN_COORDINATE) {
        Quat turn = {at[0], at[1], at[2], at[3]};
        return c->driven == DRIVEN_ROTATION ? drive_rotation(s, c, turn, vec3_load(speed))
                                            : drive_angle(s, c, turn, vec3_load(speed));
    }
    double damping = ratio_damping(s, s->inertia[j->v_start], c->stiffness, c->damping);
    double left = c->target - *at;
    double force = c->stiffness * left - damping * *speed + c->integral * error_sum(s, c).x;
    return (DriveState){*at, {force, 0, 0}, {damping, 0, 0}, {left, 0, 0}};
}

void scene_drive_state(const Scene *s, int controller, double *position, Vec3 *effort)
{
    DriveState d = drive_state(s, &s->def.controller[controller], s->q, s->v);
    *position = d.position;
    *effort = d.effort;
}

void scene_sum_errors(Scene *s)
{
    for (int i = 0; i < s->def.controller_count; i++) {
        const SceneController *c = &s->def.controller[i];
        if (!(c->integral > 0))
            continue;
        Vec3 sum = vec3_mad(s->error_sum[i], s->def.step, drive_state(s, c, s->q, s->v).left);
        double size = vec3_norm(sum);
        s->error_sum[i] = size > c->integral_max ? vec3_scale(sum, c->integral_max / size) : sum;
    }
}

static void add_controllers(const Scene *s, const double *q, const double *v, double *force)
{
    for (int i = 0; i < s->def.controller_count; i++) {
        const SceneController *c = &s->def.controller[i];
        const ModelJoint *j = &s->model->joint[c->joint];
        Vec3 effort = drive_state(s, c, q, v).effort;
        for (int k = 0; k < model_joint_speeds(j->kind); k++)
            force[j->v_start + k] += vec3_component(effort, k);
    }
}

void scene_add_actuators(const Scene *s, const double *q, const double *v, double *force)
{
    const Model *m = s->model;
    for (int i = 0; i < m->actuator_count && !m->off.no_actuation; i++) {
        const ModelActuator *a = &m->actuator[i];
        const ModelJoint *j = &m->joint[a->joint];
        double control = limited(a->control_limited, s->control[i], a->control_min, a->control_max);
        double length = a->gear * q[j->q_start], rate = a->gear * v[j->v_start], square = a->gear * a->gear;
        double damping = square > 0 ? actuator_damping(s, a) / square : 0;
        double f = a->gain * control + a->bias[0] + a->bias[1] * length - damping * rate;
        force[j->v_start] += a->gear * limited(a->force_limited, f, a->force_min, a->force_max);
    }
    add_controllers(s, q, v, force);
    for (int i = 0; i < m->joint_count; i++) {
        const ModelJoint *j = &m->joint[i];
        if (j->force_limited && (j->kind == MODEL_HINGE || j->kind == MODEL_SLIDE))
            force[j->v_start] = limited(1, force[j->v_start], j->force_min, j->force_max);
    }
}

static void add_damping(Scene *s, int speed, double damping)
{
    s->mass[(size_t)speed * ((size_t)s->model->v_count + 1)] += s->kick * fmax(damping, 0);
}

/* Adds the damping of drives, but not of those whose force has limits: a clamped drive does not damp. */
static void add_drive_damping(Scene *s)
{
    const Model *m = s->model;
    for (int i = 0; i < s->def.controller_count; i++) {
        const SceneController *c = &s->def.controller[i];
        const ModelJoint *j = &m->joint[c->joint];
        Vec3 damping = drive_state(s, c, s->q, s->v).damping;
        for (int k = 0; k < model_joint_speeds(j->kind) && !j->force_limited; k++)
            add_damping(s, j->v_start + k, vec3_component(damping, k));
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

static SpringPose scene_spring_pose(const Scene *s)
{
    const ModelMotion *m = &s->motion;
    return (SpringPose){m->position, m->orientation, m->velocity, m->angular_velocity};
}

/* While their Jacobians are analytic (holds_springs), adds the stored wrenches to the bodies at their present pose. */
void scene_add_springs(Scene *s)
{
    const Model *m = s->model;
    for (int b = 0; b < m->body_count && s->holds_springs; b++) {
        Vec3 f = s->held_springs.force[b];
        s->loads.force[b] = vec3_add(s->loads.force[b], f);
        s->loads.moment[b] = vec3_add(s->loads.moment[b], vec3_add(s->held_springs.moment[b],
                                                                   vec3_cross(s->motion.position[b], f)));
    }
    if (s->holds_springs)
        return;
    for (int i = 0; i < m->tendon_count && !m->off.no_passive; i++)
        add_tendon(s, &m->tendon[i]);
    SpringPose pose = scene_spring_pose(s);
    if (s->def.springs)
        springs_add(s->def.springs, &pose, s->loads.force, s->loads.moment);
}

void scene_add_particles(Scene *s)
{
    const Particles *p = s->def.particles;
    for (int b = 0; p && !s->holds_springs && b < s->model->body_count; b++) {
        s->loads.force[b] = vec3_add(s->loads.force[b], p->loads.force[b]);
        s->loads.moment[b] = vec3_add(s->loads.moment[b], p->loads.moment[b]);
    }
}

static void gather_loads(Scene *s, double *force)
{
    const Model *m = s->model;
    size_t bodies = (size_t)m->body_count * sizeof(Vec3);
    memset(s->loads.force, 0, bodies);
    memset(s->loads.moment, 0, bodies);
    scene_add_springs(s);
    scene_add_driven(s, drive_time(s), force);
    scene_add_particles(s);
    for (int b = 1; b < m->body_count; b++) {
        add_at(s, b, model_point(&s->motion, b, m->body[b].com), s->applied.force[b]);
        s->loads.moment[b] = vec3_add(s->loads.moment[b], s->applied.moment[b]);
    }
}

/* Bodies of a tendon's points; returns their number. */
static int tendon_bodies(const Model *m, const ModelTendon *t, int *body)
{
    int count = t->site_count < TENDON_POINTS ? t->site_count : TENDON_POINTS;
    for (int k = 0; k < count; k++)
        body[k] = m->site[m->tendon_site[t->site_start + k]].body;
    return count;
}

Status scene_join_springs(Scene *s, Error *err)
{
    const Model *m = s->model;
    Status status = spring_blocks_init(&s->spring_blocks, m->body_count, s->def.springs, err);
    for (int i = 0; !status && i < m->tendon_count && !m->off.no_passive; i++) {
        int body[TENDON_POINTS], count = tendon_bodies(m, &m->tendon[i], body);
        spring_blocks_join(&s->spring_blocks, body, count);
    }
    for (int i = 0; !status && s->def.particles && i < s->def.particles->count; i++)
        if (s->def.particles->body[i] > 0)
            spring_blocks_join(&s->spring_blocks, &s->def.particles->body[i], 1);
    return status ? status : spring_blocks_room(&s->spring_blocks, err);
}

/* Particle forces rotate with their bodies here; scene_couple_particles adds everything else. */
static void hold_particles(Scene *s)
{
    const Particles *p = s->def.particles;
    const double none[9] = {0};
    for (int i = 0; i < p->count; i++) {
        int b = p->body[i];
        if (b <= 0)
            continue;
        Vec3 arm = vec3_sub(p->x[i], s->motion.position[b]);
        SpringPoints point = {1, &b, &arm, &s->motion.angular_velocity[b], &p->force[i], none, none};
        spring_blocks_add_points(&s->spring_blocks, &point);
        s->loads.force[b] = vec3_add(s->loads.force[b], p->force[i]);
        s->loads.moment[b] = vec3_add(s->loads.moment[b], vec3_cross(p->x[i], p->force[i]));
    }
}

static void differentiate_tendon(Scene *s, const ModelTendon *t)
{
    Vec3 x[TENDON_POINTS], v[TENDON_POINTS], f[TENDON_POINTS], arm[TENDON_POINTS], omega[TENDON_POINTS];
    double length, rate;
    int body[TENDON_POINTS], count = tendon_points(s, t, x, v);
    size_t stride = 3 * (size_t)count;
    ArenaMark mark = arena_mark(&s->scratch);
    double *by_position = arena_array(&s->scratch, stride, stride, sizeof *by_position);
    double *by_velocity = arena_array(&s->scratch, stride, stride, sizeof *by_velocity);
    MultipointSpring spring = {.point_count = count};
    tendon_bodies(s->model, t, body);
    multipoint_spring_length(&spring, x, v, &length, &rate);
    spring.law = tendon_law(t, length);
    multipoint_spring_forces(&spring, x, v, f);
    for (int k = 0; k < count; k++) {
        arm[k] = vec3_sub(x[k], s->motion.position[body[k]]);
        omega[k] = s->motion.angular_velocity[body[k]];
    }
    if (!s->scratch.failed) {
        multipoint_spring_jacobians(&spring, x, v, by_position, by_velocity);
        SpringPoints points = {count, body, arm, omega, f, by_position, by_velocity};
        spring_blocks_add_points(&s->spring_blocks, &points);
    }
    arena_return(&s->scratch, mark);
}

void scene_differentiate_springs(Scene *s)
{
    const Model *m = s->model;
    size_t bodies = (size_t)m->body_count * sizeof(Vec3);
    SpringPose pose = scene_spring_pose(s);
    springs_differentiate(s->def.springs, &pose, &s->spring_blocks);
    for (int i = 0; i < m->tendon_count && !m->off.no_passive; i++)
        differentiate_tendon(s, &m->tendon[i]);
    memset(s->loads.force, 0, bodies);
    memset(s->loads.moment, 0, bodies);
    scene_add_springs(s);
    if (s->def.particles)
        hold_particles(s);
    for (int b = 0; b < m->body_count; b++) {
        s->held_springs.force[b] = s->loads.force[b];
        s->held_springs.moment[b] = vec3_sub(s->loads.moment[b], vec3_cross(pose.position[b], s->loads.force[b]));
    }
}

/* A suspended body has no loads. */
static void leave_waiting(const Scene *s, double *force)
{
    const Model *m = s->model;
    for (int b = 1; b < m->body_count; b++)
        for (int k = 0; s->waits[b] && k < model_joint_speeds(MODEL_FREE); k++)
            force[m->body[b].v_start + k] = 0;
}

/* Applied forces minus the inertial forces at accelerations a (NULL: zero); the motion must be set. */
static void find_rest(Scene *s, const double *q, const double *v, const double *a, double *force)
{
    const Model *m = s->model;
    memset(force, 0, (size_t)m->v_count * sizeof *force);
    scene_add_actuators(s, q, v, force);
    gather_loads(s, force);
    model_add_passive(m, q, v, force);
    model_inverse(m, &s->motion, a, &s->loads, s->bias);
    for (int i = 0; i < m->v_count; i++)
        force[i] -= s->bias[i];
    leave_waiting(s, force);
}

/* Adds gravity to the loads. */
static void add_weights(const Scene *s)
{
    const Model *m = s->model;
    for (int b = 1; b < m->body_count; b++)
        add_at(s, b, model_point(&s->motion, b, m->body[b].com), vec3_scale(m->gravity, model_weighing(&m->body[b])));
}

void scene_applied_forces(Scene *s, const double *q, const double *v, double *force)
{
    const Model *m = s->model;
    memset(force, 0, (size_t)m->v_count * sizeof *force);
    scene_add_actuators(s, q, v, force);
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

/* Sets the motion at q, with attached bodies at the speeds of their carriers: v, or a copy of it in scratch memory. */
static const double *set_motion(Scene *s, const double *q, const double *v, Carried *carried)
{
    size_t n = (size_t)s->model->v_count;
    if (s->def.attachment_count == 0) {
        model_motion_set(&s->motion, s->model, q, v, NULL);
        return v;
    }
    double *own = arena_array(&s->scratch, n, 1, sizeof *own);
    if (!own) {
        s->status = s->status ? s->status : error_no_memory(s->err);
        return NULL;
    }
    memcpy(own, v, n * sizeof *own);
    Status status = scene_carry(s, q, own, carried, s->status ? NULL : s->err);
    s->status = s->status ? s->status : status;
    return status ? NULL : own;
}

/* Folds the equations of accelerations into those of the carriers (0.21, 0.23). */
static void fold_attached(Scene *s, const Carried *carried, double *force)
{
    DenseSystem system = {.size = s->model->v_count, .mass = s->mass, .force = force};
    attachment_reduce(&system, &carried->all);
    for (int p = 0; p < s->follower_count; p++)
        s->mass[(size_t)s->follower[p] * (size_t)(system.size + 1)] = 1;
}

static void accelerate(Scene *s, const double *q, const double *v, double *a)
{
    int n = s->model->v_count;
    Carried carried = {0};
    v = set_motion(s, q, v, &carried);
    if (!v) {
        memset(a, 0, (size_t)n * sizeof *a);
        return;
    }
    model_mass(s->model, &s->motion, s->mass);
    for (int i = 0; i < n; i++)
        s->inertia[i] = s->mass[(size_t)i * (size_t)n + (size_t)i];
    scene_damp_ahead(s);
    find_rest(s, q, v, NULL, a);
    if (s->def.attachment_count)
        fold_attached(s, &carried, a);
    int done = profile_factor(s->mass, n, s->mass_last);
    if (done < n) {
        memset(a, 0, (size_t)n * sizeof *a);
        s->lost = s->motion.speed[done].body;
        s->status = s->status ? s->status : error_set(s->err, STATUS_NO_RESULT, "the mass matrix is singular");
        return;
    }
    profile_solve(s->mass, s->mass_last, n, a);
    if (s->def.attachment_count)
        scene_spread_speeds(s, &carried, a);
}

void scene_acceleration(Scene *s, const double *q, const double *v, double *a)
{
    ArenaMark mark = arena_mark(&s->scratch);
    accelerate(s, q, v, a);
    arena_return(&s->scratch, mark);
}

/* The motion must be set. */
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
    SpringPose pose = scene_spring_pose(s);
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
