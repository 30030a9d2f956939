/* See blend.h. */
#include "analysis/transition/blend.h"

#include <math.h>
#include <string.h>

#include "analysis/motion/forward_kinematics.h"

enum { COMPARED = 9 }; /* frames of the interval in which poses are compared */

#define SAME_PLACE 1e-3 /* of an offset, and of a metre: a difference of two skeletons */
#define SAME_DISTANCE 1e-9 /* m */
#define ADVICE "; kane retarget puts it on the first"

/* Distance between the offsets of a joint, m; 0 where the motions place it. */
static double offset_distance(const Skeleton *a, const Skeleton *b, int joint)
{
    int is_placed = skeleton_position_channels(a, joint) > 0 && skeleton_position_channels(b, joint) > 0;
    return joint == 0 || is_placed ? 0 : vec3_distance(a->offset[joint], b->offset[joint]);
}

Status blend_check_skeletons(const Skeleton *a, const Skeleton *b, Error *err)
{
    int joints = a->joint_count < b->joint_count ? a->joint_count : b->joint_count;
    for (int j = 0; j < joints; j++) {
        double apart = offset_distance(a, b, j);
        if (strcmp(a->name[j], b->name[j]) || a->parent[j] != b->parent[j])
            return error_set(err, STATUS_BAD_INPUT, "the skeletons differ: joint %d is \"%.60s\" in the first and "
                             "\"%.60s\" here" ADVICE, j, a->name[j], b->name[j]);
        if (apart > SAME_PLACE * (1 + vec3_norm(a->offset[j])))
            return error_set(err, STATUS_BAD_INPUT, "the skeletons differ: joint \"%.60s\" is %.2g cm off the first's"
                             ADVICE, a->name[j], 100 * apart);
    }
    if (a->joint_count == b->joint_count)
        return STATUS_OK;
    const Skeleton *more = a->joint_count > b->joint_count ? a : b;
    return error_set(err, STATUS_BAD_INPUT, "the skeletons differ: joint \"%.60s\" is in one alone" ADVICE,
                     more->name[joints]);
}

/* Mean distance over the interval. */
static double mean_distance(const BlendSide *a, const BlendSide *b, const BlendSpan *span, int second)
{
    double sum = 0;
    for (int i = 0; i < COMPARED; i++) {
        int k = (int)((long)i * span->count / (COMPARED - 1));
        sum += pose_features_distance(a->features, span->first + k, b->features, second + k);
    }
    return sum / COMPARED;
}

Status blend_find(const BlendSide *a, const BlendSide *b, BlendSpan *span, Error *err)
{
    int frames = a->clip.motion->frame_count, others = b->clip.motion->frame_count;
    double frame_time = a->clip.motion->frame_time;
    int nearest = 0;
    if (span->first + span->count >= frames)
        return error_set(err, STATUS_BAD_INPUT, "the interval of %.4g s from %.4g s on is longer than the first clip, "
                         "which ends at %.4g s", span->count * frame_time, a->clip.motion->time[span->first],
                         a->clip.motion->time[frames - 1]);
    if (span->count >= others)
        return error_set(err, STATUS_BAD_INPUT, "the interval of %.4g s is longer than the second clip of %.4g s",
                         span->count * frame_time, (others - 1) * frame_time);
    span->distance = INFINITY;
    for (int second = 0; second + span->count < others; second++) {
        double distance = mean_distance(a, b, span, second);
        int apart = second > span->first ? second - span->first : span->first - second;
        int is_nearer = distance <= span->distance + SAME_DISTANCE && apart < nearest;
        if (distance < span->distance - SAME_DISTANCE || is_nearer) {
            span->distance = distance;
            span->second = second;
            nearest = apart;
        }
    }
    return STATUS_OK;
}

/* World pose of the hips in a frame. */
static Status carrier_pose(const ClipView *clip, int frame, Vec3 *place, Quat *orientation, Error *err)
{
    Motion view = motion_view(clip->motion, frame, 1);
    ClipView one = {.skeleton = clip->skeleton, .motion = &view};
    Arena arena = {0};
    int carrier = root_motion_carrier(clip->skeleton);
    WorldPoses poses = {.position = arena_array(&arena, 1, (size_t)view.joint_count, sizeof(Vec3)),
                        .orientation = arena_array(&arena, 1, (size_t)view.joint_count, sizeof(Quat))};
    Status status = arena.failed ? error_no_memory(err) : forward_kinematics(&one, LANES_AUTO, &poses, err);
    if (!status) {
        *place = poses.position[carrier];
        *orientation = poses.orientation[carrier];
    }
    arena_free(&arena);
    return status;
}

