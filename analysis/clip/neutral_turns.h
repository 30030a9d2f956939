/* How a body stands, in few numbers: an option's value, and what the clips of one skeleton share. */
#ifndef KANE_CLIP_NEUTRAL_TURNS_H
#define KANE_CLIP_NEUTRAL_TURNS_H

#include <stdint.h>

enum { NEUTRAL_JOINTS = 48 };

/* Of every joint with a role, or with such a joint below it, in the skeleton's order: the rotation vector from the
 * joint's axes to the body's (x left, y up, z front) in the neutral pose, tenths of a degree. count 0: unknown. */
typedef struct NeutralAngles {
    int16_t count;
    int16_t tenth[NEUTRAL_JOINTS][3];
} NeutralAngles;

#endif
