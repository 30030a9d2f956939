#include "analysis/trust/fault_steps.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"

/* What a step may exceed its neighbours by: still + change * dt^2. */
typedef struct StepLimit {
    double still;  /* m of body size, rad */
    double change; /* m/s2, rad/s2: an acceleration that is reversed in the next frame */
} StepLimit;

/* Recordings blur a root's path by under 0.02 of the body; 4 g back and forth within two frames of 1/30 s no pelvis
 * does. Fast throws and kicks reach 250 rad/s2 in large segments, and single frames of markers blur by 30 deg. */
static const StepLimit path_limit = {0.03, 40}, turn_limit = {30 * PI / 180, 250};
static const double no_direction = 0.8 * PI; /* rad */
/* Of the limit, for each of two steps that cancel; */
static const double of_pair = 0.6;
/* and what is left of the smaller one when both are made. */
static const double left_of_pair = 0.5;

typedef enum TrackKind { TRACK_PATH, TRACK_SLIDE, TRACK_TURN } TrackKind;

/* One quantity along time: the root's path, a joint's translation or its rotation. */
typedef struct Track {
    const Motion *motion;
    TrackKind kind;
    int joint;
    double limit; /* m, rad */
} Track;

/* From frame a to frame b, m or rad. */
static Vec3 displacement(const Track *t, int a, int b)
{
    const Motion *m = t->motion;
    size_t from = motion_index(m, a, t->joint), to = motion_index(m, b, t->joint);
    if (t->kind == TRACK_PATH)
        return vec3_sub(m->root_position[b], m->root_position[a]);
    if (t->kind == TRACK_SLIDE)
        return vec3_sub(m->translation[to], m->translation[from]);
    return vec3_scale(quat_log(quat_mul(m->rotation[to], quat_conjugate(m->rotation[from]))), 2);
}

/* The step that ends at frame f; zero beyond the ends. */
static Vec3 step_at(const Track *t, int f)
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

/* How far the step at f lies beyond both its neighbours. A turn near half a revolution has no direction to compare. */
static double excess(const Track *t, int f)
{
    int last = t->motion->frame_count - 1;
    Vec3 before = step_at(t, f > 1 ? f - 1 : f + 1), after = step_at(t, f < last ? f + 1 : f - 1), step = step_at(t, f);
    if (t->kind == TRACK_TURN && vec3_norm(step) > no_direction)
        return vec3_norm(step);
    return distance_to_segment(step, before, after);
}

/* How lively the motion is on one side of a step: the larger of the two turns there; of a path their difference, since
 * a body keeps its speed. Infinite where the take ends. */
static double liveliness(const Track *t, int near, int far)
{
    int count = t->motion->frame_count;
    if (near < 1 || near >= count || far < 1 || far >= count)
        return INFINITY;
    Vec3 a = step_at(t, near), b = step_at(t, far);
    return t->kind == TRACK_TURN ? fmax(vec3_norm(a), vec3_norm(b)) : vec3_distance(a, b);
}

/* A fault has a calm side, unless the motion is lively throughout. */
static double allowed(const Track *t, int f, double part)
{
    double calm = fmin(liveliness(t, f - 1, f - 2), liveliness(t, f + 1, f + 2));
    return part * t->limit + (isfinite(calm) ? calm : 0);
}

/* The frame at which what left at f is back; 0: it is not within FAULT_RETURN frames. */
static int return_of(const Track *t, const int *suspect, int count, int i)
{
    int f = suspect[i];
    for (int k = i + 1; k < count && suspect[k] - f < FAULT_RETURN; k++) {
        int back = suspect[k];
        double smaller = fmin(vec3_norm(step_at(t, f)), vec3_norm(step_at(t, back)));
        Vec3 drift = vec3_scale(vec3_add(step_at(t, f - 1), step_at(t, back + 1)), 0.5 * (back - f + 1));
        Vec3 left = vec3_sub(displacement(t, f - 1, back), drift);
        if (vec3_norm(left) < left_of_pair * smaller && excess(t, back) > allowed(t, back, of_pair))
            return back;
    }
    return 0;
}

