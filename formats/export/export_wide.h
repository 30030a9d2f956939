/* Tables with one row a frame: all that is known of the joints, their moments alone, ground forces. */
#ifndef KANE_FORMATS_EXPORT_WIDE_H
#define KANE_FORMATS_EXPORT_WIDE_H

#include "formats/export/export.h"
#include "formats/export/sheet.h"

Status export_wide_all(const Clip *clip, SheetForm form, ExportFrame frame, FILE *stream, Error *err);
Status export_wide_moments(const Clip *clip, SheetForm form, ExportFrame frame, FILE *stream, Error *err);
Status export_wide_grf(const Clip *clip, SheetForm form, FILE *stream, Error *err);

/* Ground forces under the names of OpenSim's external loads: ground_force_r_vx, ground_force_r_px, ground_torque_r_x.
 * The torque is the free moment about the centre of pressure. */
Status export_opensim_grf(const Clip *clip, FILE *stream, Error *err);

#endif
