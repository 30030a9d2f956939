/* Bodies without corresponding feet, such as a human and a dog: the lowest point of the target's feet gets the height
 * of the source's, scaled. */
#ifndef KANE_RETARGET_GROUND_LEVEL_H
#define KANE_RETARGET_GROUND_LEVEL_H

#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"

/* A body and the world poses of its joints. */
typedef struct PosedBody {
    const Skeleton *skeleton;
    const Vec3 *position;    /* [frame][joint] m */
    const Quat *orientation; /* [frame][joint] */
    const unsigned char *is_foot; /* [joint] 1: foot, paw or hand that stands on the ground; NULL: all joints count */
} PosedBody;

/* Shifts the root of *motion, whose poses are those of target, along the unit vector up; scale: target over source. The
 * shift is a smooth envelope with a half width of 0.05 s, below which no frame lies. */
Status ground_level(const PosedBody *target, const PosedBody *source, Vec3 up, double scale, Motion *motion,
                    Error *err);

#endif
