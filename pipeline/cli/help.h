/* The help of a command, from its description and the tables of its options. */
#ifndef KANE_CLI_HELP_H
#define KANE_CLI_HELP_H

#include <stdio.h>

#include "pipeline/stages/option.h"

/* Prints `kane COMMAND --help`: usage, description, the options without a prefix by name, those of each stage under its
 * heading, and an example. The values of the groups are the defaults. */
void help_print(const Command *command, const OptionGroup *groups, int group_count, FILE *stream);

#endif
