/* Cost: O(joints * depth) to set a frame, O(joints * depth^2) for M, O(joints^3) to solve. */
#include "analysis/dynamics/kane_method.h"

#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/clip/body.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/joint_kinematics.h"
#include "analysis/math/dense_factor.h"

enum { ROOT_SPEEDS = 3 };

static const Vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* Assigns three speeds to every translating joint, after those of (3.29). */
static void number_translations(KaneSystem *s, const char *translates)
{
    int next = ROOT_SPEEDS + 3 * s->joint_count;
    for (int j = 0; j < s->joint_count; j++) {
        int moves = j > 0 && translates && translates[j];
        s->translation[j] = moves ? next : -1;
        next += moves ? 3 : 0;
    }
}

Status kane_init(KaneSystem *s, int joint_count, Error *err)
{
    return kane_init_translating(s, joint_count, NULL, err);
}

Status kane_init_translating(KaneSystem *s, int joint_count, const char *translates, Error *err)
{
    size_t joints = (size_t)joint_count, speeds = ROOT_SPEEDS + 3 * joints;
    for (int j = 1; translates && j < joint_count; j++)
        speeds += translates[j] ? 3 : 0;
    *s = (KaneSystem){.joint_count = joint_count, .speed_count = (int)speeds, .is_dense = translates != NULL};
    Arena *memory = &s->memory;
    s->translation = arena_array(memory, joints, 1, sizeof *s->translation);
    s->slide = arena_array(memory, joints, 1, sizeof *s->slide);
    s->parent = arena_array(memory, joints, 1, sizeof *s->parent);
    s->mass = arena_array(memory, joints, 1, sizeof *s->mass);
    s->inertia = arena_array(memory, joints, 1, sizeof *s->inertia);
    s->joint_position = arena_array(memory, joints, 1, sizeof *s->joint_position);
    s->com_position = arena_array(memory, joints, 1, sizeof *s->com_position);
    s->partial_velocity = arena_array(memory, joints, speeds, sizeof *s->partial_velocity);
    s->partial_angular_velocity = arena_array(memory, joints, speeds, sizeof *s->partial_angular_velocity);
    s->speed_acceleration = arena_array(memory, joints, 1, sizeof *s->speed_acceleration);
    s->gyroscopic_moment = arena_array(memory, joints, 1, sizeof *s->gyroscopic_moment);
    if (memory->failed) {
        kane_free(s);
        return error_no_memory(err);
    }
    number_translations(s, translates);
    return STATUS_OK;
}

void kane_free(KaneSystem *s)
{
    if (!s)
        return;
    arena_free(&s->memory);
    *s = (KaneSystem){0};
}

/* First of the three speeds of a body's angular velocity. */
static int joint_speed_index(int joint) { return ROOT_SPEEDS + 3 * joint; }

/* Partial velocities of body t (3.36, 3.37), from its centre of mass to the root: the joint of each ancestor b moves
 * the previous point of the chain, so that v_Bi = N_i x (point - joint of b). The same loop sums the accelerations
 * omega x (omega x r) of (3.7). */
static void set_partials(KaneSystem *s, int t, const Vec3 *omega)
{
    Vec3 *velocity = s->partial_velocity + (size_t)t * (size_t)s->speed_count;
    Vec3 *angular = s->partial_angular_velocity + (size_t)t * (size_t)s->speed_count;
    Vec3 point = s->com_position[t], acceleration = {0, 0, 0};
    memset(velocity, 0, (size_t)s->speed_count * sizeof *velocity);
    memset(angular, 0, (size_t)s->speed_count * sizeof *angular);
    for (int b = t; b >= 0; b = s->parent[b]) {
        Vec3 arm = vec3_sub(point, s->joint_position[b]);
        for (int i = 0; i < 3; i++)
            velocity[joint_speed_index(b) + i] = vec3_cross(axis[i], arm);
        acceleration = vec3_add(acceleration, vec3_cross(omega[b], vec3_cross(omega[b], arm)));
        point = s->joint_position[b];
        if (s->translation[b] < 0)
            continue;
        for (int i = 0; i < 3; i++)
            velocity[s->translation[b] + i] = axis[i];
        acceleration = vec3_add(acceleration, vec3_cross(omega[s->parent[b]], s->slide[b]));
    }
    for (int i = 0; i < 3; i++) {
        velocity[i] = axis[i];
        angular[joint_speed_index(t) + i] = axis[i];
    }
    s->speed_acceleration[t] = acceleration;
}

/* Velocity of a translating joint relative to its parent, world axes. */
static Vec3 joint_slide(const KaneSystem *s, const Kinematics *k, size_t row, int joint)
{
    size_t own = row + (size_t)joint, above = row + (size_t)s->parent[joint];
    Vec3 arm = vec3_sub(k->position[own], k->position[above]);
    return vec3_sub(vec3_sub(k->velocity[own], k->velocity[above]), vec3_cross(k->angular_velocity[above], arm));
}

