/* Artifacts excluded from smoothing (artifact_bridge.h). */
#include "analysis/quality/artifact_bridge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

static const double slowing = 0.25; /* s: decay time of a joint's velocity in a long gap */
static const double slope = 0.02;   /* s, to each side: span of the velocity beside a gap */
static const double level_span = 2; /* s, to each side of a step of the path: search of its level */
static const double left = 0.5;     /* part of a gap's largest step: remainder between the ends of an excursion */

/* Bits that mark a joint's position or its rotation as wrong. */
#define POSITION_ARTIFACT (TRUST_TELEPORT | TRUST_FROZEN)
#define ROTATION_ARTIFACT (TRUST_FLIP | TRUST_FROZEN | TRUST_SWAPPED)
#define ANY_ARTIFACT (TRUST_TELEPORT | TRUST_FLIP | TRUST_FROZEN | TRUST_SWAPPED)

typedef enum TrackKind { TRACK_POSITION, TRACK_ROTATION } TrackKind;

/* The position of a joint's centre (of the root in world coordinates), or its rotation, over time. */
typedef struct BridgeTrack {
    Motion *motion;
    TrackKind kind;
    int joint;
} BridgeTrack;

/* A take with artifacts, and scratch for a pose. */
typedef struct BridgedTake {
    const Skeleton *skeleton;
    const Trust *trust;
    Motion *motion;
    Vec3 *position; /* [joint] m */
    Quat *rotation; /* [joint] joint to world */
} BridgedTake;

struct TakenStep {
    TrackKind kind;
    int joint, frame; /* the first after the step */
    Vec3 shift;
    Quat rotation;
};

static Vec3 *position_at(const BridgeTrack *t, int frame)
{
    Motion *m = t->motion;
    return t->joint == 0 ? &m->root_position[frame] : &m->translation[motion_index(m, frame, t->joint)];
}

static Quat *rotation_at(const BridgeTrack *t, int frame)
{
    return &t->motion->rotation[motion_index(t->motion, frame, t->joint)];
}

/* The displacement from frame a to frame b: m, or a rotation vector in parent axes, rad. */
static Vec3 displacement(const BridgeTrack *t, int a, int b)
{
    if (t->kind == TRACK_POSITION)
        return vec3_sub(*position_at(t, b), *position_at(t, a));
    return vec3_scale(quat_log(quat_mul(*rotation_at(t, b), quat_conjugate(*rotation_at(t, a)))), 2);
}

/* Sets frame f to frame `from` displaced by v. */
static void set_position(const BridgeTrack *t, int f, int from, Vec3 v)
{
    if (t->kind == TRACK_POSITION)
        *position_at(t, f) = vec3_add(*position_at(t, from), v);
    else
        *rotation_at(t, f) = quat_nearest(quat_mul(quat_exp(vec3_scale(v, 0.5)), *rotation_at(t, from)),
                                       *rotation_at(t, f > 0 ? f - 1 : 0));
}

/* ---- Gaps ---- */

/* Frames first to last have artifacts; the frames beside them are sound or outside the take. */
typedef struct Gap {
    int first, last;
} Gap;

static int has_artifact(const BridgeTrack *t, const Trust *trust, int f)
{
    uint32_t bits = trust->joint_reason[(size_t)f * (size_t)trust->joint_count + (size_t)t->joint];
    return (bits & (t->kind == TRACK_POSITION ? POSITION_ARTIFACT : ROTATION_ARTIFACT)) != 0;
}

/* Finds the next gap from frame f on. Returns 0 if there is none. */
static int next_gap(const BridgeTrack *t, const Trust *trust, int f, Gap *gap)
{
    int frames = trust->frame_count;
    while (f < frames && !has_artifact(t, trust, f))
        f++;
    *gap = (Gap){f, f};
    while (gap->last + 1 < frames && has_artifact(t, trust, gap->last + 1))
        gap->last++;
    return f < frames;
}

static int has_bit(const BridgeTrack *t, const Trust *trust, Gap gap, uint32_t bit)
{
    for (int f = gap.first; f <= gap.last; f++)
        if (trust->joint_reason[(size_t)f * (size_t)trust->joint_count + (size_t)t->joint] & bit)
            return 1;
    return 0;
}

