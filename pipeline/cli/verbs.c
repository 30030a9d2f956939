#include "pipeline/cli/verbs.h"

#include <stddef.h>
#include <string.h>

#include "pipeline/cli/map.h"

#define ADDRESS(name) &verb_##name,
static const Verb *const before[] = {VERBS_BEFORE_STAGES(ADDRESS)};
static const Verb *const behind[] = {VERBS_BEHIND_STAGES(ADDRESS)};
static const Verb *const own[] = {VERBS_BEFORE_STAGES(ADDRESS) VERBS_BEHIND_STAGES(ADDRESS) VERBS_OF_STAGES(ADDRESS)};
#define COMMAND(name) &stage_##name.command,
static const Command *const stages[] = {STAGES(COMMAND)};

enum {
    BEFORE = sizeof before / sizeof *before,
    BEHIND = sizeof behind / sizeof *behind,
    OWN = sizeof own / sizeof *own,
    STAGE_COUNT = sizeof stages / sizeof *stages
};

const Command *verbs_command(int place)
{
    if (place < BEFORE)
        return before[place]->command;
    if (place < BEFORE + STAGE_COUNT)
        return stages[place - BEFORE];
    return place < BEFORE + STAGE_COUNT + BEHIND ? behind[place - BEFORE - STAGE_COUNT]->command : NULL;
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
    for (int i = 0; i < OWN; i++)
        if (!strcmp(own[i]->command->name, name))
            return own[i]->main(own[i]->command, argc, argv);
    return map_main(stage_find(name), argc, argv);
}
