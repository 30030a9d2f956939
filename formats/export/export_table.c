#include "formats/export/export_table.h"

#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/contact/foot.h"
#include "analysis/stats/joint_series.h"

/* ---- What the clip holds of a joint at a frame: its arrays, each as one or more columns ---- */

enum { MOST_GROUPS = 16, MOST_NAMES = 4 };

typedef enum GroupKind {
    GROUP_VECTOR,     /* in world axes always */
    GROUP_TURNED,     /* in the axes that were asked for */
    GROUP_NUMBER,
    GROUP_QUATERNION,
    GROUP_FLAG,       /* of the frame, not of the joint */
    GROUP_TRUST,      /* of the joint in the frame */
} GroupKind;

/* What the floating base carries is the residual, never a torque or power of its joint. */
typedef enum GroupOf { OF_ALL, OF_SEGMENTS, OF_BASE } GroupOf;

typedef struct Group {
    GroupKind kind;
    GroupOf of;
    const char *name[MOST_NAMES]; /* one for each number, then NULL */
    const void *array;            /* [frame][joint]; GROUP_FLAG: [frame] */
} Group;

/* A clip as columns. */
typedef struct Groups {
    const Clip *clip;
    ExportFrame frame;
    int count;
    Group group[MOST_GROUPS];
    unsigned char *is_base; /* [joint] joint_carries_residual */
    Arena arena;            /* of it */
} Groups;

static void add_group(Groups *g, Group group)
{
    g->group[g->count++] = group;
}

static void add_loads(Groups *g)
{
    const Dynamics *d = &g->clip->dynamics;
    add_group(g, (Group){GROUP_TURNED, OF_SEGMENTS, {"torque_x", "torque_y", "torque_z"}, d->torque});
    add_group(g, (Group){GROUP_TURNED, OF_SEGMENTS, {"force_x", "force_y", "force_z"}, d->force});
    add_group(g, (Group){GROUP_NUMBER, OF_SEGMENTS, {"power"}, d->power});
    add_group(g, (Group){GROUP_TURNED, OF_BASE, {"residual_torque_x", "residual_torque_y", "residual_torque_z"},
                         d->torque});
    add_group(g, (Group){GROUP_TURNED, OF_BASE, {"residual_force_x", "residual_force_y", "residual_force_z"},
                         d->force});
}

static Groups groups_of(const Clip *clip, ExportFrame frame)
{
    const Kinematics *k = &clip->kinematics;
    Groups g = {.clip = clip, .frame = frame};
    g.is_base = arena_array(&g.arena, (size_t)clip->skeleton.joint_count, 1, 1);
    for (int j = 0; g.is_base && j < clip->skeleton.joint_count; j++)
        g.is_base[j] = (unsigned char)joint_carries_residual(clip, j);
    if (!clip->has_kinematics) {
        add_group(&g, (Group){GROUP_QUATERNION, OF_ALL, {"rotation_w", "rotation_x", "rotation_y", "rotation_z"},
                              clip->motion.rotation});
    } else {
        add_group(&g, (Group){GROUP_VECTOR, OF_ALL, {"position_x", "position_y", "position_z"}, k->position});
        add_group(&g, (Group){GROUP_TURNED, OF_ALL, {"angular_velocity_x", "angular_velocity_y", "angular_velocity_z"},
                              k->angular_velocity});
        add_group(&g, (Group){GROUP_TURNED, OF_ALL,
                              {"angular_acceleration_x", "angular_acceleration_y", "angular_acceleration_z"},
                              k->angular_acceleration});
    }
    if (clip->has_dynamics)
        add_loads(&g);
    if (clip->has_kinematics)
        add_group(&g, (Group){.kind = GROUP_FLAG, .name = {"valid"}, .array = k->valid});
    if (clip->has_trust)
        add_group(&g, (Group){.kind = GROUP_TRUST, .name = {"trusted"}});
    return g;
}

