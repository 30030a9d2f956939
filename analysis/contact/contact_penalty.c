#include "analysis/contact/contact_penalty.h"

#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"

enum { DIRECTIONS = 32 };

#define MOST_EXPONENT 13.8     /* e^13.8 times the least penalty is as good as the most */
#define LIKELY_PENALTY 1.0     /* below this a point may be a support */
#define SUPPORT_REACH 0.06     /* L: a body whose centre of pressure lies this far outside needs another support */

double contact_rest_penalty(const ContactPoints *points, int point)
{
    return points->point[point].foot >= 0 ? points->constants->rest_penalty : points->constants->skin_penalty;
}

/* Grows with clearance and speed, without a switch: rest near the ground is cheap, a swing is dear. A ball that comes
 * down is about to carry, a heel that rises has handed over: vertical speed counts less and more. */
static double penalty_of(const ContactPoints *points, const Ground *g, size_t frame, int point)
{
    const ContactConstants *c = points->constants;
    const ContactPoint *p = &points->point[point];
    int is_ball = p->foot >= 0 && !points->group[p->group].is_heel;
    size_t at = frame * (size_t)points->count + (size_t)point;
    int is_heel = p->foot >= 0 && !is_ball;
    double counts = is_ball && g->rise[at] < 0 ? c->ball_sinking : is_heel && g->rise[at] > 0 ? c->heel_rising : 1;
    double rise = counts * g->rise[at], speed = sqrt(g->slide[at] * g->slide[at] + rise * rise);
    double height = g->clearance[at] / ((is_ball ? c->ball_clearance : c->heel_clearance) * points->leg_length);
    double exponent = height * sqrt(height) + speed / (c->slide_speed * sqrt(GRAVITY * points->leg_length));
    if (exponent > MOST_EXPONENT)
        return CONTACT_PENALTY_MOST;
    return fmin(CONTACT_PENALTY_MOST, contact_rest_penalty(points, point) * elementary_exp(exponent));
}

/* max over u of u . p - max u . lever. */
double contact_outside(const ContactPoints *points, const uint8_t *raised, const double *cost, double limit,
                       const Vec3 *lever, Vec3 p)
{
    double outside = 0;
    for (int d = 0; d < DIRECTIONS; d++) {
        double sine, cosine, farthest = -INFINITY;
        elementary_sincos(2 * PI / DIRECTIONS * d, &sine, &cosine);
        for (int i = 0; i < points->count; i++)
            if (!(raised && raised[points->point[i].group]) && cost[i] < limit)
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
 * `least`, the others in proportion. */
static void relax(int count, double need, double least, double *penalty)
{
    double best = CONTACT_PENALTY_MOST, part = ground_need_part(need);
    for (int i = 0; i < count; i++)
        best = fmin(best, penalty[i]);
    if (!(part > 0) || best <= least || best >= CONTACT_PENALTY_MOST)
        return;
    double factor = elementary_pow(least / best, part);
    for (int i = 0; i < count; i++)
        if (penalty[i] < CONTACT_PENALTY_MOST)
            penalty[i] *= factor;
}

void contact_penalties(const ContactPoints *points, const Ground *ground, const Vec3 *lever, const Vec3 *pressure,
                       const double *need, double *penalty)
{
    const ContactConstants *c = points->constants;
    size_t count = (size_t)points->count;
    for (size_t f = 0; f < (size_t)ground->frame_count; f++) {
        const uint8_t *raised = ground->raised + f * (size_t)ground->group_count;
        double *own = penalty + f * count, outside = 0;
        for (int i = 0; i < points->count; i++)
            own[i] = penalty_of(points, ground, f, i);
        relax(points->count, need[f], c->needed_penalty, own);
        if (!any_raised(ground, raised))
            continue;
        if (!isnan(pressure[f].x))
            outside = contact_outside(points, raised, own, LIKELY_PENALTY, lever + f * count, pressure[f]);
        double factor = elementary_pow(c->raised_factor, 1 - fmin(1, outside / SUPPORT_REACH));
        for (int i = 0; i < points->count; i++)
            if (raised[points->point[i].group])
                own[i] = fmin(CONTACT_PENALTY_MOST, own[i] * factor);
    }
}
