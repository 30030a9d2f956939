#include "formats/export/export_columns.h"

Vec3 export_in_frame(const Clip *clip, ExportFrame frame, int time, int joint, Vec3 world)
{
    int axes = frame == EXPORT_LOCAL ? joint : clip->skeleton.parent[joint];
    if (frame == EXPORT_WORLD || axes < 0) /* the parent of the root is the world */
        return world;
    return quat_rotate_inverse(clip->kinematics.orientation[motion_index(&clip->motion, time, axes)], world);
}

Status export_check_frame(const Clip *clip, ExportFrame frame, Error *err)
{
    if (frame != EXPORT_WORLD && !clip->has_kinematics)
        return error_set(err, STATUS_BAD_INPUT, "axes of %s need kinematics: run kane diff first",
                         frame == EXPORT_LOCAL ? "the joint" : "the parent");
    return STATUS_OK;
}

int export_columns(const Clip *clip, ExportColumn column[EXPORT_MOST_COLUMNS])
{
    const Kinematics *k = &clip->kinematics;
    const Dynamics *d = &clip->dynamics;
    int n = 0;
    if (!clip->has_kinematics) {
        column[n++] = (ExportColumn){
            COLUMN_QUATERNION, {"rotation_w", "rotation_x", "rotation_y", "rotation_z"}, clip->motion.rotation};
    } else {
        column[n++] = (ExportColumn){COLUMN_VECTOR, {"position_x", "position_y", "position_z"}, k->position};
        column[n++] = (ExportColumn){
            COLUMN_TURNED, {"angular_velocity_x", "angular_velocity_y", "angular_velocity_z"}, k->angular_velocity};
        column[n++] = (ExportColumn){COLUMN_TURNED,
                                   {"angular_acceleration_x", "angular_acceleration_y", "angular_acceleration_z"},
                                   k->angular_acceleration};
    }
    if (clip->has_dynamics) {
        column[n++] = (ExportColumn){COLUMN_TURNED, {"torque_x", "torque_y", "torque_z"}, d->torque};
        column[n++] = (ExportColumn){COLUMN_TURNED, {"force_x", "force_y", "force_z"}, d->force};
        column[n++] = (ExportColumn){COLUMN_NUMBER, {"power"}, d->power};
    }
    if (clip->has_kinematics)
        column[n++] = (ExportColumn){COLUMN_FLAG, {"valid"}, k->valid};
    return n;
}

void export_put_vector(Sheet *sheet, Vec3 v)
{
    sheet_number(sheet, v.x);
    sheet_number(sheet, v.y);
    sheet_number(sheet, v.z);
}

void export_put_column(Sheet *sheet, const Clip *clip, const ExportColumn *column, ExportFrame frame, int time,
                       int joint)
{
    size_t i = motion_index(&clip->motion, time, joint);
    switch (column->kind) {
    case COLUMN_VECTOR: export_put_vector(sheet, ((const Vec3 *)column->array)[i]); break;
    case COLUMN_TURNED:
        export_put_vector(sheet, export_in_frame(clip, frame, time, joint, ((const Vec3 *)column->array)[i]));
        break;
    case COLUMN_NUMBER: sheet_number(sheet, ((const double *)column->array)[i]); break;
    case COLUMN_QUATERNION: {
        Quat q = ((const Quat *)column->array)[i];
        sheet_number(sheet, q.w);
        export_put_vector(sheet, vec3(q.x, q.y, q.z));
        break;
    }
    case COLUMN_FLAG: sheet_integer(sheet, ((const uint8_t *)column->array)[time]); break;
    }
}
