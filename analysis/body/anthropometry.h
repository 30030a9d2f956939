/* Segment masses, COMs and inertias of a human from tables, scaled to the skeleton and the total mass.
 *
 * Source: de Leva 1996, J Biomech 29:1223-1230, table 4 (segment_table.h). */
#ifndef KANE_BODY_ANTHROPOMETRY_H
#define KANE_BODY_ANTHROPOMETRY_H

#include "analysis/base/status.h"
#include "analysis/body/segment_table.h"
#include "analysis/clip/body.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/quat.h"

/* Fills *out for a skeleton with human roles (roles_are_human). orientation: as in BodyDef. mass: total, kg, > 0.
 * STATUS_BAD_INPUT if the legs have no length. */
Status deleva_from_skeleton(const Skeleton *skeleton, const Quat *orientation, double mass, Sex sex, Body *out,
                            Error *err);

#endif
