/* kane loop: makes a clip that repeats without a visible seam. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/base/arena.h"
#include "analysis/clip/clip.h"
#include "analysis/math/elementary.h"
#include "analysis/transition/loop.h"
#include "analysis/transition/seam_jump.h"
#include "pipeline/stages/clip_feet.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/root_motion_option.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"

typedef struct LoopOptions {
    double from, to; /* s, source time; infinite: to be found */
    double over;
    RootMotion root;
} LoopOptions;

_Static_assert(sizeof(LoopOptions) <= sizeof(OptionValues), "a stage's options have their place");

static const Option options[] = {
    {.name = "from", .argument = "S",
     .help = "Start of the period in s, on the time axis of the source (default: found)",
     .kind = &option_time, .offset = offsetof(LoopOptions, from)},
    {.name = "to", .argument = "S",
     .help = "End of the period: the time at which the pose of its start returns (default: found)",
     .kind = &option_time, .offset = offsetof(LoopOptions, to)},
    {.name = "over", .argument = "S",
     .help = "Duration of the blended interval in s, half of it on either side of the seam",
     .kind = &option_real, .offset = offsetof(LoopOptions, over)},
    ROOT_MOTION_OPTION(LoopOptions, root),
    {0},
};

static void defaults(OptionValues *values)
{
    LoopDef def = loop_default_def();
    *(LoopOptions *)values = (LoopOptions){-INFINITY, INFINITY, def.over, def.root};
}

static Status check_options(OptionValues *values, const Clip *clip, Error *err)
{
    const LoopOptions *given = (const LoopOptions *)values;
    (void)clip;
    if (!(given->over >= 0))
        return error_set(err, STATUS_USAGE, "--over: expected 0 or more, found %g", given->over);
    if (given->from >= given->to)
        return error_set(err, STATUS_USAGE, "--from %g is not before --to %g", given->from, given->to);
    return STATUS_OK;
}

/* The frame nearest to a time; -1 if none is given. */
static Status find_frame(const Motion *m, const char *option, double time, int *frame, Error *err)
{
    *frame = -1;
    if (!isfinite(time))
        return STATUS_OK;
    double at = m->frame_count > 0 ? rint((time - m->time[0]) / m->frame_time) : -1;
    if (!(at >= 0 && at < m->frame_count))
        return error_set(err, STATUS_BAD_INPUT, "--%s %g s is outside the clip (%g to %g s)", option, time, m->time[0],
                         m->time[m->frame_count - 1]);
    *frame = (int)at;
    return STATUS_OK;
}

/* Notes the loop; warns if the jump at its seam is larger than those between frames of the clip. */
static Status note_loop(Clip *clip, LoopSpan span, const LoopResult *result, const SeamJump *usual, Notes *notes,
                        Error *err)
{
    char text[400];
    SeamJump jump;
    ClipView view = clip_view(clip);
    const Motion *m = &clip->motion;
    Status status = seam_jump_loop(&view, &result->step, &jump, err);
    if (status)
        return status;
    Vec3 root = vec3_sub(ground_move_point(&result->step, m->root_position[0]), m->root_position[0]);
    double pose = usual->pose > 0 ? jump.pose / usual->pose : 0;
    double velocity = usual->velocity > 0 ? jump.velocity / usual->velocity : 0;
    snprintf(text, sizeof text,
             "period %.4g s from %.4g s on, its ends %.2g cm apart, blended over %.2g s; travel %.3f m, turn %.1f "
             "degrees per period; jumps at the seam %.2f (pose) and %.2f (velocity) of the 99th percentile of the clip",
             m->frame_count * m->frame_time, m->time[0], round(1e4 * span.distance) / 100, result->over,
             vec3_norm(vec3(root.x, 0, root.z)), round(1e3 * result->step.yaw * 180 / PI) / 1e3 + 0.0, pose, velocity);
    status = notes_add(notes, (Note){NOTE_RESULT, 0, 0, text}, err);
    if (status || (pose <= 1 && velocity <= 1))
        return status;
    snprintf(text, sizeof text, "the seam of the loop shows: its jump is %.2f of the 99th percentile of the clip",
             fmax(pose, velocity));
    return notes_warn(notes, clip, "seam", text, err);
}

/* Removes what an in-place motion no longer has. */
static GroundMove seam_step(const LoopResult *result, RootMotion root)
{
    return root == ROOT_MOTION_IN_PLACE ? (GroundMove){0, {0, 0, 0}} : result->step;
}

static Status loop_clip(const LoopOptions *given, Clip *clip, Clip *seen, Arena *arena, Notes *notes, Error *err)
{
    LoopDef def = loop_default_def();
    ClipView view = clip_view(clip);
    StandingFeet feet;
    PoseFeatures features;
    LoopSpan span;
    LoopResult result;
    Motion motion = {0};
    SeamJump usual;
    uint8_t *usable;
    Status status;
    def.over = given->over;
    def.root = given->root;
    if ((status = find_frame(view.motion, "from", given->from, &def.first, err)) ||
        (status = find_frame(view.motion, "to", given->to, &def.last, err)) ||
        (status = clip_feet(clip, seen, &feet, arena, err)) ||
        (status = clip_usable_frames(clip, &usable, arena, err)) ||
        (status = pose_features_init(&features, &view, NULL, feet.is_known ? &feet.contact : NULL, arena, err)) ||
        (status = loop_find(&features, view.motion->frame_time, usable, &def, &span, err)) ||
        (status = seam_jump_usual(&view, &usual, err)) ||
        (status = loop_make(&(LoopSource){view, &feet}, span, &def, &motion, &result, err)))
        return status;
    clip_keep_frames(clip, span.first, span.last - span.first);
    motion_free(&clip->motion);
    clip->motion = motion;
    result.step = seam_step(&result, given->root);
    return note_loop(clip, span, &result, &usual, notes, err);
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    Arena arena = {0};
    Clip seen = {0};
    if (clip->dof.moving_axis)
        return error_set(err, STATUS_BAD_INPUT, "has axes that move (/dof/moving_axis): loop the motion before they "
                         "are made");
    Status status = loop_clip((const LoopOptions *)values, clip, &seen, &arena, notes, err);
    clip_free(&seen);
    arena_free(&arena);
    return status;
}

const Stage stage_loop = {
    .command = {
        .name = "loop",
        .group = COMMANDS_EDIT,
        .summary = "Make a clip repeat",
        .arguments = "[FILE.h5|{motion-files}...]",
        .description = "Keeps one period: of the frames that look alike in pose, velocity and foot contact the best "
                       "pair, or --from and --to. Closes the seam over --over; other frames keep their poses. The "
                       "frame after the last is the first, moved along the ground by the step per period, which is "
                       "printed. Feet in contact stay planted.",
        .example = "kane loop walk.bvh --root-motion in-place -o cycle.bvh",
        .options = options,
    },
    .defaults = defaults,
    .fills = CLIP_MOTION,
    .reads_motion = 1,
    .check = check_options,
    .apply = apply,
};
