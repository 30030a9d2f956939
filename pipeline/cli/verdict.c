/* kane verdict: whether a person can do a motion, and where it fails first. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/clip/skeleton.h"
#include "analysis/stats/verdict.h"
#include "formats/base/json.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/commands.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/pipeline.h"

typedef struct VerdictOptions {
    int json, frames;
} VerdictOptions;

typedef struct VerdictRun {
    VerdictOptions given;
    Pipeline pipeline;
    int is_one; /* clip: its path is not printed */
} VerdictRun;

static const Option verdict_options[] = {
    {.name = "json",
     .help = "Output as one JSON object per clip",
     .kind = &option_flag, .offset = offsetof(VerdictOptions, json)},
    {.name = "frames",
     .help = "Add the verdict of each frame: factor, its band and joint; lower end of an average person's utilization",
     .kind = &option_flag, .offset = offsetof(VerdictOptions, frames)},
    {0},
};

static const char *joint_of(const Clip *clip, int joint) { return joint >= 0 ? clip->skeleton.name[joint] : NULL; }

static void put_frames(Json *json, const Clip *clip, const FrameVerdict *frame)
{
    json_member_open(json, "frames", '[');
    for (int f = 0; f < clip->motion.frame_count; f++) {
        json_open(json, '{');
        json_member_integer(json, "frame", f);
        json_member_number(json, "t", clip->motion.time[f]);
        json_member_text(json, "verdict", verdict_names[frame[f].verdict]);
        json_member_number(json, "factor", frame[f].factor);
        json_member_number(json, "band", frame[f].band);
        json_member_number(json, "average_low", frame[f].average);
        json_member_text(json, "joint", joint_of(clip, frame[f].joint));
        json_close(json, '}');
    }
    json_close(json, ']');
}

/* frame: NULL: not wanted, as below. */
static void print_json(const char *path, const Clip *clip, const ClipVerdict *v, const FrameVerdict *frame)
{
    Json json = json_spaced(stdout);
    json_open(&json, '{');
    json_member_text(&json, "verdict", verdict_names[v->verdict]);
    json_member_text(&json, "path", path);
    json_member_text(&json, "joint", joint_of(clip, v->joint));
    json_member_text(&json, "role", v->joint >= 0 ? role_name(clip->skeleton.role[v->joint]) : NULL);
    json_member_integer(&json, "frame", v->frame);
    json_member_number(&json, "t", v->t);
    json_member_number(&json, "factor", v->factor);
    json_member_number(&json, "band", v->band);
    json_member_number(&json, "average_low", v->average);
    json_member_text(&json, "why", v->why);
    if (frame)
        put_frames(&json, clip, frame);
    json_close(&json, '}');
    putchar('\n');
}

static void print_number(double value)
{
    putchar('\t');
    if (isfinite(value))
        printf("%.4g", value);
}

static void print_frames(const Clip *clip, const FrameVerdict *frame)
{
    puts("frame\tt\tverdict\tfactor\tband\taverage_low\tjoint");
    for (int f = 0; f < clip->motion.frame_count; f++) {
        printf("%d\t%.4f\t%s", f, clip->motion.time[f], verdict_names[frame[f].verdict]);
        print_number(frame[f].factor);
        print_number(frame[f].band);
        print_number(frame[f].average);
        printf("\t%s\n", frame[f].joint >= 0 ? joint_of(clip, frame[f].joint) : "");
    }
}

/* path: empty: of one clip. */
static void print_line(const char *path, const Clip *clip, const ClipVerdict *v, const FrameVerdict *frame)
{
    printf("%s  %s%s", verdict_names[v->verdict], path, *path ? "  " : "");
    if (v->joint >= 0)
        printf("%.2f ± %.2f  %s  frame %d  ", v->factor, v->band, clip->skeleton.name[v->joint], v->frame);
    printf("%s\n", v->why);
    if (frame)
        print_frames(clip, frame);
}

static Status show(void *context, const char *path, Clip *clip, Error *err)
{
    const VerdictRun *run = context;
    ClipVerdict verdict;
    FrameVerdict *frame = NULL;
    RawSpeed raw = clip->has_dynamics ? (RawSpeed){.joint = -1, .frame = -1} : raw_speed_find(clip);
    Status status = clip->has_dynamics ? STATUS_OK : pipeline_run(&run->pipeline, clip, NULL, err);
    if (!status && run->given.frames &&
        !(frame = array_new((size_t)clip->motion.frame_count, 1, sizeof *frame)))
        status = error_no_memory(err);
    if (!status)
        status = clip_verdict_find(clip, &raw, frame, &verdict, err);
    if (!status && run->given.json)
        print_json(path, clip, &verdict, frame);
    else if (!status)
        print_line(run->is_one ? "" : path, clip, &verdict, frame);
    free(frame);
    return status;
}

static int verdict_main(const Command *command, int argc, char **argv)
{
    VerdictRun run = {.pipeline = pipeline_defaults()};
    OptionGroup groups[1 + PIPELINE_GROUPS] = {{NULL, verdict_options, &run.given}};
    int first = command_line_parse(command, groups, 1 + pipeline_groups(&run.pipeline, groups + 1), argc, argv);
    run.is_one = argc - first < 2;
    return clips_visit_motion(command->name, argv + first, argc - first, show, &run,
                              (MotionReading){&run.pipeline.import, 1});
}

static const Command verdict_command = {
    .name = "verdict",
    .group = COMMANDS_INSPECT,
    .summary = "Report whether a person can do a motion",
    .arguments = "[FILE.h5|{motion-files}...]",
    .description = "Prints possible, hard, impossible or unknown; what the motion asks over what the strongest percent "
                   "of trained people have, with its 90 % band; joint, frame and reason. Hard is over an average "
                   "person's strength, impossible over 1, each beyond the band. Of several files, the path follows "
                   "the verdict. A motion file runs through all stages first; options are those of kane run.",
    .example = "kane verdict walk.bvh --import-fps 60",
};

const CliCommand cli_verdict = {&verdict_command, verdict_main};
