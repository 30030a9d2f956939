/* Segment masses of a body in motion: those of body_from_skeleton, a human measured in its neutral pose. */
#ifndef KANE_ANGLES_CLIP_BODY_H
#define KANE_ANGLES_CLIP_BODY_H

#include "analysis/angles/neutral_pose.h"
#include "analysis/base/status.h"
#include "analysis/body/body_model.h"
#include "analysis/clip/body.h"
#include "analysis/clip/clip_view.h"

/* Whether segments are measured in a pose from the motion: for a human with frames whose masses no table gives. */
int body_is_measured(const ClipView *clip, const BodyDef *def);

/* Reads skeleton and motion; without frames the rest pose is the neutral pose. Ignores def->orientation. STATUS_USAGE
 * if def->neutral belongs to another skeleton. doubt (or NULL): of the neutral pose, zero if it is not used. Other
 * errors: those of body_from_skeleton. */
Status body_from_clip(const ClipView *clip, const BodyDef *def, Body *out, NeutralDoubt *doubt, Error *err);

#endif
