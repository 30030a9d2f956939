#include "analysis/trust/fault_swaps.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"
#include "analysis/motion/mirror.h"

static const double least_jump = 2 * PI / 180; /* rad RMS of a joint: closer limbs look the same */
static const double goes_on = 0.4;             /* of the jump: what is left of it where limbs are exchanged */

enum { LIMB_JOINTS = 3, LIMBS = 2, WAYS = 2 };

static const Role limb_roles[LIMBS][LIMB_JOINTS] = {
    {ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST},
    {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE},
};

/* Two limbs, left joints first, and one way to exchange them: 0 rotations as they are, 1 mirrored. */
typedef struct Exchange {
    const Skeleton *skeleton;
    const Motion *motion;
    const Mirror *mirror;
    int way, count;
    int joint[2 * LIMB_JOINTS], other[2 * LIMB_JOINTS];
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

static Quat turn_at(const Exchange *x, int i, int frame, int exchanged)
{
    const Quat *row = x->motion->rotation + motion_index(x->motion, frame, 0);
    if (!exchanged)
        return row[x->joint[i]];
    return x->way == 0 ? row[x->other[i]] : mirror_turn(x->mirror, x->skeleton, row, x->joint[i]);
}

static Vec3 step(Quat a, Quat b) { return vec3_scale(quat_log(quat_mul(b, quat_conjugate(a))), 2); }

/* Mean square over the limbs' joints of the jump to frame f, where they are exchanged from it on, or not. */
static double jump(const Exchange *x, int f, int exchanged)
{
    double sum = 0;
    for (int i = 0; i < x->count; i++) {
        Quat before = turn_at(x, i, f - 1, 0), after = turn_at(x, i, f, exchanged);
        Vec3 in = step(turn_at(x, i, f - 2, 0), before), out = step(after, turn_at(x, i, f + 1, exchanged));
        Vec3 left = vec3_mad(step(before, after), -0.5, vec3_add(in, out));
        sum += vec3_dot(left, left);
    }
    return sum / x->count;
}

/* Limbs that are alike in both ways are exchanged once. */
static int is_known(const Faults *faults, const Fault *swap)
{
    for (int i = 0; i < faults->count; i++) {
        const Fault *known = &faults->fault[i];
        if (known->kind == TRUST_SWAPPED && known->joint == swap->joint && known->first <= swap->last &&
            known->last >= swap->first)
            return 1;
    }
    return 0;
}

/* Edges in pairs: begin and end. */
static Status find_exchanges(const Exchange *x, Faults *faults, Error *err)
{
    const Motion *m = x->motion;
    int longest = (int)(FAULT_SWAP_LONGEST / m->frame_time), begin = 0;
    double size = 0;
    Status status = STATUS_OK;
    for (int f = 2; f + 1 < m->frame_count && !status; f++) {
        double as_is = jump(x, f, 0);
        if (as_is < least_jump * least_jump || jump(x, f, 1) > goes_on * goes_on * as_is)
            continue;
        if (begin > 0 && f - begin <= longest) {
            Fault swap = {TRUST_SWAPPED, x->joint[0], begin, f - 1, 0, size};
            status = is_known(faults, &swap) ? STATUS_OK : faults_add(faults, swap, err);
            begin = 0;
        } else {
            begin = f;
            size = sqrt(as_is);
        }
    }
    return status;
}

Status fault_swaps_find(const Skeleton *skeleton, const Motion *m, Faults *faults, Error *err)
{
    Mirror mirror;
    Status status = STATUS_OK;
    if (mirror_init(&mirror, skeleton, NULL) != STATUS_OK)
        return STATUS_OK;
    for (int i = 0; i < LIMBS * WAYS && !status; i++) {
        Exchange x = {.skeleton = skeleton, .motion = m, .mirror = &mirror, .way = i % WAYS};
        find_joints(&x, i / WAYS);
        if (x.count > 0)
            status = find_exchanges(&x, faults, err);
    }
    mirror_free(&mirror);
    return status;
}
