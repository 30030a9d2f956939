/* See track_scene.h. */
#include "pipeline/stages/track_scene.h"

#include "formats/base/text.h"
#include "formats/tables/scene_tables.h"
#include "pipeline/stages/scene_file.h"

static Status read_scene_limits(const TrackOptions *o, const Model *m, SceneReference *out, Error *err)
{
    SceneTables tables = {0};
    Status status = error_of_file(err, o->limits, scene_limits_read(o->limits, m, &tables, err));
    if (!status)
        status = scene_reference_limit(m, tables.angle_limit, tables.angle_limit_count, out, err);
    scene_tables_free(&tables);
    if (status)
        scene_reference_free(out);
    return status;
}

Status track_read_scene(const TrackOptions *given, SceneReference *out, Notes *notes, Error *err)
{
    Model model;
    *out = (SceneReference){0};
    Status status = scene_file_read(given->scene_file, given->leave_out, &model, notes, err);
    if (!status) {
        status = error_of_file(err, given->scene_file, scene_reference_init(&model, given->dt, out, err));
        status = status || !given->limits ? status : read_scene_limits(given, &model, out, err);
        model_free(&model);
        return status;
    }
    return error_of_file(err, given->scene_file, status);
}
