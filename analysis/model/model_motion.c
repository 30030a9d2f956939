#include "analysis/model/model_motion.h"

#include <string.h>

#include "analysis/math/vec.h"

/* The last speed of a body that has joints. */
static int last_speed(const Model *m, int body)
{
    const ModelJoint *last = &m->joint[m->body[body].joint_start + m->body[body].joint_count - 1];
    return last->v_start + model_joint_speeds(last->kind) - 1;
}

/* Links each speed to the next one towards the world: within a body to the previous speed, its first to the last of the
 * nearest ancestor with joints. */
static void link_speeds(ModelMotion *s, const Model *m)
{
    for (int b = 0; b < m->body_count; b++) {
        const ModelBody *body = &m->body[b];
        int up = body->parent;
        while (up >= 0 && m->body[up].joint_count == 0)
            up = m->body[up].parent;
        int before = up >= 0 ? last_speed(m, up) : -1, at = body->v_start;
        for (int j = body->joint_start; j < body->joint_start + body->joint_count; j++)
            for (int k = 0; k < model_joint_speeds(m->joint[j].kind); k++) {
                s->speed[at] = (ModelSpeed){.body = b, .joint = j, .before = before};
                before = at++;
            }
    }
}

Status model_motion_init(ModelMotion *s, const Model *m, Error *err)
{
    size_t bodies = (size_t)m->body_count;
    *s = (ModelMotion){.body_count = m->body_count, .speed_count = m->v_count};
    Vec3 **arrays[] = {&s->position, &s->velocity, &s->angular_velocity, &s->acceleration, &s->angular_acceleration,
                       &s->force, &s->moment};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = arena_array(&s->memory, bodies, 1, sizeof(Vec3));
    s->orientation = arena_array(&s->memory, bodies, 1, sizeof *s->orientation);
    s->composite = arena_array(&s->memory, bodies, 10, sizeof *s->composite);
    s->speed = arena_array(&s->memory, (size_t)m->v_count, 1, sizeof *s->speed);
    if (s->memory.failed) {
        model_motion_free(s);
        return error_no_memory(err);
    }
    link_speeds(s, m);
    return STATUS_OK;
}

void model_motion_free(ModelMotion *s)
{
    if (!s)
        return;
    arena_free(&s->memory);
    *s = (ModelMotion){0};
}

void model_motion_set(ModelMotion *s, const Model *m, const double *q, const double *v, const double *a)
{
    for (int b = 0; b < m->body_count; b++) {
        const ModelBody *body = &m->body[b];
        ModelFrame f = {.q = QUAT_IDENTITY};
        if (body->parent >= 0) {
            int p = body->parent;
            f = (ModelFrame){s->position[p], s->velocity[p], s->angular_velocity[p], s->acceleration[p],
                         s->angular_acceleration[p], s->orientation[p]};
            Vec3 arm = quat_rotate(f.q, body->position);
            model_frame_shift(&f, arm);
            f.q = quat_mul(f.q, body->orientation);
        }
        for (int j = body->joint_start; j < body->joint_start + body->joint_count; j++) {
            const ModelJoint *joint = &m->joint[j];
            int at = joint->v_start;
            model_pass_joint(&f, &(ModelJointAxis){joint->kind, joint->anchor, joint->axis, joint->reference},
                             &(ModelJointState){q + joint->q_start, v ? v + at : NULL, a ? a + at : NULL,
                                                s->speed + at});
        }
        s->position[b] = f.x;
        s->orientation[b] = quat_normalize(f.q);
        s->velocity[b] = f.v;
        s->angular_velocity[b] = f.omega;
        s->acceleration[b] = f.a;
        s->angular_acceleration[b] = f.alpha;
    }
}

/* Rotates a frame about a fixed anchor to the orientation `turned`. */
static void rotate_about(Vec3 *x, Quat *q, Vec3 anchor, Quat turned)
{
    if (vec3_dot(anchor, anchor) > 0)
        *x = vec3_add(*x, vec3_sub(quat_rotate(*q, anchor), quat_rotate(turned, anchor)));
    *q = turned;
}

