/* A clip as tables: in long form one row a frame and joint, in wide form one row a frame with all that is known of the
 * joints, with their moments alone, or with the ground forces. */
#ifndef KANE_FORMATS_EXPORT_TABLE_H
#define KANE_FORMATS_EXPORT_TABLE_H

#include "formats/export/export_def.h"
#include "formats/export/sheet_header.h"

Status export_table_long(const Clip *clip, SheetForm form, ExportFrame frame, FILE *stream, Error *err);
Status export_table_wide(const Clip *clip, SheetForm form, ExportFrame frame, FILE *stream, Error *err);
Status export_table_moments(const Clip *clip, SheetForm form, ExportFrame frame, FILE *stream, Error *err);

/* The last columns of a row a frame, but in OpenSim's forms: how far the forces explain the motion, and whether the
 * frame is trusted. */
void export_name_quality(const Clip *clip, SheetForm form, SheetHeader *header);
void export_put_quality(const Clip *clip, SheetForm form, int frame, Sheet *sheet);

#endif
