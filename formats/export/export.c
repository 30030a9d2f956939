/* The table of export formats. export_internal.h has the tables that they can contain. */
#include "formats/export/export.h"

#include <errno.h>
#include <string.h>

#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_clip.h"
#include "formats/export/export_internal.h"
#include "formats/export/npz.h"
#include "formats/gltf/gltf_skin.h"
#include "formats/gltf/gltf_vrma.h"
#include "formats/export/trc.h"
#include "formats/source/source.h"
#include "formats/source/source_table.h"

typedef Status WriteClip(const Clip *clip, const ExportDef *def, FILE *stream, Error *err);

typedef struct Format {
    const char *name;
    WriteClip *write; /* export_clip */
    FileKind kind;
    int is_binary, has_axes;
    int has_tables;   /* 1: can also contain moments and ground forces */
    RowForm form;     /* form of these tables; ROW_STORAGE has no wide table */
} Format;

static WriteClip write_long, write_npz, write_bvh, write_glb, write_vrma, write_trc;

#define TABLES(form_of) .has_tables = 1, .form = (form_of)
static const Format formats[] = {
    [EXPORT_BVH] = {"bvh", write_bvh, FILE_BVH, .is_binary = 0},
    [EXPORT_CSV] = {"csv", write_long, FILE_TEXT, .has_axes = 1, TABLES(ROW_CSV)},
    [EXPORT_TSV] = {"tsv", write_long, FILE_TEXT, .has_axes = 1, TABLES(ROW_TSV)},
    [EXPORT_JSONL] = {"jsonl", write_long, FILE_JSON, .has_axes = 1, TABLES(ROW_JSONL)},
    [EXPORT_NPZ] = {"npz", write_npz, FILE_NPZ, .is_binary = 1},
    [EXPORT_MOT] = {"mot", export_grf, FILE_OPENSIM, TABLES(ROW_STORAGE)},
    [EXPORT_STO] = {"sto", export_moments, FILE_OPENSIM, .has_axes = 1, TABLES(ROW_STORAGE)},
    [EXPORT_GLB] = {"glb", write_glb, FILE_GLB, .is_binary = 1},
    [EXPORT_VRMA] = {"vrma", write_vrma, FILE_GLB, .is_binary = 1},
    [EXPORT_TRC] = {"trc", write_trc, FILE_TEXT, .is_binary = 0},
};
_Static_assert(sizeof formats / sizeof *formats == EXPORT_FORMAT_COUNT, "a format has no row");

const char *export_format_name(ExportFormat format)
{
    return (unsigned)format < EXPORT_FORMAT_COUNT ? formats[format].name : NULL;
}

int export_format_from_name(const char *name, ExportFormat *format)
{
    for (int i = 0; i < EXPORT_FORMAT_COUNT; i++)
        if (strcmp(formats[i].name, name) == 0) {
            *format = (ExportFormat)i;
            return 1;
        }
    return 0;
}

FileKind export_format_kind(ExportFormat format) { return formats[format].kind; }

int export_format_is_text(ExportFormat format) { return !formats[format].is_binary; }

int export_format_has_axes(ExportFormat format) { return formats[format].has_axes; }

static Status write_long(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    return export_table_long(clip, formats[def->format].form, def->frame, stream, err);
}

static Status write_npz(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    (void)def;
    return export_npz(clip, stream, err);
}

static Status write_skin(const Clip *clip, const char *path, FILE *stream, Error *err)
{
    SourceDef limits = source_default_def();
    Source model;
    limits.take = "1"; /* whatever takes it has */
    Status status = error_of_file(err, path, source_open(path, &limits, &model, err));
    if (status)
        return status;
    status = source_require(&model, &source_gltf, err);
    if (!status)
        status = gltf_skin_write(clip, &model.file, stream, err);
    source_close(&model);
    return error_of_file(err, path, status);
}

static Status write_glb(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    if (def->skin)
        return write_skin(clip, def->skin, stream, err);
    const FrameChoice choice = def->all_frames ? FRAMES_VALID : FRAMES_SOUND;
    const GltfDef gltf = {choice, def->colour, def->camera, def->run};
    return gltf_write_clip(clip, &gltf, stream, err);
}

static Status write_vrma(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    (void)def;
    return gltf_vrma_write(clip, stream, err);
}

