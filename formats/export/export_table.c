#include "formats/export/export_table.h"

#include <stdio.h>
#include <string.h>

#include "analysis/stats/joint_series.h"
#include "formats/export/sheet_header.h"

/* ---- What the clip holds of a joint at a frame: its arrays, each as one or more columns ---- */

enum { MOST_GROUPS = 16, MOST_NAMES = 4 };

typedef enum GroupKind {
    GROUP_VECTOR,     /* in world axes always */
    GROUP_TURNED,     /* in the axes that were asked for */
    GROUP_NUMBER,
    GROUP_QUATERNION,
    GROUP_FLAG,       /* this and the next of the frame, not of the joint */
    GROUP_SHARE,
    GROUP_TRUST,      /* of the joint in the frame */
} GroupKind;

/* What the floating base carries is the residual, never a torque or power of its joint. */
typedef enum GroupOf { OF_ALL, OF_SEGMENTS, OF_BASE } GroupOf;

typedef struct Group {
    GroupKind kind;
    GroupOf of;
    const char *name; /* "torque" */
    const char *unit; /* as it ends a name, "_nm" */
    const void *array; /* [frame][joint]; of the frame: [frame] */
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
    add_group(g, (Group){GROUP_TURNED, OF_SEGMENTS, "torque", "_nm", d->torque});
    add_group(g, (Group){GROUP_TURNED, OF_SEGMENTS, "force", "_n", d->force});
    add_group(g, (Group){GROUP_NUMBER, OF_SEGMENTS, "power", "_w", d->power});
    add_group(g, (Group){GROUP_TURNED, OF_BASE, "residual_torque", "_nm", d->residual_torque});
    add_group(g, (Group){GROUP_TURNED, OF_BASE, "residual_force", "_n", d->residual_force});
}

/* [joint] joint_carries_residual; NULL without memory. */
static unsigned char *find_bases(const Clip *clip, Arena *arena)
{
    unsigned char *is_base = arena_array(arena, (size_t)clip->skeleton.joint_count, 1, 1);
    for (int j = 0; is_base && j < clip->skeleton.joint_count; j++)
        is_base[j] = (unsigned char)joint_carries_residual(clip, j);
    return is_base;
}

static Groups groups_of(const Clip *clip, ExportFrame frame)
{
    const Kinematics *k = &clip->kinematics;
    Groups g = {.clip = clip, .frame = frame};
    g.is_base = find_bases(clip, &g.arena);
    if (!clip->has_kinematics) {
        add_group(&g, (Group){GROUP_QUATERNION, OF_ALL, "rotation", "", clip->motion.rotation});
    } else {
        add_group(&g, (Group){GROUP_VECTOR, OF_ALL, "position", "_m", k->position});
        add_group(&g, (Group){GROUP_TURNED, OF_ALL, "angular_velocity", "_rad_s", k->angular_velocity});
        add_group(&g, (Group){GROUP_TURNED, OF_ALL, "angular_acceleration", "_rad_s2", k->angular_acceleration});
    }
    if (clip->has_dynamics)
        add_loads(&g);
    if (clip->has_kinematics)
        add_group(&g, (Group){GROUP_FLAG, OF_ALL, "valid", "", k->valid});
    if (clip->has_contact)
        add_group(&g, (Group){GROUP_SHARE, OF_ALL, "confidence", "", clip->contact.confidence});
    if (clip->has_trust)
        add_group(&g, (Group){GROUP_TRUST, OF_ALL, "trusted", "", NULL});
    return g;
}

static int is_of_frame(const Group *group) { return group->kind == GROUP_FLAG || group->kind == GROUP_SHARE; }

/* Whether the joint has the group's figures; `joint` past the last stands for the frame. */
static int has_group(const Groups *g, const Group *group, int joint)
{
    if (joint == g->clip->skeleton.joint_count || is_of_frame(group))
        return joint == g->clip->skeleton.joint_count && is_of_frame(group);
    return group->of == OF_ALL || (group->of == OF_BASE) == g->is_base[joint];
}

/* What stands at the end of the names of a group, a letter a column: "xyz"; "" for one without. */
static const char *letters_of(const Group *group)
{
    switch (group->kind) {
    case GROUP_VECTOR:
    case GROUP_TURNED: return "xyz";
    case GROUP_QUATERNION: return "wxyz";
    default: return "";
    }
}

static int columns_in(const Group *group)
{
    int count = (int)strlen(letters_of(group));
    return count ? count : 1;
}

