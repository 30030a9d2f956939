#include "formats/export/export_long.h"

enum { MAX_COLUMNS = 40, LEADING_COLUMNS = 4 };

typedef enum LongKind { LONG_VECTOR, LONG_TURNED, LONG_NUMBER, LONG_QUATERNION, LONG_FLAG } LongKind;

typedef struct LongColumn {
    LongKind kind;
    const char *name[4];
    const void *array; /* [frame][joint]; LONG_FLAG: [frame] */
} LongColumn;

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

/* What the clip holds, a column group an array. Returns their number. */
static int list_columns(const Clip *clip, LongColumn *column)
{
    const Kinematics *k = &clip->kinematics;
    const Dynamics *d = &clip->dynamics;
    int n = 0;
    if (!clip->has_kinematics) {
        column[n++] = (LongColumn){
            LONG_QUATERNION, {"rotation_w", "rotation_x", "rotation_y", "rotation_z"}, clip->motion.rotation};
    } else {
        column[n++] = (LongColumn){LONG_VECTOR, {"position_x", "position_y", "position_z"}, k->position};
        column[n++] = (LongColumn){
            LONG_TURNED, {"angular_velocity_x", "angular_velocity_y", "angular_velocity_z"}, k->angular_velocity};
        column[n++] = (LongColumn){LONG_TURNED,
                                   {"angular_acceleration_x", "angular_acceleration_y", "angular_acceleration_z"},
                                   k->angular_acceleration};
    }
    if (clip->has_dynamics) {
        column[n++] = (LongColumn){LONG_TURNED, {"torque_x", "torque_y", "torque_z"}, d->torque};
        column[n++] = (LongColumn){LONG_TURNED, {"force_x", "force_y", "force_z"}, d->force};
        column[n++] = (LongColumn){LONG_NUMBER, {"power"}, d->power};
    }
    if (clip->has_kinematics)
        column[n++] = (LongColumn){LONG_FLAG, {"valid"}, k->valid};
    return n;
}

static void put_vector(Sheet *sheet, Vec3 v)
{
    sheet_number(sheet, v.x);
    sheet_number(sheet, v.y);
    sheet_number(sheet, v.z);
}

static void put_column(Sheet *sheet, const Clip *clip, const LongColumn *column, ExportFrame frame, int time, int joint)
{
    size_t i = motion_index(&clip->motion, time, joint);
    switch (column->kind) {
    case LONG_VECTOR: put_vector(sheet, ((const Vec3 *)column->array)[i]); break;
    case LONG_TURNED:
        put_vector(sheet, export_in_frame(clip, frame, time, joint, ((const Vec3 *)column->array)[i]));
        break;
    case LONG_NUMBER: sheet_number(sheet, ((const double *)column->array)[i]); break;
    case LONG_QUATERNION: {
        Quat q = ((const Quat *)column->array)[i];
        sheet_number(sheet, q.w);
        put_vector(sheet, vec3(q.x, q.y, q.z));
        break;
    }
    case LONG_FLAG: sheet_integer(sheet, ((const uint8_t *)column->array)[time]); break;
    }
}

Status export_long(const Clip *clip, SheetForm form, ExportFrame frame, FILE *stream, Error *err)
{
    LongColumn column[MAX_COLUMNS];
    const char *header[MAX_COLUMNS] = {"time", "frame", "joint", "role"};
    Status status = export_check_frame(clip, frame, err);
    if (status)
        return status;
    int groups = list_columns(clip, column), count = LEADING_COLUMNS;
    for (int c = 0; c < groups; c++)
        for (int i = 0; i < 4 && column[c].name[i]; i++)
            header[count++] = column[c].name[i];
    Sheet sheet;
    long long rows = (long long)clip->motion.frame_count * clip->skeleton.joint_count;
    sheet_begin(&sheet, form, stream, clip->provenance.title, rows, count, header);
    for (int f = 0; f < clip->motion.frame_count; f++)
        for (int j = 0; j < clip->skeleton.joint_count; j++) {
            sheet_number(&sheet, clip->motion.time[f]);
            sheet_integer(&sheet, f);
            sheet_text(&sheet, clip->skeleton.name[j]);
            sheet_text(&sheet, role_name(clip->skeleton.role[j]));
            for (int c = 0; c < groups; c++)
                put_column(&sheet, clip, &column[c], frame, f, j);
        }
    return sheet_finish(&sheet, err);
}
