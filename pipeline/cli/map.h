/* The command of every verb that turns containers into containers: reads all its input holds, applies the stage to
 * each clip, writes each. */
#ifndef KANE_PIPELINE_MAP_H
#define KANE_PIPELINE_MAP_H

#include "pipeline/cli/verbs.h"

/* Returns the exit code. */
int map_main(const Verb *verb, int argc, char **argv);

#endif
