/* A reduced body of a clip's skeleton for simulation: light joints are frozen in their mean pose over the clip, and
 * their segments are merged into their carrier's body.
 *
 * A human becomes up to 17 bodies by roles: pelvis, spine, chest, neck, head; upper arm, forearm, hand, thigh, shank
 * and foot on either side. Other creatures keep all joints that carry mass. */
#ifndef KANE_CONTROL_LUMPED_BODY_H
#define KANE_CONTROL_LUMPED_BODY_H

#include "analysis/base/arena.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/motion.h"

/* Smallest mass of a simulated body, as a fraction of the whole. */
#define LUMPED_MIN_PART 1e-3

typedef enum LumpRule {
    LUMP_BY_ROLES, /* as described above */
    LUMP_BY_MASS,  /* humans, too, keep all joints that carry mass */
} LumpRule;

typedef struct LumpedBody {
    int source_count;  /* joints of the clip */
    int *carrier;      /* [clip joint] clip joint of its carrier, the body it moves with */
    int *body_of;      /* [clip joint] the same as a joint of `skeleton` */
    Quat *rotation;    /* [clip joint] its axes to the carrier's, mean over the clip */
    Vec3 *position;    /* [clip joint] m, its centre in the carrier's axes, mean over the clip */
    int *source;       /* [joint] clip joint of every simulated joint */
    Skeleton skeleton;
    Body body;
    Arena memory;      /* owns the arrays above */
} LumpedBody;

/* Bodies in the world. */
typedef struct LumpedPose {
    Vec3 position;           /* m, of the first body's joint */
    const Quat *orientation; /* [joint] */
} LumpedPose;

/* Reads skeleton, body and motion of the clip. STATUS_BAD_INPUT if nothing has mass. */
Status lumped_body_init(LumpedBody *lumped, const ClipView *clip, LumpRule rule, Error *err);
void lumped_body_free(LumpedBody *lumped);

/* The clip's motion on the simulated joints: every simulated body keeps its world orientation, and the first one its
 * position. */
Status lumped_body_motion(const LumpedBody *lumped, const ClipView *clip, Motion *out, Error *err);

/* The inverse, for one frame: rotation[clip joint] to its parent (of the root to the world) and the root joint's
 * position, from orientation[joint] of the bodies and `position`, the position of the first body's joint. Frozen joints
 * are in their mean pose. */
void lumped_body_expand(const LumpedBody *lumped, const Skeleton *skeleton, const LumpedPose *pose, Quat *rotation,
                        Vec3 *root_position);

#endif
