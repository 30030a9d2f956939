/* The masses of a body that moves: what body_from_skeleton makes of it, a human measured in its neutral pose. */
#ifndef KANE_ANATOMY_CLIP_BODY_H
#define KANE_ANATOMY_CLIP_BODY_H

#include "analysis/anatomy/neutral_pose.h"
#include "analysis/body/body_model.h"

/* Whether its segments are measured in a pose of the motion: a human with frames, whose masses no table gives. */
int body_is_measured(const ClipView *clip, const BodyDef *def);

/* Reads skeleton and motion; without frames the rest pose is the neutral one. def->turn is not read; STATUS_USAGE where
 * def->neutral is of another skeleton. doubt: of that pose, zeros where it is not used; may be NULL. Errors of
 * body_from_skeleton. */
Status body_from_clip(const ClipView *clip, const BodyDef *def, Body *out, NeutralDoubt *doubt, Error *err);

#endif
