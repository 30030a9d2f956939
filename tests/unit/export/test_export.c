/* formats/export: columns of score.py, numbers that read back exactly, axes that differ only by the pose. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "formats/base/table.h"
#include "formats/export/export.h"
#include "formats/export/zip.h"
#include "tests/support/sample_clip.h"

typedef Status (*ExportFunction)(const Clip *, const ExportDef *, FILE *, Error *);

static char *exported(const Clip *clip, ExportFunction function, ExportFormat format, ExportFrame frame, size_t *size)
{
    char *text = NULL;
    size_t length;
    Error err;
    FILE *stream = open_memstream(&text, &length);
    ExportDef def = {.format = format, .frame = frame};
    Status status = function(clip, &def, stream, &err);
    if (status)
        print_error("%s\n", err.text);
    assert_int_equal(status, STATUS_OK);
    fclose(stream);
    if (size)
        *size = length;
    return text;
}

/* Ground forces in the form of OpenSim's inverse dynamics. */
static char *zero_cop(const Clip *clip)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    ExportDef def = {.format = EXPORT_MOT, .airborne = AIRBORNE_COP_ZERO};
    assert_int_equal(export_clip(clip, &def, stream, NULL), STATUS_OK);
    fclose(stream);
    return text;
}

static Table exported_table(const Clip *clip, ExportFunction function, ExportFrame frame)
{
    size_t size;
    Table table;
    char *text = exported(clip, function, EXPORT_TSV, frame, &size);
    assert_int_equal(table_parse(text, size, &table, NULL), STATUS_OK);
    free(text);
    return table;
}

static double cell(const Table *table, int row, const char *column)
{
    int c = table_find(table, column);
    if (c < 0)
        print_error("no column %s\n", column);
    assert_true(c >= 0);
    char *end;
    double value = strtod(table->cell[row * table->column_count + c], &end);
    assert_int_equal(*end, '\0');
    return value;
}

static Vec3 vector(const Table *table, int row, const char *column)
{
    char name[3][64];
    for (int i = 0; i < 3; i++)
        snprintf(name[i], sizeof name[i], "%s%c", column, "xyz"[i]);
    return vec3(cell(table, row, name[0]), cell(table, row, name[1]), cell(table, row, name[2]));
}

TEST(moments_have_the_columns_of_the_reference)
{
    Clip clip;
    assert_int_equal(sample_clip(&clip, 5, 3, 1), 0);
    assert_int_equal(skeleton_set_name(&clip.skeleton, 1, "RightUpLeg", NULL), STATUS_OK);
    Table table = exported_table(&clip, export_moments, EXPORT_WORLD);
    assert_int_equal(table.column_count, 1 + 3 * 3 + 1); /* and confidence */
    assert_int_equal(table.row_count, 5);
    assert_string_equal(table.header[0], "time");
    assert_string_equal(table.header[4], "RightUpLeg_Mx");
    for (int f = 0; f < 5; f++) {
        assert_true(cell(&table, f, "time") == clip.motion.time[f]);
        assert_vec3_near(vector(&table, f, "RightUpLeg_M"), clip.dynamics.torque[f * 3 + 1], 0);
    }
    table_free(&table);
    clip_free(&clip);
}

/* 5 frames, 3 joints; the one contact point belongs to the left foot. */
static int clip_with_foot(Clip *clip)
{
    int failed = sample_clip(clip, 5, 3, 1);
    clip->skeleton.segment[clip->contact.point_joint[0]] = ROLE_LEFT_ANKLE;
    return failed;
}

