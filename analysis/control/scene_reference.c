/* Reference of a scene file (scene_reference.h). */
#include "analysis/control/scene_reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/sim/scene_clip.h"

#define MAX_STEPS 10000000

static Status check_body(const Model *m, int b, Error *err)
{
    const ModelBody *body = &m->body[b];
    const ModelJoint *j = &m->joint[body->joint_start];
    if ((b == 1) != (body->parent == 0))
        return error_set(err, STATUS_BAD_INPUT, "body \"%s\": tracking supports scenes with one tree on the world",
                         body->name);
    if (body->joint_count != 1 || (j->kind != MODEL_HINGE && j->kind != MODEL_BALL) || vec3_norm(j->anchor) > 0)
        return error_set(err, STATUS_BAD_INPUT,
                         "body \"%s\": tracking supports bodies with one hinge or ball joint at the body origin",
                         body->name);
    if (j->stiffness > 0 || j->damping > 0 || j->armature > 0 || j->limited)
        return error_set(err, STATUS_BAD_INPUT,
                         "joint \"%s\": tracking does not support springs, damping, armature or limits", j->name);
    return STATUS_OK;
}

static Status check_model(const Model *m, double dt, Error *err)
{
    Status status = STATUS_OK;
    if (m->body_count < 2)
        return error_set(err, STATUS_BAD_INPUT, "the scene has no bodies");
    for (int b = 1; !status && b < m->body_count; b++)
        status = check_body(m, b, err);
    if (status)
        return status;
    if (m->equality_count || m->tendon_count)
        return error_set(err, STATUS_BAD_INPUT, "tracking does not support equality constraints and tendons");
    if (m->key_count == 0)
        return error_set(err, STATUS_BAD_INPUT, "the scene has no keyframes to follow");
    for (int k = 1; k < m->key_count; k++)
        if (!(m->key[k].time > m->key[k - 1].time))
            return error_set(err, STATUS_BAD_INPUT, "keyframe %d: time not increasing", k + 1);
    double span = m->key[m->key_count - 1].time - m->key[0].time;
    if (!(dt > 0) || span / dt > MAX_STEPS)
        return error_set(err, STATUS_USAGE, "a scene of %g s in steps of %g s", span, dt);
    return STATUS_OK;
}

/* Rotation of a joint in its parent at a time, between two keyframes. */
static Quat rotation_at(const Model *m, int body, double time)
{
    const ModelJoint *j = &m->joint[m->body[body].joint_start];
    int next = 1;
    while (next < m->key_count - 1 && m->key[next].time <= time)
        next++;
    const ModelKey *a = &m->key[next - 1], *b = m->key_count > 1 ? &m->key[next] : a;
    double t = b->time > a->time ? fmin(1, fmax(0, (time - a->time) / (b->time - a->time))) : 0;
    const double *from = a->q + j->q_start, *to = b->q + j->q_start;
    Quat rotation;
    if (j->kind == MODEL_HINGE) {
        double angle = t == 0 ? *from : t == 1 ? *to : *from + t * (*to - *from);
        rotation = quat_from_axis_angle(j->axis, angle - j->reference);
    } else
        rotation = quat_slerp((Quat){from[0], from[1], from[2], from[3]}, (Quat){to[0], to[1], to[2], to[3]}, t);
    return quat_mul(m->body[body].orientation, rotation);
}

static Status fill_skeleton(const Model *m, const Clip *whole, Quat up, Clip *out, Error *err)
{
    int joints = m->body_count - 1;
    Status status = skeleton_init(&out->skeleton, joints, whole->skeleton.end_count, err);
    if (!status)
        status = body_init(&out->body, joints, err);
    for (int j = 0; !status && j < joints; j++) {
        status = skeleton_set_name(&out->skeleton, j, whole->skeleton.name[j + 1], err);
        out->skeleton.parent[j] = whole->skeleton.parent[j + 1] - 1;
        out->skeleton.offset[j] = j ? whole->skeleton.offset[j + 1] : quat_rotate(up, whole->skeleton.offset[1]);
        out->body.mass[j] = whole->body.mass[j + 1];
        out->body.com[j] = whole->body.com[j + 1];
        out->body.inertia[j] = whole->body.inertia[j + 1];
    }
    for (int e = 0; !status && e < whole->skeleton.end_count; e++) {
        out->skeleton.end_parent[e] = whole->skeleton.end_parent[e] - 1;
        out->skeleton.end_offset[e] = whole->skeleton.end_offset[e];
    }
    out->body.total_mass = whole->body.total_mass;
    return status;
}

