/* The options of a command out of its arguments, by the tables of pipeline/stages/option.h. */
#ifndef KANE_PIPELINE_COMMAND_LINE_H
#define KANE_PIPELINE_COMMAND_LINE_H

#include "pipeline/stages/option.h"

/* Fills the groups' values from argv, where argv[0] is the command's name, and returns the index of the first
 * positional argument (argc: none). Prints help, or what is wrong, and leaves the program for --help and for wrong
 * usage. */
int command_line_parse(const Command *command, const OptionGroup *groups, int group_count, int argc, char **argv);

#endif
