/* Transfers the motion of one skeleton to another: rotations by map and alignment, the path scaled by leg length.
 *
 * The path is that of the middle between the hip joints, which every human skeleton has whatever its root is. Rotations
 * are copied, so feet slide where leg proportions differ (retarget.h corrects this). */
#ifndef KANE_RETARGET_TRANSFER_H
#define KANE_RETARGET_TRANSFER_H

#include "analysis/base/status.h"
#include "analysis/motion/forward_kinematics.h"
#include "analysis/retarget/feet.h"
#include "analysis/retarget/joint_map.h"

/* Rotations between the joint axes of target and source that make bones point the same way.
 *
 * For each target joint, a rotation D takes the target's reference pose to the source's: at the pelvis from the body's
 * left, up and front, then from bone to bone by the shortest arc that aligns the bone directions. With reference
 * orientations R, a target joint then follows its source by
 *   Q_t = Q_s R_s* D R_t
 * If a bone's chain has a different number of joints than the source's, Q_t is also rotated by the shortest arc that
 * makes the whole bone point as the source's does in that frame. */

/* A bone whose direction is set in every frame. */
typedef struct BoneDirection {
    int from, to;  /* source joints; from -1: the rotation alone sets the direction */
    Vec3 local;    /* unit, target's bone in the axes of its joint */
} BoneDirection;

typedef struct Alignment {
    Quat *rotation;        /* [row of the map] R_s* D R_t */
    BoneDirection *bone;   /* [target] */
    int same_body;         /* 1: the target is the source up to scale and names */
    int same_joints;       /* 1: same joints with the same axes; bone lengths may differ */
} Alignment;

/* Whether both have the same hierarchy and roles and the same directions of offsets (where these are long enough):
 * equal rotations are then equal poses, whatever the lengths. */
int skeletons_same_joints(const Skeleton *a, const Skeleton *b);

/* bones_stretch 1: the source's joints translate; every bone's direction is then set in each frame unless the target's
 * joints translate too. Allocates in the arena. */
Status alignment_init(Alignment *a, const BodyPair *pair, int bones_stretch, Arena *arena, Error *err);

/* Path of the centre of mass: that of the source, scaled, although the target's mass is distributed differently.
 *
 * Transfer scales the path of the hips. Trunk, arms and legs move the centre of mass relative to the hips differently
 * on both bodies, so unchanged hips would give accelerations that no contact force supports. */

/* Adds to shift[frame], m, the displacement of the target's hips that makes its centre of mass move as the source's,
 * scaled; zero in the mean. Both bodies have the default masses of their skeletons; if a skeleton has none, nothing is
 * added. */
Status com_path_add(const FootPair *pair, const ReferencePose *target, const ReferencePose *source, Vec3 *shift,
                    Error *err);

/* motion, poses: of the source. Fills *out, which the caller frees, with as many frames. A target with the source's
 * joints in the same axes gets their translations; others keep their bone lengths. */
Status transfer_motion(const BodyPair *pair, const Alignment *alignment, const Motion *motion, const WorldPoses *poses,
                       Motion *out, Error *err);

#endif
