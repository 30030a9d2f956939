/* Tables of measured forces with a column per component: MOT and STO of OpenSim, CSV and TSV, as kane and other
 * programs export them. A row per time; names of any of these forms, case-insensitive:
 *
 *   ground_force_r_vx, ground_force_r_px, ground_torque_r_x    1_ground_force_vx, ground_force_vx
 *   R_Fx, R_COPx, R_Tx    left_foot_force_world_x_n, left_foot_pressure_centre_world_x_m    Fx1, Px1, Mx1    f1_1, p1_1
 *
 * The remaining words name the plate, in lower case; r and l, right and left alone name a foot. */
#ifndef KANE_TABLES_PLATE_COLUMNS_H
#define KANE_TABLES_PLATE_COLUMNS_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/contact/plate_record.h"

/* Returns 1 if the first bytes are of such a table: it has a header and no column `joint`. */
int plate_columns_begin(const char *front, size_t size);

/* N, m, N m; positions and moments per mm if the column names or the size of the positions show it. STATUS_BAD_INPUT
 * with line and column. The caller frees *out. */
Status plate_columns_parse(const char *text, size_t size, PlateRecord *out, Error *err);

#endif
