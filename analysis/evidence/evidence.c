#include "analysis/evidence/evidence.h"

#include <math.h>
#include <stdio.h>

#include "analysis/evidence/first_frame.h"
#include "analysis/evidence/free_fall.h"
#include "analysis/evidence/frame_rate.h"
#include "analysis/motion/pose_sample.h"

enum { SAMPLED_FRAMES = 64 };

EvidenceDef evidence_default_def(void) { return (EvidenceDef){0}; }

static void decide_rate(const EvidenceDef *def, double header_frame_time, Evidence *out)
{
    out->fps = def->fps > 0 ? def->fps : frame_rate_from_time(header_frame_time, &out->fps_confidence);
    if (def->fps > 0)
        out->fps_confidence = 1;
    out->frame_time = 1 / out->fps;
}

static Status decide_unit(const EvidenceDef *def, const Skeleton *skeleton, const Motion *motion,
                          const PoseSample *sample, Evidence *out, Error *err)
{
    double fall;
    out->metres_per_unit = def->metres_per_unit;
    out->unit_confidence = 1;
    if (def->metres_per_unit > 0)
        return STATUS_OK;
    Status status = free_fall_measure(skeleton, motion, out->drop_first_frame, up_axis_vector(out->up), out->frame_time,
                                      &fall, err);
    if (!status)
        out->metres_per_unit = unit_from_body(skeleton, sample, fall, &out->unit_confidence);
    return status;
}

/* The channels are the root's whole position, or there are none and the offset is. */
static Status decide_root(const EvidenceDef *def, const Skeleton *skeleton, const Motion *motion,
                          const PoseSample *sample, int root_channels_given, Evidence *out, Error *err)
{
    out->root_offset = def->root_offset;
    out->root_offset_confidence = 1;
    if (!root_channels_given)
        out->root_offset = ROOT_OFFSET_ADD;
    if (out->root_offset != ROOT_OFFSET_AUTO)
        return STATUS_OK;
    return root_offset_from_poses(skeleton, motion, sample, out->up, &out->root_offset, &out->root_offset_confidence,
                                  err);
}

Status evidence_decide(const EvidenceDef *def, const Skeleton *skeleton, const Motion *motion, int root_channels_given,
                       double header_frame_time, Evidence *out, Error *err)
{
    *out = (Evidence){.up = def->up, .up_confidence = 1, .first_frame_confidence = 1};
    if (skeleton->joint_count < 1)
        return error_set(err, STATUS_BAD_INPUT, "a skeleton without joints has no size");
    decide_rate(def, header_frame_time, out);
    if (!def->keep_first_frame)
        out->drop_first_frame = first_frame_is_fake(skeleton, motion, &out->first_frame_confidence);
    PoseSample sample = {0};
    Status status = pose_sample_init(&sample, skeleton, motion, out->drop_first_frame, SAMPLED_FRAMES, err);
    if (status)
        return status;
    if (def->up == UP_AUTO)
        status = up_axis_from_poses(skeleton, &sample, &out->up, &out->up_confidence, err);
    if (!status)
        status = decide_unit(def, skeleton, motion, &sample, out, err);
    if (!status)
        status = decide_root(def, skeleton, motion, &sample, root_channels_given, out, err);
    pose_sample_free(&sample);
    return status;
}

void evidence_describe(const Evidence *e, char *text, size_t size)
{
    char unit[48];
    if (unit_name(e->metres_per_unit))
        snprintf(unit, sizeof unit, "%s", unit_name(e->metres_per_unit));
    else
        snprintf(unit, sizeof unit, "%.6g m", e->metres_per_unit);
    snprintf(text, size, "unit %s (%.2g), up %s (%.2g), %.6g fps (%.2g), root offset %s (%.2g), first frame %s (%.2g)",
             unit, e->unit_confidence, up_axis_name(e->up), e->up_confidence, e->fps, e->fps_confidence,
             e->root_offset == ROOT_OFFSET_ADD ? "added" : "replaced", e->root_offset_confidence,
             e->drop_first_frame ? "dropped" : "kept", e->first_frame_confidence);
}
