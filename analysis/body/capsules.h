/* Masses of a creature: every bone is a rod of water with rounded free ends. */
#ifndef KANE_BODY_CAPSULES_H
#define KANE_BODY_CAPSULES_H

#include "analysis/base/status.h"
#include "analysis/clip/body.h"
#include "analysis/clip/skeleton.h"

/* kg/m3 */
#define WATER_DENSITY 1000.0

/* A bone runs from a joint to a child or an end site and belongs to the joint. Limbs taper towards their tips: r^2 =
 * CAPSULE_SLENDERNESS * (length of the bone plus the longest path beyond it) * (reach of the whole tree). With this
 * factor human skeletons have about the mass of people. Ends are hemispheres at tips and at a root with one bone, and
 * flat between bones. */
#define CAPSULE_SLENDERNESS 0.005

/* The radius, m, of a bone whose longest path from its start to a tip is `length`, in a tree of that reach. */
double capsule_radius(double length, double reach);

/* Fills *out; mass > 0 scales it to that total. STATUS_BAD_INPUT if all bones have zero length. */
Status capsules_from_skeleton(const Skeleton *skeleton, double mass, Body *out, Error *err);

#endif
