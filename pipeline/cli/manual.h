/* Man pages and completions out of the tables from which --help comes. The build asks for them by words that no help
 * mentions: `kane --man`, `kane VERB --man`, and --complete for lines that scripts/completions.sh reads. */
#ifndef KANE_PIPELINE_MANUAL_H
#define KANE_PIPELINE_MANUAL_H

#include <stdio.h>

#include "pipeline/stages/option.h"

/* Prints what word asks for: 1, or 0 for another word. The groups hold the defaults in their values. command NULL: of
 * the program as a whole. */
int manual_print(const char *word, const Command *command, const OptionGroup *groups, int group_count, FILE *stream);

#endif
