#include "analysis/evidence/evidence.h"

#include <math.h>
#include <stdio.h>

#include "analysis/evidence/body_measures.h"
#include "analysis/evidence/frames.h"
#include "analysis/motion/pose_sample.h"

enum { SAMPLED_FRAMES = 64 };

EvidenceDef evidence_default_def(void) { return (EvidenceDef){0}; }

/* What is looked at: in file units and axes. */
typedef struct Take {
    const EvidenceDef *def;
    const Skeleton *skeleton;
    const Motion *motion;
    const PoseSample *sample;
    int root_channels_given;
} Take;

static void decide_rate(const EvidenceDef *def, double header_frame_time, Evidence *out)
{
    out->fps = def->fps > 0 ? def->fps : frame_rate_from_time(header_frame_time, &out->fps_confidence);
    if (def->fps > 0)
        out->fps_confidence = 1;
    out->frame_time = 1 / out->fps;
}

static Status decide_unit(const Take *take, Evidence *out, Error *err)
{
    BodyMeasures measures;
    Motion timed = *take->motion; /* a view */
    timed.frame_time = out->frame_time;
    Status status = body_measures(take->skeleton, &timed, out->drop_first_frame, take->sample, up_axis_vector(out->up),
                                  &measures, err);
    if (status)
        return status;
    out->metres_per_unit = take->def->metres_per_unit;
    out->unit_confidence = 1;
    if (!(take->def->metres_per_unit > 0))
        out->metres_per_unit = unit_from_measures(&measures, &out->unit_confidence);
    out->stature = measures.stature * out->metres_per_unit;
    out->foot = measures.foot * out->metres_per_unit;
    out->speed = measures.speed * out->metres_per_unit;
    return STATUS_OK;
}

/* The channels are the root's whole position, or there are none and the offset is. */
static Status decide_root(const Take *take, Evidence *out, Error *err)
{
    RootOffsetDecision decision = {take->def->root_offset, 1};
    Status status = STATUS_OK;
    if (!take->root_channels_given)
        decision.meaning = ROOT_OFFSET_ADD;
    if (decision.meaning == ROOT_OFFSET_AUTO)
        status = root_offset_from_poses(take->skeleton, take->motion, take->sample, out->up, &decision, err);
    out->root_offset = decision.meaning;
    out->root_offset_confidence = decision.confidence;
    return status;
}

Status evidence_decide(const EvidenceDef *def, const Skeleton *skeleton, const Motion *motion, int root_channels_given,
                       Evidence *out, Error *err)
{
    *out = (Evidence){.up = def->up, .up_confidence = 1, .first_frame_confidence = 1};
    if (skeleton->joint_count < 1)
        return error_set(err, STATUS_BAD_INPUT, "a skeleton without joints has no size");
    decide_rate(def, motion->frame_time, out);
    if (!def->keep_first_frame)
        out->drop_first_frame = first_frame_is_fake(skeleton, motion, &out->first_frame_confidence);
    PoseSample sample = {0};
    Status status = pose_sample_init(&sample, skeleton, motion, out->drop_first_frame, SAMPLED_FRAMES, err);
    if (status)
        return status;
    Take take = {def, skeleton, motion, &sample, root_channels_given};
    if (def->up == UP_AUTO)
        status = up_axis_from_poses(skeleton, &sample, &out->up, &out->up_confidence, err);
    if (!status)
        status = decide_unit(&take, out, err);
    if (!status)
        status = decide_root(&take, out, err);
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
