/* kane edit CLIP EDITED: the stage with its edited motion. */
#include <string.h>

#include "pipeline/cli/command_line.h"
#include "pipeline/cli/mapping.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/commands.h"
#include "pipeline/stages/edit_options.h"
#include "pipeline/stages/stage_list.h"

static int edit_main(const Command *command, int argc, char **argv)
{
    Mapping mapping = mapping_defaults(&stage_edit);
    EditOptions *given = (EditOptions *)&mapping.values;
    OptionGroup groups[MAPPING_GROUPS];
    mapping_groups(&mapping, (OptionGroup){0}, groups);
    groups[MAPPING_GROUPS - 1] = (OptionGroup){&import_command, import_command.options, &mapping.import};
    int first = command_line_parse(command, groups, MAPPING_GROUPS, argc, argv);
    int count = argc - first;
    if (count == 2 && !given->motion)
        given->motion = argv[first + --count];
    if (count != 1 || !given->motion)
        return message_usage(command->name, "expected a clip file and its edited motion");
    if (!strcmp(given->motion, "-"))
        return message_usage(command->name, "the edited motion cannot be standard input");
    given->import = mapping.import;
    return mapping_run(&mapping, first, first + count, argc, argv);
}

const CliCommand cli_edit = {&stage_edit.command, edit_main};
