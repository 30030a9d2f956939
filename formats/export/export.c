/* Names of formats, and the clip as a whole: long tables, BVH, npz, OpenSim files. */
#include "formats/export/export.h"

#include <errno.h>
#include <string.h>

#include "formats/bvh/bvh_clip.h"
#include "formats/export/export_long.h"
#include "formats/export/export_npz.h"
#include "formats/export/export_wide.h"
#include "formats/gltf/gltf_clip.h"

static const char *const format_names[EXPORT_FORMAT_COUNT] = {
    [EXPORT_CSV] = "csv", [EXPORT_TSV] = "tsv", [EXPORT_JSONL] = "jsonl", [EXPORT_NPZ] = "npz",
    [EXPORT_BVH] = "bvh", [EXPORT_MOT] = "mot", [EXPORT_STO] = "sto",
    [EXPORT_GLB] = "glb",
};

static const char *const frame_names[EXPORT_FRAME_COUNT] = {
    [EXPORT_WORLD] = "world", [EXPORT_PARENT] = "parent", [EXPORT_LOCAL] = "local",
};

ExportDef export_default_def(void)
{
    return (ExportDef){.format = EXPORT_TSV, .frame = EXPORT_WORLD};
}

const char *export_format_name(ExportFormat format)
{
    return (unsigned)format < EXPORT_FORMAT_COUNT ? format_names[format] : NULL;
}

const char *export_frame_name(ExportFrame frame)
{
    return (unsigned)frame < EXPORT_FRAME_COUNT ? frame_names[frame] : NULL;
}

static int find_name(const char *const *names, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

int export_format_from_name(const char *name, ExportFormat *format)
{
    int found = find_name(format_names, EXPORT_FORMAT_COUNT, name);
    if (found >= 0)
        *format = (ExportFormat)found;
    return found >= 0;
}

int export_frame_from_name(const char *name, ExportFrame *frame)
{
    int found = find_name(frame_names, EXPORT_FRAME_COUNT, name);
    if (found >= 0)
        *frame = (ExportFrame)found;
    return found >= 0;
}

static Status export_bvh(const Clip *clip, FILE *stream, Error *err)
{
    Bvh bvh = {0};
    Status status = bvh_from_clip(clip, &bvh, err);
    if (status == STATUS_OK)
        status = bvh_write(&bvh, stream, err);
    bvh_free(&bvh);
    if (status == STATUS_OK && fflush(stream))
        status = error_set(err, STATUS_IO, "writing failed: %s", strerror(errno));
    return status;
}

Status export_clip(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    switch (def->format) {
    case EXPORT_CSV: return export_long(clip, SHEET_CSV, def->frame, stream, err);
    case EXPORT_TSV: return export_long(clip, SHEET_TSV, def->frame, stream, err);
    case EXPORT_JSONL: return export_long(clip, SHEET_JSONL, def->frame, stream, err);
    case EXPORT_NPZ: return export_npz(clip, stream, err);
    case EXPORT_BVH: return export_bvh(clip, stream, err);
    case EXPORT_MOT: return export_opensim_grf(clip, stream, err);
    case EXPORT_STO: return export_moments(clip, def, stream, err);
    case EXPORT_GLB: return gltf_write_clip(clip, stream, err);
    default: return error_set(err, STATUS_USAGE, "no such export format");
    }
}

/* The form of a wide table; 0 where the format is no table. */
static int wide_form(ExportFormat format, SheetForm *form)
{
    switch (format) {
    case EXPORT_CSV: *form = SHEET_CSV; return 1;
    case EXPORT_TSV: *form = SHEET_TSV; return 1;
    case EXPORT_JSONL: *form = SHEET_JSONL; return 1;
    case EXPORT_MOT:
    case EXPORT_STO: *form = SHEET_STORAGE; return 1;
    default: return 0;
    }
}

Status export_wide(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    SheetForm form;
    if (!wide_form(def->format, &form) || form == SHEET_STORAGE)
        return error_set(err, STATUS_USAGE, "a wide table cannot be written as %s", export_format_name(def->format));
    return export_wide_all(clip, form, def->frame, stream, err);
}

Status export_moments(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    SheetForm form;
    if (!wide_form(def->format, &form))
        return error_set(err, STATUS_USAGE, "joint moments cannot be written as %s", export_format_name(def->format));
    return export_wide_moments(clip, form, def->frame, stream, err);
}

Status export_grf(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    SheetForm form;
    if (!wide_form(def->format, &form))
        return error_set(err, STATUS_USAGE, "ground forces cannot be written as %s", export_format_name(def->format));
    return form == SHEET_STORAGE ? export_opensim_grf(clip, stream, err) : export_wide_grf(clip, form, stream, err);
}
