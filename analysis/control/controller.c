#include "analysis/control/controller.h"

#include <string.h>

#include "analysis/base/memory.h"
#include "analysis/control/balance.h"
#include "analysis/control/pd.h"
#include "analysis/dynamics/inverse_dynamics.h"

ComputedTorqueDef computed_torque_default_def(void)
{
    return (ComputedTorqueDef){.stiffness = 300};
}

/* alpha_d = kp (theta_r - theta) + kd (omega_d - omega) [+ alpha_r] (2.3), kd = 2 sqrt(kp): critical, because it acts
 * on accelerations. */
Vec3 desired_acceleration(const Plant *plant, const Desired *desired, int joint, const ComputedTorqueDef *def)
{
    const Kinematics *k = &plant->kinematics;
    Quat turn = quat_mul(desired->orientation[joint], quat_conjugate(k->orientation[joint]));
    Vec3 velocity = def->zero_velocity ? vec3(0, 0, 0) : desired->angular_velocity[joint];
    Vec3 alpha = vec3_scale(quat_log(turn), 2 * def->stiffness);
    alpha = vec3_mad(alpha, 2 * sqrt(def->stiffness), vec3_sub(velocity, k->angular_velocity[joint]));
    return def->feedforward ? vec3_add(alpha, desired->angular_acceleration[joint]) : alpha;
}

/* The same for the place of a root that nothing carries. */
static Vec3 desired_root_acceleration(const Plant *plant, const Desired *desired, const ComputedTorqueDef *def)
{
    const Kinematics *k = &plant->kinematics;
    Vec3 velocity = def->zero_velocity ? vec3(0, 0, 0) : desired->root_velocity;
    Vec3 a = vec3_scale(vec3_sub(desired->root_position, k->position[0]), def->stiffness);
    a = vec3_mad(a, 2 * sqrt(def->stiffness), vec3_sub(velocity, k->velocity[0]));
    return def->feedforward ? vec3_add(a, desired->root_acceleration) : a;
}

Status computed_torques(Plant *plant, const Desired *desired, const ComputedTorqueDef *def, Dynamics *dynamics,
                        Vec3 *torque, Error *err)
{
    int joints = plant->skeleton->joint_count;
    InverseDynamicsDef inverse = inverse_dynamics_default_def();
    inverse.gravity = plant->gravity;
    inverse.lanes = LANES_SCALAR; /* a single frame */
    for (int j = 0; j < joints; j++)
        plant->kinematics.angular_acceleration[j] = desired_acceleration(plant, desired, j, def);
    plant->kinematics.acceleration[0] = desired->root_acceleration;
    ClipView view = plant_view(plant);
    Status status = STATUS_OK;
    if (plant->ground) {
        plant->kinematics.acceleration[0] = desired_root_acceleration(plant, desired, def);
        status = balance_find(plant, dynamics, err);
    }
    if (!status)
        status = inverse_dynamics(&view, &plant->loads, &inverse, dynamics, err);
    if (!status)
        memcpy(torque, dynamics->torque, (size_t)joints * sizeof *torque);
    return status;
}

ControllerDef controller_default_def(void)
{
    return (ControllerDef){.kind = CONTROLLER_KANE_FEEDFORWARD, .stiffness = 300};
}

/* The reference at both ends of the step. */
typedef struct Step {
    const Desired *now, *next;
    int feedforward; /* 1: the kind adds the reference's acceleration */
} Step;

typedef Status ControllerTorques(Controller *c, Plant *plant, const Step *step, Vec3 *torque, Error *err);

static PdDef pd_of(const ControllerDef *d, int feedforward)
{
    PdDef pd = pd_default_def();
    pd.stiffness = d->stiffness;
    pd.damping = d->damping;
    pd.plain = d->plain;
    pd.zero_velocity = d->zero_velocity;
    pd.feedforward = feedforward;
    return pd;
}

static Status by_pd(Controller *c, Plant *plant, const Step *step, Vec3 *torque, Error *err)
{
    (void)err;
    PdDef pd = pd_of(&c->def, step->feedforward);
    chains_find(plant, c->chain);
    pd_torques(plant, step->now, c->chain, &pd, torque);
    loads_compensate(plant, torque);
    return STATUS_OK;
}

static Status by_bubble_up(Controller *c, Plant *plant, const Step *step, Vec3 *torque, Error *err)
{
    (void)err;
    PdDef pd = pd_of(&c->def, step->feedforward);
    chains_find(plant, c->chain);
    pd_torques(plant, step->now, c->chain, &pd, torque);
    bubble_up(plant->skeleton, torque);
    gravity_compensate(plant, c->chain, torque);
    loads_compensate(plant, torque);
    return STATUS_OK;
}

static Status by_stable_pd(Controller *c, Plant *plant, const Step *step, Vec3 *torque, Error *err)
{
    Desired next = *step->next;
    next.root_acceleration = step->now->root_acceleration;
    chains_find(plant, c->chain);
    return stable_pd_torques(&c->stable, plant, c->chain, &next, torque, err);
}

static Status by_inverse_dynamics(Controller *c, Plant *plant, const Step *step, Vec3 *torque, Error *err)
{
    ComputedTorqueDef def = computed_torque_default_def();
    def.stiffness = c->def.stiffness;
    def.zero_velocity = c->def.zero_velocity;
    def.feedforward = step->feedforward;
    return computed_torques(plant, step->now, &def, &c->dynamics, torque, err);
}

/* A row a kind, in the order of ControllerKind. */
static const struct ControllerMethod {
    ControllerTorques *torques;
    int feedforward;
} methods[] = {
    {by_pd, 0}, {by_pd, 1}, {by_stable_pd, 0}, {by_bubble_up, 0}, {by_inverse_dynamics, 0}, {by_inverse_dynamics, 1},
};
_Static_assert(sizeof methods / sizeof *methods == CONTROLLER_COUNT, "a row for every ControllerKind, in its order");

Status controller_init(Controller *c, int joint_count, const ControllerDef *def, Error *err)
{
    *c = (Controller){.def = *def};
    if (!(def->stiffness > 0))
        return error_set(err, STATUS_USAGE, "stiffness %g: must be positive", def->stiffness);
    PdDef pd = pd_of(def, methods[def->kind].feedforward);
    c->chain = array_new((size_t)joint_count, 1, sizeof *c->chain);
    Status status = c->chain ? STATUS_OK : error_no_memory(err);
    if (!status && methods[def->kind].torques == by_stable_pd)
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
    dynamics_free(&c->dynamics);
    stable_pd_free(&c->stable);
    *c = (Controller){0};
}

Status controller_torques(Controller *c, Plant *plant, const Desired *now, const Desired *next, Vec3 *torque,
                          Error *err)
{
    Step step = {now, next, methods[c->def.kind].feedforward};
    return methods[c->def.kind].torques(c, plant, &step, torque, err);
}
