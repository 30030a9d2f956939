/* Quality flags (trust_marks.h): what the file lacks, and where torques are not to be trusted. */
#include "analysis/quality/trust_marks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/contact/support.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "analysis/quality/artifacts.h"

/* Excludes the artifacts of a take from smoothing. */

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
static void put(const BridgeTrack *t, int f, int from, Vec3 v)
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
    int most = 2 * (int)fmax(1, rint(slope / t->motion->frame_time)), count = 0;
    for (int f = from + step; count < most && f >= 0 && f < trust->frame_count && !has_artifact(t, trust, f); f += step)
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
        put(t, f, from, vec3_mad(displacement, -u * u, coast(t, speed[1], to - f, frames)));
    }
}

/* Fills a gap at an end of the take with the sound frame beside it. */
static void hold(const BridgeTrack *t, Gap gap, int from)
{
    for (int f = gap.first; f <= gap.last; f++)
        put(t, f, from, vec3(0, 0, 0));
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
    int most = (int)(level_span / take->motion->frame_time);
    double low = INFINITY;
    for (int f = from, k = 0; k <= most && f >= 0 && f < take->trust->frame_count; f += step, k++) {
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

/* ---- Edges ---- */

/* Adds `bit` to the elements of at[frame][width] within `seconds`, in the same column, of those with one of the bits
 * `of`. */
typedef struct MarkSpread {
    uint32_t of, bit;
    double seconds;
} MarkSpread;

static void spread(const Clip *clip, uint32_t *at, int width, MarkSpread s)
{
    ptrdiff_t row = width, end = (ptrdiff_t)clip->trust.frame_count * row;
    ptrdiff_t reach = (ptrdiff_t)floor(s.seconds / clip->motion.frame_time + 1e-6) * row;
    for (ptrdiff_t i = 0; i < end; i++) {
        if (!(at[i] & s.of))
            continue;
        at[i] |= s.bit;
        for (ptrdiff_t k = i + row; k < end && k <= i + reach && !(at[k] & s.of); k += row)
            at[k] |= s.bit;
        for (ptrdiff_t k = i - row; k >= 0 && k >= i - reach && !(at[k] & s.of); k -= row)
            at[k] |= s.bit;
    }
}

static void mark_edges(const Clip *clip, Trust *trust)
{
    MarkSpread of_source = {
        (TRUST_SOURCE & ~TRUST_NO_ROOT_PATH) | TRUST_ADJACENT_JOINT, TRUST_EDGE, trust_limits.fault_reach,
    };
    if (trust->joint_reason) {
        spread(clip, trust->reason, 1, of_source);
        spread(clip, trust->joint_reason, trust->joint_count, of_source);
    }
    for (int f = 0; f < trust->frame_count; f++)
        trust->reason[f] |= clip->kinematics.valid[f] ? 0 : TRUST_EDGE;
}

/* ---- Support of the body ---- */

static Vec3 contact_point_position(const Clip *clip, int frame, int point)
{
    const Kinematics *k = &clip->kinematics;
    size_t at = (size_t)frame * (size_t)k->joint_count + (size_t)clip->contact.point_joint[point];
    return vec3_add(k->position[at], quat_rotate(k->orientation[at], clip->contact.point_position[point]));
}

static double point_speed(const Clip *clip, int frame, int point)
{
    const Kinematics *k = &clip->kinematics;
    size_t at = (size_t)frame * (size_t)k->joint_count + (size_t)clip->contact.point_joint[point];
    Vec3 arm = quat_rotate(k->orientation[at], clip->contact.point_position[point]);
    return vec3_norm(vec3_add(k->velocity[at], vec3_cross(k->angular_velocity[at], arm)));
}

/* The height along the ground's normal of the lowest contact point of each frame, m. */
static void measure_lowest(const Clip *clip, double *low)
{
    for (int f = 0; f < clip->contact.frame_count; f++) {
        low[f] = INFINITY;
        for (int i = 0; i < clip->contact.point_count; i++)
            low[f] = fmin(low[f], vec3_dot(contact_point_position(clip, f, i), clip->contact.ground_normal));
    }
}

/* The lowest height that the body reaches within `reach` frames. */
static double level_around(const double *low, int frames, int frame, int reach)
{
    double level = INFINITY;
    for (int f = frame > reach ? frame - reach : 0; f < frames && f <= frame + reach; f++)
        level = fmin(level, low[f]);
    return level;
}

static int is_airborne(const Clip *clip, int frame, const double *low, double size)
{
    const Contact *c = &clip->contact;
    double load = trust_limits.support_load * clip->body.total_mass * GRAVITY, level = NAN;
    for (int i = 0; i < c->point_count; i++) {
        if (vec3_norm(c->force[(size_t)frame * (size_t)c->point_count + (size_t)i]) <= load)
            continue;
        if (isnan(level))
            level = level_around(low, c->frame_count, frame, (int)(trust_limits.comes_down / clip->motion.frame_time));
        double height = vec3_dot(contact_point_position(clip, frame, i), c->ground_normal) - level;
        if (height > trust_limits.clear * size && point_speed(clip, frame, i) > trust_limits.support_speed)
            return 1;
    }
    return 0;
}

/* Whether the body needs a vertical force (in body weights) that its contacts do not provide. */
static int is_dropped(const Clip *clip, int frame)
{
    const Contact *c = &clip->contact;
    const Vec3 *com = clip->kinematics.com + frame;
    double dt = clip->motion.frame_time, had = 0;
    if (frame < 1 || frame + 1 >= c->frame_count)
        return 0;
    double need = 1 + (com[1].y - 2 * com[0].y + com[-1].y) / (dt * dt) / GRAVITY;
    for (int i = 0; need > trust_limits.needs_support && i < c->point_count; i++)
        had += c->force[(size_t)frame * (size_t)c->point_count + (size_t)i].y;
    return need > trust_limits.needs_support && had < trust_limits.support_load * clip->body.total_mass * GRAVITY;
}

static Status mark_contact(const Clip *clip, Trust *trust, Error *err)
{
    Arena arena = {0};
    double *low = arena_array(&arena, (size_t)trust->frame_count, 1, sizeof *low), size;
    if (arena.failed)
        return error_no_memory(err);
    size = artifact_body_size(&clip->skeleton);
    measure_lowest(clip, low);
    ClipView view = clip_view(clip);
    for (int f = 0; f < trust->frame_count; f++) {
        trust->reason[f] |= is_dropped(clip, f) ? TRUST_LOST_CONTACT : 0;
        trust->reason[f] |= is_airborne(clip, f, low, size) ? TRUST_AIRBORNE_SUPPORT : 0;
        trust->reason[f] |= support_is_presumed(&view, &clip->contact, f) ? TRUST_PRESUMED_SUPPORT : 0;
    }
    arena_free(&arena);
    return STATUS_OK;
}

/* Groups, and the flags derived from each. */
static const struct {
    ClipGroup group;
    uint32_t bits;
} said_from[] = {
    {CLIP_KINEMATICS, TRUST_EDGE},
    {CLIP_CONTACT, TRUST_LOST_CONTACT | TRUST_AIRBORNE_SUPPORT | TRUST_PRESUMED_SUPPORT},
    {CLIP_DYNAMICS, TRUST_UNEXPLAINED | TRUST_UNCERTAIN},
};

Status trust_judge(Clip *clip, unsigned changed, Error *err)
{
    Trust *trust = &clip->trust;
    Status status = STATUS_OK;
    uint32_t stale = 0;
    if (!clip->has_trust)
        return STATUS_OK;
    for (size_t i = 0; i < sizeof said_from / sizeof *said_from; i++)
        stale |= (changed | ~clip_groups(clip)) & said_from[i].group ? said_from[i].bits : 0;
    int forces = clip->has_contact && clip->contact.point_count > 0 && clip->has_body && clip->body.total_mass > 0 &&
                 clip->has_kinematics && clip->kinematics.com;
    if (!(clip_groups(clip) & (CLIP_CONTACT | CLIP_DYNAMICS)))
        stale |= TRUST_OFF_PLATES | TRUST_PLATES_DOUBTED;
    trust_clear(trust, stale);
    if (changed & CLIP_KINEMATICS && clip->has_kinematics)
        mark_edges(clip, trust);
    if (changed & CLIP_CONTACT && forces)
        status = mark_contact(clip, trust, err);
    if (!status && changed & CLIP_DYNAMICS && forces && clip->has_dynamics)
        trust_mark_unexplained(clip);
    if (!status && changed & CLIP_DYNAMICS && clip->has_dynamics && clip->dynamics.torque_sd && clip->has_body)
        status = trust_mark_uncertain(clip, err);
    trust_settle(trust);
    return status;
}

/* Flags set by import stay with their frames when a stage resamples the motion or changes the skeleton. */

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

Status trust_carry_frames(const Trust *from, const Motion *old, const Motion *now, Trust *out, Error *err)
{
    size_t joints = (size_t)from->joint_count;
    Status status = trust_init(out, now->frame_count, from->joint_count, from->joint_reason != NULL, err);
    if (status)
        return status;
    for (int f = 0; f < now->frame_count; f++) {
        Span span = covered(old, now->time[f], now->frame_time);
        for (int k = span.first; k <= span.last; k++) {
            out->reason[f] |= from->reason[k] & CARRIED;
            for (size_t j = 0; from->joint_reason && j < joints; j++)
                out->joint_reason[(size_t)f * joints + j] |= from->joint_reason[(size_t)k * joints + j] & CARRIED;
        }
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

/* Flags of torques: flights without free fall, and torques of large expected error. */

/* ---- Flights without free fall ---- */

/* Finds the next frames first to last, from `frame` on, in which nothing supports a tenth of the weight. Returns 0 if
 * there are none. */
static int next_unsupported(const Clip *clip, int frame, int *first, int *last)
{
    const Contact *c = &clip->contact;
    double load = trust_limits.support_load * clip->body.total_mass * GRAVITY;
    *first = -1;
    for (int f = frame; f < c->frame_count; f++) {
        Vec3 had = {0, 0, 0};
        for (int i = 0; i < c->point_count; i++)
            had = vec3_add(had, c->force[(size_t)f * (size_t)c->point_count + (size_t)i]);
        if (vec3_norm(had) > load && *first >= 0)
            return 1;
        if (vec3_norm(had) <= load) {
            *first = *first < 0 ? f : *first;
            *last = f;
        }
    }
    return *first >= 0;
}

/* The mean residual of the valid frames from first to last, in body weights: norm of the force, and of the moment about
 * the COM over half the stature, combined. */
static double mean_residual(const Clip *clip, int first, int last)
{
    double weight = clip->body.total_mass * GRAVITY;
    double length = clip->body.stature > 0 ? 0.5 * clip->body.stature : 1; /* as contact/confidence */
    Vec3 force = {0, 0, 0}, moment = {0, 0, 0};
    int count = 0;
    for (int f = first; f <= last; f++) {
        if (!clip->kinematics.valid[f])
            continue;
        force = vec3_add(force, clip->dynamics.residual_force[f]);
        moment = vec3_add(moment, clip->dynamics.residual_torque[f]);
        count++;
    }
    return count ? sqrt(vec3_dot(force, force) + vec3_dot(moment, moment) / (length * length)) / count / weight : 0;
}

/* Only the middle of an interval is judged, since filters blur its ends. */
void trust_mark_unexplained(Clip *clip)
{
    Trust *trust = &clip->trust;
    double dt = clip->motion.frame_time;
    int reach = (int)(trust_limits.unexplained_reach / dt + 1e-6), first, last;
    for (int f = 0; f < trust->frame_count && next_unsupported(clip, f, &first, &last); f = last + 1) {
        int is_long = (last - first + 1) * dt >= trust_limits.unexplained_least - 1e-6;
        if (!is_long || mean_residual(clip, first + reach, last - reach) <= trust_limits.unexplained)
            continue;
        for (int k = first; k <= last; k++)
            trust->reason[k] |= TRUST_UNEXPLAINED;
    }
}

/* ---- Torques of large expected error ---- */

/* Hip, knee and ankle of both legs; -1: the skeleton has none. */
typedef struct LegJoints {
    int joint[FOOT_COUNT][3];
} LegJoints;

static LegJoints find_legs(const Skeleton *skeleton)
{
    static const Role role[FOOT_COUNT][3] = {[FOOT_LEFT] = {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE},
                                             [FOOT_RIGHT] = {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE}};
    LegJoints legs;
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        for (int i = 0; i < 3; i++)
            legs.joint[foot][i] = skeleton_find_role(skeleton, role[foot][i]);
    return legs;
}

/* Numbers of joints counted, and of uncertain ones among them. */
typedef struct UncertainCount {
    int all, uncertain;
} UncertainCount;

static void count_joint(const Clip *clip, int frame, int joint, UncertainCount *count)
{
    if (joint < 0)
        return;
    count->all++;
    count->uncertain += (trust_joint_reason(&clip->trust, frame, joint) & TRUST_UNCERTAIN) != 0;
}

/* Whether more than half of hip, knee and ankle of the legs with load are uncertain; if no leg has load, of all
 * joints. */
static int is_frame_uncertain(const Clip *clip, const LegJoints *legs, int frame)
{
    double load = trust_limits.support_load * clip->body.total_mass * GRAVITY;
    UncertainCount count = {0};
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        if (vec3_norm(clip->contact.foot_force[(size_t)frame * FOOT_COUNT + (size_t)foot]) > load)
            for (int i = 0; i < 3; i++)
                count_joint(clip, frame, legs->joint[foot][i], &count);
    if (!count.all)
        for (int joint = 0; joint < clip->skeleton.joint_count; joint++)
            count_joint(clip, frame, joint, &count);
    return 2 * count.uncertain > count.all;
}

Status trust_mark_uncertain(Clip *clip, Error *err)
{
    const Dynamics *d = &clip->dynamics;
    Trust *trust = &clip->trust;
    size_t count = (size_t)d->frame_count * (size_t)d->joint_count;
    double most = d->error_limit * clip->body.total_mass / EXPECTED_ERROR;
    size_t first = d->error_limit > 0 ? 0 : count;
    while (first < count && !(vec3_dot(d->torque_sd[first], d->torque_sd[first]) > most * most))
        first++;
    Status status = first < count && !trust->joint_reason ? trust_add_joints(trust, err) : STATUS_OK;
    for (size_t i = first; i < count && !status; i++)
        if (vec3_dot(d->torque_sd[i], d->torque_sd[i]) > most * most)
            trust->joint_reason[i] |= TRUST_UNCERTAIN;
    if (status || first == count || !clip->has_contact)
        return status;
    LegJoints legs = find_legs(&clip->skeleton);
    for (int f = 0; f < d->frame_count; f++)
        trust->reason[f] |= is_frame_uncertain(clip, &legs, f) ? TRUST_UNCERTAIN : 0;
    return STATUS_OK;
}
