#include "analysis/control/controller.h"

#include "analysis/base/memory.h"
#include "analysis/control/bubble_up.h"

ControllerDef controller_default_def(void)
{
    return (ControllerDef){.kind = CONTROLLER_KANE_FEEDFORWARD, .stiffness = 300};
}

Status controller_init(Controller *c, int joint_count, const ControllerDef *def, Error *err)
{
    *c = (Controller){.def = *def};
    if (!(def->stiffness > 0))
        return error_set(err, STATUS_USAGE, "stiffness %g: must be positive", def->stiffness);
    c->chain = array_new((size_t)joint_count, 1, sizeof *c->chain);
    Status status = c->chain ? STATUS_OK : error_no_memory(err);
    if (!status && def->kind == CONTROLLER_STABLE_PD)
        status = stable_pd_init(&c->stable, joint_count, err);
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
    const ControllerDef *d = &c->def;
    ComputedTorqueDef computed = {d->stiffness, d->zero_velocity, d->kind == CONTROLLER_KANE_FEEDFORWARD};
    PdDef pd = {d->stiffness, d->damping, d->plain, d->zero_velocity, d->kind == CONTROLLER_PD_FEEDFORWARD};
    if (d->kind == CONTROLLER_KANE || d->kind == CONTROLLER_KANE_FEEDFORWARD)
        return computed_torques(plant, now, NULL, &computed, &c->dynamics, torque, err);
    chains_find(plant, c->chain);
    if (d->kind == CONTROLLER_STABLE_PD)
        return stable_pd_torques(&c->stable, plant, next, now->root_acceleration, c->chain, &pd, torque, err);
    pd_torques(plant, now, c->chain, &pd, torque);
    if (d->kind == CONTROLLER_BUBBLE_UP) {
        bubble_up(plant->skeleton, torque);
        gravity_compensate(plant, c->chain, torque);
    }
    return STATUS_OK;
}
