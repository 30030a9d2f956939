#include "formats/export/export_wide.h"

#include <stdlib.h>

#include "analysis/base/memory.h"
#include "analysis/contact/foot.h"
#include "formats/export/export_columns.h"

static void put_moments(Sheet *sheet, const Clip *clip, ExportFrame frame)
{
    for (int f = 0; f < clip->motion.frame_count; f++) {
        sheet_number(sheet, clip->motion.time[f]);
        for (int j = 0; j < clip->skeleton.joint_count; j++) {
            Vec3 torque = clip->dynamics.torque[motion_index(&clip->motion, f, j)];
            export_put_vector(sheet, export_in_frame(clip, frame, f, j, torque));
        }
    }
}

/* Names of columns, all owned: NULL where one could not be made. */
static void free_header(char **header, int count)
{
    for (int i = 0; header && i < count; i++)
        free(header[i]);
    free(header);
}

/* "joint_name", or the name alone; 0 without memory. */
static int name_column(char **header, const char *joint, const char *name)
{
    return asprintf(header, "%s%s%s", joint ? joint : "", joint ? "_" : "", name) >= 0;
}

static int name_moments(const Skeleton *s, char **header)
{
    static const char *const axis[] = {"Mx", "My", "Mz"};
    int ok = name_column(header++, NULL, "time");
    for (int i = 0; i < 3 * s->joint_count && ok; i++)
        ok = name_column(header++, s->name[i / 3], axis[i % 3]);
    return ok;
}

Status export_wide_moments(const Clip *clip, SheetForm form, ExportFrame frame, FILE *stream, Error *err)
{
    int columns = 1 + 3 * clip->skeleton.joint_count;
    if (!clip->has_dynamics)
        return error_set(err, STATUS_BAD_INPUT, "the clip has no torques: run kane torque first");
    Status status = export_check_frame(clip, frame, err);
    if (status)
        return status;
    char **header = array_new((size_t)columns, 1, sizeof *header);
    if (!header || !name_moments(&clip->skeleton, header)) {
        status = error_no_memory(err);
    } else {
        Sheet sheet;
        sheet_begin(&sheet, form, stream, clip->provenance.title, clip->motion.frame_count, columns,
                    (const char *const *)header);
        put_moments(&sheet, clip, frame);
        status = sheet_finish(&sheet, err);
    }
    free_header(header, columns);
    return status;
}

/* Time and frame, every joint's columns under its name, then what a frame has. Returns their number; header NULL
 * counts, else *ok says whether all names could be made. */
static int name_all(const Clip *clip, const ExportColumn *column, int groups, char **header, int *ok)
{
    int n = 2;
    *ok = !header || (name_column(&header[0], NULL, "time") && name_column(&header[1], NULL, "frame"));
    for (int j = 0; j <= clip->skeleton.joint_count; j++)
        for (int c = 0; c < groups; c++) {
            int of_frame = j == clip->skeleton.joint_count;
            for (int i = 0; i < 4 && column[c].name[i] && of_frame == (column[c].kind == COLUMN_FLAG); i++, n++)
                if (header && *ok)
                    *ok = name_column(&header[n], of_frame ? NULL : clip->skeleton.name[j], column[c].name[i]);
        }
    return n;
}

static void put_frame(Sheet *sheet, const Clip *clip, const ExportColumn *column, int groups, ExportFrame frame, int f)
{
    int joints = clip->skeleton.joint_count;
    sheet_number(sheet, clip->motion.time[f]);
    sheet_integer(sheet, f);
    for (int j = 0; j <= joints; j++)
        for (int c = 0; c < groups; c++)
            if ((j == joints) == (column[c].kind == COLUMN_FLAG))
                export_put_column(sheet, clip, &column[c], frame, f, j == joints ? 0 : j);
}

Status export_wide_all(const Clip *clip, SheetForm form, ExportFrame frame, FILE *stream, Error *err)
{
    ExportColumn column[EXPORT_MOST_COLUMNS];
    int ok, groups = export_columns(clip, column), columns = name_all(clip, column, groups, NULL, &ok);
    Status status = export_check_frame(clip, frame, err);
    if (status)
        return status;
    char **header = array_new((size_t)columns, 1, sizeof *header);
    if (header)
        name_all(clip, column, groups, header, &ok);
    if (!header || !ok) {
        status = error_no_memory(err);
    } else {
        Sheet sheet;
        sheet_begin(&sheet, form, stream, clip->provenance.title, clip->motion.frame_count, columns,
                    (const char *const *)header);
        for (int f = 0; f < clip->motion.frame_count; f++)
            put_frame(&sheet, clip, column, groups, frame, f);
        status = sheet_finish(&sheet, err);
    }
    free_header(header, columns);
    return status;
}

/* Forces that a creature's paws or a hand carries are of no foot: columns of zeros would not say so. */
static Status check_ground_forces(const Clip *clip, Error *err)
{
    if (!clip->has_contact || clip->contact.point_count == 0)
        return error_set(err, STATUS_BAD_INPUT,
                         "the clip has no ground forces: run kane contact with an estimate or with --external");
    for (int p = 0; p < clip->contact.point_count; p++)
        if (foot_of_segment(clip->skeleton.segment[clip->contact.point_joint[p]]) < FOOT_COUNT)
            return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT, "no joint with contact points is a foot (left or right ankle or toe), and "
                                            "the table is of feet; kane_frames has the contact force of every joint");
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
            export_put_vector(&sheet, clip->contact.foot_force[foot]);
            export_put_vector(&sheet, clip->contact.foot_cop[foot]);
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
            export_put_vector(&sheet, clip->contact.foot_force[foot]);
            export_put_vector(&sheet, clip->contact.foot_cop[foot]);
            export_put_vector(&sheet, clip->contact.foot_free_moment[foot]);
        }
    }
    return sheet_finish(&sheet, err);
}