/* The displacement per frame, forward in time, at the sound frame `from` beside a gap (step -1: before it): the slope
 * of a parabola through up to 2 `slope` seconds of sound frames. Zero if there is no second sound frame. */
static Vec3 speed_beside(const BridgeTrack *t, const Trust *trust, int from, int step)
{
    int max = 2 * (int)fmax(1, rint(slope / t->motion->frame_time)), count = 0;
    for (int f = from + step; count < max && f >= 0 && f < trust->frame_count && !has_artifact(t, trust, f); f += step)
        count++;
    if (count < 2)
        return count == 0 ? vec3(0, 0, 0) : vec3_scale(displacement(t, from, from + step), step);
    int half = count / 2;
    Vec3 near = vec3_scale(displacement(t, from, from + half * step), 1.0 / half);
    Vec3 far = vec3_scale(displacement(t, from + half * step, from + 2 * half * step), 1.0 / half);
    return vec3_scale(vec3_mad(vec3_scale(near, 1.5), -0.5, far), step);
}

/* Whether the take continues after the gap where it was before: the displacement between the ends, minus the joint's
 * motion, is small compared with the artifact. */
static int comes_back(const BridgeTrack *t, Gap gap, Vec3 before, Vec3 after)
{
    double largest = 0;
    for (int f = gap.first; f <= gap.last + 1; f++)
        largest = fmax(largest, vec3_norm(displacement(t, f - 1, f)));
    Vec3 drift = vec3_scale(vec3_add(before, after), 0.5 * (gap.last - gap.first + 2));
    return vec3_norm(vec3_sub(displacement(t, gap.first - 1, gap.last + 1), drift)) < left * largest;
}

/* The displacement of a joint after `frames` of a gap of `all` frames, from `speed` per frame; in a long gap the
 * velocity decays. */
static Vec3 coast(const BridgeTrack *t, Vec3 speed, double frames, double all)
{
    double rest = slowing / t->motion->frame_time;
    return vec3_scale(speed, all <= rest ? frames : rest * (1 - elementary_exp(-frames / rest)));
}

/* Fills the gap with Hermite's cubic through the frames beside it with their velocities, which decay in a long gap. */
static void bridge(const BridgeTrack *t, Gap gap, const Vec3 speed[2])
{
    int from = gap.first - 1, to = gap.last + 1, frames = to - from;
    Vec3 whole = displacement(t, from, to);
    for (int f = gap.first; f <= gap.last; f++) {
        double u = (double)(f - from) / frames, v = 1 - u;
        Vec3 displacement = vec3_scale(whole, u * u * (3 - 2 * u));
        displacement = vec3_mad(displacement, v * v, coast(t, speed[0], f - from, frames));
        set_position(t, f, from, vec3_mad(displacement, -u * u, coast(t, speed[1], to - f, frames)));
    }
}

/* Fills a gap at an end of the take with the sound frame beside it. */
static void hold(const BridgeTrack *t, Gap gap, int from)
{
    for (int f = gap.first; f <= gap.last; f++)
        set_position(t, f, from, vec3(0, 0, 0));
}

/* ---- Permanent steps ---- */

/* Removes the step from frame s->frame on, or restores it (back = 1). Rotations are normalised: the next step is
 * computed from them, and without that an error in length would triple with each step. */
static void move_from(Motion *m, const struct TakenStep *s, int back)
{
    BridgeTrack t = {m, s->kind, s->joint};
    Quat q = back ? s->rotation : quat_conjugate(s->rotation);
    for (int f = s->frame; f < m->frame_count; f++)
        if (s->kind == TRACK_POSITION)
            *position_at(&t, f) = vec3_mad(*position_at(&t, f), back ? 1 : -1, s->shift);
        else
            *rotation_at(&t, f) = quat_normalize(quat_mul(q, *rotation_at(&t, f)));
}

