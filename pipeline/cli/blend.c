/* kane blend A B: the stage with its second clip. */
#include <string.h>

#include "pipeline/cli/command_line.h"
#include "pipeline/cli/mapping.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/commands.h"
#include "pipeline/stages/blend_options.h"
#include "pipeline/stages/stage_list.h"

static int blend_main(const Command *command, int argc, char **argv)
{
    Mapping mapping = mapping_defaults(&stage_blend);
    BlendOptions *given = (BlendOptions *)&mapping.values;
    OptionGroup groups[MAPPING_GROUPS];
    mapping_groups(&mapping, (OptionGroup){0}, groups);
    int first = command_line_parse(command, groups, MAPPING_GROUPS, argc, argv);
    int count = argc - first;
    if (count == 2 && !given->with)
        given->with = argv[first + --count];
    if (count != 1 || !given->with)
        return message_usage(command->name, "expected two clips, A and B");
    if (!strcmp(given->with, "-"))
        return message_usage(command->name, "the second clip cannot be standard input");
    given->import = mapping.import;
    return mapping_run(&mapping, first, first + count, argc, argv);
}

const CliCommand cli_blend = {&stage_blend.command, blend_main};
