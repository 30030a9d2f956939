/* kane edit: a clip with edited poses, solved again. */
#include "pipeline/stages/edit_options.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/clip/clip.h"
#include "analysis/transition/blend.h"
#include "pipeline/stages/edit_frames.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/recompute.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"

#define EXPORTED_UNIT 0.01 /* m, and +Y up: as kane export writes BVH */
#define SAME_RATE 1e-4     /* relative */

_Static_assert(sizeof(EditOptions) <= sizeof(OptionValues), "a stage's options have their place");

#define FIELD(member) offsetof(EditOptions, member)
static const Option options[] = {
    {.name = "motion", .argument = "FILE",
     .help = "Edited motion of the same skeleton, as kane export writes it: in cm, +Y up; same as the second argument",
     .kind = &option_file, .offset = FIELD(motion)},
    {.name = "at", .argument = "S",
     .help = "Time in s at which its first frame belongs into the clip; the clip's first unless given",
     .kind = &option_time, .offset = FIELD(at)},
    {0},
};

static void defaults(OptionValues *values)
{
    *(EditOptions *)values = (EditOptions){.at = -INFINITY, .import = import_defaults()};
}

static Status check_options(OptionValues *values, const Clip *clip, Error *err)
{
    const EditOptions *given = (const EditOptions *)values;
    if (!given->motion)
        return error_set(err, STATUS_USAGE, "expected a clip file and its edited motion");
    if (clip && clip->has_dof)
        return error_set(err, STATUS_BAD_INPUT, "has degrees of freedom of a model (/dof): edit the motion before it "
                         "is put on it");
    return STATUS_OK;
}

/* Reads the edited motion: nothing is detected that the clip knows. */
static Status read_edited(const EditOptions *given, const Clip *clip, Clip *out, Error *err)
{
    ImportOptions import = given->import;
    ImportGuessDef *guess = &import.guess;
    guess->meters_per_unit = guess->meters_per_unit > 0 ? guess->meters_per_unit : EXPORTED_UNIT;
    guess->up = guess->up == UP_AUTO ? UP_Y : guess->up;
    guess->positions = guess->positions == POSITIONS_AUTO ? POSITIONS_LOCAL : guess->positions;
    guess->root_offset = guess->root_offset == ROOT_OFFSET_AUTO ? ROOT_OFFSET_REPLACE : guess->root_offset;
    guess->keep_first_frame = guess->keep_belt = 1;
    Status status = import_open(&import, given->motion, out, NULL, err);
    if (!status)
        status = blend_check_skeletons(&clip->skeleton, &out->skeleton, err);
    double rate = status ? 1 : out->motion.frame_time / clip->motion.frame_time;
    if (!status && fabs(rate - 1) > SAME_RATE)
        status = error_set(err, STATUS_BAD_INPUT, "has %.4g fps, the clip %.4g", 1 / out->motion.frame_time,
                           1 / clip->motion.frame_time);
    return error_of_file(err, given->motion, status);
}

static Status note_edit(const Clip *clip, FrameSpan changed, Notes *notes, Error *err)
{
    char text[160] = "no frame differs";
    const double *time = clip->motion.time;
    if (changed.count > 0)
        snprintf(text, sizeof text, "frames %d to %d changed, %.3f to %.3f s", changed.first,
                 changed.first + changed.count - 1, time[changed.first], time[changed.first + changed.count - 1]);
    return notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
}

static Status edit_clip(const EditOptions *given, Clip *clip, FrameSpan *changed, Notes *notes, Error *err)
{
    const Motion *m = &clip->motion;
    Clip edited = {0};
    Status status = read_edited(given, clip, &edited, err);
    double at = isfinite(given->at) && m->frame_count > 0 ? rint((given->at - m->time[0]) / m->frame_time) : 0;
    if (!status)
        status = edit_frames_put(&edited.motion, (int)fmin(fmax(at, -1), m->frame_count), clip, changed, err);
    clip_free(&edited);
    return status ? status : note_edit(clip, *changed, notes, err);
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    FrameSpan changed;
    return edit_clip((const EditOptions *)values, clip, &changed, notes, err);
}

static Status edit_and_recompute(const OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    const ClipScale same = {.length = 1, .mass = 1, .time = 1};
    Recompute plan = {0};
    if (!clip->has_dynamics)
        return stage_apply(&stage_edit, values, clip, notes, err);
    Status status = recompute_plan_estimated("edited", clip, &plan, notes, err);
    if (!status)
        status = stage_apply(&stage_edit, values, clip, notes, err);
    if (!status)
        status = recompute_apply(&plan, &same, clip, notes, err);
    recompute_free(&plan);
    return status;
}

const Stage stage_edit = {
    .command = {
        .name = "edit",
        .group = COMMANDS_EDIT,
        .summary = "Put edited poses into a clip and solve it again",
        .arguments = "FILE.h5 EDITED",
        .description = "Frames whose pose differs in EDITED take that pose; others keep theirs, bit for bit. "
                       "The body stays; kinematics, forces, torques and angles of the whole clip are computed again "
                       "with its options, without another filter. EDITED is what kane export --format bvh wrote, "
                       "changed, or a part of it.",
        .example = "kane edit walk.h5 walk_edited.bvh -o edited.h5",
        .options = options,
    },
    .defaults = defaults,
    .fills = CLIP_MOTION,
    .check = check_options,
    .apply = apply,
    .apply_and_recompute = edit_and_recompute,
};
