/* The pose in which two skeletons are compared: the rest pose, or a frame of the motion where that is no pose.
 *
 * Directions of bones in it, and the body's own left, up and front, tell how the axes of one skeleton's joints lie to
 * those of another's. A rest pose `stands` when the legs are straight and parallel, the trunk goes on above them and
 * the feet point forward; many files have one that is no pose, each bone along its own x axis. */
#ifndef KANE_RETARGET_REFERENCE_POSE_H
#define KANE_RETARGET_REFERENCE_POSE_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/quat.h"

/* REFERENCE_AUTO: the rest pose where it stands, else the frame that stands best. REFERENCE_BEST: of a human that frame
 * in any case. REFERENCE_MEAN: of a human the mean of the frames that stand about as well as that frame, turned to face
 * the same way: it depends on how the body moves, not on how the file draws it at rest. */
enum { REFERENCE_MEAN = -4, REFERENCE_BEST = -3, REFERENCE_AUTO = -2, REFERENCE_REST = -1 }; /* >= 0: a frame */

typedef struct ReferencePose {
    const Skeleton *skeleton;
    int frame;             /* REFERENCE_REST or the frame taken; of REFERENCE_MEAN the best */
    int frames;            /* that the pose is a mean of; 1, 0: the rest pose */
    double bend;           /* rad, between the trunk and the upward direction of the legs; of a human */
    Vec3 *position;        /* [joint] m, world */
    Quat *orientation;     /* [joint] joint to world */
    Quat *local;           /* [joint] joint to parent */
    int joint[ROLE_COUNT]; /* -1 where absent */
    int is_human;
    Quat body;             /* (left, up, front) to world; identity for a creature */
    double leg;            /* m, thigh and shank, mean of both sides; a creature: length of all bones */
    double unlike;         /* rad: the largest angle between a limb's bone and the mirror image of its counterpart, in
                              body axes, as found; 0 of a symmetric pose, and of a body without pairs of limbs */
} ReferencePose;

/* Reads the skeleton, which is kept, and the motion; without one only the rest pose is there. The arrays are taken from
 * the arena. STATUS_USAGE for a frame the motion does not have. */
Status reference_pose_init(ReferencePose *r, const ClipView *clip, int frame, Arena *arena, Error *err);

/* The pose in which every joint is turned so: turn[joint], joint axes to world. Bones have the skeleton's lengths. */
Status reference_pose_turned(ReferencePose *r, const ClipView *clip, const Quat *turn, Arena *arena, Error *err);

/* Where one of both lacks legs with ankles, `leg` of both becomes the length of the limbs' bones that both have, of all
 * bones where they share none: the ratio stays that of their sizes. */
void reference_pose_compare(ReferencePose *a, ReferencePose *b);

/* Makes a pose that stands in a frame of the motion the mean of itself and its mirror image, its hips level, its feet
 * turned in the world as they were: a person stands a little crooked. The zero pose, one in a stride, and that of a
 * skeleton whose sides differ stay. */
Status reference_pose_even(ReferencePose *r, const Motion *motion, Error *err);

/* World vector between the joints of two roles; zero where one is absent. */
Vec3 reference_between(const ReferencePose *r, Role from, Role to);

/* Ranges of joint angles: roll, pitch and yaw (docs/sources.md, notes 0.4: about z, then the new y, then the final x).
 *
 * The angles are those of a joint's turn from the reference pose, in the body's own axes there (x left, y up, z front),
 * so that one table serves every skeleton. */

typedef struct JointLimit {
    Role role;
    RollPitchYaw least, most; /* rad */
} JointLimit;

typedef struct JointLimits {
    int count;
    JointLimit *limit; /* owned */
} JointLimits;

void joint_limits_free(JointLimits *limits);

/* Brings every limited joint of *motion into its range; returns the number of joint-frames in which a limit
 * holds: those that were outside or at its edge. */
int joint_limits_apply(const JointLimits *limits, const ReferencePose *reference, Motion *motion);

/* The bones of a human skeleton by role: where each begins, where it ends, and the joints between. */

/* The role at the distal end of a limb's segment: left_knee for left_hip; ROLE_NONE for trunk, hands, feet and head. */
Role limb_next_role(Role role);

/* The joints of a stretch of the tree, proximal one first. */
enum { TRIDIAGONAL_JOINTS = 32 };
typedef struct JointChain {
    int count;
    int joint[TRIDIAGONAL_JOINTS];
    int end; /* joint behind the last one; -1: none */
} JointChain;

/* From joint `from` down to the one above `to`; empty where `to` does not descend from it. */
JointChain limb_chain(const Skeleton *s, int from, int to);

/* The trunk: from above the hips and their ancestors up to neck, head, or where the arms part. */
JointChain limb_trunk(const Skeleton *s);

/* Whether a is joint j or lies above it. */
int limb_is_ancestor(const Skeleton *s, int a, int j);

#endif