TEST(ground_forces_have_the_columns_of_the_reference)
{
    Clip clip;
    assert_int_equal(clip_with_foot(&clip), 0);
    clip.contact.foot_force[2 * 1 + FOOT_RIGHT] = vec3(3, 400, 5);
    Table table = exported_table(&clip, export_grf, EXPORT_WORLD);
    const char *const header[] = {"time", "R_Fx", "R_Fy", "R_Fz", "R_COPx", "R_COPy", "R_COPz",
                                  "R_Tx", "R_Ty", "R_Tz", "L_Fx", "L_Fy", "L_Fz", "L_COPx", "L_COPy", "L_COPz",
                                  "L_Tx", "L_Ty", "L_Tz", "confidence"};
    enum { COLUMNS = sizeof header / sizeof *header };
    assert_int_equal(table.column_count, COLUMNS);
    for (int i = 0; i < COLUMNS; i++)
        assert_string_equal(table.header[i], header[i]);
    for (int f = 0; f < 5; f++) {
        assert_vec3_near(vector(&table, f, "L_F"), clip.contact.foot_force[2 * f + FOOT_LEFT], 0);
        Vec3 cop = vector(&table, f, "R_COP"), force = clip.contact.foot_force[2 * f + FOOT_RIGHT];
        if (vec3_dot(force, clip.contact.ground_normal) >= 1)
            assert_vec3_near(cop, clip.contact.foot_cop[2 * f + FOOT_RIGHT], 0);
        else
            assert_true(isnan(cop.x) && isnan(cop.y) && isnan(cop.z));
        assert_vec3_near(vector(&table, f, "L_T"), clip.contact.foot_free_moment[2 * f + FOOT_LEFT], 0);
        assert_near(cell(&table, f, "confidence"), clip.contact.confidence[f], 0);
    }
    table_free(&table);
    clip_free(&clip);
}

TEST(clips_without_the_group_are_refused)
{
    Clip clip;
    Error err;
    ExportDef def = export_default_def();
    FILE *stream = tmpfile();
    assert_int_equal(sample_clip(&clip, 5, 3, 0), 0);
    assert_int_equal(export_grf(&clip, &def, stream, &err), STATUS_BAD_INPUT); /* method none */
    clip_drop(&clip, CLIP_KINEMATICS);
    assert_int_equal(export_moments(&clip, &def, stream, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "kane torque"));
    def.frame = EXPORT_LOCAL;
    assert_int_equal(export_clip(&clip, &def, stream, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "axes of the joint need kinematics"));
    def.frame = EXPORT_PARENT;
    assert_int_equal(export_clip(&clip, &def, stream, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "axes of the parent need kinematics"));
    def = (ExportDef){.format = EXPORT_NPZ};
    assert_int_equal(export_moments(&clip, &def, stream, &err), STATUS_USAGE);
    assert_int_equal(ftell(stream), 0);
    fclose(stream);
    clip_free(&clip);
}

/* A table of zeros would be read as a clip in flight. */
TEST(forces_without_joint_are_refused)
{
    Clip clip;
    Error err;
    ExportDef def = {.format = EXPORT_MOT};
    FILE *stream = tmpfile();
    assert_int_equal(sample_clip(&clip, 5, 3, 1), 0); /* its point is on the hips */
    memset(clip.contact.force, 0, 5 * sizeof *clip.contact.force);
    assert_int_equal(export_grf(&clip, &def, stream, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "no foot"));
    assert_int_equal(export_clip(&clip, &def, stream, &err), STATUS_BAD_INPUT);
    assert_int_equal(ftell(stream), 0);
    fclose(stream);
    clip_free(&clip);
}

/* Force and moment of a hand are those of its points, moved to its joint. */
TEST(forces_on_a_hand_are_exported)
{
    Clip clip;
    assert_int_equal(sample_clip(&clip, 5, 3, 3), 0);
    clip.skeleton.segment[0] = ROLE_RIGHT_TOE;
    clip.skeleton.segment[1] = ROLE_LEFT_WRIST;
    clip.skeleton.segment[2] = ROLE_LEFT_WRIST;
    assert_int_equal(skeleton_set_name(&clip.skeleton, 1, "Hand", NULL), STATUS_OK);
    for (int f = 0; f < 5; f++)
        clip.contact.force[f * 3 + 2] = vec3(0, 0, 0); /* of joint 2, without load */
    Table table = exported_table(&clip, export_grf, EXPORT_WORLD);
    assert_int_equal(table.column_count, 1 + 3 * 9 + 1);
    for (int f = 0; f < 5; f++) {
        size_t at = (size_t)f * 3 + 1;
        Vec3 arm = quat_rotate(clip.kinematics.orientation[at], clip.contact.point_position[1]);
        assert_vec3_near(vector(&table, f, "Hand_F"), clip.contact.force[at], 0);
        assert_vec3_near(vector(&table, f, "Hand_P"), clip.kinematics.position[at], 0);
        assert_vec3_near(vector(&table, f, "Hand_T"),
                         vec3_add(vec3_cross(arm, clip.contact.force[at]), clip.contact.moment[at]), 1e-14);
    }
    table_free(&table);
    char *mot = exported(&clip, export_clip, EXPORT_MOT, EXPORT_WORLD, NULL);
    assert_non_null(strstr(mot, "\tground_force_Hand_vx\t"));
    assert_non_null(strstr(mot, "\tground_torque_Hand_z\n"));
    assert_non_null(strstr(mot, "nan")); /* no foot is loaded */
    free(mot);
    char *zero = zero_cop(&clip);
    assert_null(strstr(zero, "nan"));
    free(zero);
    char *csv = exported(&clip, export_grf, EXPORT_CSV, EXPORT_WORLD, NULL);
    assert_non_null(strstr(csv, "time_s,right_foot_force_world_x_n,"));
    assert_non_null(strstr(csv, ",Hand_force_world_x_n,"));
    free(csv);
    clip_free(&clip);
}