static void pose_joint(Vec3 *x, Quat *q, const ModelJoint *j, const double *at)
{
    switch (j->kind) {
    case MODEL_HINGE:
        rotate_about(x, q, j->anchor, quat_mul(*q, quat_from_axis_angle(j->axis, at[0] - j->reference)));
        break;
    case MODEL_SLIDE: *x = vec3_add(*x, vec3_scale(quat_rotate(*q, j->axis), at[0] - j->reference)); break;
    case MODEL_BALL: rotate_about(x, q, j->anchor, quat_mul(*q, (Quat){at[0], at[1], at[2], at[3]})); break;
    default:
        *x = vec3_load(at);
        *q = (Quat){at[3], at[4], at[5], at[6]};
    }
}

void model_pose_set(ModelMotion *s, const Model *m, const double *q)
{
    for (int b = 0; b < m->body_count; b++) {
        const ModelBody *body = &m->body[b];
        Vec3 x = vec3(0, 0, 0);
        Quat rotation = QUAT_IDENTITY;
        if (body->parent >= 0) {
            x = vec3_add(s->position[body->parent], quat_rotate(s->orientation[body->parent], body->position));
            rotation = quat_mul(s->orientation[body->parent], body->orientation);
        }
        for (int j = body->joint_start; j < body->joint_start + body->joint_count; j++)
            pose_joint(&x, &rotation, &m->joint[j], q + m->joint[j].q_start);
        s->position[b] = x;
        s->orientation[b] = quat_normalize(rotation);
    }
}

Vec3 model_point(const ModelMotion *s, int body, Vec3 point)
{
    return vec3_add(s->position[body], quat_rotate(s->orientation[body], point));
}

Vec3 model_point_velocity(const ModelMotion *s, int body, Vec3 point)
{
    return vec3_add(s->velocity[body], vec3_cross(s->angular_velocity[body], quat_rotate(s->orientation[body], point)));
}

/* Power of a force and a moment about the world's origin per unit speed: v_r . F + omega_r . M. */
static double speed_work(const ModelSpeed *speed, Vec3 force, Vec3 moment)
{
    if (!speed->turns)
        return vec3_dot(speed->axis, force);
    return vec3_dot(speed->axis, vec3_sub(moment, vec3_cross(speed->anchor, force)));
}

/* Force and moment about the origin required for the motion of a body: m (a - g), I alpha + omega x I omega. */
static void body_wrench(const Model *m, const ModelMotion *s, int b, Vec3 *force, Vec3 *moment)
{
    const ModelBody *body = &m->body[b];
    Vec3 omega = s->angular_velocity[b], alpha = s->angular_acceleration[b];
    Vec3 arm = quat_rotate(s->orientation[b], body->com), com = vec3_add(s->position[b], arm);
    Vec3 a = vec3_add(s->acceleration[b], vec3_add(vec3_cross(alpha, arm), vec3_cross(omega, vec3_cross(omega, arm))));
    Sym3 inertia = sym3_rotate(quat_to_mat3(s->orientation[b]), body->inertia);
    *force = vec3_scale(vec3_sub(a, vec3_scale(m->gravity, 1 - body->lift)), body->mass);
    Vec3 spin = vec3_add(sym3_mul(inertia, alpha), vec3_cross(omega, sym3_mul(inertia, omega)));
    *moment = vec3_add(spin, vec3_cross(com, *force));
}

void model_add_wrenches(const Model *m, const ModelSpeed *speed, const ModelLoads *wrench, double *force)
{
    for (int b = m->body_count - 1; b > 0; b--) {
        int p = m->body[b].parent;
        wrench->force[p] = vec3_add(wrench->force[p], wrench->force[b]);
        wrench->moment[p] = vec3_add(wrench->moment[p], wrench->moment[b]);
    }
    for (int i = 0; i < m->v_count; i++)
        force[i] += speed_work(&speed[i], wrench->force[speed[i].body], wrench->moment[speed[i].body]);
}

