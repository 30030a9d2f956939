/* See ik_bones.h. */
#include "analysis/retarget/ik_bones.h"

#include "analysis/body/role_name.h"
#include "analysis/math/vec.h"
#include "analysis/motion/joint_pose.h"

#define ON_LIMB 0.02   /* leg lengths: a joint this near to an ankle or wrist at rest lies on it */
#define AT_LIMB 0.15   /* leg lengths: an IK bone farther from its limb at rest has no place of its own */

enum { FEET_AND_HANDS = 4 };
static const Role limb_ends[FEET_AND_HANDS] = {ROLE_RIGHT_ANKLE, ROLE_LEFT_ANKLE, ROLE_RIGHT_WRIST, ROLE_LEFT_WRIST};

/* Pose of a joint in the first frame, or at rest without a motion. */
static JointPose pose_at_rest(const ClipView *body, int joint)
{
    const Skeleton *s = body->skeleton;
    if (body->motion && body->motion->frame_count > 0)
        return joint_pose(s, body->motion, 0, joint);
    JointPose rest = {{0, 0, 0}, QUAT_IDENTITY};
    for (int j = joint; j >= 0; j = s->parent[j])
        rest.position = vec3_add(rest.position, s->offset[j]);
    return rest;
}

static double rest_distance(const ClipView *body, int a, int b)
{
    return vec3_distance(pose_at_rest(body, a).position, pose_at_rest(body, b).position);
}

/* The length of thigh and shank of a side that has both; 0: none. */
static double leg_length(const Skeleton *s)
{
    int hip = skeleton_find_role(s, ROLE_LEFT_HIP), ankle = skeleton_find_role(s, ROLE_LEFT_ANKLE);
    return hip >= 0 && ankle >= 0 && skeleton_is_below(s, ankle, hip) ? skeleton_distance(s, hip, ankle) : 0;
}

static int has_any_part(const char *name, const char *const *words)
{
    for (; *words; words++)
        if (role_name_has_part(name, *words))
            return 1;
    return 0;
}

/* Whether a name may mean an IK bone of a foot (0, 1) or hand (2, 3) of limb_ends. */
static int names_limb(const char *name, int limb)
{
    static const char *const feet[] = {"foot", "leg", "ankle", NULL};
    static const char *const hands[] = {"hand", "arm", "wrist", NULL};
    int side = role_name_side(name); /* -1 left, 1 right */
    return has_any_part(name, limb < 2 ? feet : hands) && (!side || side == (limb % 2 ? -1 : 1));
}

static int is_root_of_bones(const char *name)
{
    static const char *const words[] = {"root", "parent", "pole", "target", "ctrl", "control", NULL};
    return has_any_part(name, words);
}

int joint_is_beside_body(const Skeleton *s, int joint)
{
    for (int j = 0; j < s->joint_count; j++)
        if (s->role[j] != ROLE_NONE && (skeleton_is_below(s, j, joint) || skeleton_is_below(s, joint, j)))
            return 0;
    return 1;
}

int ik_bone_limb(const ClipView *target, int joint)
{
    const Skeleton *s = target->skeleton;
    const char *name = s->name[joint] ? s->name[joint] : "";
    int hips = skeleton_find_role(s, ROLE_HIPS), best = -1, named = role_name_has_part(name, "ik");
    double leg = leg_length(s), nearest = named ? INFINITY : ON_LIMB * leg;
    if (hips < 0 || s->role[joint] != ROLE_NONE || joint == 0 || skeleton_is_below(s, hips, joint) ||
        is_root_of_bones(name) || (!named && !joint_is_beside_body(s, joint)))
        return -1;
    for (int limb = 0; limb < FEET_AND_HANDS; limb++) {
        int end = skeleton_find_role(s, limb_ends[limb]);
        if (end < 0 || (named && !names_limb(name, limb)) || skeleton_is_below(s, joint, end))
            continue;
        double distance = rest_distance(target, joint, end);
        if (distance < nearest - 1e-6 * leg) {
            nearest = distance;
            best = end;
        }
    }
    return best;
}

int ik_bone_is_root(const Skeleton *s, int joint)
{
    const char *name = s->name[joint];
    return name && joint_is_beside_body(s, joint) && role_name_has_part(name, "ik") && is_root_of_bones(name);
}

/* Pose of an IK bone in that of its limb. */
static JointPose place_at_limb(const ClipView *target, int joint, int limb)
{
    JointPose place = joint_pose_in(pose_at_rest(target, limb), pose_at_rest(target, joint));
    if (vec3_norm(place.position) > AT_LIMB * leg_length(target->skeleton))
        place.position = vec3(0, 0, 0);
    return place;
}

static Status follow(const ClipView *target, const ClipView *source, int joint, int limb, Motion *motion, Error *err)
{
    const Skeleton *s = target->skeleton;
    JointPose place = place_at_limb(target, joint, limb);
    double scale = source ? leg_length(s) / leg_length(source->skeleton) : 1;
    Status status = joint_pose_add_translations(s, motion, err);
    for (int f = 0; f < motion->frame_count && !status; f++) {
        if (source) {
            place = joint_pose_in(joint_pose(source->skeleton, source->motion, f, limb),
                                  joint_pose(source->skeleton, source->motion, f, joint));
            place.position = vec3_scale(place.position, scale);
        }
        joint_pose_set(s, motion, f, joint, joint_pose_from(joint_pose(s, motion, f, limb), place));
    }
    return status;
}

/* Gives a joint its pose of the first frame in its parent. */
static void stay_on_parent(const ClipView *target, int joint, Motion *motion)
{
    JointPose place = joint_pose_in(pose_at_rest(target, target->skeleton->parent[joint]), pose_at_rest(target, joint));
    for (int f = 0; f < motion->frame_count; f++) {
        motion->rotation[motion_index(motion, f, joint)] = place.orientation;
        if (motion->translation)
            motion->translation[motion_index(motion, f, joint)] = place.position;
    }
}

Status ik_bones_follow(const ClipView *target, const ClipView *source, Motion *motion, Error *err)
{
    Status status = STATUS_OK;
    int changed = 0;
    for (int joint = 1; joint < target->skeleton->joint_count && !status; joint++) {
        if (!source && ik_bone_is_root(target->skeleton, joint))
            stay_on_parent(target, joint, motion);
        int limb = leg_length(target->skeleton) > 0 ? ik_bone_limb(target, joint) : -1;
        if (limb < 0)
            continue;
        status = follow(target, source, joint, limb, motion, err);
        changed = 1;
    }
    if (changed && !status)
        motion_make_continuous(motion);
    return status;
}
