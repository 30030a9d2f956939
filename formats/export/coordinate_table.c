/* Anatomical coordinates, one row per frame (export_internal.h). */
#include <math.h>

#include "analysis/math/elementary.h"
#include "formats/export/export_internal.h"

static const double degrees = 180 / PI;

static Status check_clip(const Clip *clip, Error *err)
{
    if (!clip->has_angles)
        return error_set(err, STATUS_BAD_INPUT, "has no /angles: run kane angles first");
    return clip->angles.coordinate_count > 0
               ? STATUS_OK
               : error_set(err, STATUS_BAD_INPUT, "has no anatomical coordinate: its joints have no roles");
}

Status export_table_angles(const Clip *clip, RowForm form, FILE *stream, Error *err)
{
    const JointAngles *a = &clip->angles;
    int with_units = row_writer_names_units(form);
    RowWriter sheet;
    Status status = check_clip(clip, err);
    if (status)
        return status;
    RowHeader header = row_header(3 + a->coordinate_count);
    row_header_add(&header, with_units ? "time_s" : "time");
    for (int i = 0; i < a->coordinate_count; i++)
        row_header_add(&header, "%s%s", coordinate_name(a->coordinate[i]), with_units ? "_angle_deg" : "");
    export_name_quality(clip, form, &header);
    RowHead head = {.title = clip->provenance.title,
                    .row_count = clip->motion.frame_count,
                    .comment = "s, degrees; angles about anatomical axes, zero in the neutral pose",
                    .is_degrees = 1};
    status = row_header_begin(&header, &sheet, form, stream, head, err);
    for (int f = 0; !status && f < clip->motion.frame_count; f++) {
        row_writer_number(&sheet, clip->motion.time[f]);
        for (int i = 0; i < a->coordinate_count; i++)
            row_writer_number(&sheet, degrees * a->angle[joint_angles_index(a, f, i)]);
        export_put_quality(clip, form, f, &sheet);
    }
    return status ? status : row_header_finish(&header, &sheet, err);
}

/* The values per coordinate in the wide table. */
enum { QUANTITIES = 6 };
static const char *const quantity_names[QUANTITIES] = {"angle", "velocity", "moment", "moment_sd", "power",
                                                 "utilization"};
static const char *const quantity_units[QUANTITIES] = {"_deg", "_deg_s", "_nm_kg", "_nm_kg", "_w_kg", ""};

Status export_table_coordinates(const Clip *clip, RowForm form, FILE *stream, Error *err)
{
    const JointAngles *a = &clip->angles;
    int with_units = row_writer_names_units(form);
    RowWriter sheet;
    Status status = check_clip(clip, err);
    if (status)
        return status;
    const double *value[QUANTITIES] = {a->angle, a->velocity, a->moment, a->moment_sd, a->power, a->utilization};
    const double mass = clip->body.total_mass;
    const double scale[QUANTITIES] = {degrees, degrees, 1 / mass, 1 / mass, 1 / mass, 1};
    RowHeader header = row_header(4 + QUANTITIES * a->coordinate_count);
    row_header_add(&header, with_units ? "time_s" : "time");
    row_header_add(&header, "frame");
    for (int i = 0; i < a->coordinate_count; i++)
        for (int k = 0; k < QUANTITIES; k++)
            if (value[k])
                row_header_add(&header, "%s_%s%s", coordinate_name(a->coordinate[i]), quantity_names[k],
                               with_units ? quantity_units[k] : "");
    export_name_quality(clip, form, &header);
    RowHead head = {.title = clip->provenance.title,
                    .row_count = clip->motion.frame_count,
                    .comment = "s, degrees, degrees/s, N m/kg, W/kg; about anatomical axes; internal moments; use is "
                               "the utilization of strength"};
    status = row_header_begin(&header, &sheet, form, stream, head, err);
    for (int f = 0; !status && f < clip->motion.frame_count; f++) {
        row_writer_number(&sheet, clip->motion.time[f]);
        row_writer_integer(&sheet, f);
        for (int i = 0; i < a->coordinate_count; i++)
            for (int k = 0; k < QUANTITIES; k++)
                if (value[k])
                    row_writer_number(&sheet, scale[k] * value[k][joint_angles_index(a, f, i)]);
        export_put_quality(clip, form, f, &sheet);
    }
    return status ? status : row_header_finish(&header, &sheet, err);
}
