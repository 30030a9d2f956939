/* See torque_terms.h. */
#include "analysis/dynamics/torque_terms.h"

#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/base/standard_gravity.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/dynamics/loads.h"

const char *const torque_term_names[TERM_COUNT] = {
    [TERM_GRAVITY] = "gravity", [TERM_LINEAR_INERTIA] = "linear_inertia", [TERM_ANGULAR_INERTIA] = "angular_inertia",
    [TERM_GYROSCOPIC] = "gyroscopic", [TERM_GROUND_LEFT] = "ground_left", [TERM_GROUND_RIGHT] = "ground_right",
    [TERM_CONTACT] = "contact", [TERM_EXTERNAL] = "external", [TERM_SPRINGS] = "springs",
};

Status torque_terms_init(TorqueTerms *t, const ClipView *clip, const TermSource *source, int source_count, Error *err)
{
    size_t joints = (size_t)clip->skeleton->joint_count;
    *t = (TorqueTerms){.clip = *clip};
    if (source_count > TERM_SOURCES)
        return error_set(err, STATUS_USAGE, "%d sources of loads, at most %d", source_count, TERM_SOURCES);
    for (int i = 0; i < source_count; i++) {
        if (source[i].loads->load_count > 0 && source[i].loads->frame_count != clip->kinematics->frame_count)
            return error_set(err, STATUS_USAGE, "loads have %d frames, kinematics %d", source[i].loads->frame_count,
                             clip->kinematics->frame_count);
        t->source[t->source_count++] = source[i];
    }
    t->load = arena_array(&t->memory, joints, TERM_COUNT, sizeof *t->load);
    t->acceleration = arena_array(&t->memory, joints, 1, sizeof *t->acceleration);
    if (!t->memory.failed)
        return STATUS_OK;
    torque_terms_free(t);
    return error_no_memory(err);
}

void torque_terms_free(TorqueTerms *t)
{
    arena_free(&t->memory);
    *t = (TorqueTerms){0};
}

/* alpha x arm + omega x (omega x arm): acceleration along a rigid segment (3.7). */
static Vec3 segment_acceleration(const Kinematics *k, size_t at, Vec3 arm)
{
    Vec3 omega = k->angular_velocity[at];
    return vec3_add(vec3_cross(k->angular_acceleration[at], arm), vec3_cross(omega, vec3_cross(omega, arm)));
}

/* Sets the acceleration of a joint centre; if joints translate it is that of the kinematics, as in inverse_dynamics. */
static void find_acceleration(TorqueTerms *t, size_t row, int joint)
{
    const Kinematics *k = t->clip.kinematics;
    int parent = t->clip.skeleton->parent[joint];
    size_t up = row + (size_t)parent;
    if (parent < 0 || t->clip.motion->translation) {
        t->acceleration[joint] = k->acceleration[row + (size_t)joint];
        return;
    }
    Vec3 arm = quat_rotate(k->orientation[up], t->clip.skeleton->offset[joint]);
    t->acceleration[joint] = vec3_add(t->acceleration[parent], segment_acceleration(k, up, arm));
}

/* Sets the terms of the joint's own segment about its joint centre. */
static void add_segment(const TorqueTerms *t, size_t row, int joint, TermLoad *term)
{
    const Kinematics *k = t->clip.kinematics;
    const Body *body = t->clip.body;
    size_t at = row + (size_t)joint;
    Quat axes = k->orientation[at];
    Vec3 com = quat_rotate(axes, body->com[joint]);
    Vec3 weight = vec3(0, -GRAVITY * body->mass[joint], 0);
    Vec3 acceleration = vec3_add(t->acceleration[joint], segment_acceleration(k, at, com));
    Vec3 inertial = vec3_scale(acceleration, -body->mass[joint]);
    Vec3 omega = quat_rotate_inverse(axes, k->angular_velocity[at]);
    Vec3 alpha = quat_rotate_inverse(axes, k->angular_acceleration[at]);
    Sym3 inertia = body->inertia[joint];
    term[TERM_GRAVITY] = (TermLoad){vec3_neg(vec3_cross(com, weight)), weight};
    term[TERM_LINEAR_INERTIA] = (TermLoad){vec3_neg(vec3_cross(com, inertial)), inertial};
    term[TERM_ANGULAR_INERTIA].moment = quat_rotate(axes, sym3_mul(inertia, alpha));
    term[TERM_GYROSCOPIC].moment = quat_rotate(axes, vec3_cross(omega, sym3_mul(inertia, omega)));
}

static void add_source(const TorqueTerms *t, const TermSource *source, int frame)
{
    const Loads *loads = source->loads;
    const Vec3 *centre = t->clip.kinematics->position + (size_t)frame * (size_t)t->clip.kinematics->joint_count;
    for (int l = 0; l < loads->load_count; l++) {
        size_t at = (size_t)frame * (size_t)loads->load_count + (size_t)l;
        TermLoad *term = &t->load[(size_t)loads->joint[l] * TERM_COUNT + source->term[l]];
        Vec3 about_centre = vec3_sub(loads->moment[at], vec3_cross(centre[loads->joint[l]], loads->force[at]));
        term->force = vec3_add(term->force, loads->force[at]);
        term->moment = vec3_sub(term->moment, about_centre);
    }
}

/* Adds a joint's terms to its parent, about the parent's centre. */
static void hand_inward(const TorqueTerms *t, size_t row, int joint)
{
    const Vec3 *centre = t->clip.kinematics->position + row;
    int parent = t->clip.skeleton->parent[joint];
    TermLoad *own = t->load + (size_t)joint * TERM_COUNT, *up = t->load + (size_t)parent * TERM_COUNT;
    Vec3 arm = vec3_sub(centre[joint], centre[parent]);
    for (int i = 0; i < TERM_COUNT; i++) {
        up[i].force = vec3_add(up[i].force, own[i].force);
        up[i].moment = vec3_add(up[i].moment, vec3_sub(own[i].moment, vec3_cross(arm, own[i].force)));
    }
}

void torque_terms_at(TorqueTerms *t, int frame)
{
    int joints = t->clip.skeleton->joint_count;
    size_t row = (size_t)frame * (size_t)joints;
    memset(t->load, 0, (size_t)joints * TERM_COUNT * sizeof *t->load);
    for (int j = 0; j < joints; j++) {
        find_acceleration(t, row, j);
        add_segment(t, row, j, t->load + (size_t)j * TERM_COUNT);
    }
    for (int i = 0; i < t->source_count; i++)
        add_source(t, &t->source[i], frame);
    for (int j = joints - 1; j > 0; j--)
        hand_inward(t, row, j);
}

Vec3 torque_terms_sum(const TermLoad *term)
{
    Vec3 sum = vec3(0, 0, 0);
    for (int i = 0; i < TERM_COUNT; i++)
        sum = vec3_add(sum, term[i].moment);
    return sum;
}

/* F x (r x F) = r |F|^2 for r perpendicular to F. The load's moment is the negative of the moment in the joint's
 * torque. */
Vec3 term_lever_arm(const TermLoad *term)
{
    double square = vec3_dot(term->force, term->force);
    return square > 0 ? vec3_scale(vec3_cross(term->moment, term->force), 1 / square) : vec3(0, 0, 0);
}
