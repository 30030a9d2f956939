/* See contact_pairs.h. */
#include "analysis/contact/contact_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/memory.h"
#include "analysis/contact/contact_penalty.h"

/* The first of two points across a heel or a ball, in the order of ContactPoints.has_feet. */
static int is_first(const ContactPoints *points, int i)
{
    int within = 0;
    while (within < i && points->point[i - within - 1].foot == points->point[i].foot)
        within++;
    return points->point[i].foot >= 0 && (within == 0 || within == 2);
}

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

static void contact_pairs_free(ContactPairs *pairs)
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

Status contact_pairs_join(ContactProblem *p, ContactPairs *pairs, Error *err)
{
    size_t points = (size_t)p->points.count, all = (size_t)p->need.frame_count * points;
    *pairs = (ContactPairs){0};
    if (!p->points.has_feet)
        return STATUS_OK;
    pairs->lever = array_new(all, 1, sizeof *pairs->lever);
    pairs->penalty = array_new(all, 1, sizeof *pairs->penalty);
    if (!pairs->lever || !pairs->penalty) {
        contact_pairs_free(pairs);
        return error_no_memory(err);
    }
    memcpy(pairs->lever, p->lever, all * sizeof *pairs->lever);
    memcpy(pairs->penalty, p->penalty, all * sizeof *pairs->penalty);
    swap_arrays(p, pairs);
    for (int i = 0; i < p->points.count; i++)
        for (size_t at = (size_t)i; is_first(&p->points, i) && at < all; at += points)
            join(p->lever + at, p->penalty + at);
    return STATUS_OK;
}

void contact_pairs_part(ContactProblem *p, ContactPairs *pairs, Vec3 *force)
{
    size_t points = (size_t)p->points.count, all = (size_t)p->need.frame_count * points;
    if (!pairs->lever)
        return;
    swap_arrays(p, pairs);
    for (int i = 0; i < p->points.count; i++)
        for (size_t at = (size_t)i; is_first(&p->points, i) && at < all; at += points)
            share(p->penalty + at, force + at);
    contact_pairs_free(pairs);
}
