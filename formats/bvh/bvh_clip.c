/* See bvh_clip.h. */
#include "formats/bvh/bvh_clip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"

/* ---- From BVH ---- */

/* Returns the axes of the joint's rotation channels in their order, followed by the axes it does not list. */
static void rotation_axes(const BvhChannel *channel, int count, int axis[3])
{
    BvhChannel all[BVH_MAX_CHANNELS];
    memcpy(all, channel, (size_t)count * sizeof *all);
    count = bvh_channels_complete(all, count, (BvhRequiredChannels){.rotations = 1});
    for (int i = 0, rotation = 0; i < count; i++)
        if (bvh_is_rotation(all[i]))
            axis[rotation++] = all[i] - BVH_XROTATION;
}

Status bvh_skeleton(const Bvh *bvh, Skeleton *out, Error *err)
{
    Status status = skeleton_init(out, bvh->joint_count, bvh->end_count, err);
    for (int j = 0; !status && j < bvh->joint_count; j++) {
        status = skeleton_set_name(out, j, bvh->name[j], err);
        out->parent[j] = bvh->parent[j];
        out->offset[j] = bvh->offset[j];
    }
    if (status || (status = skeleton_add_channels(out, err)))
        return status;
    for (int j = 0; j < bvh->joint_count; j++)
        out->channels[j] = bvh_channels_pack(bvh->channel + bvh->first_channel[j], bvh->joint_channels[j]);
    for (int e = 0; e < bvh->end_count; e++) {
        out->end_offset[e] = bvh->end_offset[e];
        out->end_parent[e] = bvh->end_parent[e];
    }
    return STATUS_OK;
}

Status bvh_channel_rows(const Bvh *bvh, ChannelRows *rows, EulerChannels **rotations, Error *err)
{
    EulerChannels *t = array_new((size_t)bvh->joint_count, 1, sizeof *t);
    *rotations = t;
    if (!t)
        return error_no_memory(err);
    for (int j = 0; j < bvh->joint_count; j++)
        for (int c = bvh->first_channel[j]; c < bvh->first_channel[j] + bvh->joint_channels[j]; c++)
            if (bvh_is_rotation(bvh->channel[c]) && t[j].count < EULER_MAX_CHANNELS) {
                t[j].axis[t[j].count] = bvh->channel[c] - BVH_XROTATION;
                t[j].column[t[j].count++] = c;
            }
    *rows = (ChannelRows){.frame_count = bvh->frame_count, .row_size = bvh->channel_count,
                          .joint_count = bvh->joint_count, .rotations = t, .value = bvh->value};
    return STATUS_OK;
}

double bvh_longest_offset(const Bvh *bvh)
{
    return vec3_longest(bvh->offset + 1, bvh->joint_count - 1);
}

static const double digits_of_offsets = 1e-5; /* fraction of the longest offset: rounding of decimal digits in a file */

static Status convert_rotations(const Bvh *bvh, Motion *motion, Error *err)
{
    ChannelRows rows;
    EulerChannels *rotations;
    Status status = bvh_channel_rows(bvh, &rows, &rotations, err);
    if (!status)
        euler_to_quat(&rows, LANES_AUTO, motion->rotation);
    free(rotations);
    return status;
}

/* A position channel: its column, joint and axis. */
typedef struct PositionChannel {
    int column, joint, axis;
} PositionChannel;

/* Lists the position channels in file order; NULL if memory runs out. */
static PositionChannel *list_positions(const Bvh *bvh, int *count)
{
    PositionChannel *position = array_new((size_t)bvh->channel_count, 1, sizeof *position);
    *count = 0;
    for (int j = 0; position && j < bvh->joint_count; j++)
        for (int c = bvh->first_channel[j]; c < bvh->first_channel[j] + bvh->joint_channels[j]; c++)
            if (!bvh_is_rotation(bvh->channel[c]))
                position[(*count)++] = (PositionChannel){c, j, bvh->channel[c] - BVH_XPOSITION};
    return position;
}

