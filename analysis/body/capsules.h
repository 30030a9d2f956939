/* Bodies of creatures: every bone a rod of water with rounded free ends. */
#ifndef KANE_BODY_CAPSULES_H
#define KANE_BODY_CAPSULES_H

#include "analysis/base/status.h"
#include "analysis/clip/body.h"
#include "analysis/clip/skeleton.h"

/* kg/m3 */
#define WATER_DENSITY 1000.0

/* A bone runs from a joint to a child or an end site and belongs to the joint. Limbs taper towards their tips:
 * r^2 = CAPSULE_SLENDERNESS * (length of the bone and of the longest way beyond) * (reach of the whole tree). The
 * factor makes human skeletons weigh about what people do. Ends are half spheres at tips and at a root with one bone,
 * flat where bones go on. */
#define CAPSULE_SLENDERNESS 0.005

/* Radius, m, of a bone that is followed by others up to `length` from its start, in a tree of that reach. */
double capsule_radius(double length, double reach);

/* Fills *out; mass > 0 rescales all to that total. STATUS_BAD_INPUT where no bone has a length. */
Status capsules_from_skeleton(const Skeleton *skeleton, double mass, Body *out, Error *err);

#endif
