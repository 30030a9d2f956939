/* Units of length that motion files are written in, and the unit of a file from the size of the body in it. */
#ifndef KANE_EVIDENCE_UNIT_H
#define KANE_EVIDENCE_UNIT_H

#include "analysis/clip/skeleton.h"
#include "analysis/motion/pose_sample.h"

/* "m" "dm" "cm" "mm" "inch" "cmu" (the CMU library's 1/0.45 inch), or NULL for a unit without a name. */
const char *unit_name(double metres_per_unit);

/* Metres of a unit name or a number of metres; 0 where it is neither. */
double unit_from_text(const char *text);

/* Metres per file unit: the unit under which legs, trunk and arms are most likely human ones, and what falls does so at
 * g. fall is the acceleration of free fall in units per s2, 0 where it is not known (free_fall.h). confidence is the
 * posterior probability among the units. Without human roles the extent of the whole body counts, weakly. */
double unit_from_body(const Skeleton *skeleton, const PoseSample *sample, double fall, double *confidence);

#endif