/* Whether the joint has the group's figures; `joint` past the last stands for the frame. */
static int has_group(const Groups *g, const Group *group, int joint)
{
    if (joint == g->clip->skeleton.joint_count || group->kind == GROUP_FLAG)
        return joint == g->clip->skeleton.joint_count && group->kind == GROUP_FLAG;
    return group->of == OF_ALL || (group->of == OF_BASE) == g->is_base[joint];
}

/* Columns of a group. */
static int names_in(const Group *group)
{
    int count = 0;
    while (count < MOST_NAMES && group->name[count])
        count++;
    return count;
}

/* ---- Cells ---- */

static Status check_frame(const Clip *clip, ExportFrame frame, Error *err)
{
    if (frame != EXPORT_WORLD && !clip->has_kinematics)
        return error_set(err, STATUS_BAD_INPUT, "axes of %s need kinematics: run kane diff first",
                         frame == EXPORT_LOCAL ? "the joint" : "the parent");
    return STATUS_OK;
}

/* Turns a vector of a joint at frame number time from world axes into the axes of frame. Without kinematics the world
 * alone can be chosen. */
static Vec3 in_frame(const Clip *clip, ExportFrame frame, int time, int joint, Vec3 world)
{
    int axes = frame == EXPORT_LOCAL ? joint : clip->skeleton.parent[joint];
    if (frame == EXPORT_WORLD || axes < 0) /* the parent of the root is the world */
        return world;
    return quat_rotate_inverse(clip->kinematics.orientation[motion_index(&clip->motion, time, axes)], world);
}

static void put_vector(Sheet *sheet, Vec3 v)
{
    sheet_number(sheet, v.x);
    sheet_number(sheet, v.y);
    sheet_number(sheet, v.z);
}

static void put_quaternion(Sheet *sheet, Quat q)
{
    sheet_number(sheet, q.w);
    put_vector(sheet, vec3(q.x, q.y, q.z));
}

static void put_group(Sheet *sheet, const Groups *g, const Group *group, int time, int joint)
{
    const Clip *clip = g->clip;
    size_t i = motion_index(&clip->motion, time, joint);
    const Vec3 *vector = group->array;
    switch (group->kind) {
    case GROUP_VECTOR:     put_vector(sheet, vector[i]); break;
    case GROUP_TURNED:     put_vector(sheet, in_frame(clip, g->frame, time, joint, vector[i])); break;
    case GROUP_NUMBER:     sheet_number(sheet, ((const double *)group->array)[i]); break;
    case GROUP_QUATERNION: put_quaternion(sheet, ((const Quat *)group->array)[i]); break;
    case GROUP_FLAG:       sheet_integer(sheet, ((const uint8_t *)group->array)[time]); break;
    case GROUP_TRUST:      sheet_integer(sheet, !trust_joint_reason(&clip->trust, time, joint)); break;
    }
}

/* ---- Headers ---- */

/* Names of columns; those that are put together lie in the arena. */
typedef struct Header {
    const char **name;
    int count;
    Arena arena;
} Header;

/* Room for as many names. */
static Header header_of(int columns)
{
    Header header = {0};
    header.name = arena_array(&header.arena, (size_t)columns, 1, sizeof *header.name);
    return header;
}

/* name, or "joint_name". */
static void add_name(Header *header, const char *joint, const char *name)
{
    size_t size = joint ? strlen(joint) + strlen(name) + 2 : 0;
    char *joined = joint ? arena_array(&header->arena, size, 1, 1) : NULL;
    if (joined)
        snprintf(joined, size, "%s_%s", joint, name);
    if (header->name)
        header->name[header->count++] = joint ? joined : name;
}

/* Nothing is written without all names. Frees them. */
static Status begin(Sheet *sheet, const Clip *clip, SheetForm form, Header *header, FILE *stream, Error *err)
{
    SheetHead head = {clip->provenance.title, clip->motion.frame_count, header->count, header->name};
    if (header->arena.failed) {
        arena_free(&header->arena);
        return error_no_memory(err);
    }
    sheet_begin(sheet, form, stream, &head);
    return STATUS_OK;
}

