/* Cost of a force at a contact point (contact_penalty.h). */
#include "analysis/contact/contact_penalty.h"

#include <math.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/contact/contact_constants.h"
#include "analysis/math/elementary.h"

enum { DIRECTIONS = 32 };

#define MAX_EXPONENT 13.8     /* e^13.8 times the least penalty is equivalent to the largest */
#define LIKELY_PENALTY 1.0     /* below this a point may be a support */
#define SUPPORT_REACH 0.06     /* L: a centre of pressure this far outside requires another support */

double contact_rest_penalty(const ContactPoints *points, int point)
{
    return points->point[point].foot >= 0 ? points->constants->rest_penalty : points->constants->skin_penalty;
}

/* Grows smoothly with clearance and speed: rest near the ground is cheap, a swing expensive. A descending ball is about
 * to be loaded, and a rising heel has been unloaded, so that vertical speed counts less for the one and more for the
 * other. */
static double point_penalty(const ContactPoints *points, const Ground *g, size_t frame, int point)
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
    if (exponent > MAX_EXPONENT)
        return CONTACT_PENALTY_MAX;
    return fmin(CONTACT_PENALTY_MAX, contact_rest_penalty(points, point) * elementary_exp(exponent));
}

/* max over u of u . p - max u . lever. */
double contact_outside(const ContactPoints *points, const uint8_t *raised, const double *cost, double limit,
                       const Vec3 *lever, Vec3 p)
{
    double sine[DIRECTIONS], cosine[DIRECTIONS], farthest[DIRECTIONS], outside = 0;
    for (int d = 0; d < DIRECTIONS; d++) {
        elementary_sincos(2 * PI / DIRECTIONS * d, &sine[d], &cosine[d]);
        farthest[d] = -INFINITY;
    }
    for (int i = 0; i < points->count; i++) {
        if ((raised && raised[points->point[i].group]) || !(cost[i] < limit))
            continue;
        for (int d = 0; d < DIRECTIONS; d++) { /* the compiler makes vectors of it, not of fmax */
            double reach = cosine[d] * lever[i].x + sine[d] * lever[i].z;
            farthest[d] = reach > farthest[d] ? reach : farthest[d];
        }
    }
    for (int d = 0; d < DIRECTIONS; d++) {
        double beyond = cosine[d] * p.x + sine[d] * p.z - farthest[d];
        outside = beyond > outside ? beyond : outside;
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

/* If the motion requires support, some point has it, however fast it lands: the penalty of the point nearest to rest is
 * at most `min`, the others are scaled likewise. */
static void relax(int count, double required, double min, double *penalty)
{
    double best = CONTACT_PENALTY_MAX, part = ground_support_certainty(required);
    for (int i = 0; i < count; i++)
        best = fmin(best, penalty[i]);
    if (!(part > 0) || best <= min || best >= CONTACT_PENALTY_MAX)
        return;
    double factor = elementary_pow(min / best, part);
    for (int i = 0; i < count; i++)
        if (penalty[i] < CONTACT_PENALTY_MAX)
            penalty[i] *= factor;
}

void contact_penalties(const ContactPoints *points, const Ground *ground, const Vec3 *lever, const Vec3 *pressure,
                       const double *required, double *penalty)
{
    const ContactConstants *c = points->constants;
    size_t count = (size_t)points->count;
    for (size_t f = 0; f < (size_t)ground->frame_count; f++) {
        const uint8_t *raised = ground->raised + f * (size_t)ground->group_count;
        double *own = penalty + f * count, outside = 0;
        for (int i = 0; i < points->count; i++)
            own[i] = point_penalty(points, ground, f, i);
        relax(points->count, required[f], c->needed_penalty, own);
        if (!any_raised(ground, raised))
            continue;
        if (!isnan(pressure[f].x))
            outside = contact_outside(points, raised, own, LIKELY_PENALTY, lever + f * count, pressure[f]);
        double factor = elementary_pow(c->raised_factor, 1 - fmin(1, outside / SUPPORT_REACH));
        for (int i = 0; i < points->count; i++)
            if (raised[points->point[i].group])
                own[i] = fmin(CONTACT_PENALTY_MAX, own[i] * factor);
    }
}