static int largest_step(const BridgeTrack *t, Gap gap)
{
    int at = gap.first;
    double largest = -1;
    for (int f = gap.first > 0 ? gap.first : 1; f <= gap.last + 1 && f < t->motion->frame_count; f++) {
        double size = vec3_norm(displacement(t, f - 1, f));
        at = size > largest ? f : at;
        largest = fmax(size, largest);
    }
    return at;
}

/* The displacement of the joint from frame f - 1 to f without the step: a cubic through the steps around it, or their
 * mean if fewer are sound. */
static Vec3 expected_step(const BridgeTrack *t, const Trust *trust, int f)
{
    int last = trust->frame_count - 1;
    Vec3 before = f > 1 ? displacement(t, f - 2, f - 1) : vec3(0, 0, 0);
    Vec3 after = f < last ? displacement(t, f, f + 1) : vec3(0, 0, 0), near = vec3_scale(vec3_add(before, after), 0.5);
    for (int k = f - 3; k <= f + 2; k++)
        if (k < 0 || k > last || (k != f && has_artifact(t, trust, k)))
            return near;
    Vec3 far = vec3_scale(vec3_add(displacement(t, f - 3, f - 2), displacement(t, f + 1, f + 2)), 0.5);
    return vec3_mad(vec3_scale(near, 4 / 3.0), -1 / 3.0, far);
}

/* The height of the lowest joint in a frame, m. position[joint] and rotation[joint] are scratch. */
static double lowest_joint(const BridgedTake *take, int frame)
{
    const Motion *m = take->motion;
    double low = INFINITY;
    for (int j = 0; j < m->joint_count; j++) {
        size_t at = motion_index(m, frame, j);
        int parent = take->skeleton->parent[j];
        Vec3 arm = m->translation && j > 0 ? m->translation[at] : take->skeleton->offset[j];
        take->rotation[j] = parent < 0 ? m->rotation[at] : quat_mul(take->rotation[parent], m->rotation[at]);
        take->position[j] = parent < 0 ? m->root_position[frame]
                                       : vec3_add(take->position[parent], quat_rotate(take->rotation[parent], arm));
        low = fmin(low, take->position[j].y);
    }
    return low;
}

/* The height of the lowest joint over the frames on one side of a step of the path, up to the next such step. */
static double level_beside(const BridgedTake *take, int from, int step)
{
    int max = (int)(level_span / take->motion->frame_time);
    double low = INFINITY;
    for (int f = from, k = 0; k <= max && f >= 0 && f < take->trust->frame_count; f += step, k++) {
        if (take->trust->joint_reason[(size_t)f * (size_t)take->trust->joint_count] & TRUST_TELEPORT && f != from)
            break;
        if (!(take->trust->reason[f] & TRUST_SOURCE) || f == from)
            low = fmin(low, lowest_joint(take, f));
    }
    return low;
}

/* The part of a step of the path that is restored later: its height, if the levels on both sides agree clearly better
 * with it. */
static Vec3 height_to_keep(const BridgedTake *take, int frame, Vec3 shift)
{
    double rise = level_beside(take, frame, 1) - level_beside(take, frame - 1, -1);
    return vec3(0, 2 * fabs(rise) < fabs(rise - shift.y) ? shift.y : 0, 0);
}

/* Removes the largest step of a gap, except for the motion expected there. */
static Status take_out(const BridgedTake *take, const BridgeTrack *t, Gap gap, TakenSteps *taken, Error *err)
{
    const Trust *trust = take->trust;
    int f = largest_step(t, gap);
    if (taken->count == taken->capacity) {
        int room = taken->capacity ? 2 * taken->capacity : 8;
        struct TakenStep *grown = realloc(taken->step, (size_t)room * sizeof *grown);
        if (!grown)
            return error_no_memory(err);
        taken->step = grown;
        taken->capacity = room;
    }
    struct TakenStep s = {.kind = t->kind, .joint = t->joint, .frame = f, .rotation = QUAT_IDENTITY};
    Vec3 drift = expected_step(t, trust, f);
    s.shift = vec3_sub(displacement(t, f - 1, f), drift);
    if (t->kind == TRACK_ROTATION) {
        Quat expected = quat_mul(quat_exp(vec3_scale(drift, 0.5)), *rotation_at(t, f - 1));
        s.rotation = quat_normalize(quat_mul(*rotation_at(t, f), quat_conjugate(expected)));
    }
    Vec3 back = t->kind == TRACK_POSITION && t->joint == 0 ? height_to_keep(take, f, s.shift) : s.shift;
    move_from(t->motion, &s, 0);
    s.shift = back;
    taken->step[taken->count++] = s;
    return STATUS_OK;
}

