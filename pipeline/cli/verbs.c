/* See `verbs.h`. */
#include "pipeline/cli/verbs.h"

#include "pipeline/cli/mapping.h"
#include "pipeline/stages/stage_list.h"

/* Lists are terminated by NULL. */
#define ADDRESS(name) &verb_##name,
static const Verb *const verbs_before[] = {VERBS_BEFORE_STAGES(ADDRESS) NULL};
static const Verb *const behind[] = {VERBS_BEHIND_STAGES(ADDRESS) NULL};
static const Verb *const own_verbs[] = {
    VERBS_BEFORE_STAGES(ADDRESS) VERBS_BEHIND_STAGES(ADDRESS) VERBS_OF_STAGES(ADDRESS) NULL,
};
#define COMMAND(name) &stage_##name.command,
static const Command *const stages[] = {STAGES(COMMAND) NULL};

const Command *verbs_command(int index)
{
    for (const Verb *const *verb = verbs_before; *verb; verb++)
        if (index-- == 0)
            return (*verb)->command;
    for (const Command *const *stage = stages; *stage; stage++)
        if (index-- == 0)
            return *stage;
    for (const Verb *const *verb = behind; *verb; verb++)
        if (index-- == 0)
            return (*verb)->command;
    return NULL;
}

const Command *verbs_find(const char *name)
{
    const Command *command;
    for (int index = 0; (command = verbs_command(index)); index++)
        if (command_is(command, name))
            return command;
    return NULL;
}

int verbs_run(const char *name, int argc, char **argv)
{
    for (const Verb *const *verb = own_verbs; *verb; verb++)
        if (command_is((*verb)->command, name))
            return (*verb)->main((*verb)->command, argc, argv);
    return map_main(stage_find(name), argc, argv);
}
