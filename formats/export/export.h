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

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/export/row_writer.h"

/* A clip as tables: the long form has one row per frame and joint; other tables have one row per frame: all joint
 * quantities, moments, or ground forces. */

/* Tables of /anatomy, one row per frame: angles, or all quantities of each coordinate. */

/* Degrees. STATUS_BAD_INPUT without /anatomy or without coordinates. */
Status export_table_angles(const Clip *clip, RowForm form, FILE *stream, Error *err);

/* export_has_dofs returns 1 if the clip has degrees of freedom of known kind with these values. export_table_positions
 * writes their positions, degrees or m. */
int export_has_dofs(const Clip *clip, const double *value);
Status export_table_positions(const Clip *clip, RowForm form, FILE *stream, Error *err);

/* Angle, velocity, moment, its standard deviation and power per kg, utilization of strength:
 * left_knee_flexion_moment_nm_kg. */
Status export_table_anatomy(const Clip *clip, RowForm form, FILE *stream, Error *err);

/* Contact forces as a table, one row per frame: of the feet in force-plate form (force, centre of pressure, free
 * moment), of other loaded segments, such as a hand, at the joint centre. */

/* Names in the storage form are those of OpenSim's external loads (ground_force_r_vx, ground_force_r_px,
 * ground_torque_r_x), in TSV R_Fx, R_COPx, R_Tx, in the others with axes and unit. STATUS_BAD_INPUT without forces. */
Status export_table_forces(const Clip *clip, RowForm form, AirborneCop airborne, FILE *stream, Error *err);

Status export_table_long(const Clip *clip, RowForm form, ExportFrame frame, FILE *stream, Error *err);
Status export_table_wide(const Clip *clip, RowForm form, ExportFrame frame, FILE *stream, Error *err);
Status export_table_moments(const Clip *clip, RowForm form, ExportFrame frame, FILE *stream, Error *err);

/* The path of a camera that follows the body, one row per frame. */
Status export_table_camera(const Clip *clip, RowForm form, const CameraDef *def, FILE *stream, Error *err);

/* Adds or writes the last columns of one row per frame, except in OpenSim's forms: confidence of the contact forces,
 * and whether the frame is trusted. */
void export_name_quality(const Clip *clip, RowForm form, RowHeader *header);
void export_put_quality(const Clip *clip, RowForm form, int frame, RowWriter *sheet);

/* Angles and moments with the names of OpenSim's Rajagopal (2016) model: left_hip_flexion is hip_flexion_l. Moments end
 * in _moment, forces of the pelvis in _force, as in results of OpenSim's inverse dynamics.
 *
 * The pelvis coordinates (pelvis_tilt, pelvis_list, pelvis_rotation, pelvis_tx, pelvis_ty, pelvis_tz) are relative to
 * kane's world; arm angles use the model's rotation sequence: analysis/anatomy/opensim_pose.h. Coordinates that the
 * model lacks (knee adduction, ...) are omitted. */

/* Degrees and m, as in OpenSim's .mot files. STATUS_BAD_INPUT without /anatomy or without a coordinate of the model. */
Status export_opensim_angles(const Clip *clip, RowForm form, FILE *stream, Error *err);

/* N m and N. */
Status export_opensim_moments(const Clip *clip, RowForm form, FILE *stream, Error *err);

/* Returns "csv"...; NULL past the last. export_format_from_name returns 0 for an unknown name. */
const char *export_format_name(ExportFormat format);
int export_format_from_name(const char *name, ExportFormat *format);

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
Status export_anatomy(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);

/* A clip as numpy's npz: a zip archive of uncompressed .npy arrays with a fixed date. */

/* Writes a zip archive of stored (uncompressed) entries to a stream that need not be seekable.
 *
 * Reference: PKWARE APPNOTE 6.3.3, sections 4.3.7, 4.3.12 and 4.3.16. Plain zip: at most 4 GB and 65,535 entries. */

typedef struct ZipEntry {
    char name[64];
    uint32_t crc, size, offset;
} ZipEntry;

enum { ZIP_MAX_ENTRIES = 256 };

typedef struct Zip {
    FILE *stream;
    uint64_t size; /* bytes written */
    int entry_count;
    ZipEntry entry[ZIP_MAX_ENTRIES];
} Zip;

void zip_begin(Zip *zip, FILE *stream);

typedef struct ZipBytes {
    const void *at;
    size_t size;
} ZipBytes;

/* Writes an entry whose content is head followed by body. */
Status zip_put(Zip *zip, const char *name, ZipBytes head, ZipBytes body, Error *err);

/* Writes the central directory. STATUS_IO if any write failed. */
Status zip_finish(Zip *zip, Error *err);

/* Updates a CRC-32 (ISO 3309) with further bytes; crc is 0 at first. */
uint32_t zip_crc(uint32_t crc, const void *bytes, size_t size);

/* STATUS_LIMIT if the archive exceeds 4 GB. */
Status export_npz(const Clip *clip, FILE *stream, Error *err);

#endif
