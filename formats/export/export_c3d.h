/* Markers and forces of a C3D file as tables, and what it contains as text. */
#ifndef KANE_EXPORT_EXPORT_C3D_H
#define KANE_EXPORT_EXPORT_C3D_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/contact/plate_record.h"
#include "formats/export/export_def.h"

typedef struct ExportC3dDef {
    ExportFormat format;  /* EXPORT_TRC: markers; MOT, STO, CSV, TSV: forces of the plates, a row per sample */
    AirborneCop airborne;
    PlateZero zero;
    int keeps_axes;       /* 1: axes of the file; 0: +Y up, by the normals of the plates, Z of a file without plates */
} ExportC3dDef;

/* Path of a file that exists. STATUS_USAGE for another format. The caller closes the stream. */
Status export_c3d(const char *path, const ExportC3dDef *def, FILE *stream, Error *err);

/* Contents: coding, points, rates, plates with type, load and level, markers. As text, or as one JSON object. */
Status c3d_info(const char *path, int is_json, FILE *stream, Error *err);

#endif
