/* The commands of the program, in one list from which dispatch, help, man pages and completions follow, and the
 * parser of their options by the tables of pipeline/stages/option.h.
 *
 * A stage (pipeline/stages) is a command that applies it to clip files. The others exist only in the command line. */
#ifndef KANE_CLI_COMMAND_LINE_H
#define KANE_CLI_COMMAND_LINE_H

#include <stdio.h>

#include "pipeline/cli/output.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"

/* Fills the values of the groups from argv, where argv[0] is the name of the command. Returns the index of the first
 * positional argument, argc if there is none. For --help and wrong usage prints a text and exits. */
int command_line_parse(const Command *command, const OptionGroup *groups, int group_count, int argc, char **argv);

/* Man pages and completions from the option tables. The build requests them by hidden options: `kane --man`, `kane
 * COMMAND --man`, and --complete for lines that scripts/completions.sh reads. */

/* Prints what the hidden option `word` requests of a command and returns 1; returns 0 for another word. The values of
 * the groups are the defaults. */
int manual_print(const char *word, const Command *command, const OptionGroup *groups, int group_count, FILE *stream);

/* Returns a command by index in the list, NULL past the last. */
typedef const Command *CommandAt(int index);

/* Likewise for the whole program, with the list of its commands. */
int manual_print_program(const char *word, CommandAt *command_at, FILE *stream);

/* A command; main receives its description and the arguments, argv[0] being its name, and returns the exit code. */
typedef struct Verb {
    const Command *command;
    int (*main)(const Command *command, int argc, char **argv);
} Verb;

/* In the order of `kane --help` within each group; a file of pipeline/cli defines verb_NAME. */
#define VERBS_BEFORE_STAGES(VERB) VERB(run) VERB(batch) VERB(import) VERB(simulate)
#define VERBS_BEHIND_STAGES(VERB) \
    VERB(info) VERB(check) VERB(explain) VERB(gait) VERB(plot) VERB(thumbnails) VERB(report) VERB(index) VERB(merge) \
    VERB(query) VERB(export) VERB(calibrate)
/* Stages whose command does more than apply them to clip files. */
#define VERBS_OF_STAGES(VERB) VERB(resample) VERB(retarget) VERB(scale) VERB(track)

#define VERB_DECLARE(name) extern const Verb verb_##name;
VERBS_BEFORE_STAGES(VERB_DECLARE)
VERBS_BEHIND_STAGES(VERB_DECLARE)
VERBS_OF_STAGES(VERB_DECLARE)

/* Returns a command by index in the order of `kane --help`, NULL past the last. */
const Command *verbs_command(int index);

/* Returns the command of this name, or NULL. */
const Command *verbs_find(const char *name);

/* Runs an existing command; argv[0] is its name. Returns the exit code. */
int verbs_run(const char *name, int argc, char **argv);

/* The command of a stage: applies it to each input clip and writes the results. */

typedef struct Mapping {
    const Stage *stage;
    /* processes a clip; NULL: stage_apply */
    Status (*work)(const OptionValues *values, Clip *clip, Notes *notes, Error *err);
    OptionValues values;
    OutputOptions given; /* output of clip files */
    ContainerDef container;
    Output output;
} Mapping;

Mapping mapping_defaults(const Stage *stage);

/* Lists the option groups of a mapping, with a group of the command's own, which may be empty. */
enum { MAPPING_GROUPS = 4 };
void mapping_groups(Mapping *mapping, OptionGroup own, OptionGroup groups[MAPPING_GROUPS]);

/* Applies the stage to one clip of a file and prints its notes. */
Status mapping_apply(const Mapping *mapping, const char *path, Clip *clip, Error *err);

/* Processes every clip of every path from argv[first] (none: standard input). Returns the exit code. */
int mapping_run(Mapping *mapping, int first, int argc, char *const *argv);

/* Run the whole command, for a mapping or a stage. */
int mapping_main(Mapping *mapping, int argc, char **argv);
int map_main(const Stage *stage, int argc, char **argv);

#endif
