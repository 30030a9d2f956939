/* Bodies that have no feet in common, a human and a dog: the lowest point of the one's feet is as high as the other's,
 * scaled, so that what stands, stands. */
#ifndef KANE_RETARGET_GROUND_LEVEL_H
#define KANE_RETARGET_GROUND_LEVEL_H

#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"

/* A body and where its joints are in every frame. */
typedef struct PosedBody {
    const Skeleton *skeleton;
    const Vec3 *position;    /* [frame][joint] m */
    const Quat *orientation; /* [frame][joint] */
    const unsigned char *is_foot; /* [joint] 1: of a foot, paw or hand, which stand; NULL: all count */
} PosedBody;

/* Moves the root of *motion, which the target's poses are of, along the unit vector up; scale: of the target over the
 * source. The way is smooth over 0.05 s to both sides, and no frame sinks for that. */
Status ground_level(const PosedBody *target, const PosedBody *source, Vec3 up, double scale, Motion *motion,
                    Error *err);

#endif
