/* Detection of all artifacts of a recording (artifact_search.h). */
#include "analysis/quality/artifact_search.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/quality/artifacts_internal.h"

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

/* Whether the step is an end of a swap: the jumps there and back belong to the swap. */
static int is_edge_of_swap(const Skeleton *s, const Artifacts *swaps, const Artifact *step)
{
    for (int i = 0; i < swaps->count; i++) {
        const Artifact *swap = &swaps->artifact[i];
        if (step->first <= swap->last + 1 && step->last >= swap->first - 1 && artifact_affects(s, swap, step->joint))
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

static int by_joint(const void *a, const void *b)
{
    const Artifact *x = a, *y = b;
    return x->joint != y->joint ? (x->joint > y->joint) - (x->joint < y->joint)
                                : (x->first > y->first) - (x->first < y->first);
}

/* Finds joints that shake, as noise or in a rhythm, and merges intervals of a joint that overlap or touch. */
static Status find_shakes(const Skeleton *skeleton, const Motion *motion, Artifacts *artifacts, Error *err)
{
    Artifacts found = {0};
    Status status = artifact_flicker_find(skeleton, motion, &found, err);
    if (!status)
        status = artifact_rhythm_find(skeleton, motion, &found, err);
    if (found.count > 1)
        qsort(found.artifact, (size_t)found.count, sizeof *found.artifact, by_joint);
    for (int i = 0; i < found.count && !status;) {
        Artifact whole = found.artifact[i];
        for (i++; i < found.count; i++) {
            const Artifact *next = &found.artifact[i];
            if (next->joint != whole.joint || next->first > whole.last + 1)
                break;
            whole.last = next->last > whole.last ? next->last : whole.last;
            whole.size = fmax(whole.size, next->size);
        }
        status = artifacts_add(artifacts, whole, err);
    }
    artifacts_free(&found);
    return status;
}

Status artifacts_find(const Skeleton *skeleton, const Motion *motion, Artifacts *artifacts, Error *err)
{
    Status status = artifact_repeats_find(skeleton, motion, artifacts, err);
    if (status || artifacts->count > 0) /* between repeated rows every change is a step */
        return status;
    status = artifact_corners_find(motion, artifacts, err);
    if (!status)
        status = find_steps_and_holds(skeleton, motion, artifacts, err);
    if (!status)
        status = find_shakes(skeleton, motion, artifacts, err);
    if (!status)
        status = artifact_ground_find(skeleton, motion, artifacts, err);
    if (!status && artifacts->count > 1)
        qsort(artifacts->artifact, (size_t)artifacts->count, sizeof *artifacts->artifact, by_frame);
    return status;
}