/* The sample has the coordinates of the spine and of the left knee. */
TEST(coordinates_columns_state_units)
{
    Clip clip;
    assert_int_equal(sample_clip(&clip, 5, 3, 0), 0);
    Table table = exported_table(&clip, export_coordinates, EXPORT_WORLD);
    size_t at = joint_angles_index(&clip.angles, 2, 3);
    assert_int_equal(table.column_count, 2 + 6 * 6 + 1);
    assert_near(cell(&table, 2, "time"), clip.motion.time[2], 0);
    assert_near(cell(&table, 2, "frame"), 2, 0);
    assert_near(cell(&table, 2, "left_knee_flexion_angle"), clip.angles.angle[at] * 180 / PI, 1e-12);
    assert_near(cell(&table, 2, "left_knee_flexion_moment"), clip.angles.moment[at] / 70.25, 1e-14);
    assert_near(cell(&table, 2, "left_knee_flexion_moment_sd"), clip.angles.moment_sd[at] / 70.25, 1e-14);
    assert_near(cell(&table, 2, "left_knee_flexion_utilization"), clip.angles.utilization[at], 0);
    table_free(&table);
    char *csv = exported(&clip, export_coordinates, EXPORT_CSV, EXPORT_WORLD, NULL);
    assert_non_null(strstr(csv, ",left_knee_flexion_angle_deg,left_knee_flexion_velocity_deg_s,"
                                "left_knee_flexion_moment_nm_kg,left_knee_flexion_moment_sd_nm_kg,"
                                "left_knee_flexion_power_w_kg,left_knee_flexion_utilization,"));
    free(csv);
    Error err;
    ExportDef def = {.format = EXPORT_STO};
    assert_int_equal(export_coordinates(&clip, &def, stderr, &err), STATUS_USAGE);
    clip.has_angles = 0;
    def.format = EXPORT_CSV;
    assert_int_equal(export_coordinates(&clip, &def, stderr, &err), STATUS_BAD_INPUT);
    assert_int_equal(export_angles(&clip, &def, stderr, &err), STATUS_BAD_INPUT);
    clip_free(&clip);
}

static char *opensim(const Clip *clip, ExportFunction function, ExportFormat format)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    ExportDef def = {.format = format, .names = EXPORT_NAMES_OPENSIM};
    assert_int_equal(function(clip, &def, stream, NULL), STATUS_OK);
    fclose(stream);
    return text;
}

TEST(opensim_export_uses_opensim_names_and_signs)
{
    Clip clip;
    double time, extension, bending, rotation, knee;
    assert_int_equal(sample_clip(&clip, 5, 3, 0), 0);
    clip.angles.angle[0] = 0.25;
    char *mot = opensim(&clip, export_angles, EXPORT_MOT), *row = strstr(mot, "endheader\n");
    assert_non_null(strstr(mot, "\nnColumns=5\ninDegrees=yes\nendheader\n"
                                "time\tlumbar_extension\tlumbar_bending\tlumbar_rotation\tknee_angle_l\n"));
    row = strchr(strchr(row, '\n') + 1, '\n') + 1;
    assert_int_equal(sscanf(row, "%lf %lf %lf %lf %lf", &time, &extension, &bending, &rotation, &knee), 5);
    assert_near(extension, -0.25 * 180 / PI, 1e-12);
    assert_near(knee, clip.angles.angle[3] * 180 / PI, 1e-12);
    free(mot);
    char *sto = opensim(&clip, export_moments, EXPORT_STO);
    assert_non_null(strstr(sto, "inDegrees=no\nendheader\ntime\tlumbar_extension_moment\t"));
    row = strchr(strstr(sto, "\nendheader\n") + 11, '\n') + 1;
    assert_int_equal(sscanf(row, "%lf %lf %lf %lf %lf", &time, &extension, &bending, &rotation, &knee), 5);
    assert_near(extension, -clip.angles.moment[0], 0);
    assert_near(knee, clip.angles.moment[3], 0);
    free(sto);
    clip_free(&clip);
}

