/* See contact_pairs.h. */
#include "analysis/contact/contact_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/memory.h"
#include "analysis/contact/contact_penalty.h"

enum { PAIRS = 2 }; /* of a foot: the heel's points and the ball's, in the order of ContactPoints.has_feet */

/* Part of a force on a pair that its first point carries: none or all where only one of them is a candidate. */
static double part_of_first(const double *penalty)
{
    if (!(penalty[1] < CONTACT_PENALTY_MOST))
        return 1;
    return penalty[0] < CONTACT_PENALTY_MOST ? penalty[1] / (penalty[0] + penalty[1]) : 0;
}

static void join(Vec3 *lever, double *penalty)
{
    double part = part_of_first(penalty);
    lever[0] = vec3_add(vec3_scale(lever[0], part), vec3_scale(lever[1], 1 - part));
    penalty[0] = part > 0 ? part * penalty[0] : penalty[1];
    penalty[1] = CONTACT_PENALTY_MOST;
}

static void share(const double *penalty, Vec3 *force)
{
    double part = part_of_first(penalty);
    force[1] = vec3_scale(force[0], 1 - part);
    force[0] = vec3_scale(force[0], part);
}

static void free_arrays(ContactPairs *pairs)
{
    free(pairs->lever);
    free(pairs->penalty);
    *pairs = (ContactPairs){0};
}

static void swap_arrays(ContactProblem *p, ContactPairs *pairs)
{
    ContactPairs own = {p->lever, p->penalty};
    p->lever = pairs->lever;
    p->penalty = pairs->penalty;
    *pairs = own;
}

/* In every frame the pairs of both feet joined, or, with forces, their forces shared. */
static void each_pair(ContactProblem *p, Vec3 *force)
{
    int first[FOOT_COUNT];
    size_t points = (size_t)p->points.count;
    contact_points_feet(&p->points, first);
    for (size_t f = 0; f < (size_t)p->need.frame_count; f++)
        for (int k = 0; k < FOOT_COUNT * PAIRS; k++) {
            size_t at = f * points + (size_t)(first[k / PAIRS] + 2 * (k % PAIRS));
            if (force)
                share(p->penalty + at, force + at);
            else
                join(p->lever + at, p->penalty + at);
        }
}

Status contact_pairs_join(ContactProblem *p, ContactPairs *pairs, Error *err)
{
    size_t all = (size_t)p->need.frame_count * (size_t)p->points.count;
    *pairs = (ContactPairs){0};
    if (!p->points.has_feet)
        return STATUS_OK;
    pairs->lever = array_new(all, 1, sizeof *pairs->lever);
    pairs->penalty = array_new(all, 1, sizeof *pairs->penalty);
    if (!pairs->lever || !pairs->penalty) {
        free_arrays(pairs);
        return error_no_memory(err);
    }
    memcpy(pairs->lever, p->lever, all * sizeof *pairs->lever);
    memcpy(pairs->penalty, p->penalty, all * sizeof *pairs->penalty);
    swap_arrays(p, pairs);
    each_pair(p, NULL);
    return STATUS_OK;
}

void contact_pairs_part(ContactProblem *p, ContactPairs *pairs, Vec3 *force)
{
    if (!pairs->lever)
        return;
    swap_arrays(p, pairs);
    each_pair(p, force);
    free_arrays(pairs);
}
