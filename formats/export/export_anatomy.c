#include "formats/export/export_anatomy.h"

#include <math.h>
#include <stdio.h>

#include "analysis/math/elementary.h"
#include "formats/export/export_table.h"

static const double degrees = 180 / PI;

/* Of the left side; the right one ends on _r. */
static const struct {
    Coordinate coordinate;
    const char *name;
    int sign;
} opensim_of[] = {
    {COORDINATE_SPINE_FLEXION, "lumbar_extension", -1},
    {COORDINATE_SPINE_BENDING, "lumbar_bending", 1},
    {COORDINATE_SPINE_ROTATION, "lumbar_rotation", 1},
    {COORDINATE_LEFT_ELBOW_FLEXION, "elbow_flex_l", 1},
    {COORDINATE_LEFT_ELBOW_PRONATION, "pro_sup_l", 1},
    {COORDINATE_LEFT_WRIST_FLEXION, "wrist_flex_l", 1},
    {COORDINATE_LEFT_WRIST_DEVIATION, "wrist_dev_l", 1},
    {COORDINATE_LEFT_HIP_FLEXION, "hip_flexion_l", 1},
    {COORDINATE_LEFT_HIP_ADDUCTION, "hip_adduction_l", 1},
    {COORDINATE_LEFT_HIP_ROTATION, "hip_rotation_l", 1},
    {COORDINATE_LEFT_KNEE_FLEXION, "knee_angle_l", 1},
    {COORDINATE_LEFT_ANKLE_DORSIFLEXION, "ankle_angle_l", 1},
    {COORDINATE_LEFT_ANKLE_INVERSION, "subtalar_angle_l", 1},
    {COORDINATE_RIGHT_ELBOW_FLEXION, "elbow_flex_r", 1},
    {COORDINATE_RIGHT_ELBOW_PRONATION, "pro_sup_r", 1},
    {COORDINATE_RIGHT_WRIST_FLEXION, "wrist_flex_r", 1},
    {COORDINATE_RIGHT_WRIST_DEVIATION, "wrist_dev_r", 1},
    {COORDINATE_RIGHT_HIP_FLEXION, "hip_flexion_r", 1},
    {COORDINATE_RIGHT_HIP_ADDUCTION, "hip_adduction_r", 1},
    {COORDINATE_RIGHT_HIP_ROTATION, "hip_rotation_r", 1},
    {COORDINATE_RIGHT_KNEE_FLEXION, "knee_angle_r", 1},
    {COORDINATE_RIGHT_ANKLE_DORSIFLEXION, "ankle_angle_r", 1},
    {COORDINATE_RIGHT_ANKLE_INVERSION, "subtalar_angle_r", 1},
};

const char *opensim_coordinate_name(Coordinate coordinate, int *sign)
{
    for (size_t i = 0; i < sizeof opensim_of / sizeof *opensim_of; i++)
        if (opensim_of[i].coordinate == coordinate) {
            *sign = opensim_of[i].sign;
            return opensim_of[i].name;
        }
    *sign = 1;
    return NULL;
}

/* Name and sign of a column's coordinate; NULL where it has none. */
static const char *name_of(const Anatomy *a, int place, ExportNames names, int *sign)
{
    *sign = 1;
    return names == EXPORT_NAMES_OPENSIM ? opensim_coordinate_name(a->coordinate[place], sign)
                                         : coordinate_name(a->coordinate[place]);
}

static Status check(const Clip *clip, ExportNames names, Error *err)
{
    const Anatomy *a = &clip->anatomy;
    int sign;
    if (!clip->has_anatomy)
        return error_set(err, STATUS_BAD_INPUT, "has no /anatomy: run kane anatomy first");
    for (int i = 0; i < a->coordinate_count; i++)
        if (name_of(a, i, names, &sign))
            return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT, "has no anatomical coordinate%s",
                     names == EXPORT_NAMES_OPENSIM ? " that OpenSim names" : ": its joints have no roles");
}

/* One figure of each coordinate. */
typedef struct Column {
    const double *value; /* [frame][coordinate] */
    double scale;
    const char *suffix, *told_suffix; /* behind the coordinate's name; where names tell units */
    const char *comment;
    int is_degrees;
} Column;

