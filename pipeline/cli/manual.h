/* Man pages and completions from the option tables. The build requests them by hidden options: `kane --man`, `kane
 * COMMAND --man`, and --complete for lines that scripts/completions.sh reads. */
#ifndef KANE_CLI_MANUAL_H
#define KANE_CLI_MANUAL_H

#include <stdio.h>

#include "pipeline/stages/option.h"

/* Prints what the hidden option `word` requests of a command and returns 1; returns 0 for another word. The values of
 * the groups are the defaults. */
int manual_print(const char *word, const Command *command, const OptionGroup *groups, int group_count, FILE *stream);

/* Returns a command by index in the list, NULL past the last. */
typedef const Command *CommandAt(int index);

/* Likewise for the whole program, with the list of its commands. */
int manual_print_program(const char *word, CommandAt *command_at, FILE *stream);

#endif