static Status finish(Sheet *sheet, Header *header, Error *err)
{
    Status status = sheet_finish(sheet, err);
    arena_free(&header->arena);
    return status;
}

/* ---- Tables ---- */

static void put_long(Sheet *sheet, const Groups *g, int f, int j)
{
    const Clip *clip = g->clip;
    sheet_number(sheet, clip->motion.time[f]);
    sheet_integer(sheet, f);
    sheet_text(sheet, clip->skeleton.name[j]);
    sheet_text(sheet, role_name(clip->skeleton.role[j]));
    for (int c = 0; c < g->count; c++) {
        const Group *group = &g->group[c];
        if (group->kind == GROUP_FLAG || has_group(g, group, j))
            put_group(sheet, g, group, f, j);
        else
            for (int i = 0; i < names_in(group); i++)
                sheet_absent(sheet);
    }
}

Status export_table_long(const Clip *clip, SheetForm form, ExportFrame frame, FILE *stream, Error *err)
{
    const Skeleton *s = &clip->skeleton;
    const char *name[4 + MOST_NAMES * MOST_GROUPS] = {"time", "frame", "joint", "role"};
    Sheet sheet;
    Status status = check_frame(clip, frame, err);
    if (status)
        return status;
    Groups g = groups_of(clip, frame);
    if (g.arena.failed)
        return error_no_memory(err);
    SheetHead head = {clip->provenance.title, (long long)clip->motion.frame_count * s->joint_count, 4, name};
    for (int c = 0; c < g.count; c++)
        for (int i = 0; i < names_in(&g.group[c]); i++)
            name[head.column_count++] = g.group[c].name[i];
    sheet_begin(&sheet, form, stream, &head);
    for (int f = 0; f < clip->motion.frame_count; f++)
        for (int j = 0; j < s->joint_count; j++)
            put_long(&sheet, &g, f, j);
    arena_free(&g.arena);
    return sheet_finish(&sheet, err);
}

/* Time and frame, every joint's columns under its name, then what a frame has. */
static Header name_wide(const Groups *g)
{
    int joints = g->clip->skeleton.joint_count;
    Header header = header_of(2 + MOST_NAMES * g->count * (joints + 1));
    add_name(&header, NULL, "time");
    add_name(&header, NULL, "frame");
    for (int j = 0; j <= joints; j++)
        for (int c = 0; c < g->count; c++) {
            const Group *group = &g->group[c];
            for (int i = 0; i < names_in(group) && has_group(g, group, j); i++)
                add_name(&header, j == joints ? NULL : g->clip->skeleton.name[j], group->name[i]);
        }
    return header;
}

static void put_wide(Sheet *sheet, const Groups *g, int f)
{
    int joints = g->clip->skeleton.joint_count;
    sheet_number(sheet, g->clip->motion.time[f]);
    sheet_integer(sheet, f);
    for (int j = 0; j <= joints; j++)
        for (int c = 0; c < g->count; c++)
            if (has_group(g, &g->group[c], j))
                put_group(sheet, g, &g->group[c], f, j == joints ? 0 : j);
}

Status export_table_wide(const Clip *clip, SheetForm form, ExportFrame frame, FILE *stream, Error *err)
{
    Sheet sheet;
    Status status = check_frame(clip, frame, err);
    if (status)
        return status;
    Groups g = groups_of(clip, frame);
    if (g.arena.failed)
        return error_no_memory(err);
    Header header = name_wide(&g);
    status = begin(&sheet, clip, form, &header, stream, err);
    for (int f = 0; !status && f < clip->motion.frame_count; f++)
        put_wide(&sheet, &g, f);
    arena_free(&g.arena);
    return status ? status : finish(&sheet, &header, err);
}

/* Whether a row tells if its frame is trusted: OpenSim's files have the columns that OpenSim knows. */
static int tells_trust(const Clip *clip, SheetForm form) { return clip->has_trust && form != SHEET_STORAGE; }

