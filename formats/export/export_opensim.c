/* Angles and moments with the names of OpenSim's Rajagopal (2016) model: left_hip_flexion is hip_flexion_l. Moments end
 * in _moment, forces of the pelvis in _force, as in results of OpenSim's inverse dynamics.
 *
 * The pelvis coordinates (pelvis_tilt, pelvis_list, pelvis_rotation, pelvis_tx, pelvis_ty, pelvis_tz) are relative to
 * kane's world; arm angles use the model's rotation sequence: analysis/angles/opensim_pose.h. Coordinates that the
 * model lacks (knee adduction, ...) are omitted. */
#include "formats/export/export_internal.h"

#include "analysis/angles/opensim_pose.h"
#include "analysis/math/elementary.h"

/* The OpenSim name of a coordinate; sign -1 if its positive direction is opposite. */
typedef struct OpensimName {
    Coordinate coordinate;
    const char *name;
    int sign;
} OpensimName;

#define ROW(coordinate, name) {COORDINATE_##coordinate, name, 1}
#define ROWS_OF_SIDE(SIDE, side) \
    ROW(SIDE##_SHOULDER_PLANE, "arm_flex_" side), ROW(SIDE##_SHOULDER_ELEVATION, "arm_add_" side), \
    ROW(SIDE##_SHOULDER_ROTATION, "arm_rot_" side), ROW(SIDE##_ELBOW_FLEXION, "elbow_flex_" side), \
    ROW(SIDE##_ELBOW_PRONATION, "pro_sup_" side), ROW(SIDE##_WRIST_FLEXION, "wrist_flex_" side), \
    ROW(SIDE##_WRIST_DEVIATION, "wrist_dev_" side), ROW(SIDE##_HIP_FLEXION, "hip_flexion_" side), \
    ROW(SIDE##_HIP_ADDUCTION, "hip_adduction_" side), ROW(SIDE##_HIP_ROTATION, "hip_rotation_" side), \
    ROW(SIDE##_KNEE_FLEXION, "knee_angle_" side), ROW(SIDE##_ANKLE_DORSIFLEXION, "ankle_angle_" side), \
    ROW(SIDE##_ANKLE_INVERSION, "subtalar_angle_" side)

/* Shoulder coordinates are those of OpensimPose's arms. */
static const OpensimName opensim_names[] = {
    {COORDINATE_SPINE_FLEXION, "lumbar_extension", -1}, ROW(SPINE_BENDING, "lumbar_bending"),
    ROW(SPINE_ROTATION, "lumbar_rotation"), ROWS_OF_SIDE(LEFT, "l"), ROWS_OF_SIDE(RIGHT, "r"),
};

static const OpensimName *opensim_name(Coordinate coordinate)
{
    for (size_t i = 0; i < sizeof opensim_names / sizeof *opensim_names; i++)
        if (opensim_names[i].coordinate == coordinate)
            return &opensim_names[i];
    return NULL;
}

/* A kind of table: angles or moments. */
typedef struct OpensimQuantity {
    int is_moment, needs_numbers, has_sd;
    double scale;
    const char *suffix[2], *told_suffix[2]; /* of rotations, of the pelvis translations; told_suffix if names contain
                                               units */
    const char *comment;
} OpensimQuantity;

static const OpensimQuantity angles = {
    0, 0, 0, 180 / PI, {"", ""}, {"_angle_deg", "_m"},
    "s, degrees, m; coordinates of OpenSim's Rajagopal model, zero in the neutral pose; the pelvis in world axes"};
static const OpensimQuantity moments = {
    1, 0, 0, 1, {"_moment", "_force"}, {"_moment_nm", "_force_n"},
    "s, N m, N; internal net moments about coordinates of OpenSim's Rajagopal model; of the pelvis the residual"};

static const char *opensim_suffix(const OpensimQuantity *quantity, RowForm form, int is_translation)
{
    return row_writer_names_units(form) ? quantity->told_suffix[is_translation] : quantity->suffix[is_translation];
}

static int has_sd(const Clip *clip, const OpensimQuantity *quantity)
{
    return quantity->has_sd && clip->dynamics.torque_sd && clip->angles.moment_sd;
}

static void name_columns(const Clip *clip, const OpensimPose *pose, const OpensimQuantity *quantity, RowForm form,
                         RowHeader *header)
{
    static const char *const rotations[] = {"tilt", "list", "rotation"}, *const translations[] = {"tx", "ty", "tz"};
    row_header_add(header, row_writer_names_units(form) ? "time_s" : "time");
    for (int k = 0; k < 3 && pose->pelvis >= 0; k++)
        row_header_add(header, "pelvis_%s%s", rotations[k], opensim_suffix(quantity, form, 0));
    for (int k = 0; k < 3 && pose->pelvis >= 0; k++)
        row_header_add(header, "pelvis_%s%s", translations[k], opensim_suffix(quantity, form, 1));
    for (int i = 0; i < clip->angles.coordinate_count; i++) {
        const OpensimName *name = opensim_name(clip->angles.coordinate[i]);
        if (name)
            row_header_add(header, "%s%s", name->name, opensim_suffix(quantity, form, 0));
        if (name && has_sd(clip, quantity))
            row_header_add(header, "%s%s_sd", name->name, opensim_suffix(quantity, form, 0));
    }
    export_name_quality(clip, form, header);
}

static void put_row(const Clip *clip, const OpensimPose *pose, const OpensimQuantity *quantity, int frame,
                    RowWriter *sheet)
{
    const JointAngles *own = &clip->angles, *arms = &pose->arms;
    row_writer_number(sheet, clip->motion.time[frame]);
    if (pose->pelvis >= 0) {
        size_t at = motion_index(&clip->motion, frame, pose->pelvis);
        const Vec3 *rotation = quantity->is_moment ? pose->pelvis_moment : pose->pelvis_angle;
        row_writer_vector(sheet, vec3_scale(rotation[frame], quantity->scale));
        row_writer_vector(sheet, quantity->is_moment ? clip->dynamics.force[at] : clip->kinematics.position[at]);
    }
    for (int i = 0; i < own->coordinate_count; i++) {
        const OpensimName *name = opensim_name(own->coordinate[i]);
        int arm = joint_angles_find(arms, own->coordinate[i]);
        const JointAngles *of = arm < 0 ? own : arms;
        const double *value = quantity->is_moment ? of->moment : of->angle;
        if (name)
            row_writer_number(sheet, name->sign * quantity->scale *
                                         value[joint_angles_index(of, frame, arm < 0 ? i : arm)]);
    }
}

static Status put_table(const Clip *clip, const OpensimPose *pose, const OpensimQuantity *quantity, RowForm form,
                        FILE *stream, Error *err)
{
    RowWriter sheet;
    RowHeader header = row_header(9 + 2 * clip->angles.coordinate_count);
    name_columns(clip, pose, quantity, form, &header);
    RowHead head = {.title = clip->provenance.title,
                    .row_count = clip->motion.frame_count,
                    .comment = quantity->comment,
                    .needs_numbers = quantity->needs_numbers,
                    .is_degrees = !quantity->is_moment};
    Status status = row_header_begin(&header, &sheet, form, stream, head, err);
    if (status)
        return status;
    for (int f = 0; f < clip->motion.frame_count; f++) {
        put_row(clip, pose, quantity, f, &sheet);
        export_put_quality(clip, form, f, &sheet);
    }
    return row_header_finish(&header, &sheet, err);
}

static Status check_clip(const Clip *clip, Error *err)
{
    if (!clip->has_angles)
        return error_set(err, STATUS_BAD_INPUT, "has no /angles: run kane angles first");
    for (int i = 0; i < clip->angles.coordinate_count; i++)
        if (opensim_name(clip->angles.coordinate[i]))
            return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT, "has no anatomical coordinate with an OpenSim name");
}

static Status put_quantity(const Clip *clip, const OpensimQuantity *quantity, RowForm form, FILE *stream, Error *err)
{
    OpensimPose pose;
    ClipView view = clip_view(clip);
    Status status = check_clip(clip, err);
    if (status)
        return status;
    status = opensim_pose_init(&pose, &view, clip->has_dynamics ? &clip->dynamics : NULL, err);
    if (status)
        return status;
    status = put_table(clip, &pose, quantity, form, stream, err);
    opensim_pose_free(&pose);
    return status;
}

Status export_opensim_angles(const Clip *clip, RowForm form, FILE *stream, Error *err)
{
    return put_quantity(clip, &angles, form, stream, err);
}

Status export_opensim_moments(const Clip *clip, RowForm form, FILE *stream, Error *err)
{
    return put_quantity(clip, &moments, form, stream, err);
}

Status export_named_coordinates(const Clip *clip, FILE *stream, Error *err)
{
    OpensimQuantity all = angles;
    all.needs_numbers = 1;
    return put_quantity(clip, &all, ROW_STORAGE, stream, err);
}

Status export_named_moments(const Clip *clip, FILE *stream, Error *err)
{
    OpensimQuantity all = moments;
    all.needs_numbers = all.has_sd = 1;
    return put_quantity(clip, &all, ROW_STORAGE, stream, err);
}
