/* The torques of a clip forward: the second half of what `kane simulate` does. */
#ifndef KANE_PIPELINE_SIMULATE_TORQUES_H
#define KANE_PIPELINE_SIMULATE_TORQUES_H

#include "analysis/clip/clip.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/simulate_options.h"

/* A clip's torques, ground forces and residual forward on a free base: the clip becomes the motion that comes of them.
 * STATUS_USAGE where an option has been given that is for scenes alone. Notes: how far it drifts. Where the body flies
 * apart the clip ends there: flown->status is then STATUS_NO_RESULT and its text says why, else it is STATUS_OK. */
Status simulate_torques(const SimulateOptions *given, Clip *clip, Notes *notes, Error *flown, Error *err);

#endif
