/* A clip's skeleton as a body that can be simulated: joints that move next to nothing are frozen, and their segments
 * become one with that of their carrier.
 *
 * A human becomes 17 bodies by roles: pelvis, spine, chest, neck, head; upper arm, forearm, hand, thigh, shank, foot on
 * either side (fewer where the skeleton has not all of these). Any other creature keeps all joints that carry mass.
 * Frozen joints stand in their mean pose over the clip. */
#ifndef KANE_CONTROL_LUMPED_BODY_H
#define KANE_CONTROL_LUMPED_BODY_H

#include "analysis/base/arena.h"
#include "analysis/clip/motion.h"

/* A body lighter than this part of the whole is not simulated by itself. */
#define LUMPED_LEAST_PART 1e-3

typedef enum LumpRule {
    LUMP_BY_ROLES, /* as above */
    LUMP_BY_MASS,  /* humans too keep all joints that carry mass */
} LumpRule;

typedef struct LumpedBody {
    int source_count;  /* joints of the clip */
    int *carrier;      /* [clip joint] clip joint of the body it moves with */
    int *body_of;      /* [clip joint] the same as a joint of `skeleton` */
    Quat *rotation;    /* [clip joint] its axes to the carrier's, mean over the clip */
    Vec3 *place;       /* [clip joint] m, its centre in the carrier's axes, mean over the clip */
    int *source;       /* [joint] clip joint of every simulated joint */
    Skeleton skeleton;
    Body body;
    Arena memory;      /* of the arrays above */
} LumpedBody;

/* Bodies in the world. */
typedef struct LumpedPose {
    Vec3 place;              /* m, of the first body's joint */
    const Quat *orientation; /* [joint] */
} LumpedPose;

/* Reads skeleton, body and motion of the clip. STATUS_BAD_INPUT where nothing has mass. */
Status lumped_body_init(LumpedBody *lumped, const ClipView *clip, LumpRule rule, Error *err);
void lumped_body_free(LumpedBody *lumped);

/* The clip's motion on the simulated joints: every simulated body keeps its orientation in the world, the first its
 * place. */
Status lumped_body_motion(const LumpedBody *lumped, const ClipView *clip, Motion *out, Error *err);

/* The way back, of one frame: rotation[clip joint] to its parent, of the root to the world, and the root joint's place,
 * for bodies with the orientations orientation[joint] and the first one's joint at `place`. Frozen joints stand in
 * their mean pose. */
void lumped_body_expand(const LumpedBody *lumped, const Skeleton *skeleton, const LumpedPose *pose, Quat *rotation,
                        Vec3 *root_position);

#endif
