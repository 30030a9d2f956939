/* The pose in which two skeletons are compared: the rest pose, or a frame of the motion if the rest pose is not a
 * standing one.
 *
 * Its bone directions, and the body's left, up and front, relate the joint axes of one skeleton to those of the other.
 * A rest pose stands if the legs are straight and parallel, the trunk is in line with them and the feet point forward.
 * In many files it does not, and each bone lies along its own x axis. */
#ifndef KANE_RETARGET_REFERENCE_POSE_H
#define KANE_RETARGET_REFERENCE_POSE_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/quat.h"

/* REFERENCE_AUTO: the skeleton's standing pose if it has one; the rest pose if that stands; otherwise the best standing
 * frame. REFERENCE_BEST: for a human, always
 * that frame. REFERENCE_MEAN: for a human, the mean of that frame and about equally good ones, rotated to the same
 * heading; it depends on how the body moves and not on the rest pose of the file. */
enum { REFERENCE_MEAN = -4, REFERENCE_BEST = -3, REFERENCE_AUTO = -2, REFERENCE_REST = -1 }; /* >= 0: a frame */

typedef struct ReferencePose {
    const Skeleton *skeleton;
    int frame;             /* REFERENCE_REST or a frame; for REFERENCE_MEAN the best one */
    int frames;            /* number of frames averaged; 0: the rest pose */
    double bend;           /* rad, between the trunk and the upward direction of the legs; humans only */
    Vec3 *position;        /* [joint] m, world */
    Quat *orientation;     /* [joint] joint to world */
    Quat *local;           /* [joint] joint to parent */
    int joint[ROLE_COUNT]; /* -1: absent */
    int is_human;
    Quat body;             /* body axes (left, up, front) to world; identity for a creature */
    double leg;            /* m, thigh plus shank, mean of both sides; for a creature the length of all bones */
    double unlike;         /* rad: largest angle between a limb's bone and the mirror image of its counterpart, in
                              body axes; 0 for a symmetric pose or a body without paired limbs */
} ReferencePose;

/* Reads the skeleton (kept, not owned) and the motion; without a motion only the rest pose is available. Allocates in
 * the arena. STATUS_USAGE for a frame the motion does not have. */
Status reference_pose_init(ReferencePose *r, const ClipView *clip, int frame, Arena *arena, Error *err);

/* The pose with given orientations: orientation[joint], joint to world. Bones have the skeleton's lengths. */
Status reference_pose_of_orientations(ReferencePose *r, const ClipView *clip, const Quat *orientation, Arena *arena,
                                      Error *err);

/* If one of both bodies lacks legs with ankles, sets both `leg` to the length of the limb bones that both have, or of
 * all bones if they share none, so that their ratio is that of the sizes. */
void reference_pose_compare(ReferencePose *a, ReferencePose *b);

/* Recomputes positions, orientations, body and unlike of a human after a change of r->local. motion: that of the
 * pose. */
void reference_pose_place(ReferencePose *r, const Motion *motion);

/* World vector between the joints of two roles, m; zero if one is absent. */
Vec3 reference_between(const ReferencePose *r, Role from, Role to);

#endif
