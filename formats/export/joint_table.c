/* Joint quantities and moments: long tables by frame and joint, and tables with a row per frame (export_internal.h). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/stats/joint_series.h"
#include "formats/export/export_internal.h"

enum { MAX_GROUPS = 16, MAX_NAMES = 4 };

typedef enum GroupKind {
    GROUP_VECTOR,     /* always in world axes */
    GROUP_TURNED,     /* in the axes of ExportFrame */
    GROUP_NUMBER,
    GROUP_QUATERNION,
    GROUP_FLAG,       /* per frame, not per joint, as is the next */
    GROUP_FRACTION,
    GROUP_TRUST,      /* per frame and joint */
} GroupKind;

/* Joints to which a group applies. The load of the floating base is a residual, not a joint torque or power. */
typedef enum GroupOf { OF_ALL, OF_SEGMENTS, OF_BASE } GroupOf;

typedef struct Group {
    GroupKind kind;
    GroupOf of;
    const char *name; /* "torque" */
    const char *unit; /* suffix of names, "_nm" */
    const void *array; /* [frame][joint], or [frame] */
} Group;

/* A clip as columns. */
typedef struct Groups {
    const Clip *clip;
    ExportFrame frame;
    int count;
    Group group[MAX_GROUPS];
    unsigned char *is_base; /* [joint] joint_carries_residual */
    Arena arena;            /* owns is_base */
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

/* Returns [joint] joint_carries_residual; NULL if memory runs out. */
static unsigned char *find_bases(const Clip *clip, Arena *arena)
{
    unsigned char *is_base = arena_array(arena, (size_t)clip->skeleton.joint_count, 1, 1);
    for (int j = 0; is_base && j < clip->skeleton.joint_count; j++)
        is_base[j] = (unsigned char)joint_carries_residual(clip, j);
    return is_base;
}

static Groups column_groups(const Clip *clip, ExportFrame frame)
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
        add_group(&g, (Group){GROUP_FRACTION, OF_ALL, "confidence", "", clip->contact.confidence});
    if (clip->has_trust)
        add_group(&g, (Group){GROUP_TRUST, OF_ALL, "trusted", "", NULL});
    return g;
}

static int is_of_frame(const Group *group) { return group->kind == GROUP_FLAG || group->kind == GROUP_FRACTION; }

/* Returns 1 if the group has columns for the joint; joint == joint_count: for the frame. */
static int has_group(const Groups *g, const Group *group, int joint)
{
    if (joint == g->clip->skeleton.joint_count || is_of_frame(group))
        return joint == g->clip->skeleton.joint_count && is_of_frame(group);
    return group->of == OF_ALL || (group->of == OF_BASE) == g->is_base[joint];
}

/* Returns one letter per column, the ends of their names: "xyz"; "" for a scalar. */
static const char *group_letters(const Group *group)
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
    int count = (int)strlen(group_letters(group));
    return count ? count : 1;
}

/* Adds names such as "torque_x", or "torque_world_x_nm" if names contain units and axes. */
static void name_group(const Groups *g, const Group *group, const char *joint, RowForm form, RowHeader *header)
{
    int with_units = row_writer_names_units(form);
    const char *gap = joint ? "_" : "", *letter = group_letters(group);
    const char *axes = group->kind == GROUP_QUATERNION ? "parent"
                       : group->kind == GROUP_TURNED   ? export_frame_name(g->frame) : "world";
    joint = joint ? joint : "";
    if (!*letter)
        row_header_add(header, "%s%s%s%s", joint, gap, group->name, with_units ? group->unit : "");
    for (; *letter; letter++)
        row_header_add(header, "%s%s%s_%s%s%c%s", joint, gap, group->name, with_units ? axes : "",
                       with_units ? "_" : "", *letter, with_units ? group->unit : "");
}

/* Writes the comment with units and axes, for the form whose names do not contain them. */
static void describe_columns(const Groups *g, char *text, size_t size)
{
    if (!g->clip->has_kinematics)
        snprintf(text, size, "s; rotation to the axes of the parent, unit quaternion");
    else
        snprintf(text, size, "s, m, rad/s, rad/s2, N m, N, W; torque and force of the parent on the segment about the "
                 "joint's centre, residual about the centre of mass; axes: %s, of positions world (that is "
                 "right-handed, y up)",
                 export_frame_name(g->frame));
}

/* ---- Cells ---- */

