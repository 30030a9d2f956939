/* The parser of options by the tables of pipeline/stages/option.h, with --help (help.h). */
#ifndef KANE_CLI_COMMAND_LINE_H
#define KANE_CLI_COMMAND_LINE_H

#include "pipeline/stages/option.h"

/* Fills the values of the groups from argv, where argv[0] is the name of the command. Returns the index of the first
 * positional argument, argc if there is none. For --help and wrong usage prints a text and exits. */
int command_line_parse(const Command *command, const OptionGroup *groups, int group_count, int argc, char **argv);

#endif
