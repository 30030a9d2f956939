/* Clips in the formats of other programs (docs/formats/exports.md).
 *
 * Numbers are written so that they parse to the same double. Long tables have one row per frame and joint: time, frame,
 * joint, role, then what the clip has of position, angular velocity and acceleration, torque, force, power (for the
 * floating base the residual instead), valid, trusted; before `kane kinematics` the rotation instead. npz contains the
 * arrays of the clip file under their names (`torque`; with the group as prefix if two groups share a name: `body_com`,
 * `tracking_kane_torque`). sto contains joint torques, mot ground forces, in OpenSim's format. glb: see
 * formats/gltf/gltf_clip.h. */
#ifndef KANE_EXPORT_EXPORT_H
#define KANE_EXPORT_EXPORT_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/base/file_kind.h"
#include "formats/export/export_def.h"

/* Returns "csv"..., which is also the extension of its files; NULL past the last. export_format_from_name returns 0 for
 * an unknown name. */
const char *export_format_name(ExportFormat format);
int export_format_from_name(const char *name, ExportFormat *format);

/* Kind of its files; whether they are text; whether def->frame applies to vectors of the whole clip. */
FileKind export_format_kind(ExportFormat format);
int export_format_is_text(ExportFormat format);
int export_format_has_axes(ExportFormat format);

/* Writes the whole clip. STATUS_BAD_INPUT if the clip lacks the data of the format, STATUS_IO if writing fails; the
 * caller closes the stream. */
Status export_clip(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);

/* The tables below have one row per frame. Formats are csv, tsv, jsonl and, where noted, mot and sto; STATUS_USAGE for
 * others. A comment in tsv, or each column name in csv and jsonl ("torque_world_x_nm"), gives units and axes. Except in
 * OpenSim's forms the last columns are confidence and trusted, if the clip has them.
 *
 * wide: time, frame, the joint columns of the long form as <joint>_<column>, valid. */
Status export_wide(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);

/* time, then <joint>_Mx _My _Mz per joint, <joint>_residual_Mx _My _Mz for the floating base, N m; with OpenSim's names
 * the moments about anatomical axes (hip_flexion_l_moment). A joint with degrees of freedom has their generalised
 * forces instead, <dof>_moment in N m or <dof>_force in N. Also mot, sto. */
Status export_moments(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);

/* time, R_Fx R_Fy R_Fz R_COPx R_COPy R_COPz R_Tx R_Ty R_Tz, the same for L_, and <joint>_Fx _Px _Tx of other joints
 * with forces; N, m, N m, world axes. Also mot, sto. */
Status export_grf(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);

/* Angles about anatomical axes, degrees; for a clip with degrees of freedom their positions, degrees or m. Also mot,
 * sto. */
Status export_angles(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);

/* The path of def->camera: time, position, orientation (camera to world; the view is along -Z), radius, yaw and pitch
 * relative to the target, then the target: position of the root joint and heading. m, degrees. */
Status export_camera(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);

/* Per anatomical coordinate: angle, velocity, moment, its standard deviation and power per kg, utilization of
 * strength. */
Status export_coordinates(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);

#endif
