/* Angles and moments under the names of OpenSim's Rajagopal (2016) model: left_hip_flexion is hip_flexion_l; moments
 * end on _moment, forces of the pelvis on _force, as inverse dynamics there names them.
 *
 * The pelvis (pelvis_tilt, pelvis_list, pelvis_rotation, pelvis_tx, pelvis_ty, pelvis_tz) moves in kane's world, and
 * the arms turn in the model's sequence: analysis/anatomy/coordinates.h. Coordinates that the model has not (adduction
 * of the knee, ...) are left out. */
#ifndef KANE_FORMATS_EXPORT_OPENSIM_H
#define KANE_FORMATS_EXPORT_OPENSIM_H

#include "formats/export/row_writer.h"

/* Degrees and m, as .mot files of OpenSim have them. STATUS_BAD_INPUT without /anatomy, or where the body has no
 * coordinate of the model. */
Status export_opensim_angles(const Clip *clip, RowForm form, FILE *stream, Error *err);

/* Nm and N. */
Status export_opensim_moments(const Clip *clip, RowForm form, FILE *stream, Error *err);

#endif
