/* Teleports and flips: steps from frame to frame that no body can make.
 *
 * A body that is pushed hard changes its velocity at once and keeps it: the step of that frame lies between the one
 * before and the one after. A step beyond both (its excess is the distance from the segment between them) requires an
 * acceleration and its reverse within two frames. The limit is the sum of a length or angle (the blur of recordings)
 * and an acceleration, which muscles or the ground could still reverse within a frame, times the frame time squared;
 * constants: data/trust.tsv. A step among equally large ones is motion. A pair of steps that cancel within
 * ARTIFACT_RETURN frames, a pose that leaves and returns, is held to a lower limit. Cost: one comparison of
 * quaternions per joint and frame; more only at large steps. */
#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/clip/trust.h"
#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"
#include "analysis/quality/artifacts_internal.h"
#include "analysis/quality/trust_limits.h"

#define ARTIFACT_RETURN 6 /* frames: longest excursion, exclusive */

static const double no_direction = 0.8 * PI; /* rad */

typedef enum TrackKind { TRACK_PATH, TRACK_SLIDE, TRACK_ROTATION } TrackKind;

/* One quantity over time: the root's path, a joint's translation or its rotation. */
typedef struct JointTrack {
    const Motion *motion;
    TrackKind kind;
    int joint;
    double limit; /* m, rad */
} JointTrack;

/* Displacement or rotation vector from frame a to frame b, m or rad. */
static Vec3 displacement(const JointTrack *t, int a, int b)
{
    const Motion *m = t->motion;
    size_t from = motion_index(m, a, t->joint), to = motion_index(m, b, t->joint);
    if (t->kind == TRACK_PATH)
        return vec3_sub(m->root_position[b], m->root_position[a]);
    if (t->kind == TRACK_SLIDE)
        return vec3_sub(m->translation[to], m->translation[from]);
    return vec3_scale(quat_log(quat_mul(m->rotation[to], quat_conjugate(m->rotation[from]))), 2);
}

/* The step from frame f - 1 to f; zero outside the take. */
static Vec3 step_at(const JointTrack *t, int f)
{
    return f >= 1 && f < t->motion->frame_count ? displacement(t, f - 1, f) : vec3(0, 0, 0);
}

static double distance_to_segment(Vec3 p, Vec3 a, Vec3 b)
{
    Vec3 along = vec3_sub(b, a), out = vec3_sub(p, a);
    double length2 = vec3_dot(along, along);
    double part = length2 > 0 ? fmin(fmax(vec3_dot(out, along) / length2, 0), 1) : 0;
    return vec3_norm(vec3_mad(out, -part, along));
}

/* The distance of the step at f from the segment between its neighbouring steps. A rotation near half a revolution has
 * no reliable axis: its whole angle counts. */
static double excess(const JointTrack *t, int f)
{
    int last = t->motion->frame_count - 1;
    Vec3 before = step_at(t, f > 1 ? f - 1 : f + 1), after = step_at(t, f < last ? f + 1 : f - 1), step = step_at(t, f);
    if (t->kind == TRACK_ROTATION && vec3_norm(step) > no_direction)
        return vec3_norm(step);
    return distance_to_segment(step, before, after);
}

/* The activity of the motion on one side of a step: of rotations the larger of the two steps there, of a path the
 * difference between them, since a body keeps its velocity. Infinite where the take ends. */
static double liveliness(const JointTrack *t, int near, int far)
{
    int count = t->motion->frame_count;
    if (near < 1 || near >= count || far < 1 || far >= count)
        return INFINITY;
    Vec3 a = step_at(t, near), b = step_at(t, far);
    return t->kind == TRACK_ROTATION ? fmax(vec3_norm(a), vec3_norm(b)) : vec3_distance(a, b);
}

/* The largest excess that motion explains, from the less active of the two sides: one side of an artifact is calm,
 * unless the whole motion is active. */
static double allowed(const JointTrack *t, int f, double part)
{
    double calm = fmin(liveliness(t, f - 1, f - 2), liveliness(t, f + 1, f + 2));
    return part * t->limit + (isfinite(calm) ? calm : 0);
}

/* The frame in which a track that jumped at suspect[i] is back; 0 if it does not return within ARTIFACT_RETURN
 * frames. */
static int find_return(const JointTrack *t, const int *suspect, int count, int i)
{
    int f = suspect[i];
    for (int k = i + 1; k < count && suspect[k] - f < ARTIFACT_RETURN; k++) {
        int back = suspect[k];
        double smaller = fmin(vec3_norm(step_at(t, f)), vec3_norm(step_at(t, back)));
        Vec3 drift = vec3_scale(vec3_add(step_at(t, f - 1), step_at(t, back + 1)), 0.5 * (back - f + 1));
        Vec3 left = vec3_sub(displacement(t, f - 1, back), drift);
        if (vec3_norm(left) < trust_limits.pair_left * smaller &&
            excess(t, back) > allowed(t, back, trust_limits.pair_step))
            return back;
    }
    return 0;
}

