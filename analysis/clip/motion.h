/* Motion of the skeleton: group /motion and the time axis of a clip file. */
#ifndef KANE_CLIP_MOTION_H
#define KANE_CLIP_MOTION_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

typedef struct Motion {
    int frame_count;
    int joint_count;
    double frame_time;    /* s */
    double *time;         /* [frame] s, time of the source: if its first frame was dropped, time[0] = frame_time */
    Vec3 *root_position;  /* [frame] m, world: centre of joint 0 */
    Quat *rotation;       /* [frame][joint] joint axes to parent axes, root to world; signs are continuous, but where an
                             edited joint turns round */
    Vec3 *translation;    /* [frame][joint] m, joint centre in parent axes instead of the offset; zero for the root;
                             NULL: no joint translates */
} Motion;

/* Allocates zeroed arrays; time[f] = f * frame_time; translation only if has_translation. */
Status motion_init(Motion *m, int frame_count, int joint_count, double frame_time, int has_translation, Error *err);
/* The same with numbers of any value but for the times, for what fills all of them. */
Status motion_space(Motion *m, int frame_count, int joint_count, double frame_time, int has_translation, Error *err);
void motion_free(Motion *m);

Status motion_copy(Motion *out, const Motion *from, Error *err);

/* Flips signs so that each quaternion is nearest to its predecessor in time (frame 0: w >= 0). */
void motion_make_continuous(Motion *m);

static inline size_t motion_index(const Motion *m, int frame, int joint)
{
    return (size_t)frame * (size_t)m->joint_count + (size_t)joint;
}

/* A view of frames first to first + count - 1, not freed. */
static inline Motion motion_view(const Motion *m, int first, int count)
{
    Motion view = *m;
    size_t row = motion_index(m, first, 0);
    view.frame_count = count;
    view.time = m->time ? m->time + first : NULL;
    view.root_position += first;
    view.rotation += row;
    view.translation = m->translation ? m->translation + row : NULL;
    return view;
}

#endif