static Status fill_motion(const Model *m, double dt, Quat up, SceneReference *r, Error *err)
{
    double start = m->key[0].time, span = m->key[m->key_count - 1].time - start;
    int joints = m->body_count - 1, frames = (int)lround(span / dt) + 1;
    Status status = motion_init(&r->clip.motion, frames, joints, dt, 0, err);
    for (int f = 0; !status && f < frames; f++) {
        r->clip.motion.root_position[f] = r->clip.skeleton.offset[0];
        for (int j = 0; j < joints; j++) {
            Quat q = rotation_at(m, j + 1, start + f * dt);
            r->clip.motion.rotation[motion_index(&r->clip.motion, f, j)] = j ? q : quat_mul(up, q);
        }
    }
    return status;
}

static Status fill_joints(const Model *m, Quat up, SceneReference *r, Error *err)
{
    size_t joints = (size_t)m->body_count - 1;
    r->axis = array_new(joints, 1, sizeof *r->axis);
    r->rest = array_new(joints, 1, sizeof *r->rest);
    if (!r->axis || !r->rest)
        return error_no_memory(err);
    for (size_t j = 0; j < joints; j++) {
        const ModelJoint *joint = &m->joint[m->body[j + 1].joint_start];
        r->axis[j] = joint->kind == MODEL_HINGE ? joint->axis : vec3(0, 0, 0);
        r->rest[j] = j ? m->body[j + 1].orientation : quat_mul(up, m->body[1].orientation);
    }
    return STATUS_OK;
}

Status scene_reference_init(const Model *m, double dt, SceneReference *out, Error *err)
{
    const char *name;
    Clip whole = {0};
    Quat up = scene_up_turn(m, &name);
    *out = (SceneReference){.gravity = quat_rotate(up, m->gravity)};
    Status status = check_model(m, dt, err);
    if (!status)
        status = scene_clip_bodies(m, &whole, err);
    if (!status)
        status = fill_skeleton(m, &whole, up, &out->clip, err);
    if (!status)
        status = fill_motion(m, dt, up, out, err);
    if (!status)
        status = fill_joints(m, up, out, err);
    clip_free(&whole);
    if (status) {
        scene_reference_free(out);
        return status;
    }
    out->clip.has_body = 1;
    out->clip.provenance.frame_time = dt;
    out->clip.provenance.meters_per_unit = 1;
    snprintf(out->clip.provenance.up_axis, sizeof out->clip.provenance.up_axis, "%s", name);
    return STATUS_OK;
}

Status scene_reference_limit(const Model *m, const SceneAngleLimits *limits, int count, SceneReference *out,
                             Error *err)
{
    out->limited_joint = array_new((size_t)count, 1, sizeof *out->limited_joint);
    out->limit = array_new((size_t)count, 1, sizeof *out->limit);
    if (!out->limited_joint || !out->limit)
        return error_no_memory(err);
    out->limit_count = count;
    for (int i = 0; i < count; i++) {
        out->limited_joint[i] = m->joint[limits[i].joint].body - 1;
        out->limit[i] = limits[i].limits;
        out->limit[i].parent = out->rest[out->limited_joint[i]];
    }
    return STATUS_OK;
}

void scene_reference_free(SceneReference *r)
{
    if (!r)
        return;
    clip_free(&r->clip);
    free(r->axis);
    free(r->rest);
    free(r->limited_joint);
    free(r->limit);
    *r = (SceneReference){0};
}
