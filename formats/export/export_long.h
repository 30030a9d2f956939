/* A clip as a table in long form: one row a frame and joint. */
#ifndef KANE_FORMATS_EXPORT_LONG_H
#define KANE_FORMATS_EXPORT_LONG_H

#include "formats/export/export.h"
#include "formats/export/sheet.h"

Status export_long(const Clip *clip, SheetForm form, ExportFrame frame, FILE *stream, Error *err);

#endif
