/* How well a direction of gravity and a frame rate explain the motion: the body falls freely, or the force that its
 * motion requires passes through the points on which it rests.
 *
 * The force per mass is a + g up. With negligible angular momentum about the centre of mass it meets the ground at the
 * zero-moment point, c - h a_horizontal / (g + a_vertical) (Vukobratovic and Borovac 2004), which lies within the
 * convex hull of the supporting points. */
#ifndef KANE_EVIDENCE_FORCE_BALANCE_H
#define KANE_EVIDENCE_FORCE_BALANCE_H

#include "analysis/base/status.h"
#include "analysis/evidence/body_track.h"
#include "analysis/math/vec.h"

typedef struct Balance {
    int frames;         /* frames judged; 0: the clip is too short */
    double unexplained; /* mean over the frames, 0..1 */
} Balance;

/* up: a unit vector; rate_factor: true rate over the labelled one. Judges at most max_frames frames. */
Status balance_measure(const BodyTrack *track, Vec3 up, double rate_factor, int max_frames, Balance *out, Error *err);

typedef struct PlanePoint {
    double x, y;
} PlanePoint;

/* Distance of a point from the convex hull of others, 0 inside. other[count], count > 0, is reordered; stack has room
 * for count points. */
double balance_hull_distance(PlanePoint at, PlanePoint *other, int count, PlanePoint *stack);

#endif
