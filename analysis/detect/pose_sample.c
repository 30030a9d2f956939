/* Positions of the whole skeleton in some frames of a motion (pose_sample.h). */
#include "analysis/detect/pose_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/quat.h"
#include "analysis/math/sort.h"
#include "analysis/motion/forward_kinematics.h"

/* Copies evenly spaced frames, fewer than all, to a motion of their own. */
static Status pick_frames(const Motion *motion, int frames, Motion *out, Error *err)
{
    int has_translation = motion->translation != NULL;
    Status status = motion_space(out, frames, motion->joint_count, motion->frame_time, has_translation, err);
    size_t joints = (size_t)motion->joint_count;
    for (int i = 0; !status && i < frames; i++) {
        long long last = motion->frame_count - 1;
        size_t frame = (size_t)(frames > 1 ? i * last / (frames - 1) : 0);
        size_t from = frame * joints, to = (size_t)i * joints;
        out->root_position[i] = motion->root_position[frame];
        memcpy(out->rotation + to, motion->rotation + from, joints * sizeof *out->rotation);
        if (motion->translation)
            memcpy(out->translation + to, motion->translation + from, joints * sizeof *out->translation);
    }
    return status;
}

static void place_rest(const Skeleton *s, Vec3 *rest)
{
    skeleton_rest_positions(s, rest);
    for (int e = 0; e < s->end_count; e++)
        rest[s->joint_count + e] = vec3_add(rest[s->end_parent[e]], s->end_offset[e]);
}

static Status place_frames(PoseSample *sample, const Skeleton *skeleton, const Motion *picked, Error *err)
{
    size_t frames = (size_t)picked->frame_count, joints = (size_t)skeleton->joint_count;
    Arena arena = {0};
    Vec3 *position = arena_space(&arena, frames, joints, sizeof *position);
    Quat *orientation = arena_space(&arena, frames, joints, sizeof *orientation);
    ClipView clip = {.skeleton = skeleton, .motion = picked};
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status)
        status = forward_kinematics(&clip, LANES_AUTO, &(WorldPoses){position, orientation, NULL}, err);
    for (size_t f = 0; !status && f < frames; f++)
        skeleton_points(skeleton, position + f * joints, orientation + f * joints,
                        sample->position + f * (size_t)sample->point_count);
    arena_free(&arena);
    return status;
}

Status pose_sample_init(PoseSample *sample, const Skeleton *skeleton, const Motion *motion, int first_frame,
                        int max_frames, Error *err)
{
    int left = motion->frame_count - first_frame, frames = left < max_frames ? left : max_frames;
    size_t points = (size_t)skeleton->joint_count + (size_t)skeleton->end_count;
    Motion picked = {0};
    Status status = STATUS_OK;
    *sample = (PoseSample){.frame_count = frames > 0 ? frames : 1, .point_count = (int)points};
    sample->position = array_space((size_t)sample->frame_count, points, sizeof *sample->position);
    sample->rest = array_new(points, 1, sizeof *sample->rest);
    if (!sample->position || !sample->rest) {
        status = error_no_memory(err);
        goto done;
    }
    place_rest(skeleton, sample->rest);
    if (frames < 1) {
        memcpy(sample->position, sample->rest, points * sizeof *sample->rest);
        goto done;
    }
    Motion all = motion_view(motion, first_frame, left);
    if (frames < left)
        status = pick_frames(&all, frames, &picked, err);
    if (!status)
        status = place_frames(sample, skeleton, frames < left ? &picked : &all, err);
done:
    motion_free(&picked);
    if (status)
        pose_sample_free(sample);
    return status;
}

void pose_sample_free(PoseSample *sample)
{
    if (!sample)
        return;
    free(sample->position);
    free(sample->rest);
    *sample = (PoseSample){0};
}

double pose_sample_size(const PoseSample *sample)
{
    const Vec3 *posed = pose_sample_frame(sample, 0);
    double size = 0;
    for (int p = 1; p < sample->point_count; p++)
        size = fmax(size, fmax(vec3_distance(sample->rest[p], sample->rest[0]), vec3_distance(posed[p], posed[0])));
    return size;
}

double pose_sample_lowest(const PoseSample *sample, int frame, Vec3 up)
{
    const Vec3 *position = pose_sample_frame(sample, frame);
    double low = vec3_dot(position[0], up);
    for (int p = 1; p < sample->point_count; p++) {
        double height = vec3_dot(position[p], up);
        low = height < low ? height : low;
    }
    return low;
}

Status pose_sample_ground(const PoseSample *sample, Vec3 up, double *height, double *spread, Error *err)
{
    size_t frames = (size_t)sample->frame_count, last = frames - 1;
    double *low = array_new(frames, 1, sizeof *low);
    if (!low)
        return error_no_memory(err);
    for (size_t f = 0; f < frames; f++)
        low[f] = pose_sample_lowest(sample, (int)f, up);
    *height = select_double(low, frames, last / 4);
    *spread = select_double(low, frames, last - last / 4) - select_double(low, frames, last / 20);
    free(low);
    return STATUS_OK;
}
