/* What a force at a contact point costs, from how far it hovers and how fast it slides.
 *
 * A limb at rest above the ground (a foot on a box, or one held up) costs more as long as the other contacts can hold
 * the body: as long as the centre of pressure that the motion asks for lies among them. */
#ifndef KANE_CONTACT_CONTACT_PENALTY_H
#define KANE_CONTACT_CONTACT_PENALTY_H

#include "analysis/contact/contact_points.h"
#include "analysis/contact/ground.h"

#define CONTACT_PENALTY_MOST 1e3 /* at and above this a point is no candidate */

/* Of a point that touches and rests. */
double contact_rest_penalty(const ContactPoints *points, int point);

/* How far p, L, lies outside the convex hull of the levers of points that cost less than the limit, as seen along 32
 * directions: 0 inside, infinite where there is none. raised[group]: those that do not count; NULL: all do. */
double contact_outside(const ContactPoints *points, const uint8_t *raised, const double *cost, double limit,
                       const Vec3 *lever, Vec3 p);

/* penalty[frame][point], contact_rest_penalty for a point that touches and rests. lever[frame][point] and
 * pressure[frame] in L, y up: where a force would act, and the needed centre of pressure; NaN where none is needed.
 * need[frame]: vertical force that the whole body needs, body weights. */
void contact_penalties(const ContactPoints *points, const Ground *ground, const Vec3 *lever, const Vec3 *pressure,
                       const double *need, double *penalty);

#endif
