/* See artifacts.h. */
#include "analysis/quality/artifacts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"

Status artifacts_add(Artifacts *f, Artifact artifact, Error *err)
{
    if (f->count == f->capacity) {
        int room = f->capacity ? 2 * f->capacity : 16;
        Artifact *grown = realloc(f->artifact, (size_t)room * sizeof *grown);
        if (!grown)
            return error_no_memory(err);
        f->artifact = grown;
        f->capacity = room;
    }
    f->artifact[f->count++] = artifact;
    return STATUS_OK;
}

void artifacts_free(Artifacts *f)
{
    if (!f)
        return;
    free(f->artifact);
    *f = (Artifacts){0};
}

double artifact_body_size(const Skeleton *s)
{
    double longest = skeleton_longest_chain(s);
    return longest > 0 ? longest : 1;
}

static int repeats_rotation(Quat a, Quat b)
{
    return fabs(a.w - b.w) <= trust_limits.quantum && fabs(a.x - b.x) <= trust_limits.quantum &&
           fabs(a.y - b.y) <= trust_limits.quantum && fabs(a.z - b.z) <= trust_limits.quantum;
}

int artifact_repeats_position(Vec3 a, Vec3 b, double size)
{
    double least = trust_limits.quantum * size;
    return fabs(a.x - b.x) <= least && fabs(a.y - b.y) <= least && fabs(a.z - b.z) <= least;
}

int artifact_repeats_joint(const Motion *m, int joint, int f, double size)
{
    if (joint == m->joint_count)
        return artifact_repeats_position(m->root_position[f], m->root_position[f - 1], size);
    size_t now = motion_index(m, f, joint), last = motion_index(m, f - 1, joint);
    return repeats_rotation(m->rotation[now], m->rotation[last]) &&
           (!m->translation || artifact_repeats_position(m->translation[now], m->translation[last], size));
}

int artifact_other_limb(const Skeleton *s, const Artifact *f)
{
    return f->kind == TRUST_SWAPPED ? skeleton_find_role(s, role_mirror(s->role[f->joint])) : -1;
}

/* ---- Description ---- */

static void describe_step(const char *joint, const Artifact *f, int row, char *text, size_t size)
{
    int frames = f->last - f->first + 1, is_rotation = f->kind == TRUST_FLIP;
    char duration[40] = "and stays there";
    if (!f->stays)
        snprintf(duration, sizeof duration, "for %d frame%s", frames, frames == 1 ? "" : "s");
    snprintf(text, size, "frame %d: %.60s %s %.3g %s, %s", row, joint, is_rotation ? "turns by" : "jumps by",
             is_rotation ? f->size * 180 / PI : f->size, is_rotation ? "degrees" : "m", duration);
}

/* Describes an artifact that lasts, without frames and joint. */
static void describe_lasting(const Skeleton *s, const Motion *m, const Artifact *f, char *text, size_t size)
{
    int other = artifact_other_limb(s, f);
    double rate = 1 / m->frame_time;
    if (f->kind == TRUST_FROZEN)
        snprintf(text, size, "is frozen");
    else if (f->kind == TRUST_INTERPOLATED)
        snprintf(text, size, "moves on a straight line");
    else if (f->kind == TRUST_FLICKER)
        snprintf(text, size, "flickers by %.2g degrees (RMS)", f->size * 180 / PI);
    else if (f->kind == TRUST_DRIFT)
        snprintf(text, size, "drifts %s at %.2g m/s together with the feet", f->size > 0 ? "up" : "down",
                 fabs(f->size));
    else if (f->kind == TRUST_SLIDING)
        snprintf(text, size, "slides at %.2g m/s with the feet in contact", f->size);
    else if (f->kind == TRUST_SWAPPED)
        snprintf(text, size, "and \"%.40s\" are swapped, with their limbs", s->name[other]);
    else
        snprintf(text, size, "is repeated %.0f times: true rate %.4g fps, or %.4g if the take is too long", f->size,
                 rate / f->size, rate);
}

void artifact_describe(const Skeleton *s, const Motion *m, const Artifact *f, int row, char *text, size_t size)
{
    const char *joint = f->joint >= 0 ? s->name[f->joint] : NULL;
    char words[100];
    if (f->kind == TRUST_TELEPORT || f->kind == TRUST_FLIP) {
        describe_step(joint, f, row, text, size);
        return;
    }
    describe_lasting(s, m, f, words, sizeof words);
    snprintf(text, size, "frames %d to %d: %s%.60s%s %s", row, row + f->last - f->first, joint ? "joint \"" : "",
             joint ? joint : f->kind == TRUST_REPEATED ? "each row" : "the pose", joint ? "\"" : "", words);
}

