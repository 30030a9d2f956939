/* See container_restore.h. */
#include "formats/container/container_restore.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/dynamics/inverse_dynamics.h"
#include "formats/container/container_lean.h"

/* The root's force is the stored residual, and its power that of the stored torque, because the rounding of the contact
 * forces is not small against a small residual. */
static void keep_root(const Clip *clip, Dynamics *own)
{
    const Dynamics *d = &clip->dynamics;
    for (int f = 0; f < d->frame_count; f++) {
        size_t root = (size_t)f * (size_t)d->joint_count;
        own->force[root] = d->residual_force[f];
        own->power[root] = vec3_dot(d->torque[root], clip->kinematics.angular_velocity[root]) +
                           vec3_dot(d->residual_force[f], clip->kinematics.velocity[root]);
    }
}

static Status restore_forces(Clip *clip, Error *err)
{
    Dynamics own = {0}, *d = &clip->dynamics;
    Loads loads = {0};
    InverseDynamicsDef def = inverse_dynamics_default_def();
    ClipView view = clip_view(clip);
    Status status = clip->has_contact ? loads_from_contact(&clip->contact, &clip->kinematics, &loads, err) : STATUS_OK;
    if (!status)
        status = inverse_dynamics(&view, &loads, &def, &own, err);
    if (!status) {
        keep_root(clip, &own);
        Vec3 *force = d->force;
        double *power = d->power;
        d->force = own.force;
        d->power = own.power;
        own.force = force;
        own.power = power;
    }
    loads_free(&loads);
    dynamics_free(&own);
    return status;
}

/* The texts of the file stay: a later version may word them differently. */
static Status restore_angles(const AnglesDef *def, Clip *clip, Error *err)
{
    JointAngles own = {0}, *a = &clip->angles;
    AnglesRemark remark;
    Status status = angles_compute(def, clip, &own, &remark, err);
    if (!status && own.coordinate_count != a->coordinate_count)
        status = error_set(err, STATUS_BAD_INPUT, "/angles has %d coordinates, the skeleton gives %d: it was made by "
                           "another version of kane", a->coordinate_count, own.coordinate_count);
    if (status) {
        joint_angles_free(&own);
        return status;
    }
    memcpy(own.neutral, a->neutral, sizeof own.neutral);
    memcpy(own.knee_axis, a->knee_axis, sizeof own.knee_axis);
    memcpy(own.strength, a->strength, sizeof own.strength);
    joint_angles_free(a);
    *a = own;
    return STATUS_OK;
}

Status lean_restore(Clip *clip, Error *err)
{
    LeanRecipe recipe;
    if (!lean_recipe_read(clip, &recipe))
        return error_set(err, STATUS_BAD_INPUT, "the history does not state how to compute what the file leaves out");
    ClipView view = clip_view(clip);
    kinematics_free(&clip->kinematics);
    clip->has_kinematics = 0;
    Status status = differentiate(&view, &recipe.kinematics, &clip->kinematics, err);
    if (status)
        return status;
    clip->has_kinematics = 1;
    if (clip->has_dynamics && (status = restore_forces(clip, err)))
        return status;
    return clip->has_angles ? restore_angles(&recipe.angles, clip, err) : STATUS_OK;
}
