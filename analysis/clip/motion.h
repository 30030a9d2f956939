/* What the skeleton does over time: group /motion and the time axis of a container. */
#ifndef KANE_CLIP_MOTION_H
#define KANE_CLIP_MOTION_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/math/quat.h"

typedef struct Motion {
    int frame_count;
    int joint_count;
    double frame_time;    /* s */
    double *time;         /* [frame] s, of the source: a dropped first frame leaves time[0] = frame_time */
    Vec3 *root_position;  /* [frame] m, world: centre of joint 0 */
    Quat *rotation;       /* [frame][joint] joint axes to parent axes, root to world; signs are continuous */
    Vec3 *translation;    /* [frame][joint] m, joint centre in parent axes instead of the offset; row of the root is
                             zero; NULL where no joint translates */
} Motion;

/* Zeroed; time[f] = f * frame_time; translation only when has_translation. */
Status motion_init(Motion *m, int frame_count, int joint_count, double frame_time, int has_translation, Error *err);
void motion_free(Motion *m);

Status motion_copy(Motion *out, const Motion *from, Error *err);

/* Flips signs so that each quaternion lies nearest its predecessor in time (frame 0: w >= 0). */
void motion_make_continuous(Motion *m);

/* How far the length of a rotation lies from 1 at most, and which one's does (*at, NULL: nobody asks); infinite where
 * one is no number. */
double rotations_length_error(const Quat *rotation, size_t count, size_t *at);

static inline size_t motion_index(const Motion *m, int frame, int joint)
{
    return (size_t)frame * (size_t)m->joint_count + (size_t)joint;
}

#endif
