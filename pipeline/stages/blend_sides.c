/* See blend_sides.h. */
#include "pipeline/stages/blend_sides.h"

#include <math.h>
#include <stdio.h>

#include "analysis/motion/resample.h"
#include "analysis/quality/trust_carry.h"
#include "pipeline/stages/clip_feet.h"
#include "pipeline/stages/import.h"

void blend_sides_free(BlendSides *p)
{
    clip_free(&p->other);
    clip_free(&p->seen[0]);
    clip_free(&p->seen[1]);
    arena_free(&p->arena);
}

/* Gives the second clip the frame rate of the first. */
static Status follow_rate(const Clip *clip, Clip *other, Notes *notes, Error *err)
{
    char text[160];
    Motion motion;
    double ratio = other->motion.frame_time / clip->motion.frame_time;
    if (fabs(ratio - 1) < 1e-4)
        return STATUS_OK;
    Status status = motion_resample(&other->motion, 1 / clip->motion.frame_time, &motion, err);
    if (status)
        return status;
    status = trust_follow(other, &motion, err);
    motion_free(&other->motion);
    other->motion = motion;
    clip_drop(other, clip_computed_from(CLIP_MOTION));
    snprintf(text, sizeof text, "the second clip is resampled to the %.4g fps of the first",
             1 / clip->motion.frame_time);
    return status ? status : notes_add(notes, (Note){NOTE_DECISION, 0, 0, text}, err);
}

/* Adds translations to a motion if the other has them. */
static Status match_translations(Motion *to, const Motion *other, const Skeleton *s, Error *err)
{
    if (to->translation || !other->translation)
        return STATUS_OK;
    to->translation = array_new((size_t)to->frame_count, (size_t)to->joint_count, sizeof *to->translation);
    if (!to->translation)
        return error_no_memory(err);
    for (int f = 0; f < to->frame_count; f++)
        for (int j = 1; j < to->joint_count; j++)
            to->translation[motion_index(to, f, j)] = s->offset[j];
    return STATUS_OK;
}

static Status see_side(BlendSides *p, int i, const Clip *clip, Error *err)
{
    ClipView view = clip_view(clip);
    Status status = clip_feet(clip, &p->seen[i], &p->feet[i], &p->arena, err);
    if (!status)
        status = pose_features_init(&p->features[i], &view, i ? &p->features[0] : NULL,
                                    p->feet[i].is_known ? &p->feet[i].contact : NULL, &p->arena, err);
    p->side[i] = (BlendSide){view, &p->feet[i], &p->features[i]};
    return status;
}

/* Reads the second clip; its notes name it. */
static Status read_other(const BlendOptions *given, const Clip *clip, Clip *out, Notes *notes, Error *err)
{
    char text[ERROR_TEXT_SIZE];
    Notes read = {0};
    Status status = import_open(&given->import, given->with, out, &read, err);
    if (!status)
        status = blend_check_skeletons(&clip->skeleton, &out->skeleton, err);
    status = error_of_file(err, given->with, status);
    for (int i = 0; i < read.count && !status; i++) {
        snprintf(text, sizeof text, "second clip: %s", read.note[i].text);
        status = notes_add(notes, (Note){read.note[i].kind, 0, 0, text}, err);
    }
    notes_free(&read);
    return status;
}

Status blend_sides_init(BlendSides *p, const BlendOptions *given, Clip *clip, Notes *notes, Error *err)
{
    Status status;
    if ((status = read_other(given, clip, &p->other, notes, err)) ||
        (status = follow_rate(clip, &p->other, notes, err)) ||
        (status = match_translations(&clip->motion, &p->other.motion, &clip->skeleton, err)) ||
        (status = match_translations(&p->other.motion, &clip->motion, &clip->skeleton, err)) ||
        (status = see_side(p, 0, clip, err)))
        return status;
    return see_side(p, 1, &p->other, err);
}