static Status check_frame(const Clip *clip, ExportFrame frame, Error *err)
{
    if (frame != EXPORT_WORLD && !clip->has_kinematics)
        return error_set(err, STATUS_BAD_INPUT, "axes of %s need kinematics: run kane kinematics first",
                         frame == EXPORT_LOCAL ? "the joint" : "the parent");
    return STATUS_OK;
}

/* Rotates a vector of a joint from world axes into those of `frame`, at frame number time. Only EXPORT_WORLD works
 * without kinematics. */
static Vec3 in_frame(const Clip *clip, ExportFrame frame, int time, int joint, Vec3 world)
{
    int axes = frame == EXPORT_LOCAL ? joint : clip->skeleton.parent[joint];
    if (frame == EXPORT_WORLD || axes < 0) /* the parent of the root is the world */
        return world;
    return quat_rotate_inverse(clip->kinematics.orientation[motion_index(&clip->motion, time, axes)], world);
}

static void put_quaternion(RowWriter *sheet, Quat q)
{
    row_writer_number(sheet, q.w);
    row_writer_vector(sheet, vec3(q.x, q.y, q.z));
}

static void put_group(RowWriter *sheet, const Groups *g, const Group *group, int time, int joint)
{
    const Clip *clip = g->clip;
    size_t i = group->of == OF_BASE ? (size_t)time : motion_index(&clip->motion, time, joint);
    const Vec3 *vector = group->array;
    switch (group->kind) {
    case GROUP_VECTOR:     row_writer_vector(sheet, vector[i]); break;
    case GROUP_TURNED:     row_writer_vector(sheet, in_frame(clip, g->frame, time, joint, vector[i])); break;
    case GROUP_NUMBER:     row_writer_number(sheet, ((const double *)group->array)[i]); break;
    case GROUP_QUATERNION: put_quaternion(sheet, ((const Quat *)group->array)[i]); break;
    case GROUP_FLAG:       row_writer_integer(sheet, ((const uint8_t *)group->array)[time]); break;
    case GROUP_FRACTION:   row_writer_number(sheet, ((const double *)group->array)[time]); break;
    case GROUP_TRUST:      row_writer_integer(sheet, !trust_joint_reason(&clip->trust, time, joint)); break;
    }
}

/* ---- Tables ---- */

static void put_joint(RowWriter *sheet, const Groups *g, int f, int j)
{
    const Clip *clip = g->clip;
    row_writer_number(sheet, clip->motion.time[f]);
    row_writer_integer(sheet, f);
    row_writer_text(sheet, clip->skeleton.name[j]);
    row_writer_text(sheet, role_name(clip->skeleton.role[j]));
    for (int c = 0; c < g->count; c++) {
        const Group *group = &g->group[c];
        if (is_of_frame(group) || has_group(g, group, j))
            put_group(sheet, g, group, f, j);
        else
            for (int i = 0; i < columns_in(group); i++)
                row_writer_absent(sheet);
    }
}

static void put_long(RowWriter *sheet, const Groups *g, int f)
{
    for (int j = 0; j < g->clip->skeleton.joint_count; j++)
        put_joint(sheet, g, f, j);
}

static RowHeader name_long(const Groups *g, RowForm form)
{
    static const char *const first[] = {"frame", "joint", "role"};
    RowHeader header = row_header(4 + MAX_NAMES * MAX_GROUPS);
    row_header_add(&header, row_writer_names_units(form) ? "time_s" : "time");
    for (int i = 0; i < 3; i++)
        row_header_add(&header, "%s", first[i]);
    for (int c = 0; c < g->count; c++)
        name_group(g, &g->group[c], NULL, form, &header);
    return header;
}

/* Adds time and frame, the columns of each joint under its name, then those per frame. */
static RowHeader name_wide(const Groups *g, RowForm form)
{
    int joints = g->clip->skeleton.joint_count;
    RowHeader header = row_header(2 + MAX_NAMES * g->count * (joints + 1));
    row_header_add(&header, row_writer_names_units(form) ? "time_s" : "time");
    row_header_add(&header, "frame");
    for (int j = 0; j <= joints; j++)
        for (int c = 0; c < g->count; c++)
            if (has_group(g, &g->group[c], j))
                name_group(g, &g->group[c], j == joints ? NULL : g->clip->skeleton.name[j], form, &header);
    return header;
}

static void put_wide(RowWriter *sheet, const Groups *g, int f)
{
    int joints = g->clip->skeleton.joint_count;
    row_writer_number(sheet, g->clip->motion.time[f]);
    row_writer_integer(sheet, f);
    for (int j = 0; j <= joints; j++)
        for (int c = 0; c < g->count; c++)
            if (has_group(g, &g->group[c], j))
                put_group(sheet, g, &g->group[c], f, j == joints ? 0 : j);
}

