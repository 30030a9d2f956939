/* Left and right limbs swapped: for some frames the left arm or leg moves as the right one and vice versa.
 *
 * At both ends of the interval both limbs jump, and would continue without a jump if they were swapped there, with
 * their rotations either unchanged or mirrored. A jump is a step minus the mean of the steps before and after it. */
#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/clip/trust.h"
#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"
#include "analysis/motion/mirror.h"
#include "analysis/quality/artifacts_internal.h"

#define ARTIFACT_SWAP_LONGEST 1.0 /* s: longer swaps are not searched for */

static const double min_jump = 2 * PI / 180;   /* rad RMS of a joint: limbs that differ by less are not distinguished */
static const double goes_on = 0.4;             /* part of the jump that may remain with the limbs swapped */

enum { LIMB_JOINTS = 3, LIMBS = 2, PAIRINGS = 2 };

static const Role limb_roles[LIMBS][LIMB_JOINTS] = {
    {ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST},
    {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE},
};

/* A pair of limbs, joints of the left one first, and the kind of swap: 0 rotations unchanged, 1 mirrored. */
typedef struct Exchange {
    const Skeleton *skeleton;
    const Motion *motion;
    const Mirror *mirror;
    int pairing, count;
    int joint[2 * LIMB_JOINTS], other[2 * LIMB_JOINTS];
    Vec3 *step;   /* [frame][count] rad: a joint's step_between from the frame before */
    double *jump; /* [frame] rad2: mean square over the joints, not swapped */
} Exchange;

static void find_joints(Exchange *x, int limb)
{
    x->count = 0;
    for (int i = 0; i < 2 * LIMB_JOINTS; i++) {
        Role left = limb_roles[limb][i % LIMB_JOINTS];
        int a = skeleton_find_role(x->skeleton, left), b = skeleton_find_role(x->skeleton, role_mirror(left));
        if (a < 0 || b < 0)
            continue;
        x->joint[x->count] = i < LIMB_JOINTS ? a : b;
        x->other[x->count++] = i < LIMB_JOINTS ? b : a;
    }
}

static Quat rotation_at(const Exchange *x, int i, int frame, int exchanged)
{
    const Quat *row = x->motion->rotation + motion_index(x->motion, frame, 0);
    if (!exchanged)
        return row[x->joint[i]];
    return x->pairing == 0 ? row[x->other[i]] : mirror_rotation(x->mirror, x->skeleton, row, x->joint[i]);
}

/* Twice the sine of half the rotation angle along its axis, the shorter way: avoids a logarithm per joint and frame. */
static Vec3 step_between(Quat a, Quat b)
{
    Quat rotation = quat_mul(b, quat_conjugate(a));
    double factor = rotation.w < 0 ? -2 : 2;
    return vec3(factor * rotation.x, factor * rotation.y, factor * rotation.z);
}

static void find_steps(const Exchange *x)
{
    for (int f = 1; f < x->motion->frame_count; f++)
        for (int i = 0; i < x->count; i++)
            x->step[f * x->count + i] = step_between(rotation_at(x, i, f - 1, 0), rotation_at(x, i, f, 0));
}

/* The squared norm of the step to frame f minus the mean of the steps beside it. */
static double square_beyond(Vec3 in, Vec3 over, Vec3 out)
{
    Vec3 left = vec3_mad(over, -0.5, vec3_add(in, out));
    return vec3_dot(left, left);
}

static void find_jumps(const Exchange *x)
{
    for (int f = 2; f + 1 < x->motion->frame_count; f++) {
        double sum = 0;
        for (int i = 0; i < x->count; i++) {
            const Vec3 *step = x->step + f * x->count + i;
            sum += square_beyond(step[-x->count], *step, step[x->count]);
        }
        x->jump[f] = sum / x->count;
    }
}

/* The jump to frame f with the limbs swapped from f on, as a mean square. Stops as soon as the mean exceeds `max`. */
static double exchanged_jump(const Exchange *x, int f, double max)
{
    double sum = 0;
    for (int i = 0; i < x->count && sum <= max * x->count; i++) {
        Quat after = rotation_at(x, i, f, 1);
        Vec3 over = step_between(rotation_at(x, i, f - 1, 0), after),
             out = step_between(after, rotation_at(x, i, f + 1, 1));
        sum += square_beyond(x->step[(f - 1) * x->count + i], over, out);
    }
    return sum / x->count;
}

/* Whether the swap was already found as the other kind, which occurs where both fit. */
static int is_known(const Artifacts *artifacts, const Artifact *swap)
{
    for (int i = 0; i < artifacts->count; i++) {
        const Artifact *known = &artifacts->artifact[i];
        if (known->kind == TRUST_SWAPPED && known->joint == swap->joint && known->first <= swap->last &&
            known->last >= swap->first)
            return 1;
    }
    return 0;
}

/* Pairs the jumps: beginning and end of a swap. */
static Status find_exchanges(const Exchange *x, Artifacts *artifacts, Error *err)
{
    const Motion *m = x->motion;
    int longest = (int)(ARTIFACT_SWAP_LONGEST / m->frame_time), begin = 0;
    double size = 0;
    Status status = STATUS_OK;
    for (int f = 2; f + 1 < m->frame_count && !status; f++) {
        double max = goes_on * goes_on * x->jump[f];
        if (x->jump[f] < min_jump * min_jump || exchanged_jump(x, f, max) > max)
            continue;
        if (begin > 0 && f - begin <= longest) {
            Artifact swap = {TRUST_SWAPPED, x->joint[0], begin, f - 1, 0, size};
            status = is_known(artifacts, &swap) ? STATUS_OK : artifacts_add(artifacts, swap, err);
            begin = 0;
        } else {
            begin = f;
            size = sqrt(x->jump[f]);
        }
    }
    return status;
}

static Status find_of_limb(Exchange *x, int limb, Artifacts *artifacts, Error *err)
{
    Arena arena = {0};
    find_joints(x, limb);
    if (x->count == 0)
        return STATUS_OK;
    x->step = arena_array(&arena, (size_t)x->motion->frame_count, (size_t)x->count, sizeof *x->step);
    x->jump = arena_array(&arena, (size_t)x->motion->frame_count, 1, sizeof *x->jump);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status) {
        find_steps(x);
        find_jumps(x);
    }
    for (x->pairing = 0; x->pairing < PAIRINGS && !status; x->pairing++)
        status = find_exchanges(x, artifacts, err);
    arena_free(&arena);
    return status;
}

Status artifact_swaps_find(const Skeleton *skeleton, const Motion *m, Artifacts *artifacts, Error *err)
{
    Mirror mirror;
    Status status = STATUS_OK;
    if (mirror_init(&mirror, skeleton, m, NULL))
        return STATUS_OK;
    for (int limb = 0; limb < LIMBS && !status; limb++) {
        Exchange x = {.skeleton = skeleton, .motion = m, .mirror = &mirror};
        status = find_of_limb(&x, limb, artifacts, err);
    }
    mirror_free(&mirror);
    return status;
}
