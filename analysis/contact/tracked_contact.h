/* External forces on a simulated body as those of /contact: one point per joint that ground or ball touch, then one per
 * joint that is pushed, each at the centre of its joint with the couple about it. */
#ifndef KANE_CONTACT_TRACKED_CONTACT_H
#define KANE_CONTACT_TRACKED_CONTACT_H

#include "analysis/clip/contact.h"
#include "analysis/clip/joint_kinematics.h"
#include "analysis/clip/skeleton.h"
#include "analysis/clip/tracking.h"

typedef struct TrackedBody {
    const TrackingRun *run;
    const Skeleton *skeleton;
    const Kinematics *pose; /* positions and orientations of the run's joints, one frame per step */
    const Contact *ground;  /* of the clip, for its plane; NULL: y = 0 */
} TrackedBody;

/* *pushed: the first point of pushes. The caller frees *out with contact_free. */
Status tracked_contact(const TrackedBody *of, Contact *out, int *pushed, Error *err);

#endif
