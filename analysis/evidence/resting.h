/* Points on which the body may rest: the lowest ones that do not move. */
#ifndef KANE_EVIDENCE_RESTING_H
#define KANE_EVIDENCE_RESTING_H

#include "analysis/evidence/body_track.h"
#include "analysis/math/vec.h"

/* Frames at each end of a track at which the speed of a point is unknown. */
int resting_margin(const BodyTrack *track, double rate_factor);

typedef struct RestingDef {
    Vec3 up;            /* unit vector */
    double rate_factor; /* true rate over the labelled one */
    double height;      /* above the lowest point, of the body's size */
} RestingDef;

/* Writes the points at rest at most def->height above the lowest point of the body into point[point_count]; returns
 * their number. lowest receives the height of the lowest point, at rest or not. The frame is at least resting_margin
 * from the ends. */
int resting_points(const BodyTrack *track, int frame, const RestingDef *def, int *point, double *lowest);

#endif
