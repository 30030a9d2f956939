#include "formats/export/export_wide.h"

#include <stdlib.h>

#include "analysis/base/memory.h"
#include "formats/export/export_long.h"

static void put_vector(Sheet *sheet, Vec3 v)
{
    sheet_number(sheet, v.x);
    sheet_number(sheet, v.y);
    sheet_number(sheet, v.z);
}

static void put_moments(Sheet *sheet, const Clip *clip, ExportFrame frame)
{
    for (int f = 0; f < clip->motion.frame_count; f++) {
        sheet_number(sheet, clip->motion.time[f]);
        for (int j = 0; j < clip->skeleton.joint_count; j++) {
            Vec3 torque = clip->dynamics.torque[motion_index(&clip->motion, f, j)];
            put_vector(sheet, export_in_frame(clip, frame, f, j, torque));
        }
    }
}

static Status moment_header(const Clip *clip, char **header)
{
    static const char axis[] = "xyz";
    for (int j = 0; j < clip->skeleton.joint_count; j++)
        for (int k = 0; k < 3; k++)
            if (asprintf(&header[1 + 3 * j + k], "%s_M%c", clip->skeleton.name[j], axis[k]) < 0)
                return STATUS_NO_MEMORY;
    return STATUS_OK;
}

Status export_wide_moments(const Clip *clip, SheetForm form, ExportFrame frame, FILE *stream, Error *err)
{
    int columns = 1 + 3 * clip->skeleton.joint_count;
    if (!clip->has_dynamics)
        return error_set(err, STATUS_BAD_INPUT, "the clip has no torques: run kane torque first");
    Status status = export_check_frame(clip, frame, err);
    if (status)
        return status;
    char **header = array_new((size_t)columns, 1, sizeof *header), time[] = "time";
    if (!header)
        return error_no_memory(err);
    header[0] = time;
    if ((status = moment_header(clip, header))) {
        error_no_memory(err);
    } else {
        Sheet sheet;
        sheet_begin(&sheet, form, stream, clip->provenance.title, clip->motion.frame_count, columns,
                    (const char *const *)header);
        put_moments(&sheet, clip, frame);
        status = sheet_finish(&sheet, err);
    }
    for (int i = 1; i < columns; i++)
        free(header[i]);
    free(header);
    return status;
}

static Status check_ground_forces(const Clip *clip, Error *err)
{
    if (!clip->has_contact || clip->contact.point_count == 0)
        return error_set(err, STATUS_BAD_INPUT,
                         "the clip has no ground forces: run kane contact with an estimate or with --external");
    return STATUS_OK;
}

/* Right foot first, as force-plate files have it. */
static const int foot_order[FOOT_COUNT] = {FOOT_RIGHT, FOOT_LEFT};

Status export_wide_grf(const Clip *clip, SheetForm form, FILE *stream, Error *err)
{
    static const char *const header[] = {"time",   "R_Fx",   "R_Fy", "R_Fz", "R_COPx", "R_COPy", "R_COPz",
                                         "L_Fx",   "L_Fy",   "L_Fz", "L_COPx", "L_COPy", "L_COPz"};
    Status status = check_ground_forces(clip, err);
    if (status)
        return status;
    Sheet sheet;
    sheet_begin(&sheet, form, stream, clip->provenance.title, clip->motion.frame_count, 1 + 6 * FOOT_COUNT, header);
    for (int f = 0; f < clip->motion.frame_count; f++) {
        sheet_number(&sheet, clip->motion.time[f]);
        for (int i = 0; i < FOOT_COUNT; i++) {
            size_t foot = (size_t)f * FOOT_COUNT + (size_t)foot_order[i];
            put_vector(&sheet, clip->contact.foot_force[foot]);
            put_vector(&sheet, clip->contact.foot_cop[foot]);
        }
    }
    return sheet_finish(&sheet, err);
}

Status export_opensim_grf(const Clip *clip, FILE *stream, Error *err)
{
    static const char *const header[] = {
        "time",
        "ground_force_r_vx", "ground_force_r_vy", "ground_force_r_vz",
        "ground_force_r_px", "ground_force_r_py", "ground_force_r_pz",
        "ground_torque_r_x", "ground_torque_r_y", "ground_torque_r_z",
        "ground_force_l_vx", "ground_force_l_vy", "ground_force_l_vz",
        "ground_force_l_px", "ground_force_l_py", "ground_force_l_pz",
        "ground_torque_l_x", "ground_torque_l_y", "ground_torque_l_z",
    };
    Status status = check_ground_forces(clip, err);
    if (status)
        return status;
    Sheet sheet;
    sheet_begin(&sheet, SHEET_STORAGE, stream, clip->provenance.title, clip->motion.frame_count, 1 + 9 * FOOT_COUNT,
                header);
    for (int f = 0; f < clip->motion.frame_count; f++) {
        sheet_number(&sheet, clip->motion.time[f]);
        for (int i = 0; i < FOOT_COUNT; i++) {
            size_t foot = (size_t)f * FOOT_COUNT + (size_t)foot_order[i];
            put_vector(&sheet, clip->contact.foot_force[foot]);
            put_vector(&sheet, clip->contact.foot_cop[foot]);
            put_vector(&sheet, clip->contact.foot_free_moment[foot]);
        }
    }
    return sheet_finish(&sheet, err);
}
