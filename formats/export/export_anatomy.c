#include "formats/export/export_anatomy.h"

#include <math.h>
#include <stdio.h>

#include "analysis/math/elementary.h"
#include "formats/export/export_table.h"

static const double degrees = 180 / PI;

static Status check(const Clip *clip, Error *err)
{
    if (!clip->has_anatomy)
        return error_set(err, STATUS_BAD_INPUT, "has no /anatomy: run kane anatomy first");
    return clip->anatomy.coordinate_count > 0
               ? STATUS_OK
               : error_set(err, STATUS_BAD_INPUT, "has no anatomical coordinate: its joints have no roles");
}

Status export_table_angles(const Clip *clip, SheetForm form, FILE *stream, Error *err)
{
    const Anatomy *a = &clip->anatomy;
    int tells = sheet_names_units(form);
    Sheet sheet;
    Status status = check(clip, err);
    if (status != STATUS_OK)
        return status;
    SheetHeader header = sheet_header_of(3 + a->coordinate_count);
    sheet_header_add(&header, tells ? "time_s" : "time");
    for (int i = 0; i < a->coordinate_count; i++)
        sheet_header_add(&header, "%s%s", coordinate_name(a->coordinate[i]), tells ? "_angle_deg" : "");
    export_name_quality(clip, form, &header);
    SheetHead head = {.title = clip->provenance.title, .row_count = clip->motion.frame_count,
                      .comment = "s, degrees; angles about anatomical axes, zero in the neutral pose", .is_degrees = 1};
    status = sheet_header_begin(&header, &sheet, form, stream, head, err);
    for (int f = 0; status == STATUS_OK && f < clip->motion.frame_count; f++) {
        sheet_number(&sheet, clip->motion.time[f]);
        for (int i = 0; i < a->coordinate_count; i++)
            sheet_number(&sheet, degrees * a->angle[anatomy_index(a, f, i)]);
        export_put_quality(clip, form, f, &sheet);
    }
    return status == STATUS_OK ? sheet_header_finish(&header, &sheet, err) : status;
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
    Status status = check(clip, err);
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
