/* Which frames, and which joints in them, an answer may rest on, and why not: group /trust of a container.
 *
 * A frame's reason is a set of flags (docs/formats/clip_file.md "Quality flags"), zero where it has none. A stage sets
 * and clears its own flags (trust_clear): import the faults of the source, kinematics the edges, torque what the forces
 * do not explain and what is uncertain. A fault of a limb too light to matter to the rest of the body, and an uncertain
 * torque, is the reason of its joints alone. */
#ifndef KANE_CLIP_TRUST_H
#define KANE_CLIP_TRUST_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/status.h"

/* Numbers in files: a bit keeps its meaning for good. */
typedef enum TrustReason {
    TRUST_EDGE = 1 << 0,               /* an end of the clip, or an artifact, is within reach of the filters */
    TRUST_TELEPORT = 1 << 1,           /* physically impossible displacement of a joint in one frame */
    TRUST_FLIP = 1 << 2,               /* physically impossible rotation of a joint in one frame */
    TRUST_FROZEN = 1 << 3,             /* the pose, or a joint, repeats the frame before to the last digit */
    TRUST_INTERPOLATED = 1 << 4,       /* the pose moves on a straight line where a recording does not */
    TRUST_UNEXPLAINED = 1 << 5,        /* nothing supports the body, and it does not fall */
    TRUST_LOST_CONTACT = 1 << 6,       /* the body requires support and no point supports it */
    TRUST_AIRBORNE_SUPPORT = 1 << 7,   /* a point that supports the body is clear of the ground */
    TRUST_NO_ROOT_PATH = 1 << 8,       /* the file has no root path */
    TRUST_ADJACENT_JOINT = 1 << 9,     /* of joints: the parent or a child has an artifact */
    TRUST_PRESUMED_SUPPORT = 1 << 10,  /* an unrecorded seat or handrail supports part of the body */
    TRUST_OFF_PLATES = 1 << 11,        /* something supports the body that no force plate sees */
    TRUST_PLATES_DOUBTED = 1 << 12,    /* force plates and motion contradict each other */
    TRUST_FLICKER = 1 << 13,           /* a joint shakes from frame to frame */
    TRUST_DRIFT = 1 << 14,             /* the body rises or sinks off the ground at an even rate */
    TRUST_SLIDING = 1 << 15,           /* a foot on the ground slides */
    TRUST_SWAPPED = 1 << 16,           /* left and right limb are exchanged */
    TRUST_REPEATED = 1 << 17,          /* every row of the clip occurs more than once */
    TRUST_UNCERTAIN = 1 << 18,         /* the expected error of a torque is over the limit */
} TrustReason;
enum { TRUST_REASON_COUNT = 19 };

/* What import finds in the source. */
#define TRUST_SOURCE                                                                                                  \
    (TRUST_TELEPORT | TRUST_FLIP | TRUST_FROZEN | TRUST_INTERPOLATED | TRUST_NO_ROOT_PATH | TRUST_FLICKER |            \
     TRUST_DRIFT | TRUST_SLIDING | TRUST_SWAPPED | TRUST_REPEATED)

typedef struct Trust {
    int frame_count;
    int joint_count;
    uint32_t *reason;       /* [frame] TrustReason bits */
    uint32_t *joint_reason; /* [frame][joint] the same of one joint: its artifacts, and if a light limb has an artifact
                               all flags of its joints; NULL: no joint has any */
    uint8_t *trusted;       /* [frame] 1 where reason is 0 */
} Trust;

/* Zeroed but for trusted, which is 1: no frame is flagged. joint_reason only when has_joints. */
Status trust_init(Trust *t, int frame_count, int joint_count, int has_joints, Error *err);
Status trust_add_joints(Trust *t, Error *err); /* a zeroed joint_reason where there is none yet */
void trust_free(Trust *t);

/* "teleport" of bit number 1; valid for the life of the program. */
const char *trust_reason_name(int number);

/* Frames without TRUST_OFF_PLATES: all of a clip without force plates. */
int trust_seen_frames(const Trust *t);

/* Trusted frames over trust_seen_frames; 0 where none is seen, 1 of a clip without frames. */
double trust_fraction(const Trust *t);

/* The name of the reason that most seen frames have (where none is seen, most frames), TRUST_EDGE only where there is
 * no other; "": all are trusted. */
const char *trust_commonest_reason(const Trust *t);

/* Takes these bits from every frame and joint. */
void trust_clear(Trust *t, uint32_t bits);

/* Fills trusted: a stage calls it when its reasons are in. */
void trust_settle(Trust *t);

/* Flags of a joint in a frame: those of the frame apply to all of its joints. */
static inline uint32_t trust_joint_reason(const Trust *t, int frame, int joint)
{
    size_t at = (size_t)frame * (size_t)t->joint_count + (size_t)joint;
    return t->reason[frame] | (t->joint_reason ? t->joint_reason[at] : 0);
}

#endif
