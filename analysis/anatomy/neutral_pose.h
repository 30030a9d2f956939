/* The pose in which every anatomical angle is zero: standing, arms hanging, elbows and knees straight.
 *
 * It begins with another pose and turns the bones of arms and legs by the shortest arc until they are vertical:
 * thighs, shanks, upper arms, forearms. Pelvis and trunk stay as they are in it, so that their level is that of the
 * pose; a foot is turned to the level it has where it lies flat on the ground, if the motion shows that. The knee's
 * axis ends up parallel to the line of the hips. Joint centres decide, not the axes of the file: a rest pose whose
 * knees are bent by 7 degrees, as some have, gives the same angles as a straight one.
 *
 * Angles begin with the rest pose, or where that is no pose with the frame that stands best
 * (analysis/retarget/reference_pose.h): a rest pose that stands says what zero is. Masses do not: they lie where the
 * motion has the body stand. */
#ifndef KANE_ANATOMY_NEUTRAL_POSE_H
#define KANE_ANATOMY_NEUTRAL_POSE_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/retarget/reference_pose.h"

/* A rest pose whose thighs and shanks lie this near to vertical is the neutral pose; else one is built. */
#define NEUTRAL_NEAR 15.0 /* degrees */

#define NEUTRAL_BEND 0.35    /* rad: bends at the hips up to this are those of people who stand or walk */
#define NEUTRAL_FLAT 0.005   /* s that a foot lies flat, by weight: with less its level is doubted */
#define NEUTRAL_FOOT 0.14    /* rad, of a foot that never does: 8 degrees, the spread among clips that leave it open */

#define NEUTRAL_WARNED 0.05  /* rad: feet that stand flat lie that far off the zero of their own models, RMS */

typedef struct NeutralPose {
    ReferencePose from;
    Quat body;             /* anatomical axes of the body (x forward, y up, z right) to world, in the pose `from` */
    Quat swing[ROLE_COUNT]; /* takes the role's segment from the pose `from` to the neutral one, world axes */
    double off;            /* degrees, of the thigh or shank that lies farthest from vertical in `from`; NaN: no legs */
    double flat;           /* s that the foot lies flat that does so more: its level serves both; from a motion */
    int has_body;          /* 0: neither hips nor shoulders tell left from right; the rest is unset */
} NeutralPose;

/* Reads skeleton and motion. The arrays are taken from the arena. */
Status neutral_pose_init(NeutralPose *n, const ClipView *clip, Arena *arena, Error *err);

/* From the motion alone, whatever the rest pose: begins with the mean of a human's standing frames. Without a motion,
 * and of other bodies, as before. */
Status neutral_pose_of_motion(NeutralPose *n, const ClipView *clip, Arena *arena, Error *err);

/* From the turn of every joint, joint axes to those of a body (x left, y up, z front): its trunk and feet as they are
 * given. Nothing of it is doubted. */
Status neutral_pose_of_turns(NeutralPose *n, const ClipView *clip, const Quat *turn, Arena *arena, Error *err);

/* Anatomical axes of the segment that moves with the joint (x forward, y up, z right in the neutral pose) to the axes
 * of the joint. */
Quat neutral_pose_axes(const NeutralPose *n, int joint);

/* The turn of every joint in the neutral pose, its trunk upright: turn[joint], joint axes to world. */
void neutral_pose_turns(const NeutralPose *n, Quat *turn);

/* By how much parts of the neutral pose may be off, rad; 0: the body stands in its motion, its feet flat. */
typedef struct NeutralDoubt {
    double trunk; /* the pelvis against the trunk: the body is bent at the hips wherever it comes nearest to standing */
    double foot;  /* the level of a foot that never lies still on the ground */
} NeutralDoubt;

/* Of neutral_pose_of_motion. Both 0 of the rest pose, and of a body that is no human's. */
NeutralDoubt neutral_pose_doubt(const NeutralPose *n);

/* What a person should hear of it; "" where no doubt is greater than NEUTRAL_WARNED. */
void neutral_pose_warn(const NeutralDoubt *doubt, char *text, size_t size);

/* "rest", or what was built and why: "built from the rest pose (legs 20 degrees off)". */
void neutral_pose_describe(const NeutralPose *n, char *text, size_t size);

/* The frame that such a text names, counted from frame `first` of the old ones; words where the clip, which now has
 * `frame_count` frames, has lost it. */
void neutral_pose_move_frames(char *text, size_t size, int first, int frame_count);

#endif
