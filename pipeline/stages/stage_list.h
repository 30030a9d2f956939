/* The stages of kane, in one list. */
#ifndef KANE_STAGES_STAGE_LIST_H
#define KANE_STAGES_STAGE_LIST_H

#include "pipeline/stages/stage.h"

/* All stages in the order of `kane --help`; pipeline/stages/NAME.c defines stage_NAME. */
#define STAGES(STAGE) \
    STAGE(trim) STAGE(edit) STAGE(loop) STAGE(blend) STAGE(resample) STAGE(mirror) STAGE(retarget) STAGE(retime) \
    STAGE(scale) STAGE(body) STAGE(smooth) STAGE(kinematics) STAGE(contact) STAGE(torque) STAGE(angles) STAGE(track)

#define STAGE_DECLARE(name) extern const Stage stage_##name;
STAGES(STAGE_DECLARE)

/* NULL if no stage has that name. */
const Stage *stage_find(const char *name);

#endif
