/* Options of the blend stage that the command line sets directly. */
#ifndef KANE_STAGES_BLEND_OPTIONS_H
#define KANE_STAGES_BLEND_OPTIONS_H

#include "analysis/motion/root_motion.h"
#include "pipeline/stages/import.h"

typedef struct BlendOptions {
    const char *with; /* path of the second clip */
    double at, over;  /* s */
    RootMotion root;
    ImportOptions import; /* of the second clip, if it is a motion file */
} BlendOptions;

#endif
