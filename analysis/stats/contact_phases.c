/* Foot contacts and flights (contact_phases.h). */
#include "analysis/stats/contact_phases.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/base/standard_gravity.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/trust.h"
#include "analysis/contact/foot_load.h"
#include "analysis/math/vec.h"

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

Status contact_phases_init(ContactPhases *phases, const Clip *clip, int foot, double min_gap, Error *err)
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
        /* between two frames of contact k frames apart, k - 1 frames are without */
        if (last && (f == last->last + 1 || time[f - 1] - time[last->last] < min_gap))
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

/* Whether a frame is valid without flags other than TRUST_UNCERTAIN; the uncertainty of torques affects neither paths
 * nor times. */
int contact_frame_counts(const Clip *clip, int frame)
{
    return frame >= 0 && frame < clip->kinematics.frame_count && clip_counts_frame(clip, frame, FRAMES_VALID) &&
           !(clip->has_trust && clip->trust.reason[frame] & ~(uint32_t)TRUST_UNCERTAIN);
}

/* Take-off height is the mean of the last frame in contact and the first in flight, because the feet leave the ground
 * between them. The apex is the vertex of the parabola through the highest frame and its neighbours. */
static double flight_height(const Clip *clip, int frame0, int frame1)
{
    const Vec3 *com = clip->kinematics.com;
    if (!com || !contact_frame_counts(clip, frame0 - 1))
        return NAN;
    int top = frame0;
    for (int f = frame0; f <= frame1; f++)
        if (com[f].y > com[top].y)
            top = f;
    double take_off = 0.5 * (com[frame0 - 1].y + com[frame0].y);
    if (top == frame0)
        return fmax(0, com[top].y - take_off);
    if (!contact_frame_counts(clip, top + 1) || com[top + 1].y > com[top].y)
        return NAN; /* still rising at the end of the clip */
    double before = com[top - 1].y, middle = com[top].y, after = com[top + 1].y;
    double bend = before - 2 * middle + after, slope = 0.5 * (after - before);
    return middle + (bend < 0 ? -0.5 * slope * slope / bend : 0) - take_off;
}

/* NaN if a frame up to the peak is not trusted. */
static double landing_peak(const Clip *clip, int frame1)
{
    const Contact *c = &clip->contact;
    double weight = clip->has_body ? clip->body.total_mass * GRAVITY : 0, largest = NAN;
    int last = frame1 + (int)(FLIGHT_LANDING_TIME / clip->motion.frame_time + 1e-9), is_trusted = 1, is_known = 0;
    for (int f = frame1 + 1; f <= last && f < c->frame_count && clip_counts_frame(clip, f, FRAMES_VALID); f++) {
        double total = 0;
        for (int i = 0; i < c->point_count; i++)
            total += c->force[(size_t)f * (size_t)c->point_count + (size_t)i].y;
        is_trusted = is_trusted && clip_counts_frame(clip, f, FRAMES_TRUSTED);
        is_known = largest >= total ? is_known : is_trusted;
        largest = fmax(largest, total);
    }
    return weight > 0 && is_known ? largest / weight : NAN;
}

Flight flight_measure(const Clip *clip, int frame0, int frame1)
{
    Flight none = {NAN, NAN};
    if (!clip->has_kinematics || !clip->has_contact)
        return none;
    return (Flight){flight_height(clip, frame0, frame1), landing_peak(clip, frame1)};
}