/* The rows of a table: their columns, their number per frame, and what writes those of a frame. */
typedef struct Layout {
    RowHeader (*name)(const Groups *g, RowForm form);
    void (*put)(RowWriter *sheet, const Groups *g, int f);
    int rows;
} Layout;

static Status write_table(const Layout *layout, const Clip *clip, RowForm form, ExportFrame frame, FILE *stream,
                          Error *err)
{
    char comment[256];
    RowWriter sheet;
    Status status = check_frame(clip, frame, err);
    if (status)
        return status;
    Groups g = column_groups(clip, frame);
    if (g.arena.failed)
        return error_no_memory(err);
    describe_columns(&g, comment, sizeof comment);
    RowHeader header = layout->name(&g, form);
    RowHead head = {.title = clip->provenance.title,
                    .comment = comment,
                    .row_count = (long long)clip->motion.frame_count * layout->rows};
    status = row_header_begin(&header, &sheet, form, stream, head, err);
    for (int f = 0; !status && f < clip->motion.frame_count; f++)
        layout->put(&sheet, &g, f);
    arena_free(&g.arena);
    return status ? status : row_header_finish(&header, &sheet, err);
}

Status export_table_long(const Clip *clip, RowForm form, ExportFrame frame, FILE *stream, Error *err)
{
    return write_table(&(Layout){name_long, put_long, clip->skeleton.joint_count}, clip, form, frame, stream, err);
}

Status export_table_wide(const Clip *clip, RowForm form, ExportFrame frame, FILE *stream, Error *err)
{
    return write_table(&(Layout){name_wide, put_wide, 1}, clip, form, frame, stream, err);
}

void export_name_quality(const Clip *clip, RowForm form, RowHeader *header)
{
    if (form != ROW_STORAGE && clip->has_contact)
        row_header_add(header, "confidence");
    if (form != ROW_STORAGE && clip->has_trust)
        row_header_add(header, "trusted");
}

void export_put_quality(const Clip *clip, RowForm form, int frame, RowWriter *sheet)
{
    if (form != ROW_STORAGE && clip->has_contact)
        row_writer_number(sheet, clip->contact.confidence[frame]);
    if (form != ROW_STORAGE && clip->has_trust)
        row_writer_integer(sheet, clip->trust.trusted[frame]);
}

/* ---- Degrees of freedom of a model ---- */

int export_has_dofs(const Clip *clip, const double *value)
{
    return clip->has_dof && value && clip->dof.count > 0 && clip->dof.kind[0] != DOF_UNKNOWN;
}

/* Returns 1 if the joint has degrees of freedom with generalised forces. */
static int has_rows(const Clip *clip, int joint)
{
    for (int i = 0; export_has_dofs(clip, clip->dof.effort) && i < clip->dof.count; i++)
        if (clip->dof.joint[i] == joint)
            return 1;
    return 0;
}

/* Adds OpenSim's names of generalised forces: "elbow_moment", "rail_force"; with units "elbow_moment_nm". */
static void name_efforts(const Clip *clip, int joint, int with_units, RowHeader *header)
{
    const Dofs *d = &clip->dof;
    for (int i = 0; i < d->count; i++)
        if (d->joint[i] == joint)
            row_header_add(header, "%s_%s%s", d->name[i], dofs_is_rotation(d, i) ? "moment" : "force",
                           !with_units ? "" : dofs_is_rotation(d, i) ? "_nm" : "_n");
}

static void put_efforts(RowWriter *sheet, const Clip *clip, int joint, int f)
{
    const Dofs *d = &clip->dof;
    for (int i = 0; i < d->count; i++)
        if (d->joint[i] == joint)
            row_writer_number(sheet, d->effort[dofs_index(d, f, i)]);
}

static RowHeader name_positions(const Clip *clip, RowForm form)
{
    const Dofs *d = &clip->dof;
    int with_units = row_writer_names_units(form);
    RowHeader header = row_header(3 + d->count);
    row_header_add(&header, with_units ? "time_s" : "time");
    for (int i = 0; i < d->count; i++)
        row_header_add(&header, "%s%s", d->name[i],
                       !with_units              ? ""
                       : dofs_is_rotation(d, i) ? "_angle_deg"
                                                : "_position_m");
    export_name_quality(clip, form, &header);
    return header;
}

