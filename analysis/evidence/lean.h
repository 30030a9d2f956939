/* Lean of a recorded world: the angle between the up axis of a file and gravity, as after a camera that was not level.
 *
 * Over steady motion the force on the body passes through its supports and its centre of mass: from each frame with
 * supports close together, g up = lambda d - a, where d is the direction from the supports to the centre of mass and
 * lambda makes |up| 1 (force_balance.h). In flight the centre of mass falls along gravity. The places where one and the
 * same point comes to rest lie in the plane of the floor, which is level unless it contradicts the forces: on a slope
 * the feet land at different heights, and the body stays upright. */
#ifndef KANE_EVIDENCE_LEAN_H
#define KANE_EVIDENCE_LEAN_H

#include "analysis/base/status.h"
#include "analysis/evidence/body_track.h"
#include "analysis/evidence/evidence.h"
#include "analysis/math/vec.h"

typedef struct LeanJudgement {
    int frames;        /* frames from which it is estimated; 0: the clip does not show it */
    Vec3 up;           /* unit vector against gravity, axes of the motion */
    double angle;      /* rad, between up and the axis */
    double spread;     /* rad, standard deviation of angle */
    double slope;      /* rad, of the floor along the path against the horizontal of up, where the forces lean and the
                          floor does not; otherwise 0 */
    int is_leaning;    /* 1: the angle is at least LEAN_REPORTED and significant */
    Evidence evidence; /* for the world being level */
} LeanJudgement;

#define LEAN_REPORTED (5 * 0.017453292519943295) /* rad */

/* axis: the decided up axis, a unit vector. */
Status lean_judge(const BodyTrack *track, Vec3 axis, double rate_factor, LeanJudgement *out, Error *err);

#endif
