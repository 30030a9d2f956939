/* See commands.h. */
#include "pipeline/cli/commands.h"

#include "pipeline/cli/mapping.h"
#include "pipeline/stages/stage_list.h"

/* Lists are terminated by NULL. */
#define ADDRESS(name) &cli_##name,
static const CliCommand *const before_stages[] = {COMMANDS_BEFORE_STAGES(ADDRESS) NULL};
static const CliCommand *const after_stages[] = {COMMANDS_AFTER_STAGES(ADDRESS) NULL};
static const CliCommand *const own_commands[] = {
    COMMANDS_BEFORE_STAGES(ADDRESS) COMMANDS_AFTER_STAGES(ADDRESS) COMMANDS_OF_STAGES(ADDRESS) NULL,
};
#define STAGE_COMMAND(name) &stage_##name.command,
static const Command *const stages[] = {STAGES(STAGE_COMMAND) NULL};

const Command *commands_at(int index)
{
    for (const CliCommand *const *command = before_stages; *command; command++)
        if (index-- == 0)
            return (*command)->command;
    for (const Command *const *stage = stages; *stage; stage++)
        if (index-- == 0)
            return *stage;
    for (const CliCommand *const *command = after_stages; *command; command++)
        if (index-- == 0)
            return (*command)->command;
    return NULL;
}

const Command *commands_find(const char *name)
{
    const Command *command;
    for (int index = 0; (command = commands_at(index)); index++)
        if (command_is(command, name))
            return command;
    return NULL;
}

int commands_run(const char *name, int argc, char **argv)
{
    for (const CliCommand *const *command = own_commands; *command; command++)
        if (command_is((*command)->command, name))
            return (*command)->main((*command)->command, argc, argv);
    return map_main(stage_find(name), argc, argv);
}
