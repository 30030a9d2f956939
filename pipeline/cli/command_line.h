/* The options of a command out of its arguments, by the tables of pipeline/stages/option.h. */
#ifndef KANE_CLI_COMMAND_LINE_H
#define KANE_CLI_COMMAND_LINE_H

#include <stdio.h>

#include "pipeline/stages/option.h"

/* Fills the groups' values from argv, where argv[0] is the command's name, and returns the index of the first
 * positional argument (argc: none). Prints help, or what is wrong, and leaves the program for --help and for wrong
 * usage. */
int command_line_parse(const Command *command, const OptionGroup *groups, int group_count, int argc, char **argv);

/* Man pages and completions out of the tables from which --help comes. The build asks for them by words that no help
 * mentions: `kane --man`, `kane VERB --man`, and --complete for lines that scripts/completions.sh reads. */

/* Prints what word asks for of a command: 1, or 0 for another word. The groups hold the defaults in their values. */
int manual_print(const char *word, const Command *command, const OptionGroup *groups, int group_count, FILE *stream);

/* The command at a place of a list, from 0; NULL behind the last. */
typedef const Command *CommandAt(int place);

/* The same for the program as a whole, with the list of its verbs. */
int manual_print_program(const char *word, CommandAt *command_at, FILE *stream);

#endif
