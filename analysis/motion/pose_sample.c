#include "analysis/motion/pose_sample.h"

#include <string.h>

#include "analysis/base/memory.h"

/* p_j = p_parent + R_parent t_j, R_j = R_parent r_j, with t_j the joint's translation or offset. */
static void place_frame(const Skeleton *s, const Motion *m, int frame, Quat *orientation, Vec3 *position)
{
    for (int j = 0; j < s->joint_count; j++) {
        size_t i = motion_index(m, frame, j);
        int parent = s->parent[j];
        if (parent < 0) {
            position[j] = m->root_position[frame];
            orientation[j] = m->rotation[i];
            continue;
        }
        Vec3 local = m->translation ? m->translation[i] : s->offset[j];
        position[j] = vec3_add(position[parent], quat_rotate(orientation[parent], local));
        orientation[j] = quat_mul(orientation[parent], m->rotation[i]);
    }
    for (int e = 0; e < s->end_count; e++)
        position[s->joint_count + e] =
            vec3_add(position[s->end_parent[e]], quat_rotate(orientation[s->end_parent[e]], s->end_offset[e]));
}

static void place_rest(const Skeleton *s, Vec3 *rest)
{
    skeleton_rest_positions(s, rest);
    for (int e = 0; e < s->end_count; e++)
        rest[s->joint_count + e] = vec3_add(rest[s->end_parent[e]], s->end_offset[e]);
}

Status pose_sample_init(PoseSample *sample, const Skeleton *skeleton, const Motion *motion, int first_frame,
                        int max_frames, Error *err)
{
    int left = motion->frame_count - first_frame, frames = left < max_frames ? left : max_frames;
    size_t points = (size_t)skeleton->joint_count + (size_t)skeleton->end_count;
    *sample = (PoseSample){.frame_count = frames > 0 ? frames : 1, .point_count = (int)points};
    sample->position = array_new((size_t)sample->frame_count, points, sizeof *sample->position);
    sample->rest = array_new(points, 1, sizeof *sample->rest);
    Quat *orientation = array_new((size_t)skeleton->joint_count, 1, sizeof *orientation);
    if (!sample->position || !sample->rest || !orientation) {
        free(orientation);
        pose_sample_free(sample);
        return error_no_memory(err);
    }
    place_rest(skeleton, sample->rest);
    if (frames < 1)
        memcpy(sample->position, sample->rest, points * sizeof *sample->rest);
    for (int i = 0; i < frames; i++) {
        int frame = first_frame + (frames > 1 ? (int)((long long)i * (left - 1) / (frames - 1)) : 0);
        place_frame(skeleton, motion, frame, orientation, sample->position + (size_t)i * points);
    }
    free(orientation);
    return STATUS_OK;
}

void pose_sample_free(PoseSample *sample)
{
    if (!sample)
        return;
    free(sample->position);
    free(sample->rest);
    *sample = (PoseSample){0};
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double sample_quantile(double *value, int count, double share)
{
    if (count < 1)
        return 0;
    qsort(value, (size_t)count, sizeof *value, compare_doubles);
    return value[(int)(share * (count - 1) + 0.5)];
}
