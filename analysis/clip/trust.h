/* Quality flags of frames and joints: group /trust of a clip file.
 *
 * A frame's reason is a set of flags (docs/formats/clip_file.md "Quality flags"), zero if it has none. A stage sets and
 * clears its own flags (trust_clear): import those of capture artifacts, kinematics the edges, torque those of
 * unexplained forces and uncertain torques. Flags of a limb too light to affect the rest of the body, and of uncertain
 * torques, apply to its joints only. */
#ifndef KANE_CLIP_TRUST_H
#define KANE_CLIP_TRUST_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/status.h"

/* Bits as stored in files: their meaning never changes. */
typedef enum TrustReason {
    TRUST_EDGE = 1 << 0,               /* an end of the clip or an artifact is within reach of the filters */
    TRUST_TELEPORT = 1 << 1,           /* physically impossible displacement of a joint in one frame */
    TRUST_FLIP = 1 << 2,               /* physically impossible rotation of a joint in one frame */
    TRUST_FROZEN = 1 << 3,             /* the pose, or a joint, repeats the frame before exactly */
    TRUST_INTERPOLATED = 1 << 4,       /* the pose moves exactly linearly, as no recording does */
    TRUST_UNEXPLAINED = 1 << 5,        /* the body has no support and does not fall */
    TRUST_LOST_CONTACT = 1 << 6,       /* the body requires support, and no point is in contact */
    TRUST_AIRBORNE_SUPPORT = 1 << 7,   /* a supporting point is clear of the ground */
    TRUST_NO_ROOT_PATH = 1 << 8,       /* the file has no root path */
    TRUST_ADJACENT_JOINT = 1 << 9,     /* joints only: the parent or a child has an artifact */
    TRUST_PRESUMED_SUPPORT = 1 << 10,  /* an unrecorded seat or handrail supports part of the body */
    TRUST_OFF_PLATES = 1 << 11,        /* a support that no force plate measures */
    TRUST_PLATES_DOUBTED = 1 << 12,    /* force plates and motion are inconsistent */
    TRUST_FLICKER = 1 << 13,           /* a joint jitters from frame to frame, or shakes in a rhythm */
    TRUST_DRIFT = 1 << 14,             /* the body rises or sinks off the ground at a constant rate */
    TRUST_SLIDING = 1 << 15,           /* a foot on the ground slides */
    TRUST_SWAPPED = 1 << 16,           /* left and right limb are exchanged */
    TRUST_REPEATED = 1 << 17,          /* rows of the clip are repeated at regular intervals */
    TRUST_UNCERTAIN = 1 << 18,         /* the expected error of a torque is over the limit */
    TRUST_MISSING_PART = 1 << 19,      /* joints only: they carry a part of the body that the skeleton lacks */
    TRUST_LOST_ROW = 1 << 20,          /* rows may be missing beside the frame */
} TrustReason;
enum { TRUST_REASON_COUNT = 21 };

/* Flags that import sets for the source. */
#define TRUST_SOURCE                                                                                                  \
    (TRUST_TELEPORT | TRUST_FLIP | TRUST_FROZEN | TRUST_INTERPOLATED | TRUST_NO_ROOT_PATH | TRUST_FLICKER |            \
     TRUST_DRIFT | TRUST_SLIDING | TRUST_SWAPPED | TRUST_REPEATED | TRUST_LOST_ROW)

/* The three kinds of reasons. The recording is bad: left out of statistics. The estimate is uncertain: its bars are
 * wide. The body could not do it: a finding. */
#define TRUST_RECORDING \
    (TRUST_SOURCE | TRUST_EDGE | TRUST_ADJACENT_JOINT | TRUST_OFF_PLATES | TRUST_PLATES_DOUBTED | \
     TRUST_MISSING_PART)
#define TRUST_ESTIMATE (TRUST_UNCERTAIN | TRUST_PRESUMED_SUPPORT | TRUST_AIRBORNE_SUPPORT)
#define TRUST_BODY (TRUST_UNEXPLAINED | TRUST_LOST_CONTACT)

typedef struct Trust {
    int frame_count;
    int joint_count;
    uint32_t *reason;       /* [frame] TrustReason bits */
    uint32_t *joint_reason; /* [frame][joint] flags of one joint: its artifacts, and all flags of a light limb's
                               joints; NULL: none */
    uint8_t *trusted;       /* [frame] 1 if reason is 0 */
} Trust;

/* Allocates zero flags, with trusted 1; joint_reason only if has_joints. */
Status trust_init(Trust *t, int frame_count, int joint_count, int has_joints, Error *err);
Status trust_add_joints(Trust *t, Error *err); /* adds a zeroed joint_reason if missing */
void trust_free(Trust *t);

/* Name of bit `number`, such as "teleport" for 1; static storage. */
const char *trust_reason_name(int number);

/* Number of frames without TRUST_OFF_PLATES; all frames without force plates. */
int trust_seen_frames(const Trust *t);

/* Trusted frames over trust_seen_frames; 0 if no frame is seen, 1 for a clip without frames. */
double trust_fraction(const Trust *t);

/* Name of the most common flag in seen frames (if none is seen, in all), TRUST_EDGE only if there is no other; "":
 * none. */
const char *trust_commonest_reason(const Trust *t);

/* Clears these bits in every frame and joint. */
void trust_clear(Trust *t, uint32_t bits);

/* Sets trusted from reason; a stage calls it after it has set its flags. */
void trust_settle(Trust *t);

/* Flags of a joint in a frame, including those of the frame, which apply to all joints. */
static inline uint32_t trust_joint_reason(const Trust *t, int frame, int joint)
{
    size_t at = (size_t)frame * (size_t)t->joint_count + (size_t)joint;
    return t->reason[frame] | (t->joint_reason ? t->joint_reason[at] : 0);
}

#endif