/* "torque_x"; where names tell units and axes "torque_world_x_nm". */
static void name_group(const Groups *g, const Group *group, const char *joint, SheetForm form, SheetHeader *header)
{
    int tells = sheet_names_units(form);
    const char *gap = joint ? "_" : "", *letter = letters_of(group);
    const char *axes = group->kind == GROUP_QUATERNION ? "parent"
                       : group->kind == GROUP_TURNED   ? export_frame_name(g->frame) : "world";
    joint = joint ? joint : "";
    if (!*letter)
        sheet_header_add(header, "%s%s%s%s", joint, gap, group->name, tells ? group->unit : "");
    for (; *letter; letter++)
        sheet_header_add(header, "%s%s%s_%s%s%c%s", joint, gap, group->name, tells ? axes : "", tells ? "_" : "",
                         *letter, tells ? group->unit : "");
}

/* For the form whose names do not tell it. */
static void describe_columns(const Groups *g, char *text, size_t size)
{
    if (!g->clip->has_kinematics)
        snprintf(text, size, "s; rotation to the axes of the parent, unit quaternion");
    else
        snprintf(text, size, "s, m, rad/s, rad/s2, Nm, N, W; torque and force of the parent on the segment about the "
                 "joint's centre, residual about the centre of mass; axes: %s, of positions world (that is "
                 "right-handed, y up)",
                 export_frame_name(g->frame));
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
    size_t i = group->of == OF_BASE ? (size_t)time : motion_index(&clip->motion, time, joint);
    const Vec3 *vector = group->array;
    switch (group->kind) {
    case GROUP_VECTOR:     put_vector(sheet, vector[i]); break;
    case GROUP_TURNED:     put_vector(sheet, in_frame(clip, g->frame, time, joint, vector[i])); break;
    case GROUP_NUMBER:     sheet_number(sheet, ((const double *)group->array)[i]); break;
    case GROUP_QUATERNION: put_quaternion(sheet, ((const Quat *)group->array)[i]); break;
    case GROUP_FLAG:       sheet_integer(sheet, ((const uint8_t *)group->array)[time]); break;
    case GROUP_SHARE:      sheet_number(sheet, ((const double *)group->array)[time]); break;
    case GROUP_TRUST:      sheet_integer(sheet, !trust_joint_reason(&clip->trust, time, joint)); break;
    }
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
        if (is_of_frame(group) || has_group(g, group, j))
            put_group(sheet, g, group, f, j);
        else
            for (int i = 0; i < columns_in(group); i++)
                sheet_absent(sheet);
    }
}

static SheetHeader name_long(const Groups *g, SheetForm form)
{
    static const char *const first[] = {"frame", "joint", "role"};
    SheetHeader header = sheet_header_of(4 + MOST_NAMES * MOST_GROUPS);
    sheet_header_add(&header, sheet_names_units(form) ? "time_s" : "time");
    for (int i = 0; i < 3; i++)
        sheet_header_add(&header, "%s", first[i]);
    for (int c = 0; c < g->count; c++)
        name_group(g, &g->group[c], NULL, form, &header);
    return header;
}

Status export_table_long(const Clip *clip, SheetForm form, ExportFrame frame, FILE *stream, Error *err)
{
    const Skeleton *s = &clip->skeleton;
    char comment[256];
    Sheet sheet;
    Status status = check_frame(clip, frame, err);
    if (status)
        return status;
    Groups g = groups_of(clip, frame);
    if (g.arena.failed)
        return error_no_memory(err);
    describe_columns(&g, comment, sizeof comment);
    SheetHeader header = name_long(&g, form);
    SheetHead head = {.title = clip->provenance.title, .comment = comment,
                      .row_count = (long long)clip->motion.frame_count * s->joint_count};
    status = sheet_header_begin(&header, &sheet, form, stream, head, err);
    for (int f = 0; !status && f < clip->motion.frame_count; f++)
        for (int j = 0; j < s->joint_count; j++)
            put_long(&sheet, &g, f, j);
    arena_free(&g.arena);
    return status ? status : sheet_header_finish(&header, &sheet, err);
}

