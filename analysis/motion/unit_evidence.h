/* The unit of a file from the size of the body in it. */
#ifndef KANE_MOTION_UNIT_EVIDENCE_H
#define KANE_MOTION_UNIT_EVIDENCE_H

#include "analysis/clip/skeleton.h"
#include "analysis/motion/pose_sample.h"

typedef struct Unit {
    const char *name;
    double metres;
    double human_prior, other_prior; /* share of files met in it: with a human in them, with anything else */
} Unit;

/* The units that are looked for; NULL past the last. */
const Unit *unit_at(int index);

/* Metres per file unit: the unit under which legs, trunk and arms are most likely human ones. confidence is its
 * posterior probability among the units. Without human roles the extent of the whole body decides, weakly. */
double unit_from_body(const Skeleton *skeleton, const PoseSample *sample, double *confidence);

#endif
