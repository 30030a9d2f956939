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

/* Values per coordinate, as columns COORDINATE_NAME, with the unit where names have units. */
typedef struct Quantity {
    const char *name, *unit; /* "_moment", "_nm_kg" */
    const double *value;     /* [frame][coordinate]; NULL: no columns */
    double scale;
} Quantity;

typedef struct CoordinateTable {
    const Quantity *quantity;
    int count;
    int has_frame;  /* 1: a column with the number of the frame */
    int is_degrees; /* as the header of OpenSim's files says */
    const char *comment;
} CoordinateTable;

static RowHeader name_columns(const CoordinateTable *t, const Clip *clip, RowForm form)
{
    const JointAngles *a = &clip->angles;
    int with_units = row_writer_names_units(form);
    RowHeader header = row_header(4 + t->count * a->coordinate_count);
    row_header_add(&header, with_units ? "time_s" : "time");
    if (t->has_frame)
        row_header_add(&header, "frame");
    for (int i = 0; i < a->coordinate_count; i++)
        for (const Quantity *q = t->quantity; q < t->quantity + t->count; q++)
            if (q->value)
                row_header_add(&header, "%s%s%s", coordinate_name(a->coordinate[i]), q->name,
                               with_units ? q->unit : "");
    export_name_quality(clip, form, &header);
    return header;
}

static void put_frame(const CoordinateTable *t, const Clip *clip, RowForm form, int f, RowWriter *sheet)
{
    const JointAngles *a = &clip->angles;
    row_writer_number(sheet, clip->motion.time[f]);
    if (t->has_frame)
        row_writer_integer(sheet, f);
    for (int i = 0; i < a->coordinate_count; i++)
        for (const Quantity *q = t->quantity; q < t->quantity + t->count; q++)
            if (q->value)
                row_writer_number(sheet, q->scale * q->value[joint_angles_index(a, f, i)]);
    export_put_quality(clip, form, f, sheet);
}

static Status write_table(const CoordinateTable *t, const Clip *clip, RowForm form, FILE *stream, Error *err)
{
    RowWriter sheet;
    Status status = check_clip(clip, err);
    if (status)
        return status;
    RowHeader header = name_columns(t, clip, form);
    RowHead head = {.title = clip->provenance.title,
                    .row_count = clip->motion.frame_count,
                    .comment = t->comment,
                    .is_degrees = t->is_degrees};
    status = row_header_begin(&header, &sheet, form, stream, head, err);
    for (int f = 0; !status && f < clip->motion.frame_count; f++)
        put_frame(t, clip, form, f, &sheet);
    return status ? status : row_header_finish(&header, &sheet, err);
}

Status export_table_angles(const Clip *clip, RowForm form, FILE *stream, Error *err)
{
    const Quantity angle = {"", "_angle_deg", clip->angles.angle, degrees};
    return write_table(&(CoordinateTable){.quantity = &angle, .count = 1, .is_degrees = 1,
                                          .comment = "s, degrees; angles about anatomical axes, zero in the neutral "
                                                     "pose"},
                       clip, form, stream, err);
}

Status export_table_coordinates(const Clip *clip, RowForm form, FILE *stream, Error *err)
{
    const JointAngles *a = &clip->angles;
    const double mass = clip->body.total_mass;
    const Quantity quantities[] = {
        {"_angle", "_deg", a->angle, degrees},          {"_velocity", "_deg_s", a->velocity, degrees},
        {"_moment", "_nm_kg", a->moment, 1 / mass},     {"_moment_sd", "_nm_kg", a->moment_sd, 1 / mass},
        {"_power", "_w_kg", a->power, 1 / mass},        {"_utilization", "", a->utilization, 1}};
    return write_table(&(CoordinateTable){.quantity = quantities, .count = sizeof quantities / sizeof *quantities,
                                          .has_frame = 1,
                                          .comment = "s, degrees, degrees/s, N m/kg, W/kg; about anatomical axes; "
                                                     "internal moments; use is the utilization of strength"},
                       clip, form, stream, err);
}
