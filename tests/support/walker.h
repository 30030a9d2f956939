/* Walker for tests: a human skeleton of 20 joints with roles, 1.73 m tall, that walks along +z on the floor y = 0; and
 * the same in another unit with another up axis. */
#ifndef KANE_TESTS_WALKER_H
#define KANE_TESTS_WALKER_H

#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/detect/up_axis.h"
#include "analysis/math/elementary.h"

enum { WALKER_JOINTS = 20, WALKER_ENDS = 5 };

typedef struct WalkerJoint {
    const char *name;
    Role role;
    int parent;
    Vec3 offset; /* m */
} WalkerJoint;

static const WalkerJoint walker_joints[WALKER_JOINTS] = {
    {"Hips", ROLE_HIPS, -1, {0, 0.95, 0}},
    {"LeftUpLeg", ROLE_LEFT_HIP, 0, {0.09, -0.05, 0}},
    {"LeftLeg", ROLE_LEFT_KNEE, 1, {0, -0.42, 0}},
    {"LeftFoot", ROLE_LEFT_ANKLE, 2, {0, -0.40, 0}},
    {"LeftToeBase", ROLE_LEFT_TOE, 3, {0, -0.06, 0.13}},
    {"RightUpLeg", ROLE_RIGHT_HIP, 0, {-0.09, -0.05, 0}},
    {"RightLeg", ROLE_RIGHT_KNEE, 5, {0, -0.42, 0}},
    {"RightFoot", ROLE_RIGHT_ANKLE, 6, {0, -0.40, 0}},
    {"RightToeBase", ROLE_RIGHT_TOE, 7, {0, -0.06, 0.13}},
    {"Spine", ROLE_SPINE, 0, {0, 0.12, 0}},
    {"Spine1", ROLE_CHEST, 9, {0, 0.18, 0}},
    {"Neck", ROLE_NECK, 10, {0, 0.22, 0}},
    {"Head", ROLE_HEAD, 11, {0, 0.10, 0}},
    {"LeftArm", ROLE_LEFT_SHOULDER, 10, {0.18, 0.16, 0}},
    {"LeftForeArm", ROLE_LEFT_ELBOW, 13, {0.28, 0, 0}},
    {"LeftHand", ROLE_LEFT_WRIST, 14, {0.25, 0, 0}},
    {"RightArm", ROLE_RIGHT_SHOULDER, 10, {-0.18, 0.16, 0}},
    {"RightForeArm", ROLE_RIGHT_ELBOW, 16, {-0.28, 0, 0}},
    {"RightHand", ROLE_RIGHT_WRIST, 17, {-0.25, 0, 0}},
    {"HeadNub", ROLE_NONE, 12, {0, 0.1, 0}},
};
static const int walker_end_parent[WALKER_ENDS] = {4, 8, 15, 18, 19};
static const Vec3 walker_end_offset[WALKER_ENDS] = {
    {0, -0.02, 0.07}, {0, -0.02, 0.07}, {0.08, 0, 0}, {-0.08, 0, 0}, {0, 0.05, 0}};

static inline void walker_skeleton(Skeleton *s)
{
    assert_int_equal(skeleton_init(s, WALKER_JOINTS, WALKER_ENDS, NULL), STATUS_OK);
    for (int j = 0; j < WALKER_JOINTS; j++) {
        skeleton_set_name(s, j, walker_joints[j].name, NULL);
        s->parent[j] = walker_joints[j].parent;
        s->offset[j] = walker_joints[j].offset;
        s->role[j] = s->segment[j] = walker_joints[j].role;
    }
    for (int e = 0; e < WALKER_ENDS; e++) {
        s->end_parent[e] = walker_end_parent[e];
        s->end_offset[e] = walker_end_offset[e];
    }
}

/* The same skeleton in the shape of the CMU library: a helper at the hips carries each leg, and the spine begins there.
 * walker_cmu_motion moves it. */
enum { WALKER_HELPERS = 2 };
static inline int walker_cmu_joint(int j) { return j + (j >= 1) + (j >= 5); }

static inline void walker_cmu_skeleton(Skeleton *s)
{
    assert_int_equal(skeleton_init(s, WALKER_JOINTS + WALKER_HELPERS, WALKER_ENDS, NULL), STATUS_OK);
    for (int j = 0; j < WALKER_JOINTS; j++) {
        const WalkerJoint *joint = &walker_joints[j];
        int k = walker_cmu_joint(j), is_leg = j == 1 || j == 5, is_at_parent = j == 9 || j == 11;
        skeleton_set_name(s, k, joint->name, NULL);
        s->parent[k] = is_leg ? k - 1 : j ? walker_cmu_joint(joint->parent) : -1;
        s->offset[k] = is_at_parent ? vec3(0, 0, 0) : joint->offset;
        s->role[k] = s->segment[k] = joint->role;
        if (!is_leg)
            continue;
        skeleton_set_name(s, k - 1, j == 1 ? "helper_l" : "helper_r", NULL);
        s->parent[k - 1] = 0;
        s->offset[k - 1] = vec3(0, 0, 0);
        s->role[k - 1] = ROLE_NONE;
        s->segment[k - 1] = ROLE_HIPS;
    }
    for (int e = 0; e < WALKER_ENDS; e++) {
        s->end_parent[e] = walker_cmu_joint(walker_end_parent[e]);
        s->end_offset[e] = walker_end_offset[e];
    }
}