void model_inverse(const Model *m, const ModelMotion *s, const double *a, const ModelLoads *loads, double *force)
{
    for (int b = 0; b < m->body_count; b++) {
        body_wrench(m, s, b, &s->force[b], &s->moment[b]);
        if (loads) {
            s->force[b] = vec3_sub(s->force[b], loads->force[b]);
            s->moment[b] = vec3_sub(s->moment[b], loads->moment[b]);
        }
    }
    memset(force, 0, (size_t)m->v_count * sizeof *force);
    model_add_wrenches(m, s->speed, &(ModelLoads){s->force, s->moment}, force);
    for (int i = 0; a && i < m->v_count; i++)
        force[i] += m->joint[s->speed[i].joint].armature * a[i];
}

/* Stores mass m, first moment m c and second moment I about the origin. */
static void put_composite(const Model *m, const ModelMotion *s, int b, double *c)
{
    const ModelBody *body = &m->body[b];
    Vec3 com = model_point(s, b, body->com);
    Sym3 i = sym3_add(sym3_rotate(quat_to_mat3(s->orientation[b]), body->inertia),
                      sym3_point_inertia(body->mass, com));
    const double all[10] = {body->mass, body->mass * com.x, body->mass * com.y, body->mass * com.z,
                            i.xx, i.yy, i.zz, i.xy, i.xz, i.yz};
    memcpy(c, all, sizeof all);
}

/* Linear and angular momentum about the origin of a composite at unit rate of one speed. */
static void composite_momentum(const double *c, const ModelSpeed *speed, Vec3 *linear, Vec3 *angular)
{
    Vec3 moment = vec3(c[1], c[2], c[3]);
    Vec3 omega = speed->turns ? speed->axis : vec3(0, 0, 0);
    Vec3 at_origin = speed->turns ? vec3_cross(speed->anchor, speed->axis) : speed->axis;
    *linear = vec3_add(vec3_scale(at_origin, c[0]), vec3_cross(omega, moment));
    *angular = vec3_add(sym3_mul((Sym3){c[4], c[5], c[6], c[7], c[8], c[9]}, omega), vec3_cross(moment, at_origin));
}

void model_mass(const Model *m, ModelMotion *s, double *mass)
{
    size_t n = (size_t)m->v_count;
    memset(mass, 0, n * n * sizeof *mass);
    for (int b = 0; b < m->body_count; b++)
        put_composite(m, s, b, s->composite + 10 * b);
    for (int b = m->body_count - 1; b > 0; b--)
        for (int k = 0; k < 10; k++)
            s->composite[10 * m->body[b].parent + k] += s->composite[10 * b + k];
    for (size_t i = 0; i < n; i++) {
        Vec3 linear, angular;
        composite_momentum(s->composite + 10 * s->speed[i].body, &s->speed[i], &linear, &angular);
        Vec3 moment = angular;
        for (int j = (int)i, joint = -1; j >= 0; j = s->speed[j].before) {
            const ModelSpeed *other = &s->speed[j];
            if (other->turns && other->joint != joint) { /* the joint's other rotations have the same anchor */
                joint = other->joint;
                moment = vec3_sub(angular, vec3_cross(other->anchor, linear));
            }
            double work = vec3_dot(other->axis, other->turns ? moment : linear);
            mass[i * n + (size_t)j] = mass[(size_t)j * n + i] = work;
        }
        mass[i * n + i] += m->joint[s->speed[i].joint].armature;
    }
}

/* Rotation vector of a quaternion, in axes of the rotated frame. */
static Vec3 rotation_from_vector(const double *q)
{
    Quat rotation = {q[0], q[1], q[2], q[3]};
    return vec3_scale(quat_log(rotation.w < 0 ? quat_neg(rotation) : rotation), 2);
}

/* Displacement of a joint from the rest position of its spring, [speeds]. */
static void spring_displacement(const Model *m, const ModelJoint *j, const double *q, double displacement[6])
{
    if (j->kind == MODEL_HINGE || j->kind == MODEL_SLIDE) {
        displacement[0] = q[0] - j->rest;
        return;
    }
    Vec3 rotation;
    if (j->kind == MODEL_FREE) {
        Quat rest = m->body[j->body].orientation;
        Quat from_rest = quat_mul(quat_conjugate(rest), (Quat){q[3], q[4], q[5], q[6]});
        Vec3 apart = vec3_sub(vec3_load(q), m->body[j->body].position);
        memcpy(displacement, &apart, sizeof apart);
        displacement += 3;
        rotation = rotation_from_vector((const double[4]){from_rest.w, from_rest.x, from_rest.y, from_rest.z});
    } else
        rotation = rotation_from_vector(q);
    memcpy(displacement, &rotation, sizeof rotation);
}

