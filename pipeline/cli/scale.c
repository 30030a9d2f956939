/* kane scale: the stage over containers, and what was computed of each made anew. */
#include "pipeline/cli/map.h"
#include "pipeline/cli/verbs.h"
#include "pipeline/stages/scale.h"

static int scale_main(const Command *command, int argc, char **argv)
{
    Mapping mapping = mapping_defaults(&stage_scale);
    (void)command;
    mapping.work = scale_and_rerun;
    return mapping_main(&mapping, argc, argv);
}

const Verb verb_scale = {&stage_scale.command, scale_main};
