/* The command of a stage: reads all clips its input holds, applies the stage to each, writes each. */
#ifndef KANE_PIPELINE_MAP_H
#define KANE_PIPELINE_MAP_H

#include "pipeline/cli/output.h"
#include "pipeline/stages/stage.h"

typedef struct Mapping {
    const Stage *stage;
    OptionValues values;
    const char *target; /* where the containers go */
    ContainerDef container;
    Output output;
} Mapping;

Mapping mapping_defaults(const Stage *stage);

/* The options that fill it, with a group of the command's own (may be empty). */
enum { MAPPING_GROUPS = 4 };
void mapping_groups(Mapping *mapping, OptionGroup own, OptionGroup groups[MAPPING_GROUPS]);

/* Applies the stage to one clip of a file and tells its notes. */
Status mapping_apply(const Mapping *mapping, const char *path, Clip *clip, Error *err);

/* Every clip of every path (none: standard input) into the output. Returns the exit code. */
int mapping_run(Mapping *mapping, char *const *paths, int path_count);

/* The whole command. */
int map_main(const Stage *stage, int argc, char **argv);

#endif