/* Formats without comments state axes and units in column names; tsv in a comment. */
TEST(headers_state_units_and_axes)
{
    Clip clip;
    assert_int_equal(sample_clip(&clip, 2, 2, 1), 0);
    char *csv = exported(&clip, export_clip, EXPORT_CSV, EXPORT_PARENT, NULL);
    assert_non_null(strstr(csv, "time_s,frame,joint,role,position_world_x_m,"));
    assert_non_null(strstr(csv, ",torque_parent_x_nm,"));
    assert_non_null(strstr(csv, ",angular_acceleration_parent_z_rad_s2,"));
    free(csv);
    csv = exported(&clip, export_moments, EXPORT_CSV, EXPORT_LOCAL, NULL);
    assert_non_null(strstr(csv, "_residual_moment_local_x_nm,"));
    free(csv);
    char *tsv = exported(&clip, export_clip, EXPORT_TSV, EXPORT_LOCAL, NULL);
    assert_ptr_equal(strstr(tsv, "# gr\xc3\xbc\xc3\x9f gott: s, m, rad/s,"), tsv);
    assert_non_null(strstr(tsv, "axes: local"));
    free(tsv);
    clip_free(&clip);
}

/* Parent axes rotated by the parent's rotation give world axes; norms do not depend on the axes. */
TEST(axes_differ_by_the_pose_only)
{
    Clip clip;
    assert_int_equal(sample_clip(&clip, 4, 3, 1), 0);
    Table world = exported_table(&clip, export_clip, EXPORT_WORLD);
    Table parent = exported_table(&clip, export_clip, EXPORT_PARENT);
    Table local = exported_table(&clip, export_clip, EXPORT_LOCAL);
    assert_int_equal(world.row_count, 4 * 3);
    for (int row = 0; row < world.row_count; row++) {
        const Quat *pose = &clip.kinematics.orientation[row];
        const char *torque = row % 3 == 0 ? "residual_torque_" : "torque_";
        Vec3 w = vector(&world, row, torque), p = vector(&parent, row, torque), l = vector(&local, row, torque);
        assert_vec3_near(w, row % 3 == 0 ? clip.dynamics.residual_torque[row / 3] : clip.dynamics.torque[row], 0);
        assert_vec3_near(quat_rotate(pose[0], l), w, 1e-14);
        assert_vec3_near(row % 3 == 0 ? p : quat_rotate(pose[-1], p), w, 1e-14);
        assert_true(row % 3 == 0 || cell(&local, row, "power") == clip.dynamics.power[row]);
        assert_vec3_near(vector(&local, row, "position_"), clip.kinematics.position[row], 0);
        assert_int_equal((int)cell(&local, row, "frame"), row / 3);
    }
    table_free(&world);
    table_free(&parent);
    table_free(&local);
    clip_free(&clip);
}