/* Time and frame, every joint's columns under its name, then what a frame has. */
static SheetHeader name_wide(const Groups *g, SheetForm form)
{
    int joints = g->clip->skeleton.joint_count;
    SheetHeader header = sheet_header_of(2 + MOST_NAMES * g->count * (joints + 1));
    sheet_header_add(&header, sheet_names_units(form) ? "time_s" : "time");
    sheet_header_add(&header, "frame");
    for (int j = 0; j <= joints; j++)
        for (int c = 0; c < g->count; c++)
            if (has_group(g, &g->group[c], j))
                name_group(g, &g->group[c], j == joints ? NULL : g->clip->skeleton.name[j], form, &header);
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
    char comment[256];
    Sheet sheet;
    Status status = check_frame(clip, frame, err);
    if (status)
        return status;
    Groups g = groups_of(clip, frame);
    if (g.arena.failed)
        return error_no_memory(err);
    describe_columns(&g, comment, sizeof comment);
    SheetHeader header = name_wide(&g, form);
    SheetHead head = {.title = clip->provenance.title, .row_count = clip->motion.frame_count, .comment = comment};
    status = sheet_header_begin(&header, &sheet, form, stream, head, err);
    for (int f = 0; !status && f < clip->motion.frame_count; f++)
        put_wide(&sheet, &g, f);
    arena_free(&g.arena);
    return status ? status : sheet_header_finish(&header, &sheet, err);
}

void export_name_quality(const Clip *clip, SheetForm form, SheetHeader *header)
{
    if (form != SHEET_STORAGE && clip->has_contact)
        sheet_header_add(header, "confidence");
    if (form != SHEET_STORAGE && clip->has_trust)
        sheet_header_add(header, "trusted");
}

void export_put_quality(const Clip *clip, SheetForm form, int frame, Sheet *sheet)
{
    if (form != SHEET_STORAGE && clip->has_contact)
        sheet_number(sheet, clip->contact.confidence[frame]);
    if (form != SHEET_STORAGE && clip->has_trust)
        sheet_integer(sheet, clip->trust.trusted[frame]);
}

/* "LeftLeg_Mx", or "LeftLeg_moment_world_x_nm". */
static SheetHeader name_moments(const Clip *clip, SheetForm form, ExportFrame frame)
{
    const Skeleton *s = &clip->skeleton;
    SheetHeader header = sheet_header_of(3 + 3 * s->joint_count);
    int tells = sheet_names_units(form);
    sheet_header_add(&header, tells ? "time_s" : "time");
    for (int j = 0; j < s->joint_count; j++) {
        char stem[40];
        const char *residual = joint_carries_residual(clip, j) ? "_residual" : "";
        if (tells)
            snprintf(stem, sizeof stem, "%s_moment_%s_", residual, export_frame_name(frame));
        else
            snprintf(stem, sizeof stem, "%s_M", residual);
        sheet_header_add_vector(&header, s->name[j], stem, tells ? "_nm" : "");
    }
    export_name_quality(clip, form, &header);
    return header;
}

static void put_moments(Sheet *sheet, const Clip *clip, const unsigned char *is_base, ExportFrame frame, int f)
{
    const Dynamics *d = &clip->dynamics;
    for (int j = 0; j < clip->skeleton.joint_count; j++) {
        Vec3 moment = is_base[j] ? d->residual_torque[f] : d->torque[motion_index(&clip->motion, f, j)];
        put_vector(sheet, in_frame(clip, frame, f, j, moment));
    }
}

Status export_table_moments(const Clip *clip, SheetForm form, ExportFrame frame, FILE *stream, Error *err)
{
    char comment[256];
    Sheet sheet;
    if (!clip->has_dynamics)
        return error_set(err, STATUS_BAD_INPUT, "the clip has no torques: run kane torque first");
    Status status = check_frame(clip, frame, err);
    if (status)
        return status;
    snprintf(comment, sizeof comment, "s, Nm; moment of the parent on the segment about the joint's centre, residual "
             "about the centre of mass; axes: "
             "%s (the world is right-handed, y up)", export_frame_name(frame));
    SheetHeader header = name_moments(clip, form, frame);
    SheetHead head = {.title = clip->provenance.title, .row_count = clip->motion.frame_count, .comment = comment};
    status = sheet_header_begin(&header, &sheet, form, stream, head, err);
    if (status)
        return status;
    Arena arena = {0};
    unsigned char *is_base = find_bases(clip, &arena);
    for (int f = 0; is_base && f < clip->motion.frame_count; f++) {
        sheet_number(&sheet, clip->motion.time[f]);
        put_moments(&sheet, clip, is_base, frame, f);
        export_put_quality(clip, form, f, &sheet);
    }
    arena_free(&arena);
    status = sheet_header_finish(&header, &sheet, err);
    return status || is_base ? status : error_no_memory(err);
}
