/* Clips in the formats of other programs (docs/formats.md "Exports").
 *
 * Every number is written so that reading it back gives the same double. Tables in long form have one row a frame and
 * joint: time, frame, joint, role, then what the clip holds: position, angular velocity and acceleration, torque,
 * force, power, of the floating base the residual instead, valid, trusted; before `kane diff` the rotation instead.
 * npz holds the arrays of the container under their names (`torque`; with the group in front where two groups share
 * one: `body_com`, `tracking_kane_torque`). sto holds the joint torques, mot the ground forces, as OpenSim reads them;
 * glb: see formats/gltf/gltf_clip.h. */
#ifndef KANE_FORMATS_EXPORT_H
#define KANE_FORMATS_EXPORT_H

#include <stdio.h>

#include "formats/export/row_writer.h"

/* "csv"...; NULL past the last. 0 where there is no such name. */
const char *export_format_name(ExportFormat format);
int export_format_from_name(const char *name, ExportFormat *format);

/* The whole clip. STATUS_BAD_INPUT where the clip lacks what the format is made of, STATUS_IO where the stream
 * refuses; the caller closes the stream. */
Status export_clip(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);

/* The tables below have one row a frame. Formats csv, tsv, jsonl, where it is said also mot and sto; STATUS_USAGE for
 * the others. In tsv a comment tells units and axes, in csv and jsonl every name does ("torque_world_x_nm"). All but
 * OpenSim's forms end with confidence and trusted, where the clip has them.
 *
 * wide: time, frame, what the long form tells of a joint under <joint>_<column>, valid. */
Status export_wide(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);

/* time, then <joint>_Mx _My _Mz for every joint, of the floating base <joint>_residual_Mx _My _Mz, Nm; under OpenSim's
 * names the moments about anatomical axes (hip_flexion_l_moment). Also mot, sto. */
Status export_moments(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);

/* time, R_Fx R_Fy R_Fz R_COPx R_COPy R_COPz R_Tx R_Ty R_Tz, the same for L_, and <joint>_Fx _Px _Tx of other joints
 * that bear forces; N, m, Nm, world axes. Also mot, sto. */
Status export_grf(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);

/* Angles about anatomical axes, degrees. Also mot, sto. */
Status export_angles(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);

/* Of every anatomical coordinate angle, velocity, moment and power per kg, share of strength. */
Status export_anatomy(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);

#endif
