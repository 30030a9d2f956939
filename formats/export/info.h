/* The contents of a clip as a few lines of text or as one JSON object.
 *
 * Top-level keys of the object: title, source, source_sha256, fps, frame_time, meters_per_unit and up_axis (of the
 * source, as detected), unsure (names of uncertain detections; null if there are none), unit_confidence,
 * up_axis_confidence, frame_rate_confidence, root_offset_confidence, positions_confidence, first_frame_confidence,
 * evidence (info_evidence.h),
 * size_stature, size_foot, size_extent (m), size_speed (m/s: measures that show whether the unit is right,
 * analysis/detect/body_measures.h), sample_rate, frames, duration, start, joints, joint_names, end_sites,
 * roles (role: joint),
 * groups, body_model, total_mass, stature, contact_points, contact_confidence, flight_s, presumed_support_s,
 * off_plates_s, ground_height, ground_tilt_degrees, linear_reduction, angular_reduction, valid_frames,
 * trusted_fraction, untrusted_reason, residual_force_rms_bw, residual_torque_rms_nm_kg, expected_error_hip_nm_kg (and
 * knee, ankle), error_source, error_source_fraction, with /angles coordinates, neutral_pose and knee_axis, with
 * /retarget its metrics, with /simulation solved_islands, solver_pivots, lemke_islands and swept_islands, history (a
 * list of lines). A value that the clip lacks is null. */
#ifndef KANE_EXPORT_INFO_H
#define KANE_EXPORT_INFO_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* choice: the frames that statistics use. STATUS_IO if writing fails; the caller closes the stream. */
Status info_text(const Clip *clip, FrameChoice choice, FILE *stream, Error *err);
Status info_json(const Clip *clip, FrameChoice choice, FILE *stream, Error *err);

#endif
