/* kane info: prints the contents of a clip file. */
#include <stddef.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/export/info.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/verbs.h"
#include "pipeline/stages/option.h"

typedef struct InfoOptions {
    int json;
    FrameChoice frames;
} InfoOptions;

static const Option info_options[] = {
    {.name = "json",
     .help = "Output as one JSON object per clip",
     .kind = &option_flag, .offset = offsetof(InfoOptions, json)},
    {.name = "all-frames",
     .help = "Include frames that are not trusted in the metrics",
     .kind = &option_flag, .offset = offsetof(InfoOptions, frames)},
    {0},
};

static Status show(void *context, const char *path, Clip *clip, Error *err)
{
    const InfoOptions *given = context;
    (void)path;
    return given->json ? info_json(clip, given->frames, stdout, err) : info_text(clip, given->frames, stdout, err);
}

static int info_main(const Command *command, int argc, char **argv)
{
    InfoOptions given = {0};
    OptionGroup group = {NULL, command->options, &given};
    int first = command_line_parse(command, &group, 1, argc, argv);
    return clips_visit(command->name, argv + first, argc - first, show, &given);
}

static const Command info_command = {
    .name = "info",
    .group = COMMANDS_INSPECT,
    .summary = "Show what a clip file contains",
    .arguments = "[FILE.h5...]",
    .description = "Prints source, detected unit and axes, skeleton, roles, groups, quality metrics and history.",
    .example = "kane info walk.h5",
    .options = info_options,
};

const Verb verb_info = {&info_command, info_main};
