/* The pose in which every anatomical angle is zero: standing, arms hanging, elbows and knees straight.
 *
 * It begins with the rest pose, or where that is no pose with the frame that stands best
 * (analysis/retarget/reference_pose.h), and turns the bones of arms and legs by the shortest arc until they are
 * vertical: thighs, shanks, upper arms, forearms. Pelvis, trunk and feet stay as they are in it, so that their level is
 * that of the pose; but a foot of a frame of the motion is turned to the level it has where it stands. The knee's axis
 * ends up parallel to the line of the hips. Joint centres decide, not the axes of the file: a rest pose whose knees are
 * bent by 7 degrees, as some have, gives the same angles as a straight one. */
#ifndef KANE_ANATOMY_NEUTRAL_POSE_H
#define KANE_ANATOMY_NEUTRAL_POSE_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/retarget/reference_pose.h"

/* A rest pose whose thighs and shanks lie this near to vertical is the neutral pose; else one is built. */
#define NEUTRAL_NEAR 15.0 /* degrees */

typedef struct NeutralPose {
    ReferencePose from;
    Quat body;             /* anatomical axes of the body (x forward, y up, z right) to world, in the pose `from` */
    Quat swing[ROLE_COUNT]; /* takes the role's segment from the pose `from` to the neutral one, world axes */
    double off;            /* degrees, of the thigh or shank that lies farthest from vertical in `from`; NaN: no legs */
    double flat;           /* s that the foot lies flat that does so less; from a motion */
    int has_body;          /* 0: neither hips nor shoulders tell left from right; the rest is unset */
} NeutralPose;

/* Reads skeleton and motion, and where they are there velocity and orientation of the kinematics. The arrays are taken
 * from the arena. */
Status neutral_pose_init(NeutralPose *n, const ClipView *clip, Arena *arena, Error *err);

/* Anatomical axes of the segment that moves with the joint (x forward, y up, z right in the neutral pose) to the axes
 * of the joint. */
Quat neutral_pose_axes(const NeutralPose *n, int joint);

/* The turn of every joint in the neutral pose, its trunk upright: turn[joint], joint axes to world. */
void neutral_pose_turns(const NeutralPose *n, Quat *turn);

/* By how much the neutral pose may be off, rad; 0: where the body stands in its motion. */
double neutral_pose_doubt(const NeutralPose *n);

/* "rest", or what was built and why: "built from the rest pose (legs 20 degrees off)". */
void neutral_pose_describe(const NeutralPose *n, char *text, size_t size);

#endif
