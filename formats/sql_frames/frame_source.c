#include "formats/sql_frames/frame_source.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/stats/joint_series.h"

static Status read_times(FrameSource *s, Error *err)
{
    int dataset = schema_find(GROUP_ROOT, "time");
    if (!container_reader_has(s->reader, dataset))
        return error_set(err, STATUS_BAD_INPUT, "/time is missing");
    if (!(s->time = calloc((size_t)s->frame_count + 1, sizeof *s->time)))
        return error_no_memory(err);
    Status status = container_reader_rows(s->reader, dataset, 0, s->frame_count, s->time, err);
    for (int f = 1; f < s->frame_count && status == STATUS_OK; f++)
        if (s->time[f] <= s->time[f - 1])
            status = error_set(err, STATUS_BAD_INPUT, "/time does not grow at frame %d", f);
    return status;
}

static Status read_names(FrameSource *s, Error *err)
{
    int dataset = schema_find(GROUP_ROOT, "joint");
    const char *text = container_reader_has(s->reader, dataset) ? container_reader_labels(s->reader, dataset) : NULL;
    if (!text)
        return error_set(err, STATUS_BAD_INPUT, "/joint is missing or damaged");
    if (!(s->name = calloc((size_t)s->joint_count + 1, sizeof *s->name)))
        return error_no_memory(err);
    for (int j = 0; j < s->joint_count; j++, text += strlen(text) + 1)
        s->name[j] = text;
    return STATUS_OK;
}

static Status read_roles(FrameSource *s, Error *err)
{
    int dataset = schema_find(GROUP_SKELETON, "role");
    const char *text = container_reader_has(s->reader, dataset) ? container_reader_labels(s->reader, dataset) : NULL;
    if (!text)
        return error_set(err, STATUS_BAD_INPUT, "/skeleton/role is missing or damaged");
    if (!(s->role = calloc((size_t)s->joint_count + 1, sizeof *s->role)))
        return error_no_memory(err);
    for (int j = 0; j < s->joint_count; j++, text += strlen(text) + 1) {
        s->role[j] = role_from_name(text);
        if (s->role[j] == ROLE_NONE && *text)
            return error_set(err, STATUS_BAD_INPUT, "/skeleton/role names a role that is not known");
    }
    return STATUS_OK;
}

/* A row of a joint each, as it stands in a skeleton or a body; zeros where the file has none. */
static Status read_joints(FrameSource *s, SchemaGroupId group, const char *name, double *out, Error *err)
{
    int dataset = schema_find(group, name);
    return container_reader_has(s->reader, dataset)
               ? container_reader_rows(s->reader, dataset, 0, s->joint_count, out, err) : STATUS_OK;
}

/* Which joints carry the residual of the floating base, asked of a clip that has no more than that takes. */
static Status read_base(FrameSource *s, Error *err)
{
    Arena arena = {0};
    size_t joints = (size_t)s->joint_count;
    double *parent = arena_array(&arena, joints, 1, sizeof *parent);
    double *mass = arena_array(&arena, joints, 1, sizeof *mass);
    int *above = arena_array(&arena, joints, 1, sizeof *above);
    s->is_base = calloc(joints + 1, 1);
    Status status = arena.failed || !s->is_base ? error_no_memory(err) : STATUS_OK;
    if (!status)
        status = read_joints(s, GROUP_SKELETON, "parent", parent, err);
    if (!status)
        status = read_joints(s, GROUP_BODY, "mass", mass, err);
    for (int j = 0; j < s->joint_count && !status; j++) {
        above[j] = (int)parent[j];
        if (!(parent[j] >= -1 && parent[j] < j))
            status = error_set(err, STATUS_BAD_INPUT, "/skeleton/parent is no tree");
    }
    Clip clip = {.skeleton = {.joint_count = s->joint_count, .parent = above, .role = s->role}, .body.mass = mass,
                 .has_body = container_reader_has(s->reader, schema_find(GROUP_BODY, "mass"))};
    for (int j = 0; j < s->joint_count && !status; j++)
        s->is_base[j] = (unsigned char)joint_carries_residual(&clip, j);
    arena_free(&arena);
    return status;
}

static Status read_points(FrameSource *s, Error *err)
{
    int dataset = schema_find(GROUP_CONTACT, "point_joint");
    if (s->point_count == 0 || !container_reader_has(s->reader, dataset))
        return STATUS_OK;
    if (!(s->point_joint = calloc((size_t)s->point_count, sizeof *s->point_joint)))
        return error_no_memory(err);
    Status status = container_reader_rows(s->reader, dataset, 0, s->point_count, s->point_joint, err);
    for (int p = 0; p < s->point_count && status == STATUS_OK; p++)
        if (!(s->point_joint[p] >= 0 && s->point_joint[p] < s->joint_count))
            status = error_set(err, STATUS_BAD_INPUT, "/contact/point_joint names a joint that is not there");
    return status;
}

/* Three coordinates side by side belong to a joint. */
static Status read_coordinates(FrameSource *s, Error *err)
{
    int dataset = schema_find(GROUP_ANATOMY, "joint_index");
    int count = container_reader_has(s->reader, dataset) ? container_reader_size(s->reader, DIM_COORDINATE) : 0;
    double joint[COORDINATE_COUNT];
    if (!(s->first_coordinate = calloc((size_t)s->joint_count + 1, sizeof *s->first_coordinate)))
        return error_no_memory(err);
    for (int j = 0; j < s->joint_count; j++)
        s->first_coordinate[j] = -1;
    if (count <= 0)
        return STATUS_OK;
    if (count > COORDINATE_COUNT || count > COORDINATES_PER_JOINT * s->joint_count || count % COORDINATES_PER_JOINT)
        return error_set(err, STATUS_BAD_INPUT, "/anatomy has %d coordinates", count);
    Status status = container_reader_rows(s->reader, dataset, 0, count, joint, err);
    for (int i = count - COORDINATES_PER_JOINT; i >= 0 && status == STATUS_OK; i -= COORDINATES_PER_JOINT) {
        if (!(joint[i] >= 0 && joint[i] < s->joint_count))
            return error_set(err, STATUS_BAD_INPUT, "/anatomy/joint_index names a joint that is not there");
        s->first_coordinate[(int)joint[i]] = i;
    }
    s->coordinate_count = count;
    return status;
}

Status frame_source_open(const char *path, FrameSource **out, Error *err)
{
    FrameSource *s = *out = calloc(1, sizeof *s);
    if (!s)
        return error_no_memory(err);
    s->users = 1;
    Status status = container_reader_open(path, &s->reader, err);
    if (status == STATUS_OK) {
        s->frame_count = container_reader_size(s->reader, DIM_FRAME);
        s->joint_count = container_reader_size(s->reader, DIM_JOINT);
        s->point_count = container_reader_size(s->reader, DIM_POINT);
        status = read_times(s, err);
    }
    if (status == STATUS_OK)
        status = read_names(s, err);
    if (status == STATUS_OK)
        status = read_roles(s, err);
    if (status == STATUS_OK)
        status = read_base(s, err);
    if (status == STATUS_OK)
        status = read_points(s, err);
    if (status == STATUS_OK)
        status = read_coordinates(s, err);
    if (status) {
        frame_source_release(s);
        *out = NULL;
    }
    return status;
}

void frame_source_release(FrameSource *s)
{
    if (!s || --s->users > 0)
        return;
    container_reader_close(s->reader);
    free(s->time);
    free(s->name);
    free(s->role);
    free(s->is_base);
    free(s->point_joint);
    free(s->first_coordinate);
    free(s);
}
