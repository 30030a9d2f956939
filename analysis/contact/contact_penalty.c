#include "analysis/contact/contact_penalty.h"

#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"

enum { DIRECTIONS = 32 };

#define PENALTY_AT_REST 1e-3   /* of a force at a point that touches and rests */
#define CLEARANCE_SCALE 0.0098 /* L */
#define SPEED_SCALE 0.124      /* sqrt(g L) */
#define PENALTY_NEEDED 0.03    /* of the point nearest to rest under a body that needs support */
#define RAISED_PENALTY 1e3     /* factor for a limb at rest above the ground that the body does not need */
#define LIKELY_PENALTY 1.0     /* below this a point may be a support */
#define SUPPORT_REACH 0.06     /* L: a body whose centre of pressure lies this far outside needs another support */

/* Grows with clearance and speed, without a switch: rest near the ground is cheap, a swing is dear. */
static double penalty_of(double clearance, double speed)
{
    double c = clearance / CLEARANCE_SCALE;
    double exponent = c * sqrt(c) + speed / SPEED_SCALE;
    if (exponent > 13.8)
        return CONTACT_PENALTY_MOST;
    return fmin(CONTACT_PENALTY_MOST, PENALTY_AT_REST * elementary_exp(exponent));
}

/* How far p lies outside the convex hull of the likely supports on the common ground, seen along DIRECTIONS:
 * max over u of u . p - max u . support; infinite where there is no support, 0 inside. */
static double outside_support(const ContactPoints *points, const uint8_t *raised, const double *penalty,
                              const Vec3 *lever, Vec3 p)
{
    double outside = 0;
    for (int d = 0; d < DIRECTIONS; d++) {
        double sine, cosine, farthest = -INFINITY;
        elementary_sincos(2 * PI / DIRECTIONS * d, &sine, &cosine);
        for (int i = 0; i < points->count; i++)
            if (!raised[points->point[i].group] && penalty[i] < LIKELY_PENALTY)
                farthest = fmax(farthest, cosine * lever[i].x + sine * lever[i].z);
        outside = fmax(outside, cosine * p.x + sine * p.z - farthest);
    }
    return outside;
}

static int any_raised(const Ground *g, const uint8_t *raised)
{
    for (int k = 0; k < g->group_count; k++)
        if (raised[k])
            return 1;
    return 0;
}

/* Where the motion needs support something carries, however fast it lands: the nearest to rest for no more than
 * PENALTY_NEEDED, the others in proportion. */
static void relax(int count, double need, double *penalty)
{
    double best = CONTACT_PENALTY_MOST, part = ground_need_part(need);
    for (int i = 0; i < count; i++)
        best = fmin(best, penalty[i]);
    if (!(part > 0) || best <= PENALTY_NEEDED || best >= CONTACT_PENALTY_MOST)
        return;
    double factor = elementary_pow(PENALTY_NEEDED / best, part);
    for (int i = 0; i < count; i++)
        if (penalty[i] < CONTACT_PENALTY_MOST)
            penalty[i] *= factor;
}

void contact_penalties(const ContactPoints *points, const Ground *ground, const Vec3 *lever, const Vec3 *pressure,
                       const double *need, double *penalty)
{
    double length = points->leg_length, speed_unit = sqrt(GRAVITY * length);
    size_t count = (size_t)points->count;
    for (size_t at = 0; at < (size_t)ground->frame_count * count; at++)
        penalty[at] = penalty_of(ground->clearance[at] / length, ground->speed[at] / speed_unit);
    for (size_t f = 0; f < (size_t)ground->frame_count; f++) {
        const uint8_t *raised = ground->raised + f * (size_t)ground->group_count;
        double *own = penalty + f * count, outside = 0;
        relax(points->count, need[f], own);
        if (!any_raised(ground, raised))
            continue;
        if (!isnan(pressure[f].x))
            outside = outside_support(points, raised, own, lever + f * count, pressure[f]);
        double factor = elementary_pow(RAISED_PENALTY, 1 - fmin(1, outside / SUPPORT_REACH));
        for (int i = 0; i < points->count; i++)
            if (raised[points->point[i].group])
                own[i] = fmin(CONTACT_PENALTY_MOST, own[i] * factor);
    }
}
