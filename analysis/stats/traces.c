#include "analysis/stats/traces.h"

#include <math.h>

#include "analysis/base/memory.h"

static void add_trace(Traces *t, Role role, const JointSeries *series, int joint)
{
    const double *torque = joint_series_torque(series, joint);
    float *nm = t->nm + (size_t)t->count * (size_t)t->frame_count;
    for (int f = 0; f < t->frame_count; f++)
        nm[f] = NAN;
    for (int i = 0; i < series->count; i++)
        nm[series->frame[i]] = (float)torque[i];
    t->role[t->count++] = role;
}

Status traces_init(Traces *t, const Clip *clip, const JointSeries *series, Error *err)
{
    int joint[ROLE_COUNT], roles = 0;
    for (int r = ROLE_NONE + 1; r < ROLE_COUNT && series->has_load; r++) {
        joint[r] = skeleton_find_role(&clip->skeleton, (Role)r);
        roles += joint[r] >= 0;
    }
    *t = (Traces){.frame_count = clip->motion.frame_count};
    t->role = array_new((size_t)roles, 1, sizeof *t->role);
    t->nm = array_new((size_t)roles, (size_t)t->frame_count, sizeof *t->nm);
    if (!t->role || !t->nm) {
        traces_free(t);
        return error_no_memory(err);
    }
    for (int r = ROLE_NONE + 1; r < ROLE_COUNT && series->has_load; r++)
        if (joint[r] >= 0)
            add_trace(t, (Role)r, series, joint[r]);
    return STATUS_OK;
}

void traces_free(Traces *t)
{
    if (!t)
        return;
    free(t->role);
    free(t->nm);
    *t = (Traces){0};
}
