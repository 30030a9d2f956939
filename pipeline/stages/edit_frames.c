/* See edit_frames.h. */
#include "pipeline/stages/edit_frames.h"

#include <math.h>
#include <string.h>

#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

#define SAME_ANGLE 1e-5  /* rad */
#define SAME_PLACE 1e-5  /* m */
#define LEAVES_BONE 1e-3 /* m: translation of a joint that the clip does not have */

static double turn_between(Quat a, Quat b)
{
    Quat d = quat_mul(quat_conjugate(a), b);
    return 2 * vec3_norm(vec3(d.x, d.y, d.z));
}

static int differs(const Motion *a, int fa, const Motion *b, int fb)
{
    int moved = vec3_distance(a->root_position[fa], b->root_position[fb]) > SAME_PLACE;
    for (int j = 0; j < a->joint_count && !moved; j++) {
        size_t i = motion_index(a, fa, j), k = motion_index(b, fb, j);
        moved = turn_between(a->rotation[i], b->rotation[k]) > SAME_ANGLE ||
                (a->translation && b->translation &&
                 vec3_distance(a->translation[i], b->translation[k]) > SAME_PLACE);
    }
    return moved;
}

static Status check_translations(const Motion *edited, const Clip *clip, Error *err)
{
    const Skeleton *s = &clip->skeleton;
    if (clip->motion.translation || !edited->translation)
        return STATUS_OK;
    for (int f = 0; f < edited->frame_count; f++)
        for (int j = 1; j < edited->joint_count; j++)
            if (vec3_distance(edited->translation[motion_index(edited, f, j)], s->offset[j]) > LEAVES_BONE)
                return error_set(err, STATUS_BAD_INPUT, "joint \"%.60s\" leaves its bone in frame %d: the joints of "
                                 "the clip only turn", s->name[j], f);
    return STATUS_OK;
}

static void put_pose(const Motion *from, int f, Motion *to, int at)
{
    size_t joints = (size_t)to->joint_count;
    to->root_position[at] = from->root_position[f];
    memcpy(to->rotation + (size_t)at * joints, from->rotation + (size_t)f * joints, joints * sizeof *to->rotation);
    if (to->translation && from->translation)
        memcpy(to->translation + (size_t)at * joints, from->translation + (size_t)f * joints,
               joints * sizeof *to->translation);
}

/* Of two quaternions that are the same rotation, chooses those near the reference frame's. */
static void follow_signs(Motion *m, int frame, int reference)
{
    for (int j = 0; j < m->joint_count; j++) {
        Quat *q = &m->rotation[motion_index(m, frame, j)];
        *q = quat_nearest(*q, m->rotation[motion_index(m, reference, j)]);
    }
}

static void clear_recording(Trust *t, int frame)
{
    t->reason[frame] &= ~(uint32_t)TRUST_SOURCE;
    for (int j = 0; t->joint_reason && j < t->joint_count; j++)
        t->joint_reason[(size_t)frame * (size_t)t->joint_count + (size_t)j] &= ~(uint32_t)TRUST_SOURCE;
}

Status edit_frames_put(const Motion *edited, int at, Clip *clip, FrameSpan *changed, Error *err)
{
    Motion *m = &clip->motion;
    int first = -1, last = -1, lead = 0; /* edited frames at the start of the clip */
    *changed = (FrameSpan){0};
    if (at < 0 || at + edited->frame_count > m->frame_count)
        return error_set(err, STATUS_BAD_INPUT, "%d edited frames from frame %d on: the clip has %d; give --at S, "
                         "their begin in the clip", edited->frame_count, at, m->frame_count);
    Status status = check_translations(edited, clip, err);
    for (int f = 0; f < edited->frame_count && !status; f++) {
        if (!differs(m, at + f, edited, f))
            continue;
        put_pose(edited, f, m, at + f);
        lead += lead == at + f;
        if (at + f > 0)
            follow_signs(m, at + f, at + f - 1);
        if (clip->has_trust)
            clear_recording(&clip->trust, at + f);
        first = first < 0 ? at + f : first;
        last = at + f;
    }
    for (int f = lead - 1; f >= 0 && lead < m->frame_count; f--)
        follow_signs(m, f, f + 1);
    if (clip->has_trust)
        trust_settle(&clip->trust);
    if (first >= 0)
        *changed = (FrameSpan){first, last - first + 1};
    return status;
}
