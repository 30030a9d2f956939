/* The motion of one skeleton put on another: rotations by map and alignment, the root's path scaled by leg length.
 *
 * The path is that of the middle between the hip joints, a place that every skeleton has, whatever its root is. Plain
 * rotation copying: feet slide where the proportions of the legs differ (retarget.h repairs it). */
#ifndef KANE_RETARGET_TRANSFER_H
#define KANE_RETARGET_TRANSFER_H

#include "analysis/base/status.h"
#include "analysis/motion/differentiate.h"
#include "analysis/retarget/feet.h"
#include "analysis/retarget/joint_map.h"

/* How the axes of the target's joints lie to those of the source's, so that bones point the same way.
 *
 * For each target joint a turn D takes the target's reference pose to the source's: at the pelvis from the body's own
 * left, up and front, then from bone to bone by the shortest arc that makes the bone directions equal. With reference
 * orientations R, a target joint then follows its source as
 *     Q_t = Q_s R_s* D R_t
 * Where a bone's chain has another number of joints than the source's, Q_t is turned once more, by the shortest arc
 * that makes the whole bone point as the source's whole bone does in that frame. */

/* A bone whose direction is set in every frame. */
typedef struct BoneDirection {
    int from, to;  /* source joints; from -1: the direction follows from the turn alone */
    Vec3 local;    /* unit, target's bone in the axes of its joint */
} BoneDirection;

typedef struct Alignment {
    Quat *turn;            /* [row of the map] R_s* D R_t */
    BoneDirection *bone;   /* [target] */
    int same_body;         /* the target is the source up to scale and names */
    int same_joints;       /* it has the source's joints in the same axes, with bones of any length */
} Alignment;

/* Joint by joint the same hierarchy and roles and, where bones are long enough to show it, the same directions of
 * offsets: equal rotations are equal poses, whatever the lengths. */
int skeletons_same_joints(const Skeleton *a, const Skeleton *b);

/* bones_stretch: the source's joints translate, so that every bone's direction is set where the target's do not. The
 * arrays are taken from the arena. */
Status alignment_init(Alignment *a, const BodyPair *pair, int bones_stretch, Arena *arena, Error *err);

/* The path of the centre of mass: the clip's, scaled, on a body whose masses lie otherwise about its hips.
 *
 * Transfer scales the path of the hips. What trunk, arms and legs of the clip's body do to its centre of mass, those of
 * the target do a little otherwise, and hips that go on as before make accelerations that nothing supports. */

/* Adds to shift[frame], m, what the target's hips must move by so that its centre of mass moves as the source's does,
 * scaled: zero in the mean. Both bodies have the masses that their skeletons get by themselves; without such nothing is
 * added. */
Status com_path_add(const FootPair *pair, const ReferencePose *target, const ReferencePose *source, Vec3 *shift,
                    Error *err);

/* motion, poses: of the source. Fills *out with as many frames as the source. A body with
 * the source's joints in the same axes keeps their translations; other targets keep their bones' lengths. */
Status transfer_motion(const BodyPair *pair, const Alignment *alignment, const Motion *motion, const WorldPoses *poses,
                       Motion *out, Error *err);

#endif
