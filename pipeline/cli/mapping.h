/* The command of a stage: applies it to each input clip and writes the results. */
#ifndef KANE_CLI_MAPPING_H
#define KANE_CLI_MAPPING_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/container/container.h"
#include "pipeline/cli/output.h"
#include "pipeline/stages/import.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"

typedef struct Mapping {
    const Stage *stage;
    OptionValues values;
    ImportOptions import; /* of motion files, if the stage reads them */
    OutputOptions given;  /* output of clip files or, of a stage that reads motion, motion files */
    ContainerDef container;
    Output output;
    int has_shortfall; /* 1: a clip had the stage's shortfall */
} Mapping;

Mapping mapping_defaults(const Stage *stage);

/* Lists the option groups of a mapping, with a group of the command's own, which may be empty. */
enum { MAPPING_GROUPS = 5 };
void mapping_groups(Mapping *mapping, OptionGroup own, OptionGroup groups[MAPPING_GROUPS]);

/* Applies the stage to one clip of a file and prints its notes. */
Status mapping_apply(const Mapping *mapping, const char *path, Clip *clip, Error *err);

/* Processes every clip of every path argv[first] .. argv[end - 1] (none: standard input). Returns the exit code. */
int mapping_run(Mapping *mapping, int first, int end, int argc, char *const *argv);

/* Runs the whole command of a stage. */
int map_main(const Stage *stage, int argc, char **argv);

#endif
