/* The way of the target's feet: rigid, in their places while they stand, and that of the copied motion between, bent
 * at its ends to meet them by critically damped springs.
 *
 * A foot that is flat on the ground has its heading and both its points given; one that rolls over heel or ball turns
 * as the copied one does. Along the ground a foot stands from its first frame of contact on; how fast it comes down
 * and lifts is left to the copied motion, as a foot that stopped at once would jerk the leg. */
#ifndef KANE_RETARGET_FOOT_PATH_H
#define KANE_RETARGET_FOOT_PATH_H

#include "analysis/retarget/foot_place.h"

/* The target's feet, and the motion they are planted in. */
typedef struct TargetFeet {
    const Skeleton *skeleton;
    const Sole *sole;           /* [foot] */
    const FootContact *contact; /* of the source's feet */
    const Kinematics *pose;     /* of the target, as its motion is now */
    double scale;               /* of target over source */
    double leg;                 /* m */
} TargetFeet;

typedef struct FootPose {
    Vec3 ankle;       /* m, world */
    Quat orientation; /* of the ankle joint, to world */
} FootPose;

typedef struct FootPath {
    double rise;    /* m along the normal: lifts the whole copied body so that its soles meet the ground on average */
    FootPose *pose; /* [frame][foot] */
    uint8_t *held;  /* [frame][foot] 1: stands in its place */
    double *ground; /* [frame][foot] m along the normal: of the ground under it */
} FootPath;

typedef struct FootPathDef {
    FootPlaceDef place;
    double omega;        /* rad/s of the springs between contacts; default 12 */
    double settle_speed; /* sqrt(g L): a foot faster than this up or down does not stand yet, or no more; default 0.2 */
    double least_stance; /* of a contact's frames: in as many it is on the ground; default 0.9 */
    double roll_from;    /* of the leg's length: a foot on heel or ball rolls where the leg would have to be longer;
                            default 0.98 */
    double most_roll;    /* rad: it tends to this; default 0.5 */
} FootPathDef;

FootPathDef foot_path_default_def(void);

/* The pose is that of the copied motion. The arrays are taken from the arena. */
Status foot_path_init(FootPath *out, const TargetFeet *feet, const FootPathDef *def, Arena *arena, Error *err);

#endif