static Status write_trc(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    const Markers *m = &clip->markers;
    (void)def;
    if (!clip->has_markers)
        return error_set(err, STATUS_BAD_INPUT, "has no /markers: kane contact --external FILE.c3d adds them");
    TrcTable table = {.title = clip->provenance.title, .rate = 1 / clip->motion.frame_time,
                      .frame_count = m->frame_count, .marker_count = m->marker_count,
                      .name = (const char *const *)m->name, .time = clip->motion.time, .position = m->position};
    return trc_write(&table, stream, err);
}

static Status write_like(const Clip *clip, const char *path, FILE *stream, Error *err)
{
    SourceDef limits = source_default_def();
    Source like;
    Status status = error_of_file(err, path, source_open(path, &limits, &like, err));
    if (status)
        return status;
    status = error_of_file(err, path, source_require(&like, &source_bvh, err));
    if (!status)
        status = bvh_write_like(clip, &like.file, stream, err);
    source_close(&like);
    return status;
}

static Status write_own(const Clip *clip, FILE *stream, Error *err)
{
    Bvh bvh;
    Status status = bvh_from_clip(clip, &bvh, err);
    if (status)
        return status;
    status = bvh_write(&bvh, stream, err);
    bvh_free(&bvh);
    return status;
}

static Status write_bvh(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    Status status = def->like ? write_like(clip, def->like, stream, err) : write_own(clip, stream, err);
    if (!status && fflush(stream))
        status = error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return status;
}

/* Returns the row of the format, or NULL if there is none. */
static const Format *export_format(const ExportDef *def)
{
    return (unsigned)def->format < EXPORT_FORMAT_COUNT ? &formats[def->format] : NULL;
}

static Status no_such_format(Error *err)
{
    return error_set(err, STATUS_USAGE, "no such export format");
}

Status export_clip(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    const Format *format = export_format(def);
    return format ? format->write(clip, def, stream, err) : no_such_format(err);
}

/* Returns the form of a table; STATUS_USAGE if the format cannot contain it. */
static Status row_form(const ExportDef *def, const char *what, int has_storage, RowForm *form, Error *err)
{
    const Format *format = export_format(def);
    if (!format)
        return no_such_format(err);
    if (!format->has_tables || (format->form == ROW_STORAGE && !has_storage))
        return error_set(err, STATUS_USAGE, "%s cannot be converted to %s", what, format->name);
    *form = format->form;
    return STATUS_OK;
}

Status export_wide(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    RowForm form = ROW_TSV;
    Status status = row_form(def, "a wide table", 0, &form, err);
    return status ? status : export_table_wide(clip, form, def->frame, stream, err);
}

Status export_moments(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    RowForm form = ROW_TSV;
    Status status = row_form(def, "joint moments", 1, &form, err);
    if (status)
        return status;
    int of_coordinates = def->names == EXPORT_NAMES_OPENSIM && !export_has_dofs(clip, clip->dof.effort);
    return of_coordinates ? export_opensim_moments(clip, form, stream, err)
                          : export_table_moments(clip, form, def->frame, stream, err);
}

Status export_camera(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    RowForm form = ROW_TSV;
    Status status = row_form(def, "a camera", 0, &form, err);
    return status ? status : export_table_camera(clip, form, &def->camera, stream, err);
}

Status export_grf(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    RowForm form = ROW_TSV;
    Status status = row_form(def, "ground forces", 1, &form, err);
    return status ? status : export_table_forces(clip, form, def->airborne, stream, err);
}

Status export_angles(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    RowForm form = ROW_TSV;
    Status status = row_form(def, "joint angles", 1, &form, err);
    if (status)
        return status;
    if (export_has_dofs(clip, clip->dof.position))
        return export_table_positions(clip, form, stream, err);
    return def->names == EXPORT_NAMES_OPENSIM ? export_opensim_angles(clip, form, stream, err)
                                              : export_table_angles(clip, form, stream, err);
}

Status export_coordinates(const Clip *clip, const ExportDef *def, FILE *stream, Error *err)
{
    RowForm form = ROW_TSV;
    Status status = row_form(def, "a table of coordinates", 0, &form, err);
    return status ? status : export_table_coordinates(clip, form, stream, err);
}
