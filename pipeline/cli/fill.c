/* kane fill: clip files with all their groups from those that leave some out. */
#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/commands.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/output.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/pipeline.h"

/* State of one command over many clips. */
typedef struct Filling {
    OutputOptions given;
    ContainerDef container;
    Output output;
} Filling;

static Status fill_clip(void *context, const char *path, Clip *clip, Error *err)
{
    Filling *filling = context;
    if (!clip->provenance.is_lean && !filling->given.manner.quiet)
        message_note("fill", path, "nothing is left out");
    return output_put(&filling->output, clip, &filling->container, err);
}

static int fill_main(const Command *command, int argc, char **argv)
{
    Filling filling = {.given.target = "-", .container = container_default_def()};
    OptionGroup groups[] = {{NULL, output_options, &filling.given}, {NULL, storage_options, &filling.container}};
    Error err = {0};
    int first = command_line_parse(command, groups, 2, argc, argv);
    if (output_open(&filling.given, argc, argv, &filling.output, &err))
        return message_error(command->name, NULL, &err);
    int code = clips_visit(command->name, argv + first, argc - first, fill_clip, &filling);
    return output_close(&filling.output, command->name, code);
}

static const Command fill_command = {
    .name = "fill",
    .group = COMMANDS_LIBRARY,
    .summary = "Write all groups of lean clip files",
    .arguments = "[FILE.h5...]",
    .description = "Writes clip files with the arrays that kane batch --store lean leaves out: kinematics, joint "
                   "forces, powers and angles. Commands of kane need no such file: they compute the arrays when they "
                   "read. Other programs do.",
    .example = "kane fill out/walk.h5 -o walk.h5",
};

const CliCommand cli_fill = {&fill_command, fill_main};
