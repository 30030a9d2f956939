/* Tables of /anatomy, a row a frame: angles, moments, and all that is known of each coordinate.
 *
 * OpenSim's names are those of the Rajagopal (2016) model: left_hip_flexion is hip_flexion_l; its moments end on
 * _moment, as inverse dynamics there names them. The model has no coordinate for some of kane's (rotation of the knee,
 * the shoulder in the ISB's sequence); under its names they are left out. Its pelvis, which kane's anatomy has not, is
 * left out as well. */
#ifndef KANE_FORMATS_EXPORT_ANATOMY_H
#define KANE_FORMATS_EXPORT_ANATOMY_H

#include "formats/export/export.h"
#include "formats/export/sheet.h"

/* NULL where the model has none. *sign: of its angle and moment against kane's. */
const char *opensim_coordinate_name(Coordinate coordinate, int *sign);

/* Degrees, as .mot files of OpenSim have them. STATUS_BAD_INPUT without /anatomy, or where no coordinate has a name. */
Status export_table_angles(const Clip *clip, SheetForm form, ExportNames names, FILE *stream, Error *err);

/* Nm. */
Status export_table_coordinate_moments(const Clip *clip, SheetForm form, ExportNames names, FILE *stream, Error *err);

/* Angle, velocity, moment and power per kg, share of strength: left_knee_flexion_moment_nm_kg. */
Status export_table_anatomy(const Clip *clip, SheetForm form, FILE *stream, Error *err);

#endif