/* The wide table has the cells of the long one, the rows of a frame side by side. */
TEST(wide_and_long_tables_have_equal_cells)
{
    static const char *const columns[] = {"position_x", "angular_velocity_y", "torque_z", "force_x", "power"};
    Clip clip;
    assert_int_equal(sample_clip(&clip, 4, 3, 1), 0);
    Table tall = exported_table(&clip, export_clip, EXPORT_PARENT);
    Table wide = exported_table(&clip, export_wide, EXPORT_PARENT);
    assert_int_equal(wide.row_count, 4);
    /* without time, frame, joint, role, valid, confidence; the root has no torque, force and power, the others no
     * residual */
    assert_int_equal(wide.column_count, 2 + 3 * (tall.column_count - 6) - 7 - 2 * 6 + 2);
    assert_int_equal(table_find(&wide, "J \xc3\xa9 a.a_torque_x"), -1);
    for (int row = 0; row < tall.row_count; row++) {
        for (int c = 0; c < (row % 3 == 0 ? 2 : 5); c++) {
            char name[80];
            snprintf(name, sizeof name, "%s_%s", clip.skeleton.name[row % 3], columns[c]);
            assert_true(cell(&wide, row / 3, name) == cell(&tall, row, columns[c]));
        }
        assert_true(cell(&wide, row / 3, "valid") == cell(&tall, row, "valid"));
        assert_true(cell(&wide, row / 3, "time") == cell(&tall, row, "time"));
    }
    table_free(&tall);
    table_free(&wide);
    ExportDef def = {.format = EXPORT_MOT};
    assert_int_equal(export_wide(&clip, &def, stderr, NULL), STATUS_USAGE);
    clip_free(&clip);
}

/* The floating base's torque is a residual in each table; a row states whether its joint is trusted, or its frame if it
 * has no joint, except in OpenSim formats. */
TEST(tables_contain_residual_and_trust)
{
    Clip clip;
    assert_int_equal(clip_with_foot(&clip), 0);
    int joints = clip.skeleton.joint_count;
    assert_int_equal(trust_init(&clip.trust, 5, joints, 1, NULL), STATUS_OK);
    clip.has_trust = 1;
    clip.trust.reason[2] = TRUST_TELEPORT;
    clip.trust.joint_reason[3 * joints + 1] = TRUST_FLIP;
    trust_settle(&clip.trust);
    Table tall = exported_table(&clip, export_clip, EXPORT_WORLD);
    for (int row = 0; row < tall.row_count; row++) {
        int base = row % joints == 0;
        int absent = table_find(&tall, base ? "power" : "residual_force_y");
        assert_string_equal(tall.cell[row * tall.column_count + absent], "");
        assert_vec3_near(vector(&tall, row, base ? "residual_force_" : "force_"),
                         base ? clip.dynamics.residual_force[row / joints] : clip.dynamics.force[row], 0);
        assert_true(cell(&tall, row, "trusted") == (row / joints != 2 && row != 3 * joints + 1));
    }
    table_free(&tall);
    for (int grf = 0; grf < 2; grf++) {
        Table table = exported_table(&clip, grf ? export_grf : export_moments, EXPORT_WORLD);
        for (int f = 0; f < 5; f++)
            assert_true(cell(&table, f, "trusted") == (f != 2));
        table_free(&table);
    }
    char *sto = exported(&clip, export_clip, EXPORT_STO, EXPORT_WORLD, NULL);
    assert_null(strstr(sto, "trusted"));
    free(sto);
    clip_free(&clip);
}

TEST(special_characters_in_names_are_quoted)
{
    Clip clip;
    assert_int_equal(sample_clip(&clip, 1, 1, 0), 0);
    clip_drop(&clip, CLIP_BODY);
    clip.motion.rotation[0] = (Quat){0.5, -0.5, 0.1, 1e-300};
    assert_int_equal(skeleton_set_name(&clip.skeleton, 0, "a,\"b\"\tc", NULL), STATUS_OK);
    char *csv = exported(&clip, export_clip, EXPORT_CSV, EXPORT_WORLD, NULL);
    assert_string_equal(csv, "time_s,frame,joint,role,rotation_parent_w,rotation_parent_x,rotation_parent_y,"
                             "rotation_parent_z\n"
                             "0,0,\"a,\"\"b\"\"\tc\",hips,0.5,-0.5,0.1,1e-300\n");
    char *tsv = exported(&clip, export_clip, EXPORT_TSV, EXPORT_WORLD, NULL);
    assert_non_null(strstr(tsv, "\ta,\"b\"\\tc\thips\t"));
    char *jsonl = exported(&clip, export_clip, EXPORT_JSONL, EXPORT_WORLD, NULL);
    assert_string_equal(jsonl, "{\"time_s\":0,\"frame\":0,\"joint\":\"a,\\\"b\\\"\\tc\",\"role\":\"hips\","
                               "\"rotation_parent_w\":0.5,\"rotation_parent_x\":-0.5,\"rotation_parent_y\":0.1,"
                               "\"rotation_parent_z\":1e-300}\n");
    free(csv);
    free(tsv);
    free(jsonl);
    clip_free(&clip);
}

