#include "analysis/sim/kane_tree.h"

#include <string.h>

enum { ROOT_SPEEDS = 3 };
#define DIFFERENCE 1e-6 /* of coordinates and, times one more than their size, of speeds */

static Vec3 get(const double *from) { return vec3(from[0], from[1], from[2]); }

static void put(double *to, Vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static Quat get_turn(const double *from) { return (Quat){from[0], from[1], from[2], from[3]}; }

static void put_turn(double *to, Quat q)
{
    to[0] = q.w;
    to[1] = q.x;
    to[2] = q.y;
    to[3] = q.z;
}

static void make_arrays(KaneTree *t, size_t joints)
{
    size_t places = 3 + 4 * joints, speeds = ROOT_SPEEDS + 3 * joints;
    double **of_places[] = {&t->x, &t->probe_x, &t->before_x};
    double **of_speeds[] = {&t->v, &t->probe_v, &t->before_v, &t->applied, &t->rate};
    Vec3 **of_joints[] = {&t->torque, &t->force, &t->couple, &t->all_force, &t->all_couple};
    for (size_t i = 0; i < sizeof of_places / sizeof *of_places; i++)
        *of_places[i] = arena_array(&t->memory, places, 1, sizeof(double));
    for (size_t i = 0; i < sizeof of_speeds / sizeof *of_speeds; i++)
        *of_speeds[i] = arena_array(&t->memory, speeds, 1, sizeof(double));
    for (size_t i = 0; i < sizeof of_joints / sizeof *of_joints; i++)
        *of_joints[i] = arena_array(&t->memory, joints, 1, sizeof(Vec3));
}

Status kane_tree_init(KaneTree *t, const Skeleton *skeleton, const Body *body, IntegratorKind kind, Error *err)
{
    int joints = skeleton->joint_count;
    *t = (KaneTree){.skeleton = skeleton, .body = body};
    make_arrays(t, (size_t)joints);
    Status status = t->memory.failed ? error_no_memory(err) : kane_init(&t->system, joints, err);
    if (!status)
        status = integrator_init(&t->integrator, kind, t->system.speed_count, err);
    if (!status)
        status = motion_init(&t->motion, 1, joints, 1, 0, err);
    if (!status)
        status = kinematics_init(&t->kinematics, 1, joints, 0, err);
    if (status) {
        kane_tree_free(t);
        return status;
    }
    for (int j = 0; j < joints; j++)
        put_turn(t->x + 3 + 4 * j, QUAT_IDENTITY);
    return STATUS_OK;
}

void kane_tree_free(KaneTree *t)
{
    if (!t)
        return;
    kane_free(&t->system);
    integrator_free(&t->integrator);
    motion_free(&t->motion);
    kinematics_free(&t->kinematics);
    arena_free(&t->memory);
    *t = (KaneTree){0};
}

/* Pose and velocities of the tree at (x, v) become its kinematics. */
static void set_kinematics(KaneTree *t, const double *x, const double *v)
{
    Kinematics *k = &t->kinematics;
    for (int j = 0; j < t->skeleton->joint_count; j++) {
        int up = t->skeleton->parent[j];
        k->orientation[j] = get_turn(x + 3 + 4 * j);
        k->angular_velocity[j] = get(v + ROOT_SPEEDS + 3 * j);
        k->position[j] = get(x);
        k->velocity[j] = get(v);
        if (up >= 0) {
            Vec3 arm = quat_rotate(k->orientation[up], t->skeleton->offset[j]);
            k->position[j] = vec3_add(k->position[up], arm);
            k->velocity[j] = vec3_add(k->velocity[up], vec3_cross(k->angular_velocity[up], arm));
        }
    }
}

/* u' = M^-1 (T + E), with E = F_r of all forces and T = F*_r while no speed changes. */
static void on_force(const void *context, const double *x, const double *v, double *f)
{
    KaneTree *t = *(KaneTree *const *)context;
    size_t size = (size_t)t->skeleton->joint_count * sizeof(Vec3);
    set_kinematics(t, x, v);
    kane_set_frame(&t->system, &(ClipView){t->skeleton, t->body, &t->motion, &t->kinematics}, 0);
    memcpy(t->all_force, t->force, size);
    memcpy(t->all_couple, t->couple, size);
    kane_add_weight(&t->system, t->gravity, t->all_force);
    kane_add_joint_torques(&t->system, t->torque, vec3(0, 0, 0), t->all_force, t->all_couple);
    kane_active_forces(&t->system, t->all_force, t->all_couple, t->applied);
    kane_inertia_forces(&t->system, NULL, f);
    for (int r = 0; r < t->system.speed_count; r++)
        t->applied[r] += f[r];
    Status status = kane_forward_dynamics(&t->system, t->applied, f, t->err);
    t->status = t->status ? t->status : status;
}

static void on_move(const void *context, double h, const double *v, double *x)
{
    const KaneTree *t = *(KaneTree *const *)context;
    put(x, vec3_mad(get(x), h, get(v)));
    for (int j = 0; j < t->skeleton->joint_count; j++) {
        Quat turn = quat_exp(vec3_scale(get(v + ROOT_SPEEDS + 3 * j), 0.5 * h));
        put_turn(x + 3 + 4 * j, quat_normalize(quat_mul(turn, get_turn(x + 3 + 4 * j))));
    }
}

/* Column i of a Jacobian, by a small move in speed i or by a small change of it. */
static void difference(KaneTree *t, const double *x, const double *v, int i, double *jacobian, int by_speed)
{
    size_t n = (size_t)t->system.speed_count;
    double size = by_speed ? DIFFERENCE * (1 + fabs(v[i])) : DIFFERENCE;
    for (int side = -1; side <= 1; side += 2) {
        memcpy(t->probe_x, x, (3 + 4 * (size_t)t->skeleton->joint_count) * sizeof *x);
        memset(t->probe_v, 0, n * sizeof *v);
        t->probe_v[i] = side * size;
        if (!by_speed)
            on_move(&t, 1, t->probe_v, t->probe_x);
        for (size_t k = 0; by_speed && k < n; k++)
            t->probe_v[k] += v[k];
        on_force(&t, t->probe_x, by_speed ? t->probe_v : v, t->rate);
        for (size_t k = 0; k < n; k++)
            jacobian[k * n + (size_t)i] = (side < 0 ? 0 : jacobian[k * n + (size_t)i]) + side * t->rate[k] / (2 * size);
    }
}

static void on_jacobians(const void *context, const double *x, const double *v, double *by_position,
                         double *by_velocity)
{
    KaneTree *t = *(KaneTree *const *)context;
    for (int i = 0; i < t->system.speed_count; i++) {
        if (t->integrator.kind != BRIDSON_MARINO)
            difference(t, x, v, i, by_position, 0);
        difference(t, x, v, i, by_velocity, 1);
    }
}

/* The state as others read it. */
static void publish(KaneTree *t)
{
    set_kinematics(t, t->x, t->v);
    for (int j = 0; j < t->skeleton->joint_count; j++) {
        int up = t->skeleton->parent[j];
        Quat own = t->kinematics.orientation[j];
        t->motion.rotation[j] = up < 0 ? own : quat_mul(quat_conjugate(t->kinematics.orientation[up]), own);
    }
    t->motion.root_position[0] = t->kinematics.position[0];
}

void kane_tree_set_pose(KaneTree *t, Vec3 root_position, const Quat *rotation, Vec3 root_velocity,
                        const Vec3 *angular_velocity)
{
    put(t->x, root_position);
    put(t->v, root_velocity);
    for (int j = 0; j < t->skeleton->joint_count; j++) {
        int up = t->skeleton->parent[j];
        Quat own = up < 0 ? rotation[j] : quat_mul(get_turn(t->x + 3 + 4 * up), rotation[j]);
        put_turn(t->x + 3 + 4 * j, quat_normalize(own));
        put(t->v + ROOT_SPEEDS + 3 * j, angular_velocity[j]);
    }
    publish(t);
}

static int is_finite(const double *x, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += x[i] * 0;
    return sum == 0;
}

Status kane_tree_step(KaneTree *t, double h, Error *err)
{
    size_t joints = (size_t)t->skeleton->joint_count, places = 3 + 4 * joints;
    size_t speeds = (size_t)t->system.speed_count;
    MechanicalSystem system = {.size = t->system.speed_count, .force = on_force, .jacobians = on_jacobians,
                               .move = on_move, .context = &t};
    memcpy(t->before_x, t->x, places * sizeof *t->x);
    memcpy(t->before_v, t->v, speeds * sizeof *t->v);
    t->status = STATUS_OK;
    t->err = err;
    Status status = integrator_step(&t->integrator, &system, h, t->x, t->v, err);
    status = status ? status : t->status;
    if (!status && !(is_finite(t->x, (int)places) && is_finite(t->v, (int)speeds)))
        status = error_set(err, STATUS_NO_RESULT, "the tree flies apart");
    if (status) {
        memcpy(t->x, t->before_x, places * sizeof *t->x);
        memcpy(t->v, t->before_v, speeds * sizeof *t->v);
    }
    publish(t);
    memset(t->torque, 0, joints * sizeof *t->torque);
    memset(t->force, 0, joints * sizeof *t->force);
    memset(t->couple, 0, joints * sizeof *t->couple);
    return status;
}
