/* A clip as tables: in long form one row per frame and joint, in wide form one row per frame with all that is known of
 * the joints, with their moments alone, or with the ground forces. */
#ifndef KANE_EXPORT_EXPORT_TABLE_H
#define KANE_EXPORT_EXPORT_TABLE_H

#include "formats/export/row_writer.h"

/* Tables of /anatomy, one row per frame: angles, and all that is known of each coordinate. */

/* Degrees. STATUS_BAD_INPUT without /anatomy, or where no joint has coordinates. */
Status export_table_angles(const Clip *clip, RowForm form, FILE *stream, Error *err);

/* Whether the clip has degrees of freedom of known kinds and these numbers of them; their positions, degrees or m. */
int export_has_dofs(const Clip *clip, const double *value);
Status export_table_positions(const Clip *clip, RowForm form, FILE *stream, Error *err);

/* Angle, velocity, moment and power per kg, utilization of strength: left_knee_flexion_moment_nm_kg. */
Status export_table_anatomy(const Clip *clip, RowForm form, FILE *stream, Error *err);

/* Forces of the surroundings as a table, one row per frame: of the feet as a force plate states them, and of every
 * other segment that carries one, such as a hand, at its joint's centre. */

/* The storage form has the names of OpenSim's external loads (ground_force_r_vx, ground_force_r_px, ground_torque_r_x);
 * TSV R_Fx, R_COPx, R_Tx; the others names with axes and unit. STATUS_BAD_INPUT
 * without forces. */
Status export_table_forces(const Clip *clip, RowForm form, AirborneCop airborne, FILE *stream, Error *err);

Status export_table_long(const Clip *clip, RowForm form, ExportFrame frame, FILE *stream, Error *err);
Status export_table_wide(const Clip *clip, RowForm form, ExportFrame frame, FILE *stream, Error *err);
Status export_table_moments(const Clip *clip, RowForm form, ExportFrame frame, FILE *stream, Error *err);

/* A camera that follows the body, one row per frame. */
Status export_table_camera(const Clip *clip, RowForm form, const CameraDef *def, FILE *stream, Error *err);

/* The last columns of one row per frame, but in OpenSim's forms: how far the forces explain the motion, and whether the
 * frame is trusted. */
void export_name_quality(const Clip *clip, RowForm form, RowHeader *header);
void export_put_quality(const Clip *clip, RowForm form, int frame, RowWriter *sheet);

/* Angles and moments under the names of OpenSim's Rajagopal (2016) model: left_hip_flexion is hip_flexion_l; moments
 * end on _moment, forces of the pelvis on _force, as inverse dynamics there names them.
 *
 * The pelvis (pelvis_tilt, pelvis_list, pelvis_rotation, pelvis_tx, pelvis_ty, pelvis_tz) moves in kane's world, and
 * the arms turn in the model's sequence: analysis/anatomy/coordinates.h. Coordinates that the model has not (adduction
 * of the knee, ...) are left out. */

/* Degrees and m, as .mot files of OpenSim have them. STATUS_BAD_INPUT without /anatomy, or where the body has no
 * coordinate of the model. */
Status export_opensim_angles(const Clip *clip, RowForm form, FILE *stream, Error *err);

/* Nm and N. */
Status export_opensim_moments(const Clip *clip, RowForm form, FILE *stream, Error *err);

#endif