/* Copies positions. The root position is that of the channels alone; children without position channels have their
 * offset. */
static void copy_positions(const Bvh *bvh, const PositionChannel *channel, int count, Motion *out)
{
    size_t joints = (size_t)bvh->joint_count;
    for (int f = 0; f < bvh->frame_count; f++) {
        const double *row = bvh->value + (size_t)f * (size_t)bvh->channel_count;
        Vec3 *translation = out->translation ? out->translation + (size_t)f * joints : NULL;
        out->root_position[f] = vec3(0, 0, 0);
        if (translation) {
            memcpy(translation, bvh->offset, joints * sizeof *translation);
            translation[0] = vec3(0, 0, 0);
        }
        for (int i = 0; i < count; i++) {
            int joint = channel[i].joint;
            Vec3 *to = joint == 0 ? &out->root_position[f] : translation ? &translation[joint] : NULL;
            if (to)
                ((double *)to)[channel[i].axis] = row[channel[i].column];
        }
    }
}

static int child_has_position(const PositionChannel *position, int count)
{
    for (int i = 0; i < count; i++)
        if (position[i].joint > 0)
            return 1;
    return 0;
}

/* Converts the motion, in file units and axes. */
static Status motion_from_bvh(const Bvh *bvh, Motion *out, Error *err)
{
    int count;
    PositionChannel *position = list_positions(bvh, &count);
    if (!position)
        return error_no_memory(err);
    Status status = motion_space(out, bvh->frame_count, bvh->joint_count, bvh->frame_time,
                                 child_has_position(position, count), err);
    if (!status) {
        copy_positions(bvh, position, count, out);
        status = convert_rotations(bvh, out, err);
    }
    free(position);
    return status;
}

/* Returns the rest orientation of a joint relative to its parent. */
static Quat rest_orientation(const Bvh *bvh, int j)
{
    static const Vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double angle[3] = {bvh->orientation[j].x, bvh->orientation[j].y, bvh->orientation[j].z};
    Quat q = QUAT_IDENTITY;
    int axis[3];
    rotation_axes(bvh->channel + bvh->first_channel[j], bvh->joint_channels[j], axis);
    for (int i = 0; i < 3; i++)
        q = quat_mul(q, quat_from_axis_angle(unit[axis[i]], angle[axis[i]] * (PI / 180)));
    return quat_normalize(q);
}

static void rotate_rotations(const Quat *rest, int j, Motion *m)
{
    for (int f = 0; f < m->frame_count; f++) {
        Quat *q = &m->rotation[motion_index(m, f, j)];
        *q = quat_normalize(quat_mul(quat_mul(rest[j], *q), quat_conjugate(rest[j])));
    }
}

/* Gives every joint world axes at rest, so that the identity rotation is the rest pose. With G the rest orientation of
 * a joint in the world, its offset is rotated by G of its parent and its rotation becomes G q G*. */
static Status straighten(const Bvh *bvh, Skeleton *s, Motion *m, Error *err)
{
    Quat *rest = array_new((size_t)s->joint_count, 1, sizeof *rest);
    if (!rest)
        return error_no_memory(err);
    for (int j = 0; j < s->joint_count; j++) {
        int parent = s->parent[j];
        rest[j] = parent < 0 ? rest_orientation(bvh, j) : quat_mul(rest[parent], rest_orientation(bvh, j));
        if (parent >= 0)
            s->offset[j] = quat_rotate(rest[parent], s->offset[j]);
        for (int f = 0; m->translation && parent >= 0 && f < m->frame_count; f++) {
            Vec3 *position = &m->translation[motion_index(m, f, j)];
            *position = quat_rotate(rest[parent], *position);
        }
        rotate_rotations(rest, j, m);
    }
    for (int e = 0; e < s->end_count; e++)
        s->end_offset[e] = quat_rotate(rest[s->end_parent[e]], s->end_offset[e]);
    free(rest);
    return STATUS_OK;
}

