/* Writers of the tables of a clip, among which export.c selects: one row per frame unless noted. */
#ifndef KANE_EXPORT_EXPORT_INTERNAL_H
#define KANE_EXPORT_EXPORT_INTERNAL_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/export/export_def.h"
#include "formats/export/row_header.h"
#include "formats/export/row_writer.h"

/* Angles of /angles, degrees. STATUS_BAD_INPUT without /angles or without coordinates. */
Status export_table_angles(const Clip *clip, RowForm form, FILE *stream, Error *err);

/* export_has_dofs returns 1 if the clip has degrees of freedom of known kind with these values. export_table_positions
 * writes their positions, degrees or m. */
int export_has_dofs(const Clip *clip, const double *value);
Status export_table_positions(const Clip *clip, RowForm form, FILE *stream, Error *err);

/* All quantities of each coordinate: angle, velocity, moment, its standard deviation and power per kg, utilization of
 * strength: left_knee_flexion_moment_nm_kg. */
Status export_table_coordinates(const Clip *clip, RowForm form, FILE *stream, Error *err);

/* Contact forces: of the feet in force-plate form (force, centre of pressure, free moment), of other loaded segments,
 * such as a hand, at the joint centre. Names in the storage form are those of OpenSim's external loads
 * (ground_force_r_vx, ground_force_r_px, ground_torque_r_x), in TSV R_Fx, R_COPx, R_Tx, in the others with axes and
 * unit. STATUS_BAD_INPUT without forces. */
Status export_table_forces(const Clip *clip, RowForm form, AirborneCop airborne, FILE *stream, Error *err);

/* A body of the storage form of that table: "r" of the columns ground_force_r_vx. */
enum { FORCE_LABEL_SIZE = 128 };
typedef struct ForceCarrier {
    char label[FORCE_LABEL_SIZE];
    int joint; /* of a foot the first that is loaded */
} ForceCarrier;

/* In the order of the columns. *out is the arena's. */
Status export_force_carriers(const Clip *clip, Arena *arena, ForceCarrier **out, int *count, Error *err);

/* One row per frame and joint. */
Status export_table_long(const Clip *clip, RowForm form, ExportFrame frame, FILE *stream, Error *err);

/* All joint quantities, moments. */
Status export_table_wide(const Clip *clip, RowForm form, ExportFrame frame, FILE *stream, Error *err);
Status export_table_moments(const Clip *clip, RowForm form, ExportFrame frame, FILE *stream, Error *err);

/* The path of a camera that follows the body, one row per frame. */
Status export_table_camera(const Clip *clip, RowForm form, const CameraDef *def, FILE *stream, Error *err);

/* Add or write the last columns of one row per frame, except in OpenSim's forms: confidence of the contact forces,
 * and whether the frame is trusted. */
void export_name_quality(const Clip *clip, RowForm form, RowHeader *header);
void export_put_quality(const Clip *clip, RowForm form, int frame, RowWriter *sheet);

/* Angles with the names of OpenSim's Rajagopal model (export_opensim.c), degrees and m, as in its .mot files.
 * STATUS_BAD_INPUT without /angles or without a coordinate of the model. */
Status export_opensim_angles(const Clip *clip, RowForm form, FILE *stream, Error *err);

/* Moments with these names, N m and N. */
Status export_opensim_moments(const Clip *clip, RowForm form, FILE *stream, Error *err);

/* The same in the storage form with finite numbers only, moments with their standard deviations
 * (hip_flexion_l_moment_sd) where known. */
Status export_named_coordinates(const Clip *clip, FILE *stream, Error *err);
Status export_named_moments(const Clip *clip, FILE *stream, Error *err);

/* Coordinates (rad, m) and generalised forces of an OpenSim model's clip, likewise. A sd is that of the torque's part,
 * of rotations only. */
Status export_model_coordinates(const Clip *clip, FILE *stream, Error *err);
Status export_model_efforts(const Clip *clip, FILE *stream, Error *err);

#endif
