/* The verbs of the program: dispatch, help, man pages and completions follow from one list.
 *
 * A stage (pipeline/stages) is a verb by itself: its command maps it over containers. The rest are commands of the
 * command line alone. */
#ifndef KANE_CLI_VERBS_H
#define KANE_CLI_VERBS_H

#include "pipeline/cli/output.h"
#include "pipeline/stages/stage.h"

/* A command of the command line: main gets its own description and the arguments behind its name, and returns the exit
 * code. */
typedef struct Verb {
    const Command *command;
    int (*main)(const Command *command, int argc, char **argv);
} Verb;

/* In the order of `kane --help` within each group: a file of pipeline/cli defines verb_NAME. */
#define VERBS_BEFORE_STAGES(VERB) VERB(run) VERB(batch) VERB(import) VERB(simulate)
#define VERBS_BEHIND_STAGES(VERB) \
    VERB(info) VERB(check) VERB(explain) VERB(gait) VERB(plot) VERB(thumbnails) VERB(report) VERB(index) VERB(merge) \
    VERB(query) VERB(export) VERB(calibrate)
/* Stages whose command does more than to map them over containers. */
#define VERBS_OF_STAGES(VERB) VERB(resample) VERB(retarget) VERB(scale) VERB(track)

#define VERB_DECLARE(name) extern const Verb verb_##name;
VERBS_BEFORE_STAGES(VERB_DECLARE)
VERBS_BEHIND_STAGES(VERB_DECLARE)
VERBS_OF_STAGES(VERB_DECLARE)

/* The command at a place of `kane --help`, from 0; NULL behind the last. */
const Command *verbs_command(int place);

/* NULL where there is no verb of that name. */
const Command *verbs_find(const char *name);

/* Runs the verb of that name, which exists; argv[0] is the name. Returns the exit code. */
int verbs_run(const char *name, int argc, char **argv);

/* The command of a stage: reads all clips its input holds, applies the stage to each, writes each. */

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

/* Applies the stage to one clip of a file and prints its notes. */
Status mapping_apply(const Mapping *mapping, const char *path, Clip *clip, Error *err);

/* Every clip of every path from argv[first] on (none: standard input) into the output. Returns the exit code. */
int mapping_run(Mapping *mapping, int first, int argc, char *const *argv);

/* The whole command, of a mapping and of a stage. */
int mapping_main(Mapping *mapping, int argc, char **argv);
int map_main(const Stage *stage, int argc, char **argv);

#endif
