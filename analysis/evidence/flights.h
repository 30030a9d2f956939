/* Flights of the body and the acceleration with which its centre of mass falls in them, for any frame rate.
 *
 * A flight is an interval in which the lowest point of the body is clear of the ground. It counts if the height of the
 * centre of mass follows a parabola and no point of the body rests, which excludes standing on a box and hanging. */
#ifndef KANE_EVIDENCE_FLIGHTS_H
#define KANE_EVIDENCE_FLIGHTS_H

#include "analysis/base/status.h"
#include "analysis/evidence/body_track.h"
#include "analysis/math/vec.h"

typedef struct Flights {
    int count;
    int jumps;           /* of count: rise by a considerable part of their clearance; if there are any, the others, as
                            in running, do not count for the acceleration */
    double acceleration; /* units of the motion per s2 of the labelled rate, median; 0: no flight */
} Flights;

/* up: a unit vector. */
Status flights_measure(const BodyTrack *track, Vec3 up, Flights *out, Error *err);

#endif
