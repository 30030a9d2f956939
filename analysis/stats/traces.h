/* Load of every role frame by frame, small enough for the index: 32-bit |torque|, so that "when?" has an exact answer.
 *
 * A hundredth of the container's size: 4 bytes a role and frame. */
#ifndef KANE_STATS_TRACES_H
#define KANE_STATS_TRACES_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/stats/joint_series.h"

typedef struct Traces {
    int count;       /* roles that the clip has */
    int frame_count; /* of the clip */
    Role *role;      /* [count] owned, in the order of roles */
    float *nm;       /* [count][frame] owned, Nm; NaN at frames not to trust */
} Traces;

/* A clip without dynamics has none: count 0. */
Status traces_init(Traces *t, const Clip *clip, const JointSeries *series, Error *err);
void traces_free(Traces *t);

#endif
