/* Man pages and completions out of the tables from which --help comes. The build asks for them by words that no help
 * mentions: `kane --man`, `kane VERB --man`, and --complete for lines that scripts/completions.sh reads. */
#ifndef KANE_PIPELINE_MANUAL_H
#define KANE_PIPELINE_MANUAL_H

#include <stdio.h>

#include "pipeline/cli/option.h"

typedef struct ManualPage {
    const char *name;        /* "kane smooth" */
    const char *arguments;   /* "[FILE.h5...]" */
    const char *description;
    const OptionGroup *groups; /* [group_count] with the defaults in their values */
    int group_count;
} ManualPage;

/* Prints what word asks for: 1, or 0 for another word. page NULL: the program as a whole. */
int manual_print(const char *word, const ManualPage *page, FILE *stream);

#endif
