/* Forward dynamics under a clip's torques. */
#ifndef KANE_STAGES_SIMULATE_TORQUES_H
#define KANE_STAGES_SIMULATE_TORQUES_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/simulate_options.h"

/* Replaces the clip's motion by that which follows from its torques, ground forces and residual on a free base.
 * STATUS_USAGE if an option was given that applies to scenes only. Notes: the drift from the original motion. If the
 * body flies apart the clip ends there, flown->status is STATUS_NO_RESULT and its text states why; otherwise it is
 * STATUS_OK. */
Status simulate_torques(const SimulateOptions *given, Clip *clip, Notes *notes, Error *flown, Error *err);

#endif
