/* Controllers of single joints, and the balance of an unsupported body: tracking and balance as one optimisation. See
 * controller.h. */
#include "analysis/control/controller.h"

#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/control/computed_torque.h"
#include "analysis/control/pd.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/vec.h"

ControllerDef controller_default_def(void)
{
    return (ControllerDef){.kind = CONTROLLER_KANE_FEEDFORWARD, .gains = gains_default(), .hit_time = 0.5,
                           .balance = balance_default()};
}

/* The reference at both ends of the step. */
typedef struct Step {
    const Desired *now, *next;
    int feedforward; /* 1: this kind adds the reference's acceleration */
} Step;

typedef Status ControllerTorques(Controller *c, ControlPlant *plant, const Step *step, Vec3 *torque, Error *err);

static PdDef controller_pd_def(const Controller *c, int feedforward)
{
    PdDef pd = pd_default_def();
    pd.gains = c->def.gains;
    pd.zero_velocity = c->def.zero_velocity;
    pd.feedforward = feedforward;
    pd.sum = c->sum;
    return pd;
}

/* Time integrals of joint errors, in axes of their parents. */
static void sum_joint_errors(Controller *c, const ControlPlant *plant, const Desired *now)
{
    for (int j = 0; c->sum && j < plant->skeleton->joint_count; j++) {
        int parent = plant->skeleton->parent[j];
        Vec3 error = joint_error_find(plant, now, j, 1).rotation;
        if (parent >= 0)
            error = quat_rotate_inverse(plant->kinematics.orientation[parent], error);
        c->sum[j] = vec3_mad(c->sum[j], plant->dt, error);
    }
}

/* Time integrals of body errors, world axes. */
static void sum_body_errors(Controller *c, const ControlPlant *plant, const Desired *now)
{
    for (int j = 0; c->sum && j < plant->skeleton->joint_count; j++)
        c->sum[j] = vec3_mad(c->sum[j], plant->dt, body_rotation_error(plant, now, j));
}

/* Bounds the integrals, so that an error which no torque can remove does not wind them up. */
static void bound_sums(Controller *c, int joints)
{
    for (int j = 0; c->sum && j < joints; j++) {
        double size = vec3_norm(c->sum[j]), max = c->def.gains.integral_max;
        if (size > max)
            c->sum[j] = vec3_scale(c->sum[j], max / size);
    }
}

static Status by_pd(Controller *c, ControlPlant *plant, const Step *step, Vec3 *torque, Error *err)
{
    (void)err;
    PdDef pd = controller_pd_def(c, step->feedforward);
    chains_find(plant, c->chain);
    pd_torques(plant, step->now, c->chain, &pd, torque);
    loads_compensate(plant, torque);
    return STATUS_OK;
}

static Status by_bubble_up(Controller *c, ControlPlant *plant, const Step *step, Vec3 *torque, Error *err)
{
    (void)err;
    PdDef pd = controller_pd_def(c, step->feedforward);
    chains_find(plant, c->chain);
    pd_torques(plant, step->now, c->chain, &pd, torque);
    bubble_up(plant->skeleton, torque);
    gravity_compensate(plant, c->chain, torque);
    loads_compensate(plant, torque);
    return STATUS_OK;
}

/* Rotation of a joint's parent to the world. */
static Quat parent_orientation(const ControlPlant *plant, int joint)
{
    int parent = plant->skeleton->parent[joint];
    return parent < 0 ? QUAT_IDENTITY : plant->kinematics.orientation[parent];
}

static Status by_stable_pd(Controller *c, ControlPlant *plant, const Step *step, Vec3 *torque, Error *err)
{
    Desired next = *step->next;
    next.root_acceleration = step->now->root_acceleration;
    chains_find(plant, c->chain);
    c->stable.def = controller_pd_def(c, step->feedforward);
    for (int j = 0; c->learned && j < plant->skeleton->joint_count; j++)
        c->planned[j] = vec3_add(c->planned[j], quat_rotate(parent_orientation(plant, j), c->learned[j]));
    return stable_pd_torques(&c->stable, plant, c->chain, &next, torque, err);
}

static Status by_expected_loads(Controller *c, ControlPlant *plant, const Step *step, Vec3 *torque, Error *err)
{
    memset(c->planned, 0, (size_t)plant->skeleton->joint_count * sizeof *c->planned);
    loads_compensate(plant, c->planned);
    c->stable.feedforward = c->learned ? c->planned : NULL;
    return by_stable_pd(c, plant, step, torque, err);
}

Vec3 controller_feedback(const Controller *c, const ControlPlant *plant, int joint, Vec3 torque)
{
    return quat_rotate_inverse(parent_orientation(plant, joint), vec3_sub(torque, c->planned[joint]));
}

/* The body in the reference state at the beginning of the step, under the known loads. */
static Status pose_reference(Controller *c, const ControlPlant *plant, const Desired *now, Error *err)
{
    ControlPlant *r = &c->reference;
    const Skeleton *skeleton = plant->skeleton;
    Status status = r->skeleton ? STATUS_OK : plant_init(r, skeleton, plant->body, plant->dt, err);
    if (status)
        return status;
    Kinematics *k = &r->kinematics;
    r->motion.root_position[0] = k->position[0] = now->root_position;
    k->velocity[0] = now->root_velocity;
    k->acceleration[0] = now->root_acceleration;
    for (int j = 0; j < skeleton->joint_count; j++) {
        int parent = skeleton->parent[j];
        Quat up = parent < 0 ? QUAT_IDENTITY : k->orientation[parent];
        k->orientation[j] = now->orientation[j];
        k->angular_velocity[j] = now->angular_velocity[j];
        k->angular_acceleration[j] = now->angular_acceleration[j];
        r->motion.rotation[j] = quat_mul(quat_conjugate(up), k->orientation[j]);
        if (parent >= 0)
            k->position[j] = vec3_add(k->position[parent], quat_rotate(up, skeleton->offset[j]));
        Vec3 shift = vec3_sub(k->position[j], plant->kinematics.position[j]), force = plant->loads.force[j];
        r->loads.force[j] = force;
        r->loads.moment[j] = vec3_add(plant->loads.moment[j], vec3_cross(shift, force));
    }
    return STATUS_OK;
}