/* suspect[count]: frames of large steps of one track, increasing. */
static Status judge_track(const Track *t, const int *suspect, int count, Faults *faults, Error *err)
{
    TrustReason kind = t->kind == TRACK_TURN ? TRUST_FLIP : TRUST_TELEPORT;
    Status status = STATUS_OK;
    for (int i = 0; i < count && !status; i++) {
        int f = suspect[i];
        double beyond = excess(t, f);
        int back = beyond > allowed(t, f, of_pair) ? return_of(t, suspect, count, i) : 0;
        if (back) {
            status = faults_add(faults, (Fault){kind, t->joint, f, back - 1, 0, vec3_norm(step_at(t, f))}, err);
            while (i + 1 < count && suspect[i + 1] <= back)
                i++;
        } else if (beyond > allowed(t, f, 1)) {
            status = faults_add(faults, (Fault){kind, t->joint, f, f, 1, vec3_norm(step_at(t, f))}, err);
        }
    }
    return status;
}

/* ---- Suspects ---- */

/* A large step: what the limits are asked about. */
typedef struct Suspect {
    int track; /* 2 * joint of translations (the root's: its path), and 1 more of rotations */
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

/* Turns by more than the angle whose half has this cosine; without logarithms, as nearly all frames end here. */
static void suspect_turns(const Motion *m, int frame, double least_cosine, Suspects *out)
{
    const Quat *now = m->rotation + motion_index(m, frame, 0), *last = now - m->joint_count;
    for (int j = 0; j < m->joint_count; j++)
        if (fabs(quat_dot(now[j], last[j])) < least_cosine)
            add_suspect(out, 2 * j + 1, frame);
}

static void suspect_moves(const Motion *m, int frame, double least, Suspects *out)
{
    if (vec3_distance(m->root_position[frame], m->root_position[frame - 1]) > least)
        add_suspect(out, 0, frame);
    for (int j = 1; m->translation && j < m->joint_count; j++) {
        size_t now = motion_index(m, frame, j);
        if (vec3_distance(m->translation[now], m->translation[now - (size_t)m->joint_count]) > least)
            add_suspect(out, 2 * j, frame);
    }
}

static int by_track(const void *a, const void *b)
{
    const Suspect *x = a, *y = b;
    return x->track != y->track ? (x->track > y->track) - (x->track < y->track)
                                : (x->frame > y->frame) - (x->frame < y->frame);
}

static double limit_of(StepLimit limit, double size, double dt) { return limit.still * size + limit.change * dt * dt; }

/* frame is scratch for all of them. */
static Status judge(const Motion *m, double path, double turn, const Suspects *s, int *frame, Faults *faults,
                    Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0, end; i < s->count && !status; i = end) {
        int track = s->suspect[i].track, joint = track / 2, count = 0;
        for (end = i; end < s->count && s->suspect[end].track == track; end++)
            frame[count++] = s->suspect[end].frame;
        TrackKind kind = track % 2 ? TRACK_TURN : joint == 0 ? TRACK_PATH : TRACK_SLIDE;
        Track t = {m, kind, joint, kind == TRACK_TURN ? turn : path};
        status = judge_track(&t, frame, count, faults, err);
    }
    return status;
}

Status fault_steps_find(const Skeleton *skeleton, const Motion *m, Faults *faults, Error *err)
{
    double dt = m->frame_time, path = limit_of(path_limit, fault_body_size(skeleton), dt);
    double turn = limit_of(turn_limit, 1, dt), least_cosine = elementary_cos(fmin(0.5 * of_pair * turn, 0.5 * PI));
    Suspects s = {0};
    for (int f = 1; f < m->frame_count; f++) {
        suspect_moves(m, f, of_pair * path, &s);
        suspect_turns(m, f, least_cosine, &s);
    }
    Arena arena = {0};
    int *frame = arena_array(&arena, (size_t)s.count, 1, sizeof *frame);
    Status status = s.failed || arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status) {
        if (s.count > 0)
            qsort(s.suspect, (size_t)s.count, sizeof *s.suspect, by_track);
        status = judge(m, path, turn, &s, frame, faults, err);
    }
    arena_free(&arena);
    free(s.suspect);
    return status;
}