static Header name_moments(const Clip *clip, SheetForm form)
{
    static const char *const own[] = {"Mx", "My", "Mz"}, *const base[] = {"residual_Mx", "residual_My", "residual_Mz"};
    const Skeleton *s = &clip->skeleton;
    Header header = header_of(2 + 3 * s->joint_count);
    add_name(&header, NULL, "time");
    for (int j = 0; j < s->joint_count; j++)
        for (int axis = 0; axis < 3; axis++)
            add_name(&header, s->name[j], (joint_carries_residual(clip, j) ? base : own)[axis]);
    if (tells_trust(clip, form))
        add_name(&header, NULL, "trusted");
    return header;
}

Status export_table_moments(const Clip *clip, SheetForm form, ExportFrame frame, FILE *stream, Error *err)
{
    Sheet sheet;
    if (!clip->has_dynamics)
        return error_set(err, STATUS_BAD_INPUT, "the clip has no torques: run kane torque first");
    Status status = check_frame(clip, frame, err);
    if (status)
        return status;
    Header header = name_moments(clip, form);
    status = begin(&sheet, clip, form, &header, stream, err);
    if (status)
        return status;
    for (int f = 0; f < clip->motion.frame_count; f++) {
        sheet_number(&sheet, clip->motion.time[f]);
        for (int j = 0; j < clip->skeleton.joint_count; j++) {
            Vec3 torque = clip->dynamics.torque[motion_index(&clip->motion, f, j)];
            put_vector(&sheet, in_frame(clip, frame, f, j, torque));
        }
        if (tells_trust(clip, form))
            sheet_integer(&sheet, clip->trust.trusted[f]);
    }
    return finish(&sheet, &header, err);
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

static const char *const force_names[] = {
    "time", "R_Fx", "R_Fy", "R_Fz", "R_COPx", "R_COPy", "R_COPz", "L_Fx", "L_Fy", "L_Fz", "L_COPx", "L_COPy", "L_COPz",
    "trusted",
};

static const char *const opensim_force_names[] = {
    "time",
    "ground_force_r_vx", "ground_force_r_vy", "ground_force_r_vz",
    "ground_force_r_px", "ground_force_r_py", "ground_force_r_pz",
    "ground_torque_r_x", "ground_torque_r_y", "ground_torque_r_z",
    "ground_force_l_vx", "ground_force_l_vy", "ground_force_l_vz",
    "ground_force_l_px", "ground_force_l_py", "ground_force_l_pz",
    "ground_torque_l_x", "ground_torque_l_y", "ground_torque_l_z",
};

Status export_table_forces(const Clip *clip, SheetForm form, FILE *stream, Error *err)
{
    static const int right_first[FOOT_COUNT] = {FOOT_RIGHT, FOOT_LEFT}; /* as force-plate files have it */
    int is_opensim = form == SHEET_STORAGE;
    SheetHead head = {clip->provenance.title, clip->motion.frame_count,
                      1 + (is_opensim ? 9 : 6) * FOOT_COUNT + tells_trust(clip, form),
                      is_opensim ? opensim_force_names : force_names};
    Status status = check_ground_forces(clip, err);
    if (status)
        return status;
    Sheet sheet;
    sheet_begin(&sheet, form, stream, &head);
    for (int f = 0; f < clip->motion.frame_count; f++) {
        sheet_number(&sheet, clip->motion.time[f]);
        for (int i = 0; i < FOOT_COUNT; i++) {
            size_t foot = (size_t)f * FOOT_COUNT + (size_t)right_first[i];
            put_vector(&sheet, clip->contact.foot_force[foot]);
            put_vector(&sheet, clip->contact.foot_cop[foot]);
            if (is_opensim)
                put_vector(&sheet, clip->contact.foot_free_moment[foot]);
        }
        if (tells_trust(clip, form))
            sheet_integer(&sheet, clip->trust.trusted[f]);
    }
    return sheet_finish(&sheet, err);
}
