#include "analysis/trust/fault_holds.h"

#include <math.h>

#include "analysis/base/arena.h"

static const double least_pose = 0.1;        /* s: shorter ones are rows written twice (analysis/mend/row_steps.h) */
static const double least_joint = 0.15;      /* s: hinges and fingers rest often */
static const int least_frames = 3;
static const double at_once = 0.5;           /* of the step next but one: a motion that eases has a smaller last step */
static const double resting = 0.1;           /* a joint that repeats in a larger part of the take is one that rests */
static const double one_sided = 2e-3, of_hinge = 0.05; /* rad; part of the turn: a hinge's range, seen from its end */
static const double leap = 4;                /* times the steps around */
static const double few = 0.05;              /* of the frames */

/* A run of steps of which each repeats the row before: steps first .. end - 1, step f leads to frame f. */
typedef struct Run {
    int first, end;
} Run;

typedef struct Holds {
    const Motion *motion;
    double size;      /* m, of the body */
    int *since;       /* [joint + 1] first step of the run under way, 0: none; the last one is the root's path */
    int *repeated;    /* [joint + 1] steps that repeat, in all */
    int pose_since;   /* the same of the whole pose */
    int straight_since, straight; /* of steps that repeat the step before: first of the run, and in all */
    Faults found;     /* runs that are long enough */
} Holds;

/* Size of the step to frame f of joint j, of the root's path or of the whole pose; rad, paths in body sizes. */
static double step_size(const Holds *h, int j, int f)
{
    const Motion *m = h->motion;
    if (j == m->joint_count)
        return vec3_distance(m->root_position[f], m->root_position[f - 1]) / h->size;
    if (j >= 0) {
        Quat before = m->rotation[motion_index(m, f - 1, j)];
        Quat turn = quat_mul(m->rotation[motion_index(m, f, j)], quat_conjugate(before));
        return 2 * vec3_norm(quat_log(turn));
    }
    double sum = 0;
    for (int k = 0; k <= m->joint_count; k++) {
        double step = step_size(h, k, f);
        sum += step * step;
    }
    return sqrt(sum);
}

static int is_step(const Holds *h, int f) { return f >= 1 && f < h->motion->frame_count; }

/* The run begins or ends in full motion: the step next to it is no smaller than half the one beyond. */
static int is_abrupt(const Holds *h, int j, Run run)
{
    int near[2] = {run.first - 1, run.end}, far[2] = {run.first - 2, run.end + 1};
    for (int side = 0; side < 2; side++)
        if (is_step(h, near[side]) && is_step(h, far[side])) {
            double close = step_size(h, j, near[side]);
            if (close > 4 * FAULT_QUANTUM && close >= at_once * step_size(h, j, far[side]))
                return 1;
        }
    return 0;
}

/* The run ends in a leap to where the joint should have been: a stop is left as slowly as it was reached. */
static int ends_in_leap(const Holds *h, int j, Run run)
{
    if (!is_step(h, run.end) || !is_step(h, run.end + 1) || !is_step(h, run.first - 1))
        return 0;
    double around = fmax(step_size(h, j, run.end + 1), step_size(h, j, run.first - 1));
    return step_size(h, j, run.end) > leap * around;
}

/* A hinge whose other poses lie on one side of the held one rests against a stop. Some frames may be at fault. */
static int at_end_of_range(const Holds *h, int j, Run run)
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

static int long_enough(const Holds *h, Run run, double least)
{
    int steps = run.end - run.first;
    return steps >= least_frames && steps * h->motion->frame_time >= least - 1e-9;
}

/* Keeps a run that ends before step `end`, if it is long enough; since is its first step, 0: there is none. */
static Status close_run(Holds *h, TrustReason kind, int joint, int *since, int end, Error *err)
{
    Run run = {*since, end};
    double least = joint == FAULT_WHOLE_POSE ? least_pose : least_joint, lasts = (end - *since) * h->motion->frame_time;
    *since = 0;
    return run.first > 0 && long_enough(h, run, least)
               ? faults_add(&h->found, (Fault){kind, joint, run.first, end - 1, 0, lasts}, err)
               : STATUS_OK;
}

/* The pose goes on as in the step before, to the last digit: of rotations but for the bend of a straight line through
 * angles, which is of the order of the step's square. */
