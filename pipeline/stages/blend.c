/* kane blend: one clip becomes another of the same skeleton. */
#include "pipeline/stages/blend_options.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/clip/clip.h"
#include "analysis/quality/trust_carry.h"
#include "analysis/transition/blend.h"
#include "analysis/transition/seam_jump.h"
#include "pipeline/stages/blend_sides.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/root_motion_option.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"

_Static_assert(sizeof(BlendOptions) <= sizeof(OptionValues), "a stage's options have their place");

#define FIELD(member) offsetof(BlendOptions, member)
static const Option options[] = {
    {.name = "with", .argument = "FILE",
     .help = "Second clip, a motion or clip file; same as the second argument",
     .kind = &option_file, .offset = FIELD(with)},
    {.name = "at", .argument = "S",
     .help = "Time at which the blended interval begins in s, on the time axis of the first clip",
     .kind = &option_time, .offset = FIELD(at)},
    {.name = "over", .argument = "S",
     .help = "Duration of the blended interval in s",
     .kind = &option_positive, .offset = FIELD(over)},
    ROOT_MOTION_OPTION(BlendOptions, root),
    {0},
};

static void defaults(OptionValues *values)
{
    *(BlendOptions *)values = (BlendOptions){.at = INFINITY, .over = 0.5};
}

static Status check_options(OptionValues *values, const Clip *clip, Error *err)
{
    const BlendOptions *given = (const BlendOptions *)values;
    (void)clip;
    if (!given->with)
        return error_set(err, STATUS_USAGE, "expected two clips");
    if (!isfinite(given->at))
        return error_set(err, STATUS_USAGE, "expected --at S, where the blended interval begins");
    return given->root == ROOT_MOTION_IN_PLACE
               ? error_set(err, STATUS_USAGE, "--root-motion in-place applies to a period: use kane loop")
               : STATUS_OK;
}

/* Finds the frames of the interval in the first clip. */
static Status find_interval(const BlendOptions *given, const Motion *m, BlendSpan *span, Error *err)
{
    double at = m->frame_count > 0 ? rint((given->at - m->time[0]) / m->frame_time) : -1;
    if (!(at >= 0 && at < m->frame_count))
        return error_set(err, STATUS_BAD_INPUT, "--at %g s is outside the clip (%g to %g s)", given->at,
                         m->frame_count > 0 ? m->time[0] : NAN, m->frame_count > 0 ? m->time[m->frame_count - 1] : NAN);
    double count = rint(given->over / m->frame_time);
    *span = (BlendSpan){.first = (int)at, .count = (int)fmin(fmax(count, 1), m->frame_count)};
    return STATUS_OK;
}

/* Gives the clip the flags of both: those of the interval have either's. */
static Status join_trust(Clip *clip, const Clip *other, const BlendSpan *span, int frames, Error *err)
{
    Trust trust;
    int has_joints = clip->trust.joint_reason || other->trust.joint_reason;
    if (!clip->has_trust && !other->has_trust)
        return STATUS_OK;
    Status status = trust_init(&trust, frames, clip->skeleton.joint_count, has_joints, err);
    if (status)
        return status;
    for (int f = 0; f < frames; f++) {
        if (clip->has_trust && f <= span->first + span->count)
            trust_carry_frame(&clip->trust, f, &trust, f);
        if (other->has_trust && f >= span->first)
            trust_carry_frame(&other->trust, f - span->first + span->second, &trust, f);
    }
    trust_settle(&trust);
    trust_free(&clip->trust);
    clip->trust = trust;
    clip->has_trust = 1;
    return STATUS_OK;
}

static Status note_blend(Clip *clip, const BlendSides *p, const BlendSpan *span, const SeamJump usual[2], Notes *notes,
                         Error *err)
{
    char text[400];
    SeamJump jump;
    ClipView view = clip_view(clip);
    const Motion *m = &clip->motion;
    Status status = seam_jump_interval(&view, span->first, span->first + span->count, &jump, err);
    if (status)
        return status;
    double pose = jump.pose / fmax(fmax(usual[0].pose, usual[1].pose), 1e-12);
    double velocity = jump.velocity / fmax(fmax(usual[0].velocity, usual[1].velocity), 1e-12);
    snprintf(text, sizeof text,
             "blended from %.4g to %.4g s into the second clip at %.4g s, poses %.2g cm apart; jumps in the interval "
             "%.2f (pose) and %.2f (velocity) of the 99th percentile of the clips", m->time[span->first],
             m->time[span->first + span->count], p->other.motion.time[span->second],
             round(1e4 * span->distance) / 100, pose, velocity);
    status = notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
    if (status || (pose <= 1 && velocity <= 1))
        return status;
    snprintf(text, sizeof text,
             "the blended interval shows: its largest jump is %.2f of the 99th percentile of the clips",
             fmax(pose, velocity));
    return notes_warn(notes, clip, "seam", text, err);
}

static Status blend_clip(const BlendOptions *given, BlendSides *p, Clip *clip, Notes *notes, Error *err)
{
    BlendSpan span;
    GroundMove move;
    Motion motion = {0};
    SeamJump usual[2];
    Status status;
    if ((status = find_interval(given, &clip->motion, &span, err)) ||
        (status = blend_sides_init(p, given, clip, notes, err)) ||
        (status = blend_find(&p->side[0], &p->side[1], &span, err)) ||
        (status = seam_jump_usual(&p->side[0].clip, &usual[0], err)) ||
        (status = seam_jump_usual(&p->side[1].clip, &usual[1], err)) ||
        (status = blend_make(&p->side[0], &p->side[1], &span, &motion, &move, err)))
        return status;
    status = join_trust(clip, &p->other, &span, motion.frame_count, err);
    motion_free(&clip->motion);
    clip->motion = motion;
    if (!status)
        status = root_motion_place(&clip->skeleton, given->root, &clip->motion, err);
    return status ? status : note_blend(clip, p, &span, usual, notes, err);
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    BlendSides sides = {0};
    if (clip->has_dof)
        return error_set(err, STATUS_BAD_INPUT, "has degrees of freedom of a model (/dof): blend the motions before "
                         "they are put on it");
    Status status = blend_clip((const BlendOptions *)values, &sides, clip, notes, err);
    blend_sides_free(&sides);
    return status;
}

const Stage stage_blend = {
    .command = {
        .name = "blend",
        .group = COMMANDS_EDIT,
        .summary = "Let one clip become another",
        .arguments = "A B",
        .description = "Writes A up to --at, then an interval of --over that turns into B, then the rest of B. B "
                       "begins at the phase that continues A best in pose, velocity and foot contact, and is moved "
                       "along the ground to the position and heading of A. Other frames keep their poses; feet in "
                       "contact stay planted. A and B are motion or clip files of the same skeleton.",
        .example = "kane blend walk.bvh run.bvh --at 1.2 --over 0.5 -o start.bvh",
        .options = options,
    },
    .defaults = defaults,
    .fills = CLIP_MOTION,
    .reads_motion = 1,
    .check = check_options,
    .apply = apply,
};