/* suspect[count]: frames of large steps of one track, ascending. */
static Status judge_track(const JointTrack *t, const int *suspect, int count, Artifacts *artifacts, Error *err)
{
    TrustReason kind = t->kind == TRACK_ROTATION ? TRUST_FLIP : TRUST_TELEPORT;
    Status status = STATUS_OK;
    for (int i = 0; i < count && !status; i++) {
        int f = suspect[i];
        double beyond = excess(t, f);
        int back = beyond > allowed(t, f, trust_limits.pair_step) ? find_return(t, suspect, count, i) : 0;
        if (back) {
            status = artifacts_add(artifacts, (Artifact){kind, t->joint, f, back - 1, 0, vec3_norm(step_at(t, f))},
                                   err);
            while (i + 1 < count && suspect[i + 1] <= back)
                i++;
        } else if (beyond > allowed(t, f, 1)) {
            status = artifacts_add(artifacts, (Artifact){kind, t->joint, f, f, 1, vec3_norm(step_at(t, f))}, err);
        }
    }
    return status;
}

/* ---- Suspects ---- */

/* A large step, to be tested against the limits. */
typedef struct Suspect {
    int track; /* 2 * joint for translations (of the root: its path), 2 * joint + 1 for rotations */
    int frame;
} Suspect;

typedef struct Suspects {
    int count, capacity, failed;
    Suspect *suspect; /* owned */
} Suspects;

static void add_suspect(Suspects *s, int track, int frame)
{
    if (s->count == s->capacity) {
        int room = s->capacity ? 2 * s->capacity : 64;
        Suspect *grown = realloc(s->suspect, (size_t)room * sizeof *grown);
        if (!grown) {
            s->failed = 1;
            return;
        }
        s->suspect = grown;
        s->capacity = room;
    }
    s->suspect[s->count++] = (Suspect){track, frame};
}

/* Rotations by more than the angle whose half has this cosine. Without logarithms, since nearly all frames are rejected
 * here. */
static void suspect_rotations(const Motion *m, int frame, double min_cosine, Suspects *out)
{
    const Quat *now = m->rotation + motion_index(m, frame, 0), *last = now - m->joint_count;
    for (int j = 0; j < m->joint_count; j++)
        if (fabs(quat_dot(now[j], last[j])) < min_cosine)
            add_suspect(out, 2 * j + 1, frame);
}

static void suspect_moves(const Motion *m, int frame, double min, Suspects *out)
{
    if (vec3_distance(m->root_position[frame], m->root_position[frame - 1]) > min)
        add_suspect(out, 0, frame);
    for (int j = 1; m->translation && j < m->joint_count; j++) {
        size_t now = motion_index(m, frame, j);
        if (vec3_distance(m->translation[now], m->translation[now - (size_t)m->joint_count]) > min)
            add_suspect(out, 2 * j, frame);
    }
}

static int by_track(const void *a, const void *b)
{
    const Suspect *x = a, *y = b;
    return x->track != y->track ? (x->track > y->track) - (x->track < y->track)
                                : (x->frame > y->frame) - (x->frame < y->frame);
}

/* The limit on the excess of a step of a path (m) or a rotation (rad): the blur of recordings, and an acceleration
 * reversed in the next frame. */
static double path_limit(double size, double dt)
{
    return trust_limits.path_step * size + trust_limits.path_reversal * dt * dt;
}

static double rotation_limit(double dt)
{
    return trust_limits.turn_step * PI / 180 + trust_limits.turn_reversal * dt * dt;
}

/* frame is scratch for s->count elements. */
static Status judge(const Motion *m, double path, double rotation, const Suspects *s, int *frame, Artifacts *artifacts,
                    Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0, end; i < s->count && !status; i = end) {
        int track = s->suspect[i].track, joint = track / 2, count = 0;
        for (end = i; end < s->count && s->suspect[end].track == track; end++)
            frame[count++] = s->suspect[end].frame;
        TrackKind kind = track % 2 ? TRACK_ROTATION : joint == 0 ? TRACK_PATH : TRACK_SLIDE;
        JointTrack t = {m, kind, joint, kind == TRACK_ROTATION ? rotation : path};
        status = judge_track(&t, frame, count, artifacts, err);
    }
    return status;
}

Status artifact_steps_find(const Skeleton *skeleton, const Motion *m, Artifacts *artifacts, Error *err)
{
    double path = path_limit(artifact_body_size(skeleton), m->frame_time), rotation = rotation_limit(m->frame_time);
    double min_cosine = elementary_cos(fmin(0.5 * trust_limits.pair_step * rotation, 0.5 * PI));
    Suspects s = {0};
    for (int f = 1; f < m->frame_count; f++) {
        suspect_moves(m, f, trust_limits.pair_step * path, &s);
        suspect_rotations(m, f, min_cosine, &s);
    }
    Arena arena = {0};
    int *frame = arena_array(&arena, (size_t)s.count, 1, sizeof *frame);
    Status status = s.failed || arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status) {
        if (s.count > 0)
            qsort(s.suspect, (size_t)s.count, sizeof *s.suspect, by_track);
        status = judge(m, path, rotation, &s, frame, artifacts, err);
    }
    arena_free(&arena);
    free(s.suspect);
    return status;
}