static int goes_straight(const Holds *h, int f)
{
    const Motion *m = h->motion;
    const Vec3 *p = m->root_position + f;
    if (f < 2 || !fault_repeats_place(vec3_add(p[0], p[-2]), vec3_scale(p[-1], 2), 4 * h->size))
        return 0;
    for (int j = 0; j < m->joint_count; j++) {
        const Quat *q = m->rotation + motion_index(m, f, j), *r = q - m->joint_count, *s = r - m->joint_count;
        Quat step = {q->w - r->w, q->x - r->x, q->y - r->y, q->z - r->z};
        Quat bend = {step.w - r->w + s->w, step.x - r->x + s->x, step.y - r->y + s->y, step.z - r->z + s->z};
        if (sqrt(quat_dot(bend, bend)) > 4 * FAULT_QUANTUM + quat_dot(step, step))
            return 0;
    }
    return 1;
}

/* Step f, or the end of the take, where every run ends. */
static Status look_at_step(Holds *h, int f, Error *err)
{
    int joints = h->motion->joint_count, whole = 1, inside = f < h->motion->frame_count;
    Status status = STATUS_OK;
    for (int j = 0; j <= joints && !status; j++) {
        int same = inside && fault_repeats_joint(h->motion, j, f, h->size);
        whole &= same;
        h->repeated[j] += same;
        if (same && h->since[j] == 0)
            h->since[j] = f;
        else if (!same && h->since[j] > 0)
            status = close_run(h, TRUST_HELD, j, &h->since[j], f, err);
    }
    int straight = inside && !whole && goes_straight(h, f);
    h->straight += straight;
    if (whole && inside && h->pose_since == 0)
        h->pose_since = f;
    if (straight && h->straight_since == 0)
        h->straight_since = f;
    if (!whole && !status)
        status = close_run(h, TRUST_HELD, FAULT_WHOLE_POSE, &h->pose_since, f, err);
    return straight || status ? status
                              : close_run(h, TRUST_INTERPOLATED, FAULT_WHOLE_POSE, &h->straight_since, f, err);
}

/* ---- What of the runs is a fault ---- */

static int is_held_joint(const Holds *h, int j, Run run)
{
    int held = run.end - run.first, elsewhere = h->repeated[j] - held, others = h->motion->frame_count - 1 - held;
    if (ends_in_leap(h, j, run))
        return 1;
    return elsewhere <= resting * others && is_abrupt(h, j, run) &&
           (j == h->motion->joint_count || !at_end_of_range(h, j, run));
}

/* A joint's run within one of the whole pose says nothing more. */
static int lies_in_held_pose(const Holds *h, const Fault *run)
{
    for (int i = 0; i < h->found.count; i++) {
        const Fault *pose = &h->found.fault[i];
        if (pose->kind == TRUST_HELD && pose->joint == FAULT_WHOLE_POSE && pose->first <= run->last &&
            pose->last >= run->first)
            return 1;
    }
    return 0;
}

static int is_fault(const Holds *h, const Fault *f)
{
    Run run = {f->first, f->last + 1};
    if (f->kind == TRUST_INTERPOLATED)
        return 2 * h->straight <= h->motion->frame_count;
    if (f->joint == FAULT_WHOLE_POSE)
        return is_abrupt(h, FAULT_WHOLE_POSE, run);
    return !lies_in_held_pose(h, f) && is_held_joint(h, f->joint, run);
}

Status fault_holds_find(const Skeleton *skeleton, const Motion *m, Faults *faults, Error *err)
{
    Arena arena = {0};
    size_t joints = (size_t)m->joint_count + 1;
    Holds h = {.motion = m, .size = fault_body_size(skeleton), .since = arena_array(&arena, joints, 1, sizeof(int)),
               .repeated = arena_array(&arena, joints, 1, sizeof(int))};
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    for (int f = 1; f <= m->frame_count && !status; f++)
        status = look_at_step(&h, f, err);
    for (int i = 0; i < h.found.count && !status; i++) {
        Fault fault = h.found.fault[i];
        if (!is_fault(&h, &fault))
            continue;
        fault.joint = fault.joint == m->joint_count ? 0 : fault.joint; /* the root's path */
        status = faults_add(faults, fault, err);
    }
    faults_free(&h.found);
    arena_free(&arena);
    return status;
}