void kane_set_frame(KaneSystem *s, const ClipView *clip, int frame)
{
    const Body *body = clip->body;
    const Kinematics *kinematics = clip->kinematics;
    size_t row = (size_t)frame * (size_t)s->joint_count;
    const Vec3 *omega = kinematics->angular_velocity + row;
    for (int j = 0; j < s->joint_count; j++) {
        Quat q = kinematics->orientation[row + (size_t)j];
        s->parent[j] = clip->skeleton->parent[j];
        s->mass[j] = body->mass[j];
        s->inertia[j] = sym3_rotate(quat_to_mat3(q), body->inertia[j]);
        s->joint_position[j] = kinematics->position[row + (size_t)j];
        s->com_position[j] = vec3_add(s->joint_position[j], quat_rotate(q, body->com[j]));
        s->gyroscopic_moment[j] = vec3_cross(omega[j], sym3_mul(s->inertia[j], omega[j]));
        s->slide[j] = s->translation[j] < 0 ? (Vec3){0, 0, 0} : joint_slide(s, kinematics, row, j);
        set_partials(s, j, omega);
    }
}

void kane_add_weight(const KaneSystem *s, Vec3 gravity, Vec3 *force)
{
    for (int j = 0; j < s->joint_count; j++)
        force[j] = vec3_mad(force[j], s->mass[j], gravity);
}

void kane_add_loads(const KaneSystem *s, const Loads *loads, int frame, Vec3 *force, Vec3 *couple)
{
    for (int l = 0; l < loads->load_count; l++) {
        size_t at = (size_t)frame * (size_t)loads->load_count + (size_t)l;
        int j = loads->joint[l];
        Vec3 about_com = vec3_sub(loads->moment[at], vec3_cross(s->com_position[j], loads->force[at]));
        force[j] = vec3_add(force[j], loads->force[at]);
        couple[j] = vec3_add(couple[j], about_com);
    }
}

void kane_add_joint_force(const KaneSystem *s, int joint, Vec3 joint_force, Vec3 *force, Vec3 *couple)
{
    int p = s->parent[joint];
    Vec3 at = s->joint_position[joint];
    force[joint] = vec3_add(force[joint], joint_force);
    couple[joint] = vec3_add(couple[joint], vec3_cross(vec3_sub(at, s->com_position[joint]), joint_force));
    if (p < 0)
        return;
    force[p] = vec3_sub(force[p], joint_force);
    couple[p] = vec3_sub(couple[p], vec3_cross(vec3_sub(at, s->com_position[p]), joint_force));
}

void kane_add_joint_torques(const KaneSystem *s, const Vec3 *torque, Vec3 root_force, Vec3 *force, Vec3 *couple)
{
    kane_add_joint_force(s, 0, root_force, force, couple);
    for (int j = 0; j < s->joint_count; j++) {
        couple[j] = vec3_add(couple[j], torque[j]);
        if (s->parent[j] >= 0)
            couple[s->parent[j]] = vec3_sub(couple[s->parent[j]], torque[j]);
    }
}

/* Adds force . v_r + couple . omega_r of body j, the common form of (3.18) and (3.19). */
static void project(const KaneSystem *s, int j, Vec3 force, Vec3 couple, double *generalised)
{
    const Vec3 *velocity = s->partial_velocity + (size_t)j * (size_t)s->speed_count;
    const Vec3 *angular = s->partial_angular_velocity + (size_t)j * (size_t)s->speed_count;
    for (int r = 0; r < s->speed_count; r++)
        generalised[r] += vec3_dot(force, velocity[r]) + vec3_dot(couple, angular[r]);
}

void kane_active_forces(const KaneSystem *s, const Vec3 *force, const Vec3 *couple, double *active)
{
    memset(active, 0, (size_t)s->speed_count * sizeof *active);
    for (int j = 0; j < s->joint_count; j++)
        project(s, j, force[j], couple[j], active);
}

/* sum_r partial_r rate_r; zero without rates. */
static Vec3 weighted_sum(const Vec3 *partial, const double *rate, int speed_count)
{
    Vec3 sum = {0, 0, 0};
    for (int r = 0; rate && r < speed_count; r++)
        sum = vec3_mad(sum, rate[r], partial[r]);
    return sum;
}

void kane_inertia_forces(const KaneSystem *s, const double *rate, double *inertia)
{
    memset(inertia, 0, (size_t)s->speed_count * sizeof *inertia);
    for (int j = 0; j < s->joint_count; j++) {
        size_t row = (size_t)j * (size_t)s->speed_count;
        Vec3 alpha = weighted_sum(s->partial_angular_velocity + row, rate, s->speed_count);
        Vec3 a = vec3_add(weighted_sum(s->partial_velocity + row, rate, s->speed_count), s->speed_acceleration[j]);
        Vec3 moment = vec3_add(sym3_mul(s->inertia[j], alpha), s->gyroscopic_moment[j]);
        project(s, j, vec3_scale(a, -s->mass[j]), vec3_neg(moment), inertia);
    }
}