/* ---- The whole take ---- */

static Status repair_gap(const BridgedTake *take, const BridgeTrack *t, Gap gap, TakenSteps *taken, Error *err)
{
    const Trust *trust = take->trust;
    int frames = trust->frame_count;
    if (gap.first == 0 && gap.last == frames - 1)
        return STATUS_OK;
    if (gap.first == 0 || gap.last == frames - 1) {
        hold(t, gap, gap.first == 0 ? gap.last + 1 : gap.first - 1);
        return STATUS_OK;
    }
    Vec3 speed[2] = {speed_beside(t, trust, gap.first - 1, -1), speed_beside(t, trust, gap.last + 1, 1)};
    if (has_bit(t, trust, gap, TRUST_FROZEN | TRUST_SWAPPED) || comes_back(t, gap, speed[0], speed[1])) {
        bridge(t, gap, speed);
        return STATUS_OK;
    }
    return take_out(take, t, gap, taken, err);
}

int artifact_bridge_needed(const Trust *trust)
{
    size_t count = trust->joint_reason ? (size_t)trust->frame_count * (size_t)trust->joint_count : 0;
    for (size_t i = 0; i < count; i++)
        if (trust->joint_reason[i] & ANY_ARTIFACT)
            return 1;
    return 0;
}

static int all_have_artifacts(const Trust *trust, int f)
{
    const uint32_t *joint = trust->joint_reason + (size_t)f * (size_t)trust->joint_count;
    for (int j = 0; j < trust->joint_count; j++)
        if (!(joint[j] & ANY_ARTIFACT))
            return 0;
    return 1;
}

void artifact_bridge_frames(const Trust *trust, double frame_time, uint8_t *bridged)
{
    int frames = trust->frame_count, reach = (int)floor(ARTIFACT_BRIDGE_REACH / frame_time + 1e-6);
    memset(bridged, 0, (size_t)frames);
    for (int f = 0; trust->joint_reason && f < frames; f++) {
        if (!all_have_artifacts(trust, f))
            continue;
        int last = f + reach < frames ? f + reach : frames - 1;
        for (int k = f > reach ? f - reach : 0; k <= last; k++)
            bridged[k] = 1;
    }
}

static Status repair_all(const BridgedTake *take, TakenSteps *taken, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < 2 * take->motion->joint_count && !status; i++) {
        BridgeTrack t = {take->motion, i % 2 ? TRACK_ROTATION : TRACK_POSITION, i / 2};
        Gap gap;
        if (t.kind == TRACK_POSITION && t.joint > 0 && !take->motion->translation)
            continue;
        for (int f = 0; !status && next_gap(&t, take->trust, f, &gap); f = gap.last + 1)
            status = repair_gap(take, &t, gap, taken, err);
    }
    return status;
}

Status artifact_bridge(const Skeleton *skeleton, const Trust *trust, Motion *motion, TakenSteps *taken, Error *err)
{
    Arena arena = {0};
    size_t joints = (size_t)motion->joint_count;
    BridgedTake take = {skeleton, trust, motion, arena_array(&arena, joints, 1, sizeof(Vec3)),
                        arena_array(&arena, joints, 1, sizeof(Quat))};
    Status status = arena.failed ? error_no_memory(err) : repair_all(&take, taken, err);
    motion_make_continuous(motion);
    arena_free(&arena);
    return status;
}

void artifact_put_back(Motion *motion, const TakenSteps *taken)
{
    for (int i = taken->count - 1; i >= 0; i--)
        move_from(motion, &taken->step[i], 1);
    if (taken->count > 0)
        motion_make_continuous(motion);
}

void taken_steps_free(TakenSteps *taken)
{
    if (!taken)
        return;
    free(taken->step);
    *taken = (TakenSteps){0};
}
