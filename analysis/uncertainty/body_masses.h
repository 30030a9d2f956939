/* Bodies whose parts are heavier or lighter than the table says (data/segment_spread.tsv). */
#ifndef KANE_UNCERTAINTY_BODY_MASSES_H
#define KANE_UNCERTAINTY_BODY_MASSES_H

#include "analysis/clip/body.h"
#include "analysis/clip/skeleton.h"

/* Groups of parts of which no joint carries two beyond each other: one of each may change at once. */
enum { MASS_GROUPS = 4 };

/* The parts of a group heavier by so many standard deviations (negative: lighter), with size[SPREAD_TERM_COUNT]; the
 * trunk makes up for it. */
void body_masses_change(const Skeleton *skeleton, int group, double deviations, const double *size, Body *body);

#endif
