/* A part of a motion as a separate motion, for tests; kane trim works on whole clips
 * (formats/container/container_reader.h). */
#ifndef TESTS_MOTION_PART_H
#define TESTS_MOTION_PART_H

#include <string.h>

#include "analysis/motion/resample.h"

/* Frames with from <= time <= to, with their times. */
static inline Status motion_part(const Motion *motion, double from, double to, Motion *out, Error *err)
{
    int first = 0, count = 0;
    size_t joints = (size_t)motion->joint_count;
    *out = (Motion){0};
    Status status = motion_find_frames(motion, from, to, &first, &count, err);
    if (!status)
        status = motion_init(out, count, motion->joint_count, motion->frame_time, motion->translation != NULL, err);
    if (status)
        return status;
    size_t frames = (size_t)count, start = (size_t)first;
    memcpy(out->time, motion->time + start, frames * sizeof *out->time);
    memcpy(out->root_position, motion->root_position + start, frames * sizeof *out->root_position);
    memcpy(out->rotation, motion->rotation + start * joints, frames * joints * sizeof *out->rotation);
    if (motion->translation)
        memcpy(out->translation, motion->translation + start * joints, frames * joints * sizeof *out->translation);
    return STATUS_OK;
}

#endif
