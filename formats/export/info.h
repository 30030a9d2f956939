/* What a clip holds, in a few lines for a person or as one JSON object.
 *
 * Top-level keys of the object: title, source, source_sha256, fps, frame_time, meters_per_unit and up_axis (of the
 * source, as decided), unsure (decisions to look at, by name; null where none is), unit_confidence, up_axis_confidence,
 * frame_rate_confidence, root_offset_confidence, positions_confidence, first_frame_confidence, size_stature, size_foot,
 * size_extent (m), size_speed (m/s: what a person judges the unit by, analysis/detect/unit.h), sample_rate,
 * frames, duration, start, joints, joint_names, end_sites, roles (role: joint), groups, body_model, total_mass,
 * stature, contact_points, contact_confidence, valid_frames, off_plates_s, trusted_fraction, untrusted_reason,
 * residual_force_rms_bw, residual_torque_rms_nm_kg, history (a list of lines). What the clip does not have is null. */
#ifndef KANE_EXPORT_INFO_H
#define KANE_EXPORT_INFO_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* Figures are of the frames of the choice. STATUS_IO where the stream refuses; the caller closes the stream. */
Status info_text(const Clip *clip, FrameChoice choice, FILE *stream, Error *err);
Status info_json(const Clip *clip, FrameChoice choice, FILE *stream, Error *err);

/* "181 frames, 96.7 % trusted, residual 0.11 BW": what is known of it. */
void info_line(const Clip *clip, char *text, size_t size);

#endif
