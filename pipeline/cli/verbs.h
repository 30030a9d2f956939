/* The commands of the program, in one list from which dispatch, help, man pages and completions follow.
 *
 * A stage (pipeline/stages) is a command that applies it to clip files. The others exist only in the command line. */
#ifndef KANE_CLI_VERBS_H
#define KANE_CLI_VERBS_H

#include "pipeline/cli/command_line.h"
#include "pipeline/stages/option.h"

/* A command; main receives its description and the arguments, argv[0] being its name, and returns the exit code. */
typedef struct Verb {
    const Command *command;
    int (*main)(const Command *command, int argc, char **argv);
} Verb;

/* In the order of `kane --help` within each group; a file of pipeline/cli defines verb_NAME. */
#define VERBS_BEFORE_STAGES(VERB) VERB(run) VERB(batch) VERB(import) VERB(simulate)
#define VERBS_BEHIND_STAGES(VERB) \
    VERB(info) VERB(check) VERB(verdict) VERB(explain) VERB(gait) VERB(plot) VERB(thumbnails) VERB(report) VERB(index) \
    VERB(merge) VERB(query) VERB(export) VERB(calibrate)
/* Stages whose command does more than apply them to clip files. */
#define VERBS_OF_STAGES(VERB) VERB(edit) VERB(blend) VERB(retarget) VERB(track)

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

#endif
