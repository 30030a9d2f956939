#include "analysis/trust/source_faults.h"

#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/trust/fault_flicker.h"
#include "analysis/trust/fault_ground.h"
#include "analysis/trust/fault_holds.h"
#include "analysis/trust/fault_repeats.h"
#include "analysis/trust/fault_steps.h"
#include "analysis/trust/fault_swaps.h"

/* A joint without a role that carries no more than this part of the body's volume is light: an eye, a tail's end. */
static const double light = 0.01;

static int by_frame(const void *a, const void *b)
{
    const Fault *x = a, *y = b;
    return x->first != y->first ? (x->first > y->first) - (x->first < y->first)
                                : (x->joint > y->joint) - (x->joint < y->joint);
}

/* A joint that stood still and leaves for some frames was not held: it comes back to where it stood. */
static int is_rest_before_excursion(const Fault *hold, const Faults *steps)
{
    for (int i = 0; i < steps->count; i++) {
        const Fault *step = &steps->fault[i];
        if (!step->stays && step->first == hold->last + 1 && step->joint == hold->joint)
            return 1;
    }
    return 0;
}

/* A hold ends in a leap to where the body would have been: one fault, not two. */
static int ends_a_hold(const Faults *holds, const Fault *step)
{
    for (int i = 0; i < holds->count; i++) {
        const Fault *hold = &holds->fault[i];
        int is_its = hold->joint == FAULT_WHOLE_POSE || hold->joint == step->joint;
        if (step->stays && is_its && hold->last + 1 == step->first)
            return 1;
    }
    return 0;
}

static int is_ancestor(const Skeleton *s, int ancestor, int joint)
{
    while (joint > ancestor)
        joint = s->parent[joint];
    return joint == ancestor;
}

/* Of limbs that are exchanged every joint is another one's. */
static int is_at_fault(const Skeleton *s, const Fault *fault, int joint)
{
    if (fault->kind == TRUST_SWAPPED)
        return is_ancestor(s, fault->joint, joint) || is_ancestor(s, fault_other_limb(s, fault), joint);
    return fault->joint == FAULT_WHOLE_POSE || joint == fault->joint;
}

/* Limbs that are exchanged jump there and back: one fault, not three. */
static int is_edge_of_swap(const Skeleton *s, const Faults *swaps, const Fault *step)
{
    for (int i = 0; i < swaps->count; i++) {
        const Fault *swap = &swaps->fault[i];
        if (step->first <= swap->last + 1 && step->last >= swap->first - 1 && is_at_fault(s, swap, step->joint))
            return 1;
    }
    return 0;
}

/* Faults of single frames and of stretches that stand still. */
static Status find_steps_and_holds(const Skeleton *skeleton, const Motion *motion, Faults *faults, Error *err)
{
    Faults holds = {0}, steps = {0}, swaps = {0};
    Status status = fault_holds_find(skeleton, motion, &holds, err);
    if (!status)
        status = fault_steps_find(skeleton, motion, &steps, err);
    if (!status)
        status = fault_swaps_find(skeleton, motion, &swaps, err);
    for (int i = 0; i < holds.count && !status; i++)
        if (!is_rest_before_excursion(&holds.fault[i], &steps))
            status = faults_add(faults, holds.fault[i], err);
    for (int i = 0; i < steps.count && !status; i++)
        if (!ends_a_hold(&holds, &steps.fault[i]) && !is_edge_of_swap(skeleton, &swaps, &steps.fault[i]))
            status = faults_add(faults, steps.fault[i], err);
    for (int i = 0; i < swaps.count && !status; i++)
        status = faults_add(faults, swaps.fault[i], err);
    faults_free(&holds);
    faults_free(&steps);
    faults_free(&swaps);
    return status;
}

Status source_faults_find(const Skeleton *skeleton, const Motion *motion, Faults *faults, Error *err)
{
    Status status = fault_repeats_find(skeleton, motion, faults, err);
    if (status || faults->count > 0) /* between rows that repeat all others are steps */
        return status;
    status = find_steps_and_holds(skeleton, motion, faults, err);
    if (!status)
        status = fault_flicker_find(skeleton, motion, faults, err);
    if (!status)
        status = fault_ground_find(skeleton, motion, faults, err);
    if (!status && faults->count > 1)
        qsort(faults->fault, (size_t)faults->count, sizeof *faults->fault, by_frame);
    return status;
}

/* Part of the body's volume that each joint carries, of bones as alike solids: a bone's volume is its length cubed.
 * Those from the root are left out: from a root on the ground the first one is no bone. */
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

/* What it carries is a hand or toes, under 1 % of the body's mass (de Leva 1996), or less. The feet are not: they bear
 * the body. */
static int is_light(const Skeleton *s, const double *part, int joint)
{
    Role segment = s->segment[joint];
    return segment == ROLE_LEFT_WRIST || segment == ROLE_RIGHT_WRIST || segment == ROLE_LEFT_TOE ||
           segment == ROLE_RIGHT_TOE || (joint > 0 && s->role[joint] == ROLE_NONE && part[joint] <= light);
}

static void mark_light(const Skeleton *s, const Fault *fault, Trust *trust)
{
    for (int j = 0; j < s->joint_count; j++) {
        uint32_t bit = j == fault->joint ? fault->kind : TRUST_NEIGHBOUR;
        if (!is_ancestor(s, fault->joint, j) && !is_ancestor(s, j, fault->joint))
            continue;
        for (int f = fault->first; f <= fault->last; f++)
            trust->joint_reason[(size_t)f * (size_t)trust->joint_count + (size_t)j] |= bit;
    }
}

static void mark_frames(const Skeleton *s, const Fault *fault, Trust *trust)
{
    for (int f = fault->first; f <= fault->last; f++) {
        uint32_t *joint = trust->joint_reason + (size_t)f * (size_t)trust->joint_count;
        trust->reason[f] |= fault->kind;
        for (int j = 0; j < trust->joint_count; j++)
            joint[j] |= is_at_fault(s, fault, j) ? fault->kind : 0;
    }
}

Status source_faults_mark(const Skeleton *skeleton, const Faults *faults, Trust *trust, Error *err)
{
    Arena arena = {0};
    double *part = arena_array(&arena, (size_t)skeleton->joint_count, 1, sizeof *part);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status && faults->count > 0)
        status = trust_add_joints(trust, err);
    if (!status)
        volumes(skeleton, part);
    for (int i = 0; i < faults->count && !status; i++) {
        const Fault *fault = &faults->fault[i];
        if (fault->joint > 0 && is_light(skeleton, part, fault->joint))
            mark_light(skeleton, fault, trust);
        else
            mark_frames(skeleton, fault, trust);
    }
    trust_settle(trust);
    arena_free(&arena);
    return status;
}
