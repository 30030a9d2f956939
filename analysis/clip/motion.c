/* See motion.h. */
#include "analysis/clip/motion.h"

#include <math.h>
#include <string.h>

#include "analysis/base/arena.h"

/* Pose, velocity and acceleration of every joint in the world. */

Status kinematics_init(Kinematics *k, int frame_count, int joint_count, int has_com, Error *err)
{
    size_t frames = (size_t)frame_count, joints = (size_t)joint_count;
    *k = (Kinematics){.frame_count = frame_count, .joint_count = joint_count};
    int failed = 0;
    k->position = array_need(&failed, frames, joints, sizeof *k->position);
    k->orientation = array_need(&failed, frames, joints, sizeof *k->orientation);
    k->angular_velocity = array_need(&failed, frames, joints, sizeof *k->angular_velocity);
    k->angular_acceleration = array_need(&failed, frames, joints, sizeof *k->angular_acceleration);
    k->velocity = array_need(&failed, frames, joints, sizeof *k->velocity);
    k->acceleration = array_need(&failed, frames, joints, sizeof *k->acceleration);
    k->valid = array_need(&failed, frames, 1, sizeof *k->valid);
    if (has_com)
        k->com = array_need(&failed, frames, 1, sizeof *k->com);
    if (failed) {
        kinematics_free(k);
        return error_no_memory(err);
    }
    return STATUS_OK;
}

void kinematics_free(Kinematics *k)
{
    if (!k)
        return;
    free(k->position);
    free(k->orientation);
    free(k->angular_velocity);
    free(k->angular_acceleration);
    free(k->velocity);
    free(k->acceleration);
    free(k->com);
    free(k->valid);
    *k = (Kinematics){0};
}

/* Mass properties of every segment. */

Status body_init(Body *b, int joint_count, Error *err)
{
    size_t joints = (size_t)joint_count;
    *b = (Body){.joint_count = joint_count};
    int failed = 0;
    b->mass = array_need(&failed, joints, 1, sizeof *b->mass);
    b->com = array_need(&failed, joints, 1, sizeof *b->com);
    b->inertia = array_need(&failed, joints, 1, sizeof *b->inertia);
    if (failed) {
        body_free(b);
        return error_no_memory(err);
    }
    return STATUS_OK;
}

void body_free(Body *b)
{
    if (!b)
        return;
    free(b->mass);
    free(b->com);
    free(b->inertia);
    *b = (Body){0};
}

Status body_copy(Body *to, const Body *from, Error *err)
{
    size_t joints = (size_t)from->joint_count;
    Body copy = *from;
    Status status = body_init(to, from->joint_count, err);
    if (status)
        return status;
    copy.mass = memcpy(to->mass, from->mass, joints * sizeof *to->mass);
    copy.com = memcpy(to->com, from->com, joints * sizeof *to->com);
    copy.inertia = memcpy(to->inertia, from->inertia, joints * sizeof *to->inertia);
    *to = copy;
    return STATUS_OK;
}

Status motion_init(Motion *m, int frame_count, int joint_count, double frame_time, int has_translation, Error *err)
{
    size_t frames = (size_t)frame_count, joints = (size_t)joint_count;
    *m = (Motion){.frame_count = frame_count, .joint_count = joint_count, .frame_time = frame_time};
    int failed = 0;
    m->time = array_need(&failed, frames, 1, sizeof *m->time);
    m->root_position = array_need(&failed, frames, 1, sizeof *m->root_position);
    m->rotation = array_need(&failed, frames, joints, sizeof *m->rotation);
    if (has_translation)
        m->translation = array_need(&failed, frames, joints, sizeof *m->translation);
    if (failed) {
        motion_free(m);
        return error_no_memory(err);
    }
    for (int f = 0; f < frame_count; f++)
        m->time[f] = f * frame_time;
    return STATUS_OK;
}

void motion_free(Motion *m)
{
    if (!m)
        return;
    free(m->time);
    free(m->root_position);
    free(m->rotation);
    free(m->translation);
    *m = (Motion){0};
}

void motion_make_continuous(Motion *m)
{
    size_t joints = (size_t)m->joint_count;
    for (size_t j = 0; j < joints && m->frame_count > 0; j++)
        m->rotation[j] = quat_nearest(m->rotation[j], QUAT_IDENTITY);
    for (size_t i = joints; i < (size_t)m->frame_count * joints; i++)
        m->rotation[i] = quat_nearest(m->rotation[i], m->rotation[i - joints]);
}

double rotations_length_error(const Quat *rotation, size_t count, size_t *at)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        double error = fabs(sqrt(quat_dot(rotation[i], rotation[i])) - 1);
        if (error <= largest)
            continue;
        largest = isnan(error) ? INFINITY : error;
        if (at)
            *at = i;
    }
    return largest;
}

Status motion_copy(Motion *out, const Motion *from, Error *err)
{
    size_t frames = (size_t)from->frame_count, joints = (size_t)from->joint_count;
    Status status =
        motion_init(out, from->frame_count, from->joint_count, from->frame_time, from->translation != NULL, err);
    if (status != STATUS_OK)
        return status;
    memcpy(out->time, from->time, frames * sizeof *out->time);
    memcpy(out->root_position, from->root_position, frames * sizeof *out->root_position);
    memcpy(out->rotation, from->rotation, frames * joints * sizeof *out->rotation);
    if (from->translation)
        memcpy(out->translation, from->translation, frames * joints * sizeof *out->translation);
    return STATUS_OK;
}
