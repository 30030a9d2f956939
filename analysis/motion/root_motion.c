/* See root_motion.h. */
#include "analysis/motion/root_motion.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"
#include "analysis/motion/joint_pose.h"

const char *const root_motion_names[] = {"keep", "travel", "in-place", "hips", NULL};

static const Vec3 up = {0, 1, 0};

static Quat yaw_rotation(double yaw) { return quat_from_axis_angle(up, yaw); }

Vec3 ground_move_point(const GroundMove *move, Vec3 point)
{
    return vec3_add(quat_rotate(yaw_rotation(move->yaw), point), move->shift);
}

Quat ground_move_rotation(const GroundMove *move, Quat rotation)
{
    return quat_normalize(quat_mul(yaw_rotation(move->yaw), rotation));
}

GroundMove ground_move_inverse(const GroundMove *move)
{
    return (GroundMove){-move->yaw, vec3_scale(quat_rotate(yaw_rotation(-move->yaw), move->shift), -1)};
}

/* sin(x) / x. */
static double sinc(double x) { return fabs(x) < 1e-4 ? 1 - x * x / 6 : elementary_sin(x) / x; }

/* The exponential map of plane motions: a shift is sinc(yaw / 2) times the velocity turned by yaw / 2. */
GroundMove ground_move_fraction(const GroundMove *move, double fraction)
{
    double half = 0.5 * move->yaw, stretch = fraction * sinc(fraction * half) / sinc(half);
    Vec3 along = vec3(move->shift.x, 0, move->shift.z);
    Vec3 shift = vec3_scale(quat_rotate(yaw_rotation((fraction - 1) * half), along), stretch);
    shift.y = fraction * move->shift.y;
    return (GroundMove){fraction * move->yaw, shift};
}

double heading_between(Quat from, Quat to)
{
    Quat turn = quat_mul(to, quat_conjugate(from));
    double yaw = 2 * elementary_atan2(turn.y, turn.w);
    return yaw > PI ? yaw - 2 * PI : yaw <= -PI ? yaw + 2 * PI : yaw;
}

int root_motion_carrier(const Skeleton *skeleton)
{
    int hips = skeleton_find_role(skeleton, ROLE_HIPS);
    return hips < 0 ? 0 : hips;
}

void root_motion_move(Motion *motion, int frame, const GroundMove *move)
{
    Quat *root = &motion->rotation[motion_index(motion, frame, 0)];
    motion->root_position[frame] = ground_move_point(move, motion->root_position[frame]);
    *root = ground_move_rotation(move, *root);
}

/* Gives a joint another pose in a frame; its children keep theirs in the world. */
static void place_joint(const Skeleton *s, Motion *m, int frame, int joint, JointPose now)
{
    JointPose old = joint_pose(s, m, frame, joint);
    Quat turn = quat_mul(quat_conjugate(now.orientation), old.orientation);
    for (int j = 1; j < m->joint_count; j++) {
        size_t at = motion_index(m, frame, j);
        if (s->parent[j] != joint)
            continue;
        Vec3 place = vec3_add(old.position, quat_rotate(old.orientation, m->translation[at]));
        m->translation[at] = quat_rotate_inverse(now.orientation, vec3_sub(place, now.position));
        m->rotation[at] = quat_normalize(quat_mul(turn, m->rotation[at]));
    }
    joint_pose_set(s, m, frame, joint, now);
}

RootPose root_motion_pose(const Skeleton *skeleton, const Motion *motion, int frame, int joint)
{
    RootPose rest = {skeleton->offset[0], QUAT_IDENTITY, QUAT_IDENTITY};
    for (int j = joint; j > 0; j = skeleton->parent[j])
        rest.position = vec3_add(rest.position, skeleton->offset[j]);
    if (!motion || motion->frame_count == 0)
        return rest;
    JointPose pose = joint_pose(skeleton, motion, frame, joint);
    return (RootPose){pose.position, pose.orientation,
                      joint_pose(skeleton, motion, frame, root_motion_carrier(skeleton)).orientation};
}

void root_motion_stop(const Skeleton *skeleton, Motion *motion)
{
    int hips = root_motion_carrier(skeleton), last = motion->frame_count - 1;
    if (last < 1)
        return;
    Vec3 path = vec3_sub(joint_pose(skeleton, motion, last, hips).position,
                         joint_pose(skeleton, motion, 0, hips).position);
    for (int f = 0; f <= last; f++) {
        Vec3 shift = vec3_scale(vec3(path.x, 0, path.z), -(double)f / last);
        motion->root_position[f] = vec3_add(motion->root_position[f], shift);
    }
}

Status root_motion_place(const Skeleton *skeleton, RootMotion kind, Motion *motion, Error *err)
{
    RootPlace place = {0, kind, root_motion_pose(skeleton, motion, 0, 0)};
    return root_motion_place_as(skeleton, &place, motion, err);
}

Status root_motion_place_as(const Skeleton *skeleton, const RootPlace *place, Motion *motion, Error *err)
{
    int hips = root_motion_carrier(skeleton);
    const RootPose *start = &place->start;
    if (hips == place->joint || motion->frame_count == 0 ||
        (place->kind != ROOT_MOTION_TRAVEL && place->kind != ROOT_MOTION_HIPS))
        return STATUS_OK;
    Status status = joint_pose_add_translations(skeleton, motion, err);
    if (status)
        return status;
    for (int f = 0; f < motion->frame_count; f++) {
        JointPose body = joint_pose(skeleton, motion, f, hips), now = {start->position, start->orientation};
        if (place->kind == ROOT_MOTION_TRAVEL) {
            now.position = vec3(body.position.x, start->position.y, body.position.z);
            now.orientation = quat_mul(yaw_rotation(heading_between(start->hips, body.orientation)),
                                       start->orientation);
        }
        place_joint(skeleton, motion, f, place->joint, now);
    }
    motion_make_continuous(motion);
    return STATUS_OK;
}