static Status put_figure(const Clip *clip, SheetForm form, ExportNames names, const Column *figure, FILE *stream,
                         Error *err)
{
    const Anatomy *a = &clip->anatomy;
    Sheet sheet;
    int sign, tells = sheet_names_units(form);
    Status status = check(clip, names, err);
    if (status != STATUS_OK)
        return status;
    SheetHeader header = sheet_header_of(3 + a->coordinate_count);
    sheet_header_add(&header, tells ? "time_s" : "time");
    for (int i = 0; i < a->coordinate_count; i++)
        if (name_of(a, i, names, &sign))
            sheet_header_add(&header, "%s%s", name_of(a, i, names, &sign),
                             tells ? figure->told_suffix : figure->suffix);
    export_name_quality(clip, form, &header);
    SheetHead head = {.title = clip->provenance.title, .row_count = clip->motion.frame_count,
                      .comment = figure->comment, .is_degrees = figure->is_degrees};
    status = sheet_header_begin(&header, &sheet, form, stream, head, err);
    for (int f = 0; status == STATUS_OK && f < clip->motion.frame_count; f++) {
        sheet_number(&sheet, clip->motion.time[f]);
        for (int i = 0; i < a->coordinate_count; i++)
            if (name_of(a, i, names, &sign))
                sheet_number(&sheet, sign * figure->scale * figure->value[anatomy_index(a, f, i)]);
        export_put_quality(clip, form, f, &sheet);
    }
    return status == STATUS_OK ? sheet_header_finish(&header, &sheet, err) : status;
}

Status export_table_angles(const Clip *clip, SheetForm form, ExportNames names, FILE *stream, Error *err)
{
    Column angle = {clip->anatomy.angle, degrees, "", "_angle_deg",
                    "s, degrees; angles about anatomical axes, zero in the neutral pose", 1};
    return put_figure(clip, form, names, &angle, stream, err);
}

Status export_table_coordinate_moments(const Clip *clip, SheetForm form, ExportNames names, FILE *stream, Error *err)
{
    Column moment = {clip->anatomy.moment, 1, "_moment", "_moment_nm",
                     "s, Nm; internal net moments about anatomical axes", 0};
    return put_figure(clip, form, names, &moment, stream, err);
}

/* What the wide table has of each coordinate. */
enum { FIGURES = 5 };
static const char *const figure_names[FIGURES] = {"angle", "velocity", "moment", "power", "use"};
static const char *const figure_units[FIGURES] = {"_deg", "_deg_s", "_nm_kg", "_w_kg", ""};

Status export_table_anatomy(const Clip *clip, SheetForm form, FILE *stream, Error *err)
{
    const Anatomy *a = &clip->anatomy;
    int tells = sheet_names_units(form);
    Sheet sheet;
    Status status = check(clip, EXPORT_NAMES_KANE, err);
    if (status != STATUS_OK)
        return status;
    const double *value[FIGURES] = {a->angle, a->velocity, a->moment, a->power, a->use};
    const double mass = clip->body.total_mass;
    const double scale[FIGURES] = {degrees, degrees, 1 / mass, 1 / mass, 1};
    SheetHeader header = sheet_header_of(4 + FIGURES * a->coordinate_count);
    sheet_header_add(&header, tells ? "time_s" : "time");
    sheet_header_add(&header, "frame");
    for (int i = 0; i < a->coordinate_count; i++)
        for (int k = 0; k < FIGURES; k++)
            if (value[k])
                sheet_header_add(&header, "%s_%s%s", coordinate_name(a->coordinate[i]), figure_names[k],
                                 tells ? figure_units[k] : "");
    export_name_quality(clip, form, &header);
    SheetHead head = {.title = clip->provenance.title, .row_count = clip->motion.frame_count,
                      .comment = "s, degrees, degrees/s, Nm/kg, W/kg; about anatomical axes; moments are internal, use "
                                 "is the share of strength"};
    status = sheet_header_begin(&header, &sheet, form, stream, head, err);
    for (int f = 0; status == STATUS_OK && f < clip->motion.frame_count; f++) {
        sheet_number(&sheet, clip->motion.time[f]);
        sheet_integer(&sheet, f);
        for (int i = 0; i < a->coordinate_count; i++)
            for (int k = 0; k < FIGURES; k++)
                if (value[k])
                    sheet_number(&sheet, scale[k] * value[k][anatomy_index(a, f, i)]);
        export_put_quality(clip, form, f, &sheet);
    }
    return status == STATUS_OK ? sheet_header_finish(&header, &sheet, err) : status;
}
