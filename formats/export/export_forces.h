/* Forces of the surroundings as a table, a row a frame: of the feet as a force plate states them, and of every other
 * segment that bears any, such as a hand, at its joint's centre. */
#ifndef KANE_FORMATS_EXPORT_FORCES_H
#define KANE_FORMATS_EXPORT_FORCES_H

#include "formats/export/export_def.h"
#include "formats/export/sheet.h"

/* The storage form has the names of OpenSim's external loads (ground_force_r_vx, ground_force_r_px, ground_torque_r_x);
 * TSV R_Fx, R_COPx, R_Tx; the others names with axes and unit. STATUS_BAD_INPUT
 * without forces. */
Status export_table_forces(const Clip *clip, SheetForm form, AirborneCop airborne, FILE *stream, Error *err);

#endif
