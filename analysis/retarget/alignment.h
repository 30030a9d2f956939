/* Rotations between the joint axes of target and source that make bones point the same way.
 *
 * For each target joint, a rotation D takes the target's reference pose to the source's: at the pelvis from the body's
 * left, up and front, then from bone to bone by the shortest arc that aligns the bone directions. With reference
 * orientations R, a target joint then follows its source by
 *   Q_t = Q_s R_s* D R_t
 * If a bone's chain has a different number of joints than the source's, Q_t is also rotated by the shortest arc that
 * makes the whole bone point as the source's does in that frame. */
#ifndef KANE_RETARGET_ALIGNMENT_H
#define KANE_RETARGET_ALIGNMENT_H

#include "analysis/base/status.h"
#include "analysis/retarget/joint_map.h"

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

#endif
