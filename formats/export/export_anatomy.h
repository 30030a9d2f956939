/* Tables of /anatomy, a row a frame: angles, and all that is known of each coordinate. */
#ifndef KANE_FORMATS_EXPORT_ANATOMY_H
#define KANE_FORMATS_EXPORT_ANATOMY_H

#include "formats/export/export_def.h"
#include "formats/export/sheet.h"

/* Degrees. STATUS_BAD_INPUT without /anatomy, or where no joint has coordinates. */
Status export_table_angles(const Clip *clip, SheetForm form, FILE *stream, Error *err);

/* Angle, velocity, moment and power per kg, share of strength: left_knee_flexion_moment_nm_kg. */
Status export_table_anatomy(const Clip *clip, SheetForm form, FILE *stream, Error *err);

#endif