Status export_table_positions(const Clip *clip, RowForm form, FILE *stream, Error *err)
{
    const Dofs *d = &clip->dof;
    RowWriter sheet;
    RowHeader header = name_positions(clip, form);
    RowHead head = {.title = clip->provenance.title,
                    .row_count = clip->motion.frame_count,
                    .comment = "s, degrees, m; degrees of freedom as the model counts them",
                    .is_degrees = 1};
    Status status = row_header_begin(&header, &sheet, form, stream, head, err);
    for (int f = 0; !status && f < clip->motion.frame_count; f++) {
        row_writer_number(&sheet, clip->motion.time[f]);
        for (int i = 0; i < d->count; i++)
            row_writer_number(&sheet, (dofs_is_rotation(d, i) ? 180 / PI : 1) * d->position[dofs_index(d, f, i)]);
        export_put_quality(clip, form, f, &sheet);
    }
    return status ? status : row_header_finish(&header, &sheet, err);
}

/* Returns 1 if the table has standard deviations of the torques' magnitudes; OpenSim files have only moments. */
static int has_moment_sd(const Clip *clip, RowForm form)
{
    return row_writer_names_units(form) && clip->dynamics.torque_sd;
}

/* Adds "LeftLeg_Mx", or "LeftLeg_moment_world_x_nm" and "LeftLeg_moment_sd_nm". */
static RowHeader name_moments(const Clip *clip, RowForm form, ExportFrame frame)
{
    const Skeleton *s = &clip->skeleton;
    RowHeader header = row_header(3 + 4 * s->joint_count + clip->dof.count);
    int with_units = row_writer_names_units(form);
    row_header_add(&header, with_units ? "time_s" : "time");
    for (int j = 0; j < s->joint_count; j++) {
        char stem[40];
        if (has_rows(clip, j)) {
            name_efforts(clip, j, with_units, &header);
            continue;
        }
        const char *residual = joint_carries_residual(clip, j) ? "_residual" : "";
        if (with_units)
            snprintf(stem, sizeof stem, "%s_moment_%s_", residual, export_frame_name(frame));
        else
            snprintf(stem, sizeof stem, "%s_M", residual);
        row_header_add_vector(&header, s->name[j], stem, with_units ? "_nm" : "");
        if (has_moment_sd(clip, form) && !*residual)
            row_header_add(&header, "%s_moment_sd_nm", s->name[j]);
    }
    export_name_quality(clip, form, &header);
    return header;
}

static void put_moments(RowWriter *sheet, const Clip *clip, RowForm form, const unsigned char *is_base,
                        ExportFrame frame, int f)
{
    const Dynamics *d = &clip->dynamics;
    for (int j = 0; j < clip->skeleton.joint_count; j++) {
        if (has_rows(clip, j)) {
            put_efforts(sheet, clip, j, f);
            continue;
        }
        size_t at = motion_index(&clip->motion, f, j);
        Vec3 moment = is_base[j] ? d->residual_torque[f] : d->torque[at];
        row_writer_vector(sheet, in_frame(clip, frame, f, j, moment));
        if (has_moment_sd(clip, form) && !is_base[j])
            row_writer_number(sheet, torque_sd_along(d->torque_sd[at], d->torque_correlation[at],
                                                     vec3_normalize(moment)));
    }
}

Status export_table_moments(const Clip *clip, RowForm form, ExportFrame frame, FILE *stream, Error *err)
{
    char comment[320];
    RowWriter sheet;
    if (!clip->has_dynamics)
        return error_set(err, STATUS_BAD_INPUT, "the clip has no torques: run kane torque first");
    Status status = check_frame(clip, frame, err);
    if (status)
        return status;
    snprintf(comment, sizeof comment, "s, N m; %smoment of the parent on the segment about the joint's centre, "
             "residual about the centre of mass; axes: "
             "%s (the world is right-handed, y up)",
             export_has_dofs(clip, clip->dof.effort) ? "generalised forces of degrees of freedom (N m, N); " : "",
             export_frame_name(frame));
    RowHeader header = name_moments(clip, form, frame);
    RowHead head = {.title = clip->provenance.title, .row_count = clip->motion.frame_count, .comment = comment};
    status = row_header_begin(&header, &sheet, form, stream, head, err);
    if (status)
        return status;
    Arena arena = {0};
    unsigned char *is_base = find_bases(clip, &arena);
    for (int f = 0; is_base && f < clip->motion.frame_count; f++) {
        row_writer_number(&sheet, clip->motion.time[f]);
        put_moments(&sheet, clip, form, is_base, frame, f);
        export_put_quality(clip, form, f, &sheet);
    }
    arena_free(&arena);
    status = row_header_finish(&header, &sheet, err);
    return status || is_base ? status : error_no_memory(err);
}