void model_add_passive(const Model *m, const double *q, const double *v, double *force)
{
    for (int i = 0; i < m->joint_count && !m->off.no_passive; i++) {
        const ModelJoint *j = &m->joint[i];
        double displacement[6] = {0};
        if (j->stiffness > 0)
            spring_displacement(m, j, q + j->q_start, displacement);
        for (int k = 0; k < model_joint_speeds(j->kind); k++)
            force[j->v_start + k] -= j->stiffness * displacement[k] + j->damping * v[j->v_start + k];
    }
}

void model_add_row(const Model *m, const ModelMotion *s, const ModelWrench *w, double scale, double *row)
{
    Vec3 moment = vec3_add(w->moment, vec3_cross(w->point, w->force));
    int b = model_mover(m, w->body);
    if (b <= 0)
        return;
    for (int i = last_speed(m, b); i >= 0; i = s->speed[i].before)
        row[i] += scale * speed_work(&s->speed[i], w->force, moment);
}

void model_advance(const Model *m, double h, const double *v, double *q)
{
    for (int i = 0; i < m->joint_count; i++) {
        const ModelJoint *j = &m->joint[i];
        const double *rate = v + j->v_start;
        double *at = q + j->q_start;
        int positions = j->kind == MODEL_FREE ? 3 : j->kind == MODEL_BALL ? 0 : 1;
        for (int k = 0; k < positions; k++)
            at[k] += h * rate[k];
        if (j->kind == MODEL_HINGE || j->kind == MODEL_SLIDE)
            continue;
        Quat rotation;
        memcpy(&rotation, at + positions, sizeof rotation);
        rotation = quat_normalize(quat_mul(rotation, quat_exp_small(vec3_scale(vec3_load(rate + positions), 0.5 * h))));
        memcpy(at + positions, &rotation, sizeof rotation);
    }
}

double model_kinetic_energy(const Model *m, const ModelMotion *s, const double *v)
{
    double energy = 0;
    for (int b = 1; b < m->body_count; b++) {
        Vec3 velocity = model_point_velocity(s, b, m->body[b].com);
        Vec3 omega = quat_rotate_inverse(s->orientation[b], s->angular_velocity[b]);
        energy += 0.5 * (m->body[b].mass * vec3_dot(velocity, velocity) +
                         vec3_dot(omega, sym3_mul(m->body[b].inertia, omega)));
    }
    for (int i = 0; i < m->v_count; i++)
        energy += 0.5 * m->joint[s->speed[i].joint].armature * v[i] * v[i];
    return energy;
}

double model_potential_energy(const Model *m, const ModelMotion *s, const double *q)
{
    double energy = 0;
    for (int b = 1; b < m->body_count; b++)
        energy -= model_weighing(&m->body[b]) * vec3_dot(m->gravity, model_point(s, b, m->body[b].com));
    for (int i = 0; i < m->joint_count && !m->off.no_passive; i++) {
        const ModelJoint *j = &m->joint[i];
        double displacement[6] = {0};
        spring_displacement(m, j, q + j->q_start, displacement);
        for (int k = 0; k < 6; k++)
            energy += 0.5 * j->stiffness * displacement[k] * displacement[k];
    }
    return energy;
}

void model_momentum(const Model *m, const ModelMotion *s, Vec3 *linear, Vec3 *angular)
{
    *linear = *angular = vec3(0, 0, 0);
    for (int b = 1; b < m->body_count; b++) {
        Vec3 p = vec3_scale(model_point_velocity(s, b, m->body[b].com), m->body[b].mass);
        Sym3 inertia = sym3_rotate(quat_to_mat3(s->orientation[b]), m->body[b].inertia);
        Vec3 spin = vec3_add(sym3_mul(inertia, s->angular_velocity[b]),
                             vec3_cross(model_point(s, b, m->body[b].com), p));
        *linear = vec3_add(*linear, p);
        *angular = vec3_add(*angular, spin);
    }
}
