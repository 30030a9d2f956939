/* The path of a camera, one row per frame (export_internal.h). */
#include "analysis/math/elementary.h"
#include "formats/export/export_internal.h"

static const char *const camera_columns[] = {
    "time_s", "position_x_m", "position_y_m", "position_z_m", "orientation_w", "orientation_x", "orientation_y",
    "orientation_z", "radius_m", "yaw_deg", "pitch_deg", "focus_x_m", "focus_y_m", "focus_z_m", "heading_deg",
};
static const char camera_comment[] = "s, m, degrees; world axes, +Y up; orientation: camera to world, it looks along "
                                     "its -Z; yaw and heading: atan2(x, z)";
enum { CAMERA_COLUMNS = sizeof camera_columns / sizeof *camera_columns };

static void put_camera(const CameraFrame *c, const CameraTarget *target, RowWriter *sheet)
{
    Quat q = c->orientation;
    row_writer_vector(sheet, c->position);
    row_writer_number(sheet, q.w);
    row_writer_vector(sheet, vec3(q.x, q.y, q.z));
    row_writer_number(sheet, c->radius);
    row_writer_number(sheet, c->yaw * (180 / PI));
    row_writer_number(sheet, c->pitch * (180 / PI));
    row_writer_vector(sheet, target->focus);
    row_writer_number(sheet, target->heading * (180 / PI));
}

Status export_table_camera(const Clip *clip, RowForm form, const CameraDef *def, FILE *stream, Error *err)
{
    const Motion *m = &clip->motion;
    Arena arena = {0};
    CameraPath path = {0};
    RowWriter sheet;
    Status status = camera_path(def, &clip->skeleton, m, &arena, &path, err);
    if (!status) {
        row_writer_begin(&sheet, form, stream,
                         &(RowHead){.title = clip->provenance.title, .row_count = m->frame_count,
                                    .column_count = CAMERA_COLUMNS, .name = camera_columns,
                                    .comment = camera_comment});
        for (int f = 0; f < m->frame_count; f++) {
            row_writer_number(&sheet, m->time[f]);
            put_camera(&path.camera[f], &path.target[f], &sheet);
        }
        status = row_writer_finish(&sheet, err);
    }
    arena_free(&arena);
    return status;
}
