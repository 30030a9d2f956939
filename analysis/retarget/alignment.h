/* How the axes of the target's joints lie to those of the source's, so that bones point the same way.
 *
 * For each target joint a turn D takes the target's reference pose to the source's: at the pelvis from the body's own
 * left, up and front, then from bone to bone by the shortest arc that makes the bone directions equal. With reference
 * orientations R, a target joint then follows its source as
 *     Q_t = Q_s R_s* D R_t
 * Where a bone's chain has another number of joints than the source's, Q_t is turned once more, by the shortest arc
 * that makes the whole bone point as the source's whole bone does in that frame. */
#ifndef KANE_RETARGET_ALIGNMENT_H
#define KANE_RETARGET_ALIGNMENT_H

#include "analysis/base/status.h"
#include "analysis/retarget/joint_map.h"

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

/* Joint by joint the same hierarchy and roles and, where bones are long enough to tell, the same directions of offsets:
 * equal rotations are equal poses, whatever the lengths. */
int skeletons_same_joints(const Skeleton *a, const Skeleton *b);

/* bones_stretch: the source's joints translate, so that every bone's direction is set where the target's do not. The
 * arrays are taken from the arena. */
Status alignment_init(Alignment *a, const BodyPair *pair, int bones_stretch, Arena *arena, Error *err);

#endif
