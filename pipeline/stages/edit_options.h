/* Options of the edit stage that the command line sets directly. */
#ifndef KANE_STAGES_EDIT_OPTIONS_H
#define KANE_STAGES_EDIT_OPTIONS_H

#include "pipeline/stages/import.h"

typedef struct EditOptions {
    const char *motion;   /* path of the edited motion */
    double at;            /* s, time of its first frame in the clip; -INFINITY: that of the clip's */
    ImportOptions import; /* of the edited motion */
} EditOptions;

#endif