Status take_from_bvh(const Bvh *bvh, Take *out, Error *err)
{
    *out = (Take){.digits = digits_of_offsets * bvh_longest_offset(bvh)};
    if (bvh->joint_count < 1)
        return error_set(err, STATUS_BAD_INPUT, "no joints");
    for (int c = bvh->first_channel[0]; c < bvh->first_channel[0] + bvh->joint_channels[0]; c++)
        if (!bvh_is_rotation(bvh->channel[c]))
            out->root_given[bvh->channel[c] - BVH_XPOSITION] = 1;
    Status status = bvh_skeleton(bvh, &out->skeleton, err);
    if (!status)
        status = motion_from_bvh(bvh, &out->motion, err);
    if (!status && bvh->orientation)
        status = straighten(bvh, &out->skeleton, &out->motion, err);
    return status;
}

Status clip_from_bvh(const Bvh *bvh, const ImportGuessDef *def, Clip *out, ImportGuess *decision, Error *err)
{
    Take take;
    Status status = take_from_bvh(bvh, &take, err);
    if (!status)
        status = clip_settle(&take, def, out, decision, err);
    take_free(&take);
    return status;
}

/* ---- To BVH ---- */

static const double units_per_metre = 100; /* centimetres */

static int clip_joint_translates(const Clip *clip, int j)
{
    const Motion *m = &clip->motion;
    for (int f = 0; m->translation && f < m->frame_count; f++)
        if (vec3_distance(m->translation[motion_index(m, f, j)], clip->skeleton.offset[j]) > 0)
            return 1;
    return 0;
}

/* deg. A larger rotation about an axis without a channel requires all three channels. */
static const double no_rotation = 1e-9;

/* Returns 1 if the joint rotates about an axis that its channels do not list. */
static int rotates_otherwise(const Clip *clip, int j, const BvhChannel *channel, int count)
{
    int axis[3], listed = 0;
    for (int i = 0; i < count; i++)
        listed += bvh_is_rotation(channel[i]);
    rotation_axes(channel, count, axis);
    Vec3 angles = {0, 0, 0};
    for (int f = 0; listed < 3 && f < clip->motion.frame_count; f++) {
        angles = euler_from_quat(axis, clip->motion.rotation[motion_index(&clip->motion, f, j)], angles);
        for (int rotation = listed; rotation < 3; rotation++)
            if (fabs(((const double *)&angles)[rotation]) > no_rotation)
                return 1;
    }
    return 0;
}

/* Chooses the channels to write: those of the source file in their order, and those that the motion also requires. */
static int choose_channels(const Clip *clip, int j, BvhChannel channel[BVH_MAX_CHANNELS])
{
    int known = clip->skeleton.channels != NULL;
    int count = known ? bvh_channels_unpack(clip->skeleton.channels[j], channel) : 0;
    count = bvh_channels_complete(channel, count < 0 ? 0 : count, (BvhRequiredChannels){0});
    BvhRequiredChannels required = {.positions = j == 0 || clip_joint_translates(clip, j),
                                    .rotations = !known || rotates_otherwise(clip, j, channel, count)};
    return bvh_channels_complete(channel, count, required);
}

/* Returns a zeroed array; sets *failed if memory runs out. */
static void *allocate_rows(size_t rows, size_t columns, size_t size, int *failed)
{
    void *array = array_new(rows, columns, size);
    *failed |= !array;
    return array;
}

