#include "analysis/control/plant.h"

#include "analysis/dynamics/inverse_dynamics.h"

Status plant_init(Plant *plant, const Skeleton *skeleton, const Body *body, double dt, Error *err)
{
    int joints = skeleton->joint_count;
    *plant = (Plant){.skeleton = skeleton, .body = body, .gravity = {0, -GRAVITY, 0}, .dt = dt};
    Status status = motion_init(&plant->motion, 1, joints, dt, 0, err);
    if (!status)
        status = kinematics_init(&plant->kinematics, 1, joints, 0, err);
    if (status) {
        plant_free(plant);
        return status;
    }
    for (int j = 0; j < joints; j++)
        plant->motion.rotation[j] = plant->kinematics.orientation[j] = QUAT_IDENTITY;
    return STATUS_OK;
}

void plant_free(Plant *plant)
{
    if (!plant)
        return;
    motion_free(&plant->motion);
    kinematics_free(&plant->kinematics);
}
