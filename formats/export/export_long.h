/* A clip as a table in long form: one row a frame and joint. */
#ifndef KANE_FORMATS_EXPORT_LONG_H
#define KANE_FORMATS_EXPORT_LONG_H

#include "formats/export/export.h"
#include "formats/export/sheet.h"

Status export_long(const Clip *clip, SheetForm form, ExportFrame frame, FILE *stream, Error *err);

/* Turns a vector of a joint at frame number time from world axes into the axes of frame. Without kinematics the world
 * alone can be chosen. */
Vec3 export_in_frame(const Clip *clip, ExportFrame frame, int time, int joint, Vec3 world);

/* STATUS_BAD_INPUT where the axes of frame are not known. */
Status export_check_frame(const Clip *clip, ExportFrame frame, Error *err);

#endif
