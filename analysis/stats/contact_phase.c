#include "analysis/stats/contact_phase.h"

#include "analysis/base/memory.h"
#include "analysis/contact/foot.h"

unsigned contact_touching(const Clip *clip, int frame)
{
    const Contact *c = &clip->contact;
    const double *state = c->state + (size_t)frame * (size_t)c->point_count;
    unsigned bits = 0;
    for (int p = 0; p < c->point_count; p++)
        if (state[p] > 0.5)
            bits |= 1u << foot_of_segment(clip->skeleton.segment[c->point_joint[p]]);
    return bits;
}

Status contact_phases_init(ContactPhases *phases, const Clip *clip, int foot, double least_gap, Error *err)
{
    int frames = clip->has_contact && clip->contact.point_count > 0 ? clip->contact.frame_count : 0;
    const double *time = clip->motion.time;
    *phases = (ContactPhases){.span = array_new((size_t)frames / 2 + 1, 1, sizeof *phases->span)};
    if (!phases->span)
        return error_no_memory(err);
    for (int f = 0; f < frames; f++) {
        FrameSpan *last = phases->count > 0 ? &phases->span[phases->count - 1] : NULL;
        if (!(contact_touching(clip, f) >> foot & 1))
            continue;
        /* between two frames of contact k frames apart lie k - 1 without */
        if (last && (f == last->last + 1 || time[f - 1] - time[last->last] < least_gap))
            last->last = f;
        else
            phases->span[phases->count++] = (FrameSpan){f, f};
    }
    return STATUS_OK;
}

void contact_phases_free(ContactPhases *phases)
{
    if (!phases)
        return;
    free(phases->span);
    *phases = (ContactPhases){0};
}
