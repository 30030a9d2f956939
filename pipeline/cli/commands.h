/* The commands of the program, in one list from which dispatch, help, man pages and completions follow.
 *
 * A stage (pipeline/stages) is a command that applies it to clip files. The others exist only in the command line. */
#ifndef KANE_CLI_COMMANDS_H
#define KANE_CLI_COMMANDS_H

#include "pipeline/cli/command_line.h"
#include "pipeline/stages/option.h"

/* A command; main receives its description and the arguments, argv[0] being its name, and returns the exit code. */
typedef struct CliCommand {
    const Command *command;
    int (*main)(const Command *command, int argc, char **argv);
} CliCommand;

/* In the order of `kane --help` within each group; a file of pipeline/cli defines cli_NAME. */
#define COMMANDS_BEFORE_STAGES(COMMAND) COMMAND(run) COMMAND(batch) COMMAND(import) COMMAND(simulate)
#define COMMANDS_AFTER_STAGES(COMMAND) \
    COMMAND(info) COMMAND(check) COMMAND(verdict) COMMAND(explain) COMMAND(gait) COMMAND(plot) COMMAND(thumbnails) \
    COMMAND(report) COMMAND(fill) COMMAND(index) COMMAND(merge) COMMAND(query) COMMAND(export) COMMAND(calibrate)
/* Stages whose command does more than apply them to clip files. */
#define COMMANDS_OF_STAGES(COMMAND) COMMAND(edit) COMMAND(blend) COMMAND(retarget) COMMAND(track)

#define COMMAND_DECLARE(name) extern const CliCommand cli_##name;
COMMANDS_BEFORE_STAGES(COMMAND_DECLARE)
COMMANDS_AFTER_STAGES(COMMAND_DECLARE)
COMMANDS_OF_STAGES(COMMAND_DECLARE)

/* Returns a command by index in the order of `kane --help`, NULL past the last. */
const Command *commands_at(int index);

/* Returns the command of this name, or NULL. */
const Command *commands_find(const char *name);

/* Runs an existing command; argv[0] is its name. Returns the exit code. */
int commands_run(const char *name, int argc, char **argv);

#endif
