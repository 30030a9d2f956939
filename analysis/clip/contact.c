/* See contact.h. */
#include "analysis/clip/contact.h"

#include "analysis/base/arena.h"

/* What the joints must exert. */

Status dynamics_init(Dynamics *d, int frame_count, int joint_count, Error *err)
{
    size_t frames = (size_t)frame_count, joints = (size_t)joint_count;
    *d = (Dynamics){.frame_count = frame_count, .joint_count = joint_count};
    int failed = 0;
    d->torque = array_need(&failed, frames, joints, sizeof *d->torque);
    d->force = array_need(&failed, frames, joints, sizeof *d->force);
    d->power = array_need(&failed, frames, joints, sizeof *d->power);
    d->residual_force = array_need(&failed, frames, 1, sizeof *d->residual_force);
    d->residual_torque = array_need(&failed, frames, 1, sizeof *d->residual_torque);
    if (failed) {
        dynamics_free(d);
        return error_no_memory(err);
    }
    return STATUS_OK;
}

Status dynamics_add_spread(Dynamics *d, Error *err)
{
    size_t frames = (size_t)d->frame_count, joints = (size_t)d->joint_count;
    int failed = 0;
    d->torque_sd = array_need(&failed, frames, joints, sizeof *d->torque_sd);
    d->torque_correlation = array_need(&failed, frames, joints, sizeof *d->torque_correlation);
    return failed ? error_no_memory(err) : STATUS_OK;
}

Vec3 dynamics_residual_about(const Dynamics *d, int frame, Vec3 root, Vec3 point)
{
    size_t at = (size_t)frame * (size_t)d->joint_count;
    return vec3_add(d->torque[at], vec3_cross(vec3_sub(root, point), d->force[at]));
}

double torque_sd_along(Vec3 sd, Vec3 correlation, Vec3 direction)
{
    Vec3 s = {sd.x * direction.x, sd.y * direction.y, sd.z * direction.z};
    double square = vec3_dot(s, s) +
                    2 * (correlation.x * s.x * s.y + correlation.y * s.x * s.z + correlation.z * s.y * s.z);
    return square > 0 ? sqrt(square) : 0;
}

void dynamics_free(Dynamics *d)
{
    if (!d)
        return;
    free(d->torque);
    free(d->force);
    free(d->power);
    free(d->residual_force);
    free(d->residual_torque);
    free(d->torque_sd);
    free(d->torque_correlation);
    *d = (Dynamics){0};
}

Status contact_init(Contact *c, int frame_count, int point_count, int has_moment, Error *err)
{
    size_t frames = (size_t)frame_count, points = (size_t)point_count;
    *c = (Contact){.frame_count = frame_count, .point_count = point_count, .ground_normal = {0, 1, 0}};
    int failed = 0;
    c->point_joint = array_need(&failed, points, 1, sizeof *c->point_joint);
    c->point_position = array_need(&failed, points, 1, sizeof *c->point_position);
    c->force = array_need(&failed, frames, points, sizeof *c->force);
    if (has_moment)
        c->moment = array_need(&failed, frames, points, sizeof *c->moment);
    c->state = array_need(&failed, frames, points, sizeof *c->state);
    c->foot_force = array_need(&failed, frames, FOOT_COUNT, sizeof *c->foot_force);
    c->foot_cop = array_need(&failed, frames, FOOT_COUNT, sizeof *c->foot_cop);
    c->foot_free_moment = array_need(&failed, frames, FOOT_COUNT, sizeof *c->foot_free_moment);
    c->confidence = array_need(&failed, frames, 1, sizeof *c->confidence);
    if (failed) {
        contact_free(c);
        return error_no_memory(err);
    }
    for (int f = 0; f < frame_count; f++)
        c->confidence[f] = 1;
    return STATUS_OK;
}

void contact_free(Contact *c)
{
    if (!c)
        return;
    free(c->point_joint);
    free(c->point_position);
    free(c->force);
    free(c->moment);
    free(c->state);
    free(c->foot_force);
    free(c->foot_cop);
    free(c->foot_free_moment);
    free(c->confidence);
    *c = (Contact){0};
}
