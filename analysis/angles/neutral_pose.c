/* The pose in which every anatomical angle is zero (neutral_pose.h). */
#include "analysis/angles/neutral_pose.h"

#include <math.h>
#include <stdio.h>

#include "analysis/contact/foot_level.h"
#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"

#define FLAT_ENOUGH 0.02 /* s, weighted: a foot that is flat for longer gets its level from the motion, not from the
                            rest pose */

#define FROM_FRAME "built from frame %d"

/* Bones that hang vertically in the neutral pose, from the first role to the second. */
static const struct {
    Role from, to, before; /* role whose swing the segment follows; ROLE_NONE: trunk, no swing */
} hanging[] = {
    {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_NONE},          {ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, ROLE_LEFT_HIP},
    {ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, ROLE_NONE},    {ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST, ROLE_LEFT_SHOULDER},
    {ROLE_LEFT_WRIST, ROLE_NONE, ROLE_LEFT_ELBOW},       {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_NONE},
    {ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, ROLE_RIGHT_HIP}, {ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, ROLE_NONE},
    {ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST, ROLE_RIGHT_SHOULDER}, {ROLE_RIGHT_WRIST, ROLE_NONE, ROLE_RIGHT_ELBOW},
};

/* Sets the body axes: right from the hips, otherwise the shoulders; up from the reference pose, or the world's vertical
 * for a creature. */
static int find_body(NeutralPose *n)
{
    Vec3 up = quat_rotate(n->from.body, vec3(0, 1, 0));
    Vec3 right = reference_between(&n->from, ROLE_LEFT_HIP, ROLE_RIGHT_HIP);
    if (!(vec3_norm(right) > 0))
        right = reference_between(&n->from, ROLE_LEFT_SHOULDER, ROLE_RIGHT_SHOULDER);
    right = vec3_normalize(vec3_mad(right, -vec3_dot(right, up), up));
    if (!(vec3_norm(right) > 0.5))
        return 0;
    Vec3 front = vec3_cross(up, right);
    n->body = quat_from_mat3((Mat3){{{front.x, up.x, right.x}, {front.y, up.y, right.y}, {front.z, up.z, right.z}}});
    return 1;
}

static double degrees_between(Vec3 a, Vec3 b)
{
    return elementary_atan2(vec3_norm(vec3_cross(a, b)), vec3_dot(a, b)) * (180 / PI);
}

static const Role leg_roles[][3] = {{ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, ROLE_LEFT_TOE},
                                    {ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, ROLE_RIGHT_TOE}};

/* Finds the level of both feet when flat; n->flat: the longer of both times, because that foot's level serves the other
 * too. */
static Status find_levels(NeutralPose *n, const ClipView *clip, FootLevel level[2], Arena *arena, Error *err)
{
    size_t frames = (size_t)clip->motion->frame_count;
    FootFrame *frame = arena_array(arena, frames, 1, sizeof *frame);
    FootPose *pose = arena_array(arena, frames, 1, sizeof *pose);
    double *height = arena_array(arena, frames, 1, sizeof *height);
    if (arena->failed)
        return error_no_memory(err);
    n->flat = n->from.joint[ROLE_LEFT_ANKLE] < 0 && n->from.joint[ROLE_RIGHT_ANKLE] < 0 ? INFINITY : 0;
    for (int side = 0; side < 2; side++) {
        const int *joint = n->from.joint;
        int ankle = joint[leg_roles[side][1]], toe = joint[leg_roles[side][2]];
        const int joints[] = {joint[leg_roles[side][0]], ankle, toe < 0 ? ankle : toe};
        level[side] = (FootLevel){.rest = 0};
        if (ankle < 0)
            continue;
        level[side] = foot_level_of_clip(clip, joints, frame, pose, height);
        n->flat = fmax(n->flat, level[side].rest);
    }
    foot_levels_settle(level, 2);
    return STATUS_OK;
}

/* Levels feet and toes as they are when flat on the ground, if they are so for more than `min` seconds. */
static Status level_feet(NeutralPose *n, const ClipView *clip, double min, Arena *arena, Error *err)
{
    FootLevel level[2];
    Vec3 up = quat_rotate(n->body, vec3(0, 1, 0));
    Status status = find_levels(n, clip, level, arena, err);
    for (int side = 0; side < 2 && !status; side++) {
        int ankle = n->from.joint[leg_roles[side][1]], toe = n->from.joint[leg_roles[side][2]];
        if (level[side].rest <= min)
            continue;
        Quat swing = quat_between(quat_rotate(n->from.orientation[ankle], level[side].up), up);
        n->swing[leg_roles[side][1]] = swing;
        if (toe >= 0) {
            Quat foot = quat_mul(quat_mul(swing, n->from.orientation[ankle]), quat_conjugate(level[side].toe));
            n->swing[leg_roles[side][2]] = quat_normalize(quat_mul(foot, quat_conjugate(n->from.orientation[toe])));
        }
    }
    return status;
}