/* The move that brings b to the position and heading of a at the begin of the interval, and its ground to a's. */
static Status align(const BlendSide *a, const BlendSide *b, const BlendSpan *span, GroundMove *move, Error *err)
{
    Vec3 to, from;
    Quat wanted, has;
    Status status = carrier_pose(&a->clip, span->first, &to, &wanted, err);
    if (!status)
        status = carrier_pose(&b->clip, span->second, &from, &has, err);
    if (status)
        return status;
    *move = (GroundMove){.yaw = heading_between(has, wanted)};
    move->shift = vec3_sub(to, ground_move_point(move, from));
    move->shift.y = a->feet->is_known && b->feet->is_known ? a->feet->contact.height - b->feet->contact.height : 0;
    return STATUS_OK;
}

/* Fills the window: both motions in the interval, one of them in the held frames around it. */
static void fill_window(const BlendSide *a, const BlendSide *b, const BlendSpan *span, const GroundMove *move,
                        Transition *t)
{
    for (int k = 0; k < t->frame_count; k++) {
        int first = span->first + k - t->first, second = span->second + k - t->first;
        const BlendSide *owner = k < t->seam ? a : b;
        transition_pose(&t->outgoing, k, k <= t->last ? a->clip.motion : b->clip.motion, k <= t->last ? first : second);
        transition_pose(&t->incoming, k, k >= t->first ? b->clip.motion : a->clip.motion,
                        k >= t->first ? second : first);
        if (k >= t->first)
            root_motion_move(&t->incoming, k, move);
        if (k > t->last)
            root_motion_move(&t->outgoing, k, move);
        if (owner->feet->is_known)
            transition_contact(t, k, &owner->feet->contact, k < t->seam ? first : second);
    }
}

/* Joins a before the interval, the transition and b behind it. */
static void join(const BlendSide *a, const BlendSide *b, const BlendSpan *span, const Transition *t,
                 const GroundMove *move, Motion *out)
{
    const Motion *x = a->clip.motion, *y = b->clip.motion;
    int end = span->first + span->count;
    for (int f = 0; f < out->frame_count; f++) {
        out->time[f] = f < x->frame_count ? x->time[f] : x->time[0] + f * x->frame_time;
        int k = f - span->first + t->first;
        if (f <= span->first)
            transition_pose(out, f, x, f);
        else if (f < end)
            transition_pose(out, f, &t->blended, k);
        else {
            transition_pose(out, f, y, f - span->first + span->second);
            root_motion_move(out, f, move);
        }
    }
    motion_make_continuous(out);
}

static Status fill_and_make(const BlendSide *a, const BlendSide *b, const BlendSpan *span, Transition *t,
                            GroundMove *move, Error *err)
{
    Vec3 stance;
    int stands;
    t->contact.normal = a->feet->is_known ? a->feet->contact.normal : t->contact.normal;
    t->contact.height = a->feet->contact.height;
    Status status = align(a, b, span, move, err);
    if (status)
        return status;
    fill_window(a, b, span, move, t);
    if ((status = transition_stance(t, a->clip.skeleton, a->feet, &stance, &stands, err)))
        return status;
    if (!stands && (status = transition_drift(t, a->clip.skeleton, &stance, err)))
        return status;
    move->shift = vec3_add(move->shift, vec3(stance.x, 0, stance.z));
    fill_window(a, b, span, move, t);
    return transition_make(t, a->clip.skeleton, a->feet, err);
}

Status blend_make(const BlendSide *a, const BlendSide *b, const BlendSpan *span, Motion *out, GroundMove *move,
                  Error *err)
{
    Arena arena = {0};
    Transition t = {0};
    int behind = b->clip.motion->frame_count - span->second - span->count - 1;
    int before = span->first < TRANSITION_MARGIN ? span->first : TRANSITION_MARGIN;
    int after = behind < TRANSITION_MARGIN ? behind : TRANSITION_MARGIN;
    *out = (Motion){0};
    TransitionFrames frames = {before + span->count + 1 + after, before, before + span->count};
    Status status = transition_init(&t, frames, a->clip.motion, &arena, err);
    if (!status)
        status = fill_and_make(a, b, span, &t, move, err);
    if (!status)
        status = motion_init(out, span->first + span->count + 1 + behind, t.joint_count, a->clip.motion->frame_time,
                             a->clip.motion->translation != NULL, err);
    if (!status)
        join(a, b, span, &t, move, out);
    transition_free(&t);
    arena_free(&arena);
    return status;
}
