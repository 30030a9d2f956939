/* The command of a stage: reads all clips its input holds, applies the stage to each, writes each. */
#ifndef KANE_PIPELINE_MAP_H
#define KANE_PIPELINE_MAP_H

#include "pipeline/cli/output.h"
#include "pipeline/stages/stage.h"

typedef struct Mapping {
    const Stage *stage;
    /* What does the work; NULL: stage_apply alone. */
    Status (*work)(const OptionValues *values, Clip *clip, Notes *notes, Error *err);
    OptionValues values;
    OutputOptions given; /* where the containers go */
    ContainerDef container;
    Output output;
} Mapping;

Mapping mapping_defaults(const Stage *stage);

/* The options that fill it, with a group of the command's own (may be empty). */
enum { MAPPING_GROUPS = 4 };
void mapping_groups(Mapping *mapping, OptionGroup own, OptionGroup groups[MAPPING_GROUPS]);

/* Applies the stage to one clip of a file and tells its notes. */
Status mapping_apply(const Mapping *mapping, const char *path, Clip *clip, Error *err);

/* Every clip of every path from argv[first] on (none: standard input) into the output. Returns the exit code. */
int mapping_run(Mapping *mapping, int first, int argc, char *const *argv);

/* The whole command, of a mapping and of a stage. */
int mapping_main(Mapping *mapping, int argc, char **argv);
int map_main(const Stage *stage, int argc, char **argv);

#endif
