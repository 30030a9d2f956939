/* Cost of a force at a contact point, from its clearance and its sliding speed.
 *
 * A limb at rest above the ground (a foot on a box, or a raised one) costs more while the other contacts can support
 * the body, that is, while the required centre of pressure is among them. */
#ifndef KANE_CONTACT_CONTACT_PENALTY_H
#define KANE_CONTACT_CONTACT_PENALTY_H

#include <stdint.h>

#include "analysis/contact/contact_points.h"
#include "analysis/contact/ground.h"
#include "analysis/math/vec.h"

#define CONTACT_PENALTY_MAX 1e3 /* a point with this penalty or more is no candidate */

/* Penalty of a point that touches and is at rest. */
double contact_rest_penalty(const ContactPoints *points, int point);

/* Distance of p, L, outside the convex hull of the levers of points that cost less than the limit, along 32 directions:
 * 0 inside, infinite if there is none. raised[group]: groups to ignore; NULL: none. */
double contact_outside(const ContactPoints *points, const uint8_t *raised, const double *cost, double limit,
                       const Vec3 *lever, Vec3 p);

/* penalty[frame][point]; contact_rest_penalty for a point that touches and is at rest. lever[frame][point] and
 * pressure[frame] in L, y up: point of application, and the required centre of pressure; NaN if none is required.
 * required[frame]: required vertical force, body weights. */
void contact_penalties(const ContactPoints *points, const Ground *ground, const Vec3 *lever, const Vec3 *pressure,
                       const double *required, double *penalty);

#endif
