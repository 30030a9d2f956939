/* A clip as tables: in long form one row a frame and joint, in wide form one row a frame with all that is known of the
 * joints, with their moments alone, or with the ground forces. */
#ifndef KANE_FORMATS_EXPORT_TABLE_H
#define KANE_FORMATS_EXPORT_TABLE_H

#include "formats/export/export.h"
#include "formats/export/sheet.h"

Status export_table_long(const Clip *clip, SheetForm form, ExportFrame frame, FILE *stream, Error *err);
Status export_table_wide(const Clip *clip, SheetForm form, ExportFrame frame, FILE *stream, Error *err);
Status export_table_moments(const Clip *clip, SheetForm form, ExportFrame frame, FILE *stream, Error *err);

/* The storage form has the names of OpenSim's external loads (ground_force_r_vx, ground_force_r_px, ground_torque_r_x)
 * and the free moment about the centre of pressure; the others R_Fx, R_COPx. */
Status export_table_forces(const Clip *clip, SheetForm form, FILE *stream, Error *err);

#endif