/* Teleports and flips. */

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
static int return_of(const JointTrack *t, const int *suspect, int count, int i)
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
        int back = beyond > allowed(t, f, trust_limits.pair_step) ? return_of(t, suspect, count, i) : 0;
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
static void suspect_rotations(const Motion *m, int frame, double least_cosine, Suspects *out)
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
    double least_cosine = elementary_cos(fmin(0.5 * trust_limits.pair_step * rotation, 0.5 * PI));
    Suspects s = {0};
    for (int f = 1; f < m->frame_count; f++) {
        suspect_moves(m, f, trust_limits.pair_step * path, &s);
        suspect_rotations(m, f, least_cosine, &s);
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

/* Intervals in which a recording is constant to the last digit, or moves in a straight line. */

static const int least_frames = 3;
static const double one_sided = 2e-3, of_hinge = 0.05; /* rad; part of the rotation: tolerance of at_end_of_range */
static const double few = 0.05;              /* of the frames */

/* A run of steps that repeat the row before: steps first .. end - 1; step f leads to frame f. */
typedef struct JointRun {
    int first, end;
} JointRun;

typedef struct Holds {
    const Motion *motion;
    double size;      /* m, of the body */
    int *since;       /* [joint + 1] first step of the current run, 0: none; the last element is the root's path */
    int *repeated;    /* [joint + 1] total number of repeating steps */
    int pose_since;   /* as since, for the whole pose */
    int straight_since, straight; /* steps equal to the step before: first of the current run, and total number */
    Artifacts found;     /* runs of sufficient length */
} Holds;

/* The size of the step to frame f of joint j, of the root's path (j = joint_count) or of the whole pose (j < 0): rad;
 * the path in body sizes. */
static double step_size(const Holds *h, int j, int f)
{
    const Motion *m = h->motion;
    if (j == m->joint_count)
        return vec3_distance(m->root_position[f], m->root_position[f - 1]) / h->size;
    if (j >= 0) {
        Quat before = m->rotation[motion_index(m, f - 1, j)];
        Quat rotation = quat_mul(m->rotation[motion_index(m, f, j)], quat_conjugate(before));
        return 2 * vec3_norm(quat_log(rotation));
    }
    double sum = 0;
    for (int k = 0; k <= m->joint_count; k++) {
        double step = step_size(h, k, f);
        sum += step * step;
    }
    return sqrt(sum);
}

static int is_step(const Holds *h, int f) { return f >= 1 && f < h->motion->frame_count; }

/* Whether the run begins or ends abruptly: the step adjacent to it is at least trust_limits.hold_abrupt times the next
 * one away from the run. */
static int is_abrupt(const Holds *h, int j, JointRun run)
{
    int near[2] = {run.first - 1, run.end}, far[2] = {run.first - 2, run.end + 1};
    for (int side = 0; side < 2; side++)
        if (is_step(h, near[side]) && is_step(h, far[side])) {
            double close = step_size(h, j, near[side]);
            if (close > 4 * trust_limits.quantum && close >= trust_limits.hold_abrupt * step_size(h, j, far[side]))
                return 1;
        }
    return 0;
}

/* Whether the run ends in a leap to where the joint should have been. A body leaves a true stop as slowly as it reached
 * it. */
static int ends_in_leap(const Holds *h, int j, JointRun run)
{
    if (!is_step(h, run.end) || !is_step(h, run.end + 1) || !is_step(h, run.first - 1))
        return 0;
    double around = fmax(step_size(h, j, run.end + 1), step_size(h, j, run.first - 1));
    return step_size(h, j, run.end) > trust_limits.hold_leap * around;
}

/* Whether the joint is a hinge at the end of its range: all other poses lie on one side of the held one, but for a few
 * frames, which may have artifacts. */
static int at_end_of_range(const Holds *h, int j, JointRun run)
{
    const Motion *m = h->motion;
    Quat held = quat_conjugate(m->rotation[motion_index(m, run.first, j)]);
    Vec3 mean = {0, 0, 0};
    int elsewhere = 0;
    for (int f = 0; f < m->frame_count; f++) {
        Vec3 away = quat_log(quat_mul(m->rotation[motion_index(m, f, j)], held));
        mean = vec3_norm(away) > one_sided ? vec3_add(mean, vec3_normalize(away)) : mean;
    }
    mean = vec3_normalize(mean);
    for (int f = 0; f < m->frame_count; f++) {
        Vec3 away = quat_log(quat_mul(m->rotation[motion_index(m, f, j)], held));
        double along = vec3_dot(away, mean);
        elsewhere += along < -one_sided || vec3_norm(vec3_mad(away, -along, mean)) > of_hinge * fabs(along) + one_sided;
    }
    return elsewhere <= few * m->frame_count;
}

static int long_enough(const Holds *h, JointRun run, double least)
{
    int steps = run.end - run.first;
    return steps >= least_frames && steps * h->motion->frame_time >= least - 1e-9;
}

/* Adds a run that ends before step `end`, if it is long enough. *since: its first step, 0 if there is no run; reset to
 * 0. */
static Status close_run(Holds *h, TrustReason kind, int joint, int *since, int end, Error *err)
{
    JointRun run = {*since, end};
    double least = joint == ARTIFACT_WHOLE_POSE ? trust_limits.hold_pose : trust_limits.hold_joint,
           lasts = (end - *since) * h->motion->frame_time;
    *since = 0;
    return run.first > 0 && long_enough(h, run, least)
               ? artifacts_add(&h->found, (Artifact){kind, joint, run.first, end - 1, 0, lasts}, err)
               : STATUS_OK;
}

/* Whether the step to frame f repeats the step before to the last digit. Rotations may deviate by the square of the
 * step: a line in Euler angles bends by that order in quaternions. */
static int goes_straight(const Holds *h, int f)
{
    const Motion *m = h->motion;
    const Vec3 *p = m->root_position + f;
    if (f < 2 || !artifact_repeats_position(vec3_add(p[0], p[-2]), vec3_scale(p[-1], 2), 4 * h->size))
        return 0;
    for (int j = 0; j < m->joint_count; j++) {
        const Quat *q = m->rotation + motion_index(m, f, j), *r = q - m->joint_count, *s = r - m->joint_count;
        Quat step = {q->w - r->w, q->x - r->x, q->y - r->y, q->z - r->z};
        Quat bend = {step.w - r->w + s->w, step.x - r->x + s->x, step.y - r->y + s->y, step.z - r->z + s->z};
        if (sqrt(quat_dot(bend, bend)) > 4 * trust_limits.quantum + quat_dot(step, step))
            return 0;
    }
    return 1;
}

/* Updates the runs with step f. f = frame_count ends all runs. */
static Status look_at_step(Holds *h, int f, Error *err)
{
    int joints = h->motion->joint_count, whole = 1, inside = f < h->motion->frame_count;
    Status status = STATUS_OK;
    for (int j = 0; j <= joints && !status; j++) {
        int same = inside && artifact_repeats_joint(h->motion, j, f, h->size);
        whole &= same;
        h->repeated[j] += same;
        if (same && h->since[j] == 0)
            h->since[j] = f;
        else if (!same && h->since[j] > 0)
            status = close_run(h, TRUST_FROZEN, j, &h->since[j], f, err);
    }
    int straight = inside && !whole && goes_straight(h, f);
    h->straight += straight;
    if (whole && inside && h->pose_since == 0)
        h->pose_since = f;
    if (straight && h->straight_since == 0)
        h->straight_since = f;
    if (!whole && !status)
        status = close_run(h, TRUST_FROZEN, ARTIFACT_WHOLE_POSE, &h->pose_since, f, err);
    return straight || status ? status
                              : close_run(h, TRUST_INTERPOLATED, ARTIFACT_WHOLE_POSE, &h->straight_since, f, err);
}

/* ---- Which runs are artifacts ---- */

static int is_held_joint(const Holds *h, int j, JointRun run)
{
    int held = run.end - run.first, elsewhere = h->repeated[j] - held, others = h->motion->frame_count - 1 - held;
    if (ends_in_leap(h, j, run))
        return 1;
    return elsewhere <= trust_limits.hold_resting * others && is_abrupt(h, j, run) &&
           (j == h->motion->joint_count || !at_end_of_range(h, j, run));
}

/* Whether a joint's run overlaps one of the whole pose and so adds nothing. */
static int lies_in_held_pose(const Holds *h, const Artifact *run)
{
    for (int i = 0; i < h->found.count; i++) {
        const Artifact *pose = &h->found.artifact[i];
        if (pose->kind == TRUST_FROZEN && pose->joint == ARTIFACT_WHOLE_POSE && pose->first <= run->last &&
            pose->last >= run->first)
            return 1;
    }
    return 0;
}

static int is_artifact(const Holds *h, const Artifact *f)
{
    JointRun run = {f->first, f->last + 1};
    if (f->kind == TRUST_INTERPOLATED)
        return 2 * h->straight <= h->motion->frame_count;
    if (f->joint == ARTIFACT_WHOLE_POSE)
        return is_abrupt(h, ARTIFACT_WHOLE_POSE, run);
    return !lies_in_held_pose(h, f) && is_held_joint(h, f->joint, run);
}

Status artifact_holds_find(const Skeleton *skeleton, const Motion *m, Artifacts *artifacts, Error *err)
{
    Arena arena = {0};
    size_t joints = (size_t)m->joint_count + 1;
    Holds h = {.motion = m,
               .size = artifact_body_size(skeleton),
               .since = arena_array(&arena, joints, 1, sizeof(int)),
               .repeated = arena_array(&arena, joints, 1, sizeof(int))};
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    for (int f = 1; f <= m->frame_count && !status; f++)
        status = look_at_step(&h, f, err);
    for (int i = 0; i < h.found.count && !status; i++) {
        Artifact artifact = h.found.artifact[i];
        if (!is_artifact(&h, &artifact))
            continue;
        artifact.joint = artifact.joint == m->joint_count ? 0 : artifact.joint; /* the root's path */
        status = artifacts_add(artifacts, artifact, err);
    }
    artifacts_free(&h.found);
    arena_free(&arena);
    return status;
}

/* A joint without a role that carries at most this part of the body's volume is light: an eye, the end of a tail. */
static const double light = 0.01;

static int by_frame(const void *a, const void *b)
{
    const Artifact *x = a, *y = b;
    return x->first != y->first ? (x->first > y->first) - (x->first < y->first)
                                : (x->joint > y->joint) - (x->joint < y->joint);
}

/* Whether the joint was truly at rest rather than held: after the run it leaves for some frames and returns to the same
 * place. */
static int is_rest_before_excursion(const Artifact *hold, const Artifacts *steps)
{
    for (int i = 0; i < steps->count; i++) {
        const Artifact *step = &steps->artifact[i];
        if (!step->stays && step->first == hold->last + 1 && step->joint == hold->joint)
            return 1;
    }
    return 0;
}

/* Whether the step ends a hold: the leap to where the body would have been belongs to the hold. */
static int ends_a_hold(const Artifacts *holds, const Artifact *step)
{
    for (int i = 0; i < holds->count; i++) {
        const Artifact *hold = &holds->artifact[i];
        int is_its = hold->joint == ARTIFACT_WHOLE_POSE || hold->joint == step->joint;
        if (step->stays && is_its && hold->last + 1 == step->first)
            return 1;
    }
    return 0;
}

/* Whether the artifact affects the joint: of swapped limbs every joint. */
static int is_affected(const Skeleton *s, const Artifact *artifact, int joint)
{
    if (artifact->kind == TRUST_SWAPPED)
        return skeleton_is_below(s, joint, artifact->joint) ||
               skeleton_is_below(s, joint, artifact_other_limb(s, artifact));
    return artifact->joint == ARTIFACT_WHOLE_POSE || joint == artifact->joint;
}

/* Whether the step is an end of a swap: the jumps there and back belong to the swap. */
static int is_edge_of_swap(const Skeleton *s, const Artifacts *swaps, const Artifact *step)
{
    for (int i = 0; i < swaps->count; i++) {
        const Artifact *swap = &swaps->artifact[i];
        if (step->first <= swap->last + 1 && step->last >= swap->first - 1 && is_affected(s, swap, step->joint))
            return 1;
    }
    return 0;
}

/* Finds steps, held intervals and swaps, and drops what is part of another one. */
static Status find_steps_and_holds(const Skeleton *skeleton, const Motion *motion, Artifacts *artifacts, Error *err)
{
    Artifacts holds = {0}, steps = {0}, swaps = {0};
    Status status = artifact_holds_find(skeleton, motion, &holds, err);
    if (!status)
        status = artifact_steps_find(skeleton, motion, &steps, err);
    if (!status)
        status = artifact_swaps_find(skeleton, motion, &swaps, err);
    for (int i = 0; i < holds.count && !status; i++)
        if (!is_rest_before_excursion(&holds.artifact[i], &steps))
            status = artifacts_add(artifacts, holds.artifact[i], err);
    for (int i = 0; i < steps.count && !status; i++)
        if (!ends_a_hold(&holds, &steps.artifact[i]) && !is_edge_of_swap(skeleton, &swaps, &steps.artifact[i]))
            status = artifacts_add(artifacts, steps.artifact[i], err);
    for (int i = 0; i < swaps.count && !status; i++)
        status = artifacts_add(artifacts, swaps.artifact[i], err);
    artifacts_free(&holds);
    artifacts_free(&steps);
    artifacts_free(&swaps);
    return status;
}

Status artifacts_find(const Skeleton *skeleton, const Motion *motion, Artifacts *artifacts, Error *err)
{
    Status status = artifact_repeats_find(skeleton, motion, artifacts, err);
    if (status || artifacts->count > 0) /* between repeated rows every change is a step */
        return status;
    status = find_steps_and_holds(skeleton, motion, artifacts, err);
    if (!status)
        status = artifact_flicker_find(skeleton, motion, artifacts, err);
    if (!status)
        status = artifact_ground_find(skeleton, motion, artifacts, err);
    if (!status && artifacts->count > 1)
        qsort(artifacts->artifact, (size_t)artifacts->count, sizeof *artifacts->artifact, by_frame);
    return status;
}

/* The part of the body's volume carried by each joint, with similar bones: volume = length^3. Bones from the root are
 * excluded: from a root on the ground the first one is no bone. */
static void volumes(const Skeleton *s, double *part)
{
    for (int j = 1; j < s->joint_count; j++) {
        if (s->parent[j] == 0)
            continue;
        double length = vec3_norm(s->offset[j]);
        part[s->parent[j]] += length * length * length;
    }
    for (int e = 0; e < s->end_count; e++) {
        double length = vec3_norm(s->end_offset[e]);
        part[s->end_parent[e]] += length * length * length;
    }
    for (int j = s->joint_count - 1; j > 0; j--)
        part[s->parent[j]] += part[j];
    for (int j = s->joint_count - 1; j >= 0; j--)
        part[j] = part[0] > 0 ? part[j] / part[0] : 1;
}

/* Whether a joint carries only a hand or toes, under 1 % of the body's mass (de Leva 1996), or less. Feet are excluded
 * because they support the body. */
static int is_light(const Skeleton *s, const double *part, int joint)
{
    Role segment = s->segment[joint];
    return segment == ROLE_LEFT_WRIST || segment == ROLE_RIGHT_WRIST || segment == ROLE_LEFT_TOE ||
           segment == ROLE_RIGHT_TOE || (joint > 0 && s->role[joint] == ROLE_NONE && part[joint] <= light);
}

static void mark_light(const Skeleton *s, const Artifact *artifact, Trust *trust)
{
    for (int j = 0; j < s->joint_count; j++) {
        uint32_t bit = j == artifact->joint ? artifact->kind : TRUST_ADJACENT_JOINT;
        if (!skeleton_is_below(s, j, artifact->joint) && !skeleton_is_below(s, artifact->joint, j))
            continue;
        for (int f = artifact->first; f <= artifact->last; f++)
            trust->joint_reason[(size_t)f * (size_t)trust->joint_count + (size_t)j] |= bit;
    }
}

static void mark_frames(const Skeleton *s, const Artifact *artifact, Trust *trust)
{
    for (int f = artifact->first; f <= artifact->last; f++) {
        uint32_t *joint = trust->joint_reason + (size_t)f * (size_t)trust->joint_count;
        trust->reason[f] |= artifact->kind;
        for (int j = 0; j < trust->joint_count; j++)
            joint[j] |= is_affected(s, artifact, j) ? artifact->kind : 0;
    }
}

Status artifacts_mark(const Skeleton *skeleton, const Artifacts *artifacts, Trust *trust, Error *err)
{
    Arena arena = {0};
    double *part = arena_array(&arena, (size_t)skeleton->joint_count, 1, sizeof *part);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status && artifacts->count > 0)
        status = trust_add_joints(trust, err);
    if (!status)
        volumes(skeleton, part);
    for (int i = 0; i < artifacts->count && !status; i++) {
        const Artifact *artifact = &artifacts->artifact[i];
        if (artifact->joint > 0 && is_light(skeleton, part, artifact->joint))
            mark_light(skeleton, artifact, trust);
        else
            mark_frames(skeleton, artifact, trust);
    }
    trust_settle(trust);
    arena_free(&arena);
    return status;
}
