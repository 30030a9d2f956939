#include "pipeline/cli/verbs.h"

#include <stddef.h>
#include <string.h>

#include "pipeline/cli/map.h"

/* Lists end with NULL. */
#define ADDRESS(name) &verb_##name,
static const Verb *const before[] = {VERBS_BEFORE_STAGES(ADDRESS) NULL};
static const Verb *const behind[] = {VERBS_BEHIND_STAGES(ADDRESS) NULL};
static const Verb *const own[] = {
    VERBS_BEFORE_STAGES(ADDRESS) VERBS_BEHIND_STAGES(ADDRESS) VERBS_OF_STAGES(ADDRESS) NULL,
};
#define COMMAND(name) &stage_##name.command,
static const Command *const stages[] = {STAGES(COMMAND) NULL};

const Command *verbs_command(int place)
{
    for (const Verb *const *verb = before; *verb; verb++)
        if (place-- == 0)
            return (*verb)->command;
    for (const Command *const *stage = stages; *stage; stage++)
        if (place-- == 0)
            return *stage;
    for (const Verb *const *verb = behind; *verb; verb++)
        if (place-- == 0)
            return (*verb)->command;
    return NULL;
}

const Command *verbs_find(const char *name)
{
    const Command *command;
    for (int place = 0; (command = verbs_command(place)); place++)
        if (!strcmp(command->name, name))
            return command;
    return NULL;
}

int verbs_run(const char *name, int argc, char **argv)
{
    for (const Verb *const *verb = own; *verb; verb++)
        if (!strcmp((*verb)->command->name, name))
            return (*verb)->main((*verb)->command, argc, argv);
    return map_main(stage_find(name), argc, argv);
}