/* 1.1 m/s, one stride per second, arms swing. */
static inline void walker_motion(Motion *m, int frames, double fps)
{
    assert_int_equal(motion_init(m, frames, WALKER_JOINTS, 1 / fps, 0, NULL), STATUS_OK);
    for (int f = 0; f < frames; f++) {
        double t = f / fps, s = elementary_sin(2 * PI * t), c = elementary_cos(4 * PI * t);
        Quat *q = m->rotation + (size_t)f * WALKER_JOINTS;
        m->root_position[f] = vec3(0.3 + 0.02 * s, 0.94 + 0.015 * c, 1.1 * t - 2);
        for (int j = 0; j < WALKER_JOINTS; j++)
            q[j] = QUAT_IDENTITY;
        q[0] = quat_from_axis_angle(vec3(0, 1, 0), 0.1 * s);
        q[1] = quat_from_axis_angle(vec3(1, 0, 0), 0.4 * s);
        q[2] = quat_from_axis_angle(vec3(1, 0, 0), 0.3 - 0.25 * s);
        q[5] = quat_from_axis_angle(vec3(1, 0, 0), -0.4 * s);
        q[6] = quat_from_axis_angle(vec3(1, 0, 0), 0.3 + 0.25 * s);
        q[13] = quat_mul(quat_from_axis_angle(vec3(0, 0, 1), -1.3), quat_from_axis_angle(vec3(0, 1, 0), 0.3 * s));
        q[16] = quat_mul(quat_from_axis_angle(vec3(0, 0, 1), 1.3), quat_from_axis_angle(vec3(0, 1, 0), 0.3 * s));
    }
    motion_make_continuous(m);
}

static inline void walker_cmu_motion(Motion *m, int frames, double fps)
{
    Motion walk;
    enum { JOINTS = WALKER_JOINTS + WALKER_HELPERS };
    walker_motion(&walk, frames, fps);
    assert_int_equal(motion_init(m, frames, JOINTS, 1 / fps, 0, NULL), STATUS_OK);
    for (int f = 0; f < frames; f++) {
        m->root_position[f] = walk.root_position[f];
        for (int j = 0; j < JOINTS; j++)
            m->rotation[f * JOINTS + j] = QUAT_IDENTITY;
        for (int j = 0; j < WALKER_JOINTS; j++)
            m->rotation[f * JOINTS + walker_cmu_joint(j)] = walk.rotation[f * WALKER_JOINTS + j];
    }
    motion_free(&walk);
}

/* Rotation from the axes of a file to the world (docs/formats/conventions.md "Axes"). */
static inline Quat walker_turn(UpAxis up)
{
    switch (up) {
    case UP_X: return quat_from_axis_angle(vec3(0, 0, 1), PI / 2);
    case UP_Z: return quat_from_axis_angle(vec3(1, 0, 0), -PI / 2);
    case UP_MINUS_X: return quat_from_axis_angle(vec3(0, 0, 1), -PI / 2);
    case UP_MINUS_Y: return quat_from_axis_angle(vec3(1, 0, 0), PI);
    case UP_MINUS_Z: return quat_from_axis_angle(vec3(1, 0, 0), PI / 2);
    default: return QUAT_IDENTITY;
    }
}

/* Converts from m and +Y up to the unit and axes of a file. */
static inline void walker_to_file(Skeleton *s, Motion *m, double meters_per_unit, UpAxis up)
{
    Quat back = quat_conjugate(walker_turn(up));
    for (int j = 0; j < s->joint_count; j++)
        s->offset[j] = vec3_scale(quat_rotate(back, s->offset[j]), 1 / meters_per_unit);
    for (int e = 0; e < s->end_count; e++)
        s->end_offset[e] = vec3_scale(quat_rotate(back, s->end_offset[e]), 1 / meters_per_unit);
    for (int f = 0; f < m->frame_count; f++)
        m->root_position[f] = vec3_scale(quat_rotate(back, m->root_position[f]), 1 / meters_per_unit);
    for (size_t i = 0; i < (size_t)m->frame_count * (size_t)m->joint_count; i++)
        m->rotation[i] = quat_mul(quat_mul(back, m->rotation[i]), quat_conjugate(back));
}

#endif
