/* Errors of a simulated body against its reference, frame by frame, and the statistics of a run. */
#ifndef KANE_CONTROL_TRACKING_ERROR_H
#define KANE_CONTROL_TRACKING_ERROR_H

#include "analysis/clip/tracking.h"
#include "analysis/control/lumped_body.h"

/* Writes errors against a frame of the reference, and orientations, of one frame; state contains the simulated pose in
 * its frame 0. */
void tracking_error_of_frame(const LumpedBody *lumped, const Kinematics *reference, const Kinematics *state, int frame,
                             int reference_frame, TrackingRun *run);

/* Writes the torques of one frame, torque[simulated joint]. */
void tracking_effort_of_frame(const LumpedBody *lumped, const Vec3 *torque, int frame, TrackingRun *run);

/* Steps of a run that count in its statistics. */
typedef struct TrackingSpan {
    int frames;            /* those of the reference; a fall that goes on after it does not count */
    const uint8_t *counts; /* [frame] of root residuals those with a 1; NULL, or none set: all */
} TrackingSpan;

/* Mean, percentile and final statistics of a finished run. */
Status tracking_error_sum(const LumpedBody *lumped, const TrackingSpan *span, Tracking *tracking, ControllerKind kind,
                          Error *err);

#endif
