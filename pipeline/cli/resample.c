/* kane resample: the stage over containers, and what was computed of each again. */
#include "pipeline/cli/verbs.h"
#include "pipeline/stages/resample_rerun.h"

static int resample_main(const Command *command, int argc, char **argv)
{
    Mapping mapping = mapping_defaults(&stage_resample);
    (void)command;
    mapping.work = resample_and_rerun;
    return mapping_main(&mapping, argc, argv);
}

const Verb verb_resample = {&stage_resample.command, resample_main};
