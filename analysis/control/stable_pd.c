/* See stable_pd.h. */
#include "analysis/control/stable_pd.h"

#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/control/gains.h"
#include "analysis/control/pd.h"
#include "analysis/control/plant.h"
#include "analysis/math/dense_factor.h"
#include "analysis/math/vec.h"

/* The law predicts q + dt q' with the present q', which is explicit. A degree of freedom of inertia i under kp = k I,
 * kd = d I changes by (1 + c d dt) v' = -c (k (x + dt v) + d v), c = I / i, and is stable under symplectic Euler if 3 k
 * dt^2 < 2 d dt + 4 / c. A chain's inertia I is that of everything beyond the joint as one rigid body. If the parent
 * body is light, i is smaller and c can be any number above 1, so only d >= 1.5 k dt is sufficient for all. Critical
 * damping falls below that from sqrt(k) dt = 4/3 on. */
#define MIN_DAMPING_STEPS 1.5

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
    s->reduced = arena_array(&s->memory, speeds, speeds, sizeof *s->reduced);
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

/* Number of speeds whose accelerations are given. */
static int given_speeds(const StablePd *s) { return s->root_is_free ? 0 : ROOT_SPEEDS; }

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
        p[j] = vec3_add(p[j], pd_integral_torque(plant, &s->def, j, &g));
        if (s->root_is_free && j == 0) {
            p[j] = vec3(0, 0, 0);
            kd = (Sym3){0};
        }
        s->damping[j] = (Sym3){kd.xx * plant->dt, kd.yy * plant->dt, kd.zz * plant->dt,
                               kd.xy * plant->dt, kd.xz * plant->dt, kd.yz * plant->dt};
    }
}

/* J^T p + Q without the rows of a given root, minus the part of its acceleration. */
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
    for (int r = given_speeds(s); r < speeds; r++) {
        s->applied[r] += active[r];
        for (int c = 0; c < given_speeds(s); c++)
            s->applied[r] -= s->matrix[(size_t)r * (size_t)speeds + (size_t)c] * root[c];
    }
}

/* M + dt J^T Kd J without the rows and columns of a given root. */
static void left_side(StablePd *s)
{
    int speeds = s->system.speed_count, given = given_speeds(s), size = speeds - given, first = ROOT_SPEEDS - given;
    for (int r = 0; r < size; r++)
        memcpy(s->reduced + (size_t)r * (size_t)size, s->matrix + (size_t)(r + given) * (size_t)speeds + given,
               (size_t)size * sizeof(double));
    for (int j = 0; j < s->system.joint_count; j++) {
        Mat3 d = mat3_from_sym3(s->damping[j]);
        int parent = s->system.parent[j];
        int own = first + 3 * j, above = first + 3 * parent;
        mat3_add_block(s->reduced, size, own, own, 1, d);
        if (parent < 0)
            continue;
        mat3_add_block(s->reduced, size, above, above, 1, d);
        mat3_add_block(s->reduced, size, own, above, -1, d);
        mat3_add_block(s->reduced, size, above, own, -1, d);
    }
}

Status stable_pd_torques(StablePd *s, const ControlPlant *plant, const Subtree *chain, const Desired *next,
                         Vec3 *torque, Error *err)
{
    int joints = s->system.joint_count, size = s->system.speed_count - given_speeds(s);
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
        return error_set(err, STATUS_NO_RESULT, "stable PD: joint %d moves no inertia",
                         (pivot + given_speeds(s) - ROOT_SPEEDS) / 3);
    const double *rate = s->applied + ROOT_SPEEDS;
    cholesky_solve(s->reduced, size, s->applied + given_speeds(s));
    for (int j = 0; j < joints; j++) {
        int parent = s->system.parent[j];
        Vec3 relative = vec3(rate[3 * j], rate[3 * j + 1], rate[3 * j + 2]);
        if (parent >= 0)
            relative = vec3_sub(relative, vec3(rate[3 * parent], rate[3 * parent + 1], rate[3 * parent + 2]));
        torque[j] = vec3_sub(torque[j], sym3_mul(s->damping[j], relative));
    }
    return STATUS_OK;
}