static Status allocate_bvh(const Clip *clip, Bvh *out, Error *err)
{
    const Skeleton *s = &clip->skeleton;
    size_t joints = (size_t)s->joint_count, ends = (size_t)s->end_count;
    int failed = 0;
    *out = (Bvh){.joint_count = s->joint_count, .end_count = s->end_count, .frame_count = clip->motion.frame_count,
                 .frame_time = clip->motion.frame_time};
    out->name = allocate_rows(joints, 1, sizeof *out->name, &failed);
    out->parent = allocate_rows(joints, 1, sizeof *out->parent, &failed);
    out->offset = allocate_rows(joints, 1, sizeof *out->offset, &failed);
    out->first_channel = allocate_rows(joints, 1, sizeof *out->first_channel, &failed);
    out->joint_channels = allocate_rows(joints, 1, sizeof *out->joint_channels, &failed);
    out->line = allocate_rows(joints, 1, sizeof *out->line, &failed);
    out->channel = allocate_rows(joints, BVH_MAX_CHANNELS, sizeof *out->channel, &failed);
    out->end_offset = allocate_rows(ends, 1, sizeof *out->end_offset, &failed);
    out->end_parent = allocate_rows(ends, 1, sizeof *out->end_parent, &failed);
    return failed ? error_no_memory(err) : STATUS_OK;
}

/* Fills joints and channels. The ROOT OFFSET is zero and the channels contain the whole position, so that readers that
 * add the offset and readers that replace it agree. */
static Status fill_hierarchy(const Clip *clip, Bvh *out, Error *err)
{
    const Skeleton *s = &clip->skeleton;
    for (int j = 0; j < s->joint_count; j++) {
        out->name[j] = strdup(s->name[j]);
        if (!out->name[j])
            return error_no_memory(err);
        out->parent[j] = s->parent[j];
        out->offset[j] = j == 0 ? vec3(0, 0, 0) : vec3_scale(s->offset[j], units_per_metre);
        BvhChannel channel[BVH_MAX_CHANNELS];
        out->first_channel[j] = out->channel_count;
        out->joint_channels[j] = choose_channels(clip, j, channel);
        memcpy(out->channel + out->channel_count, channel, (size_t)out->joint_channels[j] * sizeof *channel);
        out->channel_count += out->joint_channels[j];
    }
    for (int e = 0; e < s->end_count; e++) {
        out->end_offset[e] = vec3_scale(s->end_offset[e], units_per_metre);
        out->end_parent[e] = s->end_parent[e];
    }
    out->value = array_new((size_t)out->frame_count, (size_t)out->channel_count, sizeof *out->value);
    return out->value ? STATUS_OK : error_no_memory(err);
}

/* Returns the position of the joint centre, m: of the root in the world, of others in the parent. */
static Vec3 joint_position_in(const Clip *clip, int j, int frame)
{
    const Motion *m = &clip->motion;
    if (j == 0)
        return m->root_position[frame];
    return m->translation ? m->translation[motion_index(m, frame, j)] : clip->skeleton.offset[j];
}

static void fill_joint_values(const Clip *clip, int j, Bvh *out)
{
    const Motion *m = &clip->motion;
    const BvhChannel *channel = out->channel + out->first_channel[j];
    int axis[3], count = out->joint_channels[j];
    Vec3 angles = {0, 0, 0};
    rotation_axes(channel, count, axis);
    for (int f = 0; f < m->frame_count; f++) {
        double *value = out->value + (size_t)f * (size_t)out->channel_count + (size_t)out->first_channel[j];
        Vec3 position = vec3_scale(joint_position_in(clip, j, f), units_per_metre);
        angles = euler_from_quat(axis, m->rotation[motion_index(m, f, j)], angles);
        const double rotation[3] = {angles.x, angles.y, angles.z}, along[3] = {position.x, position.y, position.z};
        for (int i = 0, turned = 0; i < count; i++)
            value[i] = bvh_is_rotation(channel[i]) ? rotation[turned++ % 3] : along[channel[i]];
    }
}

Status bvh_from_clip(const Clip *clip, Bvh *out, Error *err)
{
    Status status = allocate_bvh(clip, out, err);
    if (!status)
        status = fill_hierarchy(clip, out, err);
    if (status) {
        bvh_free(out);
        return status;
    }
    for (int j = 0; j < out->joint_count; j++)
        fill_joint_values(clip, j, out);
    return STATUS_OK;
}
