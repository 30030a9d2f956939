/* The option --root-motion of commands that write a motion. */
#ifndef KANE_STAGES_ROOT_MOTION_OPTION_H
#define KANE_STAGES_ROOT_MOTION_OPTION_H

#include <stddef.h>

#include "analysis/motion/root_motion.h"
#include "pipeline/stages/option.h"

/* For an options struct with a RootMotion member. */
#define ROOT_MOTION_OPTION(type, member) \
    {.name = "root-motion", .argument = "keep|travel|in-place|hips", \
     .help = "Path over the ground: as in the clip; on the root, which stays on the floor, with height and tilt on " \
             "the hips; removed; or on the hips, with the root at rest", \
     .kind = &option_choice, .offset = offsetof(type, member), .choices = root_motion_names}

#endif
