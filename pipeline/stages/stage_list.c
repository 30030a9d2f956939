/* See stage_list.h. */
#include "pipeline/stages/stage_list.h"

#include "pipeline/stages/option.h"

#define STAGE_ADDRESS(name) &stage_##name,
static const Stage *const table[] = {STAGES(STAGE_ADDRESS) NULL};

const Stage *stage_find(const char *name)
{
    for (const Stage *const *stage = table; *stage; stage++)
        if (command_is(&(*stage)->command, name))
            return *stage;
    return NULL;
}
