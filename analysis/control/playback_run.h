/* How far a simulated body is from its reference: errors frame by frame, and the figures of a run. */
#ifndef KANE_CONTROL_PLAYBACK_RUN_H
#define KANE_CONTROL_PLAYBACK_RUN_H

#include "analysis/clip/clip.h"
#include "analysis/clip/motion.h"
#include "analysis/control/lumped_body.h"

/* Writes errors and orientations of one frame; state holds the simulated pose in its frame 0. */
void tracking_error_of_frame(const LumpedBody *lumped, const Kinematics *reference, const Kinematics *state, int frame,
                             TrackingRun *run);

/* Writes the torques of one frame, torque[simulated joint]. */
void tracking_effort_of_frame(const LumpedBody *lumped, const Vec3 *torque, int frame, TrackingRun *run);

/* Mean, percentile and final figures of a finished run; of the hand over the steps whose counts[step] is set (NULL, or
 * none is: all). */
Status tracking_error_sum(const LumpedBody *lumped, const uint8_t *counts, Tracking *tracking, ControllerKind kind,
                          Error *err);

#endif