TEST(opensim_files_state_their_size)
{
    Clip clip;
    assert_int_equal(clip_with_foot(&clip), 0);
    char *sto = exported(&clip, export_clip, EXPORT_STO, EXPORT_WORLD, NULL);
    assert_non_null(strstr(sto, "\nversion=1\nnRows=5\nnColumns=10\ninDegrees=no\nendheader\n"
                                "time\tJ_\xc3\xa9_a.a_residual_Mx\t"));
    char *mot = exported(&clip, export_clip, EXPORT_MOT, EXPORT_WORLD, NULL);
    assert_non_null(strstr(mot, "\nnRows=5\nnColumns=19\ninDegrees=no\nendheader\ntime\tground_force_r_vx\t"));
    free(sto);
    free(mot);
    clip_free(&clip);
}

/* Archive entries store their CRC; the check value of ISO 3309 is known. */
TEST(npz_is_a_zip_archive_of_the_arrays)
{
    Clip clip;
    size_t size;
    assert_int_equal(zip_crc(0, "123456789", 9), 0xCBF43926u);
    assert_int_equal(zip_crc(zip_crc(0, "12345678", 8), "9", 1), 0xCBF43926u);
    assert_int_equal(sample_clip(&clip, 5, 3, 1), 0);
    char *npz = exported(&clip, export_clip, EXPORT_NPZ, EXPORT_WORLD, &size);
    assert_memory_equal(npz, "PK\x03\x04", 4);
    assert_memory_equal(npz + size - 22, "PK\x05\x06", 4);
    char *torque = memmem(npz, size, "torque.npy", 10);
    assert_non_null(torque);
    assert_memory_equal(torque + 10, "\x93NUMPY\x01\x00", 8);
    assert_non_null(memmem(torque, 200, "'shape': (5, 3, 3), }", 21));
    assert_memory_equal(torque + 10 + 192, clip.dynamics.torque, 5 * 3 * sizeof(Vec3));
    char *joint = memmem(npz, size, "joint.npy", 9); /* UTF-32 after 192 bytes of header */
    static const uint32_t name[] = {'J', ' ', 0xe9, ' ', 'b', '.', 'a'};
    assert_non_null(memmem(joint, 200, "'<U8'", 5)); /* 8 bytes of UTF-8 are 7 letters */
    assert_memory_equal(joint + 9 + 192 + 8 * sizeof *name, name, sizeof name);
    assert_null(memmem(npz, size, "/_time", 6)); /* the root has no name as prefix */
    assert_non_null(memmem(npz, size, "time.npy", 8));
    assert_non_null(memmem(npz, size, "body_com.npy", 12));
    assert_non_null(memmem(npz, size, "kinematics_com.npy", 18));
    free(npz);
    clip_free(&clip);
}

/* A slash in an entry name would create a folder when unpacked. */
TEST(npz_names_have_no_slash)
{
    Clip clip;
    size_t size;
    assert_int_equal(sample_clip(&clip, 5, 3, 1), 0);
    assert_int_equal(tracking_init(&clip.tracking, 4, 3, NULL), STATUS_OK);
    assert_int_equal(tracking_add_run(&clip.tracking, CONTROLLER_KANE, 0, NULL), STATUS_OK);
    clip.has_tracking = 1;
    char *npz = exported(&clip, export_clip, EXPORT_NPZ, EXPORT_WORLD, &size);
    assert_non_null(memmem(npz, size, "tracking_kane_torque.npy", 24));
    assert_null(memmem(npz, size, "tracking/", 9));
    free(npz);
    clip_free(&clip);
}

TEST(format_names_round_trip)
{
    for (int i = 0; i < EXPORT_FORMAT_COUNT; i++) {
        ExportFormat format;
        assert_true(export_format_from_name(export_format_name((ExportFormat)i), &format));
        assert_int_equal(format, i);
    }
    ExportFormat format;
    ExportFrame frame;
    assert_null(export_format_name(EXPORT_FORMAT_COUNT));
    assert_false(export_format_from_name("fbx", &format));
    assert_true(export_frame_from_name("local", &frame) && frame == EXPORT_LOCAL);
    assert_false(export_frame_from_name("", &frame));
}