/* Computes the swings that make the bones of arms and legs hang. */
static void hang_limbs(NeutralPose *n)
{
    Vec3 down = quat_rotate(n->body, vec3(0, -1, 0));
    for (int role = 0; role < ROLE_COUNT; role++)
        n->swing[role] = QUAT_IDENTITY;
    for (size_t i = 0; i < sizeof hanging / sizeof *hanging; i++) {
        Quat before = n->swing[hanging[i].before];
        n->swing[hanging[i].from] = before;
        Vec3 bone = hanging[i].to ? reference_between(&n->from, hanging[i].from, hanging[i].to) : vec3(0, 0, 0);
        if (!(vec3_norm(bone) > 0))
            continue;
        if (role_is_leg(hanging[i].from))
            n->off = fmax(n->off, degrees_between(bone, down));
        n->swing[hanging[i].from] = quat_mul(quat_between(quat_rotate(before, bone), down), before);
    }
}

static Status build(NeutralPose *n, const ClipView *clip, int reference, Arena *arena, Error *err)
{
    *n = (NeutralPose){.off = NAN, .body = QUAT_IDENTITY};
    Status status = reference_pose_init(&n->from, clip, reference, arena, err);
    if (status)
        return status;
    n->has_body = find_body(n);
    hang_limbs(n);
    double min = n->from.frame < 0 ? FLAT_ENOUGH : 0;
    int is_seen = n->from.is_human && clip->motion && clip->motion->frame_count > 0;
    return is_seen ? level_feet(n, clip, min, arena, err) : STATUS_OK;
}

Status neutral_pose_init(NeutralPose *n, const ClipView *clip, Arena *arena, Error *err)
{
    return build(n, clip, REFERENCE_AUTO, arena, err);
}

Status neutral_pose_of_motion(NeutralPose *n, const ClipView *clip, Arena *arena, Error *err)
{
    return build(n, clip, REFERENCE_MEAN, arena, err);
}

Status neutral_pose_of_orientations(NeutralPose *n, const ClipView *clip, const Quat *orientation, Arena *arena,
                                    Error *err)
{
    *n = (NeutralPose){.off = NAN, .flat = INFINITY, .body = QUAT_IDENTITY};
    Status status = reference_pose_of_orientations(&n->from, clip, orientation, arena, err);
    if (status)
        return status;
    n->has_body = find_body(n);
    hang_limbs(n);
    return STATUS_OK;
}

Quat neutral_pose_axes(const NeutralPose *n, int joint)
{
    Quat pose = quat_mul(n->swing[n->from.skeleton->segment[joint]], n->from.orientation[joint]);
    return quat_normalize(quat_mul(quat_conjugate(pose), n->body));
}

/* The rotation that makes the trunk upright. */
static Quat trunk_swing(const NeutralPose *n)
{
    Role top = n->from.joint[ROLE_NECK] >= 0 ? ROLE_NECK : ROLE_HEAD;
    Vec3 left = reference_between(&n->from, ROLE_LEFT_HIP, top);
    Vec3 trunk = vec3_add(left, reference_between(&n->from, ROLE_RIGHT_HIP, top));
    return vec3_norm(trunk) > 0 ? quat_between(trunk, quat_rotate(n->body, vec3(0, 1, 0))) : QUAT_IDENTITY;
}

void neutral_pose_orientations(const NeutralPose *n, Quat *orientation)
{
    const Skeleton *s = n->from.skeleton;
    Quat upright = trunk_swing(n);
    for (int j = 0; j < s->joint_count; j++) {
        Role role = s->segment[j];
        Quat swing = role < ROLE_LEFT_SHOULDER || role == ROLE_RIGHT_CLAVICLE ? upright : n->swing[role];
        orientation[j] = quat_normalize(quat_mul(swing, n->from.orientation[j]));
    }
}

/* The angle between trunk and pelvis takes about half of a bend at the hips. */
NeutralDoubt neutral_pose_doubt(const NeutralPose *n)
{
    NeutralDoubt doubt = {0, 0};
    if (n->from.frame < 0 || !n->from.is_human)
        return doubt;
    doubt.trunk = 0.5 * fmax(0, n->from.bend - NEUTRAL_BEND);
    doubt.foot = n->flat < NEUTRAL_FLAT ? NEUTRAL_FOOT * (1 - n->flat / NEUTRAL_FLAT) : 0;
    return doubt;
}

void neutral_pose_warn(const NeutralDoubt *doubt, char *text, size_t size)
{
    int is_trunk = doubt->trunk > NEUTRAL_WARNED, is_foot = doubt->foot > NEUTRAL_WARNED;
    *text = 0;
    if (!is_trunk && !is_foot)
        return;
    snprintf(text, size, "%s%s%s: the neutral pose may be off by %.0f degrees",
             is_trunk ? "the body stands upright nowhere in the clip" : "", is_trunk && is_foot ? ", and " : "",
             is_foot ? "no frame shows a foot flat and still on the ground" : "",
             fmax(doubt->trunk, doubt->foot) * (180 / PI));
}

void neutral_pose_describe(const NeutralPose *n, char *text, size_t size)
{
    if (n->from.frame >= 0)
        snprintf(text, size, FROM_FRAME, n->from.frame);
    else if (n->off > NEUTRAL_NEAR)
        snprintf(text, size, "built from the rest pose (legs %.0f degrees off)", n->off);
    else
        snprintf(text, size, "rest");
}

void neutral_pose_move_frames(char *text, size_t size, int first, int frame_count)
{
    int frame;
    if (sscanf(text, FROM_FRAME, &frame) != 1)
        return;
    if (frame >= first && frame - first < frame_count)
        snprintf(text, size, FROM_FRAME, frame - first);
    else
        snprintf(text, size, "built from a frame that was cut off");
}