/* Feedforward torques by inverse dynamics of the reference, rotated from its parents' axes to those of the simulated
 * body; plus a stable PD on the remaining error. */
static Status by_planned_torques(Controller *c, ControlPlant *plant, const Step *step, Vec3 *torque, Error *err)
{
    InverseDynamicsDef inverse = inverse_dynamics_default_def();
    inverse.gravity = plant->gravity;
    inverse.lanes = LANES_SCALAR;
    Status status = pose_reference(c, plant, step->now, err);
    ClipView view = plant_view(&c->reference);
    if (!status)
        status = inverse_dynamics(&view, &c->reference.loads, &inverse, &c->dynamics, err);
    for (int j = 0; !status && j < plant->skeleton->joint_count; j++) {
        int parent = plant->skeleton->parent[j];
        Vec3 planned = c->dynamics.torque[j];
        if (parent >= 0)
            planned = quat_rotate(plant->kinematics.orientation[parent],
                                  quat_rotate_inverse(c->reference.kinematics.orientation[parent], planned));
        c->planned[j] = planned;
    }
    c->stable.feedforward = c->planned;
    return status ? status : by_stable_pd(c, plant, step, torque, err);
}

static Status by_inverse_dynamics(Controller *c, ControlPlant *plant, const Step *step, Vec3 *torque, Error *err)
{
    ComputedTorqueDef def = computed_torque_default_def();
    def.gains = c->def.gains;
    def.gains.damping = 0;
    def.balance = c->def.balance;
    def.zero_velocity = c->def.zero_velocity;
    def.feedforward = step->feedforward;
    def.sum = c->sum;
    return computed_torques(plant, step->now, &def, &c->dynamics, torque, err);
}

/* One row per kind, in the order of ControllerKind. */
static const struct ControllerMethod {
    ControllerTorques *torques;
    void (*sum_errors)(Controller *c, const ControlPlant *plant, const Desired *now);
    int feedforward;
} methods[] = {
    {by_pd, sum_joint_errors, 0},
    {by_pd, sum_joint_errors, 1},
    {by_expected_loads, sum_joint_errors, 0},
    {by_bubble_up, sum_joint_errors, 0},
    {by_inverse_dynamics, sum_body_errors, 0},
    {by_inverse_dynamics, sum_body_errors, 1},
    {by_planned_torques, sum_joint_errors, 0},
};
_Static_assert(sizeof methods / sizeof *methods == CONTROLLER_COUNT, "a row for every ControllerKind, in its order");

int controller_learns(ControllerKind kind)
{
    return methods[kind].torques == by_expected_loads || methods[kind].torques == by_planned_torques;
}

int controller_balances(ControllerKind kind) { return methods[kind].torques == by_inverse_dynamics; }

Status controller_init(Controller *c, int joint_count, const ControllerDef *def, Error *err)
{
    size_t joints = (size_t)joint_count;
    *c = (Controller){.def = *def};
    if (!(def->gains.stiffness > 0))
        return error_set(err, STATUS_USAGE, "stiffness %g: must be positive", def->gains.stiffness);
    c->chain = array_new(joints, 1, sizeof *c->chain);
    c->planned = array_new(joints, 1, sizeof *c->planned);
    int sums = gains_integrate(&def->gains, joint_count);
    c->sum = sums ? array_new(joints, 1, sizeof *c->sum) : NULL;
    Status status = c->chain && c->planned && (c->sum || !sums) ? STATUS_OK : error_no_memory(err);
    PdDef pd = controller_pd_def(c, methods[def->kind].feedforward);
    if (!status && controller_learns(def->kind))
        status = stable_pd_init(&c->stable, joint_count, &pd, err);
    if (status)
        controller_free(c);
    return status;
}

void controller_free(Controller *c)
{
    if (!c)
        return;
    free(c->chain);
    free(c->sum);
    free(c->planned);
    dynamics_free(&c->dynamics);
    stable_pd_free(&c->stable);
    plant_free(&c->reference);
    *c = (Controller){0};
}

void controller_bound(const Gains *gains, const ControlPlant *plant, Vec3 *torque)
{
    for (int j = 1; j < plant->skeleton->joint_count; j++) {
        double size = vec3_norm(torque[j]), max = plant_torque_max(plant, gains, j);
        if (max > 0 && size > max)
            torque[j] = vec3_scale(torque[j], max / size);
    }
}

Status controller_torques(Controller *c, ControlPlant *plant, const Desired *now, const Desired *next, Vec3 *torque,
                          Error *err)
{
    const struct ControllerMethod *method = &methods[c->def.kind];
    int joints = plant->skeleton->joint_count;
    Step step = {now, next, method->feedforward};
    method->sum_errors(c, plant, now);
    bound_sums(c, joints);
    Status status = method->torques(c, plant, &step, torque, err);
    controller_bound(&c->def.gains, plant, torque);
    return status;
}