/* new[joint][count] = old[joint][speed] map[speed][count] */
static void combine(const KaneSystem *s, const Vec3 *old, const double *map, int count, Vec3 *new)
{
    for (int j = 0; j < s->joint_count; j++)
        for (int r = 0; r < s->speed_count; r++)
            for (int c = 0; c < count; c++) {
                Vec3 *to = &new[(size_t)j * (size_t)count + (size_t)c];
                *to = vec3_mad(*to, map[(size_t)r * (size_t)count + (size_t)c],
                               old[(size_t)j * (size_t)s->speed_count + (size_t)r]);
            }
}

/* Adds the accelerations of the bodies at zero rates of the new speeds. */
static void add_drift(KaneSystem *s, const double *drift)
{
    for (int j = 0; j < s->joint_count; j++) {
        size_t row = (size_t)j * (size_t)s->speed_count;
        Vec3 alpha = weighted_sum(s->partial_angular_velocity + row, drift, s->speed_count);
        Vec3 a = weighted_sum(s->partial_velocity + row, drift, s->speed_count);
        s->speed_acceleration[j] = vec3_add(s->speed_acceleration[j], a);
        s->gyroscopic_moment[j] = vec3_add(s->gyroscopic_moment[j], sym3_mul(s->inertia[j], alpha));
    }
}

Status kane_choose_speeds(KaneSystem *s, const double *map, int count, const double *drift, Error *err)
{
    size_t joints = (size_t)s->joint_count, size = (size_t)count;
    Vec3 *velocity = arena_array(&s->memory, joints, size, sizeof *velocity);
    Vec3 *angular = arena_array(&s->memory, joints, size, sizeof *angular);
    if (s->memory.failed)
        return error_no_memory(err);
    add_drift(s, drift);
    combine(s, s->partial_velocity, map, count, velocity);
    combine(s, s->partial_angular_velocity, map, count, angular);
    s->partial_velocity = velocity;
    s->partial_angular_velocity = angular;
    s->speed_count = count;
    s->is_dense = 1;
    return STATUS_OK;
}

/* Adds m v_r . v_c + omega_r . I omega_c of body t for `size` rows r and columns c from from[0], from[1] on. */
static void add_mass_block(const KaneSystem *s, int t, const int from[2], int size, double *matrix)
{
    const Vec3 *velocity = s->partial_velocity + (size_t)t * (size_t)s->speed_count;
    const Vec3 *angular = s->partial_angular_velocity + (size_t)t * (size_t)s->speed_count;
    for (int r = from[0]; r < from[0] + size; r++)
        for (int c = from[1]; c < from[1] + size; c++)
            matrix[(size_t)r * (size_t)s->speed_count + (size_t)c] +=
                s->mass[t] * vec3_dot(velocity[r], velocity[c]) +
                vec3_dot(angular[r], sym3_mul(s->inertia[t], angular[c]));
}

void kane_mass_matrix(const KaneSystem *s, double *matrix)
{
    memset(matrix, 0, (size_t)s->speed_count * (size_t)s->speed_count * sizeof *matrix);
    for (int t = 0; t < s->joint_count; t++) {
        add_mass_block(s, t, (int[]){0, 0}, s->is_dense ? s->speed_count : ROOT_SPEEDS, matrix);
        for (int b = t; b >= 0 && !s->is_dense; b = s->parent[b]) {
            add_mass_block(s, t, (int[]){0, joint_speed_index(b)}, 3, matrix);
            add_mass_block(s, t, (int[]){joint_speed_index(b), 0}, 3, matrix);
            for (int c = t; c >= 0; c = s->parent[c])
                add_mass_block(s, t, (int[]){joint_speed_index(b), joint_speed_index(c)}, 3, matrix);
        }
    }
}

Status kane_forward_dynamics(const KaneSystem *s, const double *applied, double *rate, Error *err)
{
    double *matrix = array_new((size_t)s->speed_count, (size_t)s->speed_count, sizeof *matrix);
    if (!matrix)
        return error_no_memory(err);
    kane_mass_matrix(s, matrix);
    int pivot = cholesky_factor(matrix, s->speed_count);
    if (pivot == s->speed_count) {
        memmove(rate, applied, (size_t)s->speed_count * sizeof *rate);
        cholesky_solve(matrix, s->speed_count, rate);
    }
    free(matrix);
    if (pivot < ROOT_SPEEDS)
        return error_set(err, STATUS_NO_RESULT, "singular mass matrix: the bodies have no mass");
    if (pivot < s->speed_count)
        return error_set(err, STATUS_NO_RESULT, "singular mass matrix at joint %d: no inertia",
                         (pivot - ROOT_SPEEDS) / 3);
    return STATUS_OK;
}
