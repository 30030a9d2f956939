/* Errors of a simulated body against its reference, frame by frame, and the statistics of a run. */
#ifndef KANE_CONTROL_TRACKING_ERROR_H
#define KANE_CONTROL_TRACKING_ERROR_H

#include "analysis/clip/tracking.h"
#include "analysis/control/lumped_body.h"

/* Writes errors and orientations of one frame; state contains the simulated pose in its frame 0. */
void tracking_error_of_frame(const LumpedBody *lumped, const Kinematics *reference, const Kinematics *state, int frame,
                             TrackingRun *run);

/* Writes the torques of one frame, torque[simulated joint]. */
void tracking_effort_of_frame(const LumpedBody *lumped, const Vec3 *torque, int frame, TrackingRun *run);

/* Mean, percentile and final statistics of a finished run; root residuals over the steps with counts[step] set (NULL,
 * or none set: all). */
Status tracking_error_sum(const LumpedBody *lumped, const uint8_t *counts, Tracking *tracking, ControllerKind kind,
                          Error *err);

#endif
