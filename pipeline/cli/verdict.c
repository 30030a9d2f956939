/* kane verdict: whether a person can do a motion, and where it fails first. */
#include <stddef.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/clip/skeleton.h"
#include "analysis/stats/verdict.h"
#include "formats/base/json.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/verbs.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/pipeline.h"

typedef struct VerdictOptions {
    int json;
} VerdictOptions;

typedef struct VerdictRun {
    VerdictOptions given;
    Pipeline chain;
    int is_one; /* clip: its path is not printed */
} VerdictRun;

static const Option verdict_options[] = {
    {.name = "json",
     .help = "Output as one JSON object per clip",
     .kind = &option_flag, .offset = offsetof(VerdictOptions, json)},
    {0},
};

static void print_json(const char *path, const Clip *clip, const ClipVerdict *v)
{
    Json json = json_spaced(stdout);
    json_open(&json, '{');
    json_member_text(&json, "verdict", verdict_names[v->verdict]);
    json_member_text(&json, "path", path);
    json_member_text(&json, "joint", v->joint >= 0 ? clip->skeleton.name[v->joint] : NULL);
    json_member_text(&json, "role", v->joint >= 0 ? role_name(clip->skeleton.role[v->joint]) : NULL);
    json_member_integer(&json, "frame", v->frame);
    json_member_number(&json, "t", v->t);
    json_member_number(&json, "factor", v->factor);
    json_member_number(&json, "band", v->band);
    json_member_number(&json, "average_low", v->average);
    json_member_text(&json, "why", v->why);
    json_close(&json, '}');
    putchar('\n');
}

/* path: empty: of one clip. */
static void print_line(const char *path, const Clip *clip, const ClipVerdict *v)
{
    printf("%s  %s%s", verdict_names[v->verdict], path, *path ? "  " : "");
    if (v->joint >= 0)
        printf("%.2f ± %.2f  %s  frame %d  ", v->factor, v->band, clip->skeleton.name[v->joint], v->frame);
    printf("%s\n", v->why);
}

static Status show(void *context, const char *path, Clip *clip, Error *err)
{
    const VerdictRun *run = context;
    ClipVerdict verdict;
    RawSpeed raw = clip->has_dynamics ? (RawSpeed){-1, -1, 0} : raw_speed_find(clip);
    Status status = clip->has_dynamics ? STATUS_OK : pipeline_run(&run->chain, clip, NULL, err);
    if (!status)
        status = clip_verdict_find(clip, &raw, &verdict, err);
    if (status)
        return status;
    if (run->given.json)
        print_json(path, clip, &verdict);
    else
        print_line(run->is_one ? "" : path, clip, &verdict);
    return STATUS_OK;
}

static int verdict_main(const Command *command, int argc, char **argv)
{
    VerdictRun run = {.chain = pipeline_defaults()};
    OptionGroup groups[1 + CHAIN_GROUPS] = {{NULL, verdict_options, &run.given}};
    int first = command_line_parse(command, groups, 1 + pipeline_groups(&run.chain, groups + 1), argc, argv);
    run.is_one = argc - first < 2;
    return clips_visit_motion(command->name, argv + first, argc - first, show, &run,
                              (MotionReading){&run.chain.import, 1});
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

const Verb verb_verdict = {&verdict_command, verdict_main};
