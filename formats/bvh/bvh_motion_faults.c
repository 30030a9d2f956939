#include "formats/bvh/bvh_motion_faults.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/motion/forward_kinematics.h"
#include "analysis/trust/source_faults.h"

static const double most_stretch = 0.05, least_stretch = 0.01; /* of a bone's length, m: more is no noise */
static const double off_ground = 0.1;                          /* of the body's size */

static int is_rotation(BvhChannel c) { return c >= BVH_XROTATION; }

/* Columns of a joint at fault: its rotations, its positions or both. */
static int is_at_fault(const Bvh *bvh, const Fault *fault, int column)
{
    int joint = fault->joint, first = joint >= 0 ? bvh->first_channel[joint] : 0;
    int end = joint >= 0 ? first + bvh->joint_channels[joint] : bvh->channel_count;
    if (column < first || column >= end)
        return 0;
    return fault->kind == TRUST_FLIP ? is_rotation(bvh->channel[column])
           : fault->kind == TRUST_TELEPORT ? !is_rotation(bvh->channel[column]) : 1;
}

static BvhPlace place_of(const Bvh *bvh, const Fault *fault, int row)
{
    int column = 0;
    while (column + 1 < bvh->channel_count && !is_at_fault(bvh, fault, column))
        column++;
    return bvh_place(bvh, row, column);
}

BvhFault bvh_fault_of(const Fault *fault)
{
    switch (fault->kind) {
    case TRUST_FLIP: return BVH_FAULT_FLIP;
    case TRUST_TELEPORT: return BVH_FAULT_TELEPORT;
    case TRUST_FLICKER: return BVH_FAULT_FLICKER;
    case TRUST_DRIFT: return BVH_FAULT_DRIFT;
    case TRUST_SLIDING: return BVH_FAULT_SLIDING;
    case TRUST_SWAPPED: return BVH_FAULT_SWAPPED;
    case TRUST_REPEATED: return BVH_FAULT_REPEATED;
    default: return BVH_FAULT_HELD;
    }
}

static Status warn_fault(Bvh *bvh, const Clip *clip, const Fault *fault, int dropped, Error *err)
{
    char text[sizeof bvh->warning->text];
    int row = fault->first + dropped;
    fault_describe(&clip->skeleton, &clip->motion, fault, row, text, sizeof text);
    return bvh_warn(bvh, bvh_fault_of(fault), place_of(bvh, fault, row), err, "%s", text);
}

static Status find_faults(Bvh *bvh, const Clip *clip, int dropped, Error *err)
{
    Faults faults = {0};
    Status status = source_faults_find(&clip->skeleton, &clip->motion, &faults, err);
    for (int i = 0; i < faults.count && !status; i++) {
        if (faults.fault[i].kind == TRUST_REPEATED) { /* one finding in place of one for each row */
            bvh_forget_findings(bvh, BVH_FAULT_ROW_TWICE);
            bvh_forget_findings(bvh, BVH_FAULT_ROW_HELD);
            bvh_forget_findings(bvh, BVH_FAULT_MANY);
        }
        status = warn_fault(bvh, clip, &faults.fault[i], dropped, err);
    }
    faults_free(&faults);
    return status;
}

/* A joint that carries the whole body from a root on the ground hangs on no bone: it goes where the body goes. */
static int is_path(const Skeleton *s, int joint)
{
    int siblings = 0;
    for (int j = 1; j < s->joint_count; j++)
        siblings += s->parent[j] == 0;
    return s->parent[joint] == 0 && siblings == 1 && (s->role[joint] == ROLE_HIPS || s->role[0] == ROLE_NONE);
}

static Status find_stretched_bones(Bvh *bvh, const Clip *clip, Error *err)
{
    const Motion *m = &clip->motion;
    Status status = STATUS_OK;
    for (int j = 1; m->translation && j < m->joint_count && !status; j++) {
        double least = INFINITY, most = 0;
        for (int f = 0; f < m->frame_count; f++) {
            double length = vec3_norm(m->translation[motion_index(m, f, j)]);
            least = fmin(least, length);
            most = fmax(most, length);
        }
        if (!is_path(&clip->skeleton, j) && most - least > fmax(most_stretch * most, least_stretch))
            status = bvh_warn(bvh, BVH_FAULT_BONE, (BvhPlace){bvh->line[j], 1}, err,
                              "the bone to joint \"%.60s\" is %.3g to %.3g m long", clip->skeleton.name[j], least,
                              most);
    }
    return status;
}

static int is_foot(Role segment)
{
    return segment == ROLE_LEFT_ANKLE || segment == ROLE_LEFT_TOE || segment == ROLE_RIGHT_ANKLE ||
           segment == ROLE_RIGHT_TOE;
}

