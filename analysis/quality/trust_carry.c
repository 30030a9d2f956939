/* Flags carried to another motion or skeleton (trust_carry.h). */
#include "analysis/quality/trust_carry.h"

#include <math.h>

#define CARRIED (TRUST_SOURCE | TRUST_ADJACENT_JOINT)

static const double same = 1e-3; /* of a frame: tolerance for equal times */

/* The frames of the old motion that affect one frame of the new. */
typedef struct Span {
    int first, last;
} Span;

/* A frame between two old ones is a cubic through two on either side; it also represents the time up to half way to its
 * neighbours. */
static Span covered(const Motion *old, double time, double new_frame_time)
{
    double dt = old->frame_time, at = (time - old->time[0]) / dt, reach = 0.5 * new_frame_time / dt - same;
    reach = new_frame_time > dt * (1 + same) ? reach : 0;
    if (fabs(at - rint(at)) > same)
        reach = fmax(reach, 2);
    int first = (int)ceil(at - reach - same), last = (int)floor(at + reach + same);
    return (Span){first < 0 ? 0 : first, last < old->frame_count ? last : old->frame_count - 1};
}

void trust_carry_frame(const Trust *from, int source, Trust *to, int frame)
{
    size_t joints = (size_t)from->joint_count;
    to->reason[frame] |= from->reason[source] & CARRIED;
    for (size_t j = 0; from->joint_reason && to->joint_reason && j < joints; j++)
        to->joint_reason[(size_t)frame * joints + j] |= from->joint_reason[(size_t)source * joints + j] & CARRIED;
}

Status trust_carry_frames(const Trust *from, const Motion *old, const Motion *now, Trust *out, Error *err)
{
    Status status = trust_init(out, now->frame_count, from->joint_count, from->joint_reason != NULL, err);
    if (status)
        return status;
    for (int f = 0; f < now->frame_count; f++) {
        Span span = covered(old, now->time[f], now->frame_time);
        for (int k = span.first; k <= span.last; k++)
            trust_carry_frame(from, k, out, f);
    }
    trust_settle(out);
    return STATUS_OK;
}

Status trust_follow(Clip *clip, const Motion *now, Error *err)
{
    Trust trust;
    Status status = clip->has_trust ? trust_carry_frames(&clip->trust, &clip->motion, now, &trust, err) : STATUS_OK;
    if (status || !clip->has_trust)
        return status;
    trust_free(&clip->trust);
    clip->trust = trust;
    return STATUS_OK;
}

static int counterpart(const Skeleton *old, const Skeleton *now, int joint)
{
    return now->role[joint] != ROLE_NONE ? skeleton_find_role(old, now->role[joint])
                                         : skeleton_find(old, now->name[joint]);
}

Status trust_carry_joints(const Trust *from, const Skeleton *old, const Skeleton *now, Trust *out, Error *err)
{
    size_t joints = (size_t)now->joint_count;
    Status status = trust_init(out, from->frame_count, now->joint_count, from->joint_reason != NULL, err);
    if (status)
        return status;
    for (int f = 0; f < from->frame_count; f++)
        out->reason[f] = from->reason[f] & CARRIED;
    for (int j = 0; from->joint_reason && j < now->joint_count; j++) {
        int source = counterpart(old, now, j);
        for (int f = 0; source >= 0 && f < from->frame_count; f++)
            out->joint_reason[(size_t)f * joints + (size_t)j] =
                from->joint_reason[(size_t)f * (size_t)from->joint_count + (size_t)source] & CARRIED;
    }
    trust_settle(out);
    return STATUS_OK;
}
