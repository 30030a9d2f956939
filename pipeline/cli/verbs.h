/* The verbs of the program: dispatch, help, man pages and completions follow from one list.
 *
 * A stage (pipeline/stages) is a verb by itself: its command maps it over containers. The rest are commands of the
 * command line alone. */
#ifndef KANE_PIPELINE_VERBS_H
#define KANE_PIPELINE_VERBS_H

#include "pipeline/stages/stage.h"

/* A command of the command line: main gets its own description and the arguments behind its name, and returns the exit
 * code. */
typedef struct Verb {
    const Command *command;
    int (*main)(const Command *command, int argc, char **argv);
} Verb;

/* In the order of `kane --help`: a file of pipeline/cli defines verb_NAME. */
#define VERBS_BEFORE_STAGES(VERB) VERB(import) VERB(check) VERB(simulate)
#define VERBS_BEHIND_STAGES(VERB) \
    VERB(run) VERB(batch) VERB(index) VERB(merge) VERB(query) VERB(export) VERB(plot) VERB(gait) VERB(explain) \
    VERB(report) VERB(picture) VERB(info) VERB(calibrate)
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

#endif
