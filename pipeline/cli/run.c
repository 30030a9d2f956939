/* kane run: import, body, smooth, diff, contact and torque in one process; the same bytes as the pipe of these. */
#include "pipeline/cli/bvh_source.h"

static int run_main(const Verb *verb, int argc, char **argv)
{
    return bvh_source_main(verb, verbs_chain(), argc, argv);
}

const Verb verb_run = {
    .name = "run",
    .summary = "BVH to joint torques: import, body, smooth, diff, contact and torque in one go",
    .arguments = "FILE.bvh...",
    .description = "Runs the whole chain. An option of a stage is given with the stage's name in front, as in "
                   "--smooth-method none --body-mass 62. The container equals that of the stages in a pipe.",
    .main = run_main,
};
