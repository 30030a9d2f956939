/* See hands.h. */
#include "analysis/retarget/hands.h"

#include "analysis/math/vec.h"
#include "analysis/retarget/two_bone.h"

#define STRAIGHT_ARM 0.97 /* fraction of the arm's length above which its reach is compressed */
#define ARM_ROOM 0.025    /* fraction of the arm's length by which it reaches further at most */

static const Role arms[2][3] = {{ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST},
                                {ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST}};

static double arm_length(const ReferencePose *r, int side)
{
    return vec3_norm(reference_between(r, arms[side][0], arms[side][1])) +
           vec3_norm(reference_between(r, arms[side][1], arms[side][2]));
}

static int has_arm(const ReferencePose *r, int side)
{
    return r->joint[arms[0][0]] >= 0 && r->joint[arms[1][0]] >= 0 && r->joint[arms[side][1]] >= 0 &&
           r->joint[arms[side][2]] >= 0 && arm_length(r, side) > 0;
}

static Vec3 shoulder_middle(const ReferencePose *r, const Vec3 *position)
{
    return vec3_scale(vec3_add(position[r->joint[arms[0][0]]], position[r->joint[arms[1][0]]]), 0.5);
}

static Vec3 wanted_wrist(const HandPoses *p, HandReach reach, int side, const Vec3 *target, const Vec3 *source)
{
    Vec3 wrist = source[p->source->joint[arms[side][2]]];
    if (reach == HANDS_WORLD)
        return vec3_scale(wrist, p->target->leg / p->source->leg);
    double scale = arm_length(p->target, side) / arm_length(p->source, side);
    return vec3_mad(shoulder_middle(p->target, target), scale, vec3_sub(wrist, shoulder_middle(p->source, source)));
}

static Quat local_rotation(Quat parent, Quat joint) { return quat_normalize(quat_mul(quat_conjugate(parent), joint)); }

static void reach_with(const HandPoses *p, HandReach reach, int side, int f, Motion *motion)
{
    const int *parent = p->target->skeleton->parent;
    size_t row = (size_t)f * (size_t)p->pose->joint_count;
    const Vec3 *x = p->pose->position + row;
    const Quat *q = p->pose->orientation + row;
    Quat *local = motion->rotation + motion_index(motion, f, 0);
    int shoulder = p->target->joint[arms[side][0]], elbow = p->target->joint[arms[side][1]],
        wrist = p->target->joint[arms[side][2]];
    const Vec3 *source = p->source_position + (size_t)f * (size_t)p->source->skeleton->joint_count;
    Vec3 to = wanted_wrist(p, reach, side, x, source);
    /* a straight arm bends forward, about the normal of the upper arm and the body's front */
    int hips = p->target->joint[ROLE_HIPS];
    Vec3 front = quat_rotate(quat_mul(q[hips], quat_conjugate(p->target->orientation[hips])),
                             quat_rotate(p->target->body, vec3(0, 0, 1)));
    TwoBone arm = {x[shoulder], x[elbow], x[wrist], vec3_cross(vec3_sub(x[elbow], x[shoulder]), front)};
    double length = vec3_distance(x[shoulder], x[elbow]) + vec3_distance(x[elbow], x[wrist]);
    double ratio = two_bone_soft_ratio(vec3_distance(to, x[shoulder]) / length, STRAIGHT_ARM, ARM_ROOM);
    TwoBoneRotation rotation = two_bone_solve(&arm, to, ratio * length);
    local[shoulder] = local_rotation(q[parent[shoulder]], quat_mul(rotation.root, q[shoulder]));
    local[elbow] = local_rotation(quat_mul(rotation.root, q[parent[elbow]]), quat_mul(rotation.middle, q[elbow]));
    local[wrist] = local_rotation(quat_mul(rotation.middle, q[parent[wrist]]), q[wrist]);
}

void hands_reach(const HandPoses *poses, HandReach reach, Motion *motion)
{
    for (int side = 0; side < 2 && (reach == HANDS_BODY || reach == HANDS_WORLD); side++)
        for (int f = 0; f < motion->frame_count && has_arm(poses->target, side) && has_arm(poses->source, side); f++)
            reach_with(poses, reach, side, f, motion);
}

double hands_error(const HandPoses *poses, HandReach reach)
{
    double sum = 0;
    int count = 0;
    for (int side = 0; side < 2; side++)
        for (int f = 0; f < poses->pose->frame_count && has_arm(poses->target, side) && has_arm(poses->source, side);
             f++) {
            const Vec3 *x = poses->pose->position + (size_t)f * (size_t)poses->pose->joint_count;
            const Vec3 *source = poses->source_position + (size_t)f * (size_t)poses->source->skeleton->joint_count;
            sum += vec3_distance(x[poses->target->joint[arms[side][2]]], wanted_wrist(poses, reach, side, x, source));
            count++;
        }
    return count ? sum / count : NAN;
}
