/* Intervals in which a recording is constant to the last digit, or moves in a straight line.
 *
 * A recorded body never stands still: noise moves its joints in every frame. A pose, or the rotation of a joint that
 * moves otherwise, is held if it repeats the frame before for a tenth of a second or longer and the hold begins or
 * ends abruptly: an animator's hold eases in and out. A hinge that rests at the end of its range (knees clamped by a
 * solver) is not an artifact. A pose whose steps, instead, repeat was interpolated over a gap. */
#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/clip/trust.h"
#include "analysis/math/quat.h"
#include "analysis/quality/artifacts_internal.h"
#include "analysis/quality/trust_limits.h"

static const int min_frames = 3;
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

static int long_enough(const Holds *h, JointRun run, double min)
{
    int steps = run.end - run.first;
    return steps >= min_frames && steps * h->motion->frame_time >= min - 1e-9;
}

/* Adds a run that ends before step `end`, if it is long enough. *since: its first step, 0 if there is no run; reset to
 * 0. */
static Status close_run(Holds *h, TrustReason kind, int joint, int *since, int end, Error *err)
{
    JointRun run = {*since, end};
    double min = joint == ARTIFACT_WHOLE_POSE ? trust_limits.hold_pose : trust_limits.hold_joint,
           lasts = kind == TRUST_FROZEN ? (end - *since) * h->motion->frame_time : 0;
    *since = 0;
    return run.first > 0 && long_enough(h, run, min)
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