/* Whether the lowest joint of the take is far below its feet: they never bear it. */
static Status find_idle_feet(Bvh *bvh, const Clip *clip, Error *err)
{
    const Skeleton *s = &clip->skeleton;
    size_t frames = (size_t)clip->motion.frame_count, joints = (size_t)s->joint_count;
    double feet = INFINITY, others = INFINITY;
    Arena arena = {0};
    WorldPoses poses = {.position = arena_array(&arena, frames, joints, sizeof(Vec3)),
                        .orientation = arena_array(&arena, frames, joints, sizeof(Quat))};
    ClipView view = clip_view(clip);
    Status status = arena.failed ? error_no_memory(err) : forward_kinematics(&view, LANES_AUTO, &poses, err);
    for (size_t i = 0; !status && i < frames * joints; i++) {
        double *low = is_foot(s->segment[i % joints]) ? &feet : &others;
        *low = fmin(*low, poses.position[i].y);
    }
    arena_free(&arena);
    if (status || !isfinite(feet) || feet - others <= off_ground * fault_body_size(s))
        return status;
    return bvh_warn(bvh, BVH_FAULT_FEET, (BvhPlace){bvh->line[0], 1}, err,
                    "the feet stay %.2g m above the lowest joint of the take", feet - others);
}

Status bvh_find_motion_faults(Bvh *bvh, const Clip *clip, int dropped, Error *err)
{
    Status status = find_faults(bvh, clip, dropped, err);
    if (!status)
        status = find_stretched_bones(bvh, clip, err);
    return status ? status : find_idle_feet(bvh, clip, err);
}

/* What lies between sound frames. */
static int can_be_filled(const Fault *fault)
{
    return !fault->stays && fault->kind & (TRUST_TELEPORT | TRUST_FLIP | TRUST_HELD | TRUST_INTERPOLATED);
}

Status bvh_forget_motion_faults(Bvh *bvh, const Clip *clip, int dropped, Error *err)
{
    Faults faults = {0};
    Status status = source_faults_find(&clip->skeleton, &clip->motion, &faults, err);
    for (int i = 0; i < faults.count && !status; i++) {
        const Fault *fault = &faults.fault[i];
        for (int f = fault->first + dropped; can_be_filled(fault) && f <= fault->last + dropped; f++)
            for (int c = 0; c < bvh->channel_count; c++)
                if (is_at_fault(bvh, fault, c))
                    bvh->value[(size_t)f * (size_t)bvh->channel_count + (size_t)c] = NAN;
    }
    faults_free(&faults);
    return status;
}

static int by_place(const void *a, const void *b)
{
    const BvhPlace *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                              : (x->column > y->column) - (x->column < y->column);
}

/* The channel whose value a finding names; -1: none that the rows still have. */
static int channel_of(const Bvh *bvh, const BvhWarning *w)
{
    size_t count = (size_t)bvh->frame_count * (size_t)bvh->channel_count;
    const BvhPlace at = {w->line, w->column}, *found = bsearch(&at, bvh->place, count, sizeof at, by_place);
    return found ? (int)((size_t)(found - bvh->place) % (size_t)bvh->channel_count) : -1;
}

/* The finding that a fault of the mended rows is left of: of its kind and channel, at its place or the last before. */
static BvhWarning *finding_of(Bvh *bvh, BvhFault kind, const BvhPlace *at)
{
    BvhWarning *found = NULL;
    int channel = channel_of(bvh, &(BvhWarning){.line = at->line, .column = at->column});
    for (int i = 0; i < bvh->warning_count; i++) {
        BvhWarning *w = &bvh->warning[i];
        if (w->fault == kind && (!found || w->line <= at->line) && channel_of(bvh, w) == channel)
            found = w;
    }
    return found;
}

Status bvh_tell_mended_faults(Bvh *bvh, const Clip *clip, int dropped, Error *err)
{
    Faults faults = {0};
    Status status = source_faults_find(&clip->skeleton, &clip->motion, &faults, err);
    for (int i = 0; i < bvh->warning_count && !status; i++) {
        BvhWarning *w = &bvh->warning[i];
        w->mended |= w->fault == BVH_FAULT_TELEPORT || w->fault == BVH_FAULT_FLIP || w->fault == BVH_FAULT_HELD;
    }
    for (int i = 0; i < faults.count && !status; i++) {
        const Fault *fault = &faults.fault[i];
        BvhPlace at = place_of(bvh, fault, fault->first + dropped);
        BvhWarning *finding = finding_of(bvh, bvh_fault_of(fault), &at);
        if (finding)
            finding->mended = 0;
    }
    faults_free(&faults);
    return status;
}

Status bvh_compare_family(Bvh *bvh, const Bvh *other, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < other->joint_count && !status; i++) {
        int j = 0;
        while (j < bvh->joint_count && strcmp(bvh->name[j], other->name[i]) != 0)
            j++;
        if (j == bvh->joint_count)
            status = bvh_warn(bvh, BVH_FAULT_FAMILY, (BvhPlace){bvh->line[0], 1}, err, "there is no joint \"%.60s\"",
                              other->name[i]);
    }
    return status;
}
