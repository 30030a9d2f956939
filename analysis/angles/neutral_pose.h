/* The pose in which every anatomical angle is zero: standing, arms hanging, elbows and knees straight.
 *
 * It is built from a reference pose by rotating thighs, shanks, upper arms and forearms by the shortest arc to the
 * vertical. Pelvis and trunk keep their orientation. A foot gets the level it has when flat on the ground, if the
 * motion shows that. The knee axis becomes parallel to the line of the hips. Joint centres determine the pose, not the
 * axes of the file, so that a rest pose whose knees are bent by 7 degrees, as in some files, gives the same angles as
 * a straight one.
 *
 * For angles, the reference pose is the rest pose, which defines zero, or the best standing frame if the rest pose
 * does not stand (analysis/retarget/reference_pose.h). Segment masses use the pose in which the body stands in the
 * motion. */
#ifndef KANE_ANGLES_NEUTRAL_POSE_H
#define KANE_ANGLES_NEUTRAL_POSE_H

#include <stddef.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/quat.h"
#include "analysis/retarget/reference_pose.h"

/* A rest pose whose thighs and shanks are this close to vertical is the neutral pose; otherwise one is built. */
#define NEUTRAL_NEAR 15.0 /* degrees */

#define NEUTRAL_BEND 0.35    /* rad: hip bends up to this occur in people who stand or walk */
#define NEUTRAL_FLAT 0.005   /* s, weighted, of a flat foot: below this its level is uncertain */
#define NEUTRAL_FOOT 0.14    /* rad: uncertainty of a foot that is never flat: 8 degrees, the standard deviation
                                among clips without a flat foot */

#define NEUTRAL_WARNED 0.05  /* rad: doubt above which a warning is printed: RMS deviation of flat feet from the zero
                                of their own models */

typedef struct NeutralPose {
    ReferencePose from;
    Quat body;             /* anatomical axes of the body (x forward, y up, z right) to world, in the pose `from` */
    Quat swing[ROLE_COUNT]; /* rotates the role's segment from the pose `from` to the neutral pose, world axes */
    double off;            /* degrees, largest deviation of a thigh or shank from vertical in `from`; NaN: no legs */
    double flat;           /* s, weighted, that the flatter foot is flat in the motion; its level serves both feet */
    int has_body;          /* 0: neither hips nor shoulders give left and right; body and swing are unset */
} NeutralPose;

/* Reads skeleton and motion. Allocates in the arena. */
Status neutral_pose_init(NeutralPose *n, const ClipView *clip, Arena *arena, Error *err);

/* The neutral pose from the motion: for a human the reference pose is the mean of standing frames, whatever the rest
 * pose. Without a motion, or for a creature, as neutral_pose_init. */
Status neutral_pose_of_motion(NeutralPose *n, const ClipView *clip, Arena *arena, Error *err);

/* The neutral pose from given orientations, orientation[joint], joint axes to body axes (x left, y up, z front); trunk
 * and feet are used unchanged. Its doubt is zero. */
Status neutral_pose_of_orientations(NeutralPose *n, const ClipView *clip, const Quat *orientation, Arena *arena,
                                    Error *err);

/* Anatomical axes of the joint's segment (x forward, y up, z right in the neutral pose) to axes of the joint. */
Quat neutral_pose_axes(const NeutralPose *n, int joint);

/* Fills orientation[joint], joint axes to world, in the neutral pose with the trunk upright. */
void neutral_pose_orientations(const NeutralPose *n, Quat *orientation);

/* Uncertainty of parts of the neutral pose, rad; 0: the body stands in its motion with flat feet. */
typedef struct NeutralDoubt {
    double trunk; /* pelvis relative to trunk, if even the best standing frames are bent at the hips */
    double foot;  /* level of a foot that is never flat and still on the ground */
} NeutralDoubt;

/* Doubt of a pose from neutral_pose_of_motion. Zero for a rest pose or a creature. */
NeutralDoubt neutral_pose_doubt(const NeutralPose *n);

/* Writes a warning for the user; "" if no doubt exceeds NEUTRAL_WARNED. */
void neutral_pose_warn(const NeutralDoubt *doubt, char *text, size_t size);

/* Writes "rest", or the source of the pose: "built from the rest pose (legs 20 degrees off)". */
void neutral_pose_describe(const NeutralPose *n, char *text, size_t size);

/* Renumbers the frame in such a text after a clip was cut to frame_count frames from frame `first` on, or states that
 * the frame was cut off. */
void neutral_pose_move_frames(char *text, size_t size, int first, int frame_count);

#endif
