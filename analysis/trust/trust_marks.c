#include "analysis/trust/trust_marks.h"

#include <math.h>

/* Adds TRUST_EDGE within `reach` frames of the elements at[frame * stride] that have a bit of TRUST_SOURCE. */
static void spread(uint32_t *at, int frames, int stride, int reach)
{
    int last = -reach - 1;
    for (int f = 0; f < frames; f++) {
        if (at[(size_t)f * (size_t)stride] & (TRUST_SOURCE | TRUST_NEIGHBOUR))
            last = f;
        if (f - last <= reach)
            at[(size_t)f * (size_t)stride] |= TRUST_EDGE;
    }
    last = frames + reach;
    for (int f = frames - 1; f >= 0; f--) {
        if (at[(size_t)f * (size_t)stride] & (TRUST_SOURCE | TRUST_NEIGHBOUR))
            last = f;
        if (last - f <= reach)
            at[(size_t)f * (size_t)stride] |= TRUST_EDGE;
    }
}

void trust_mark_edges(const ClipView *clip, Trust *trust)
{
    int reach = (int)floor(TRUST_FAULT_REACH / clip->motion->frame_time + 1e-6);
    trust_clear(trust, TRUST_EDGE);
    spread(trust->reason, trust->frame_count, 1, reach);
    for (int j = 0; j < trust->joint_count; j++)
        spread(trust->joint_reason + j, trust->frame_count, trust->joint_count, reach);
    for (int f = 0; f < trust->frame_count; f++)
        trust->reason[f] |= clip->kinematics->valid[f] ? 0 : TRUST_EDGE;
}
