/* The search for the nearest timing of a clip that a body can do.
 *
 * Along the clip's own poses joint torques are linear in the squared rate and the acceleration of `place` as long as
 * the ground force is shared in the same way. Every round moves the clip with the timing so far, solves it again,
 * measures how the efforts depend on both, and finds the shortest timing under the limits
 * (analysis/retime/rate_program.h). What the program did not foresee tightens the next one (retime_adapt.h); what
 * remains over its limit is lowered by trying (retime_polish.h). A timing is within the limits if the written poses,
 * filtered again, are. */
#ifndef KANE_STAGES_RETIME_SEARCH_H
#define KANE_STAGES_RETIME_SEARCH_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/retime/body_limits.h"
#include "pipeline/stages/retime_trial.h"
#include "pipeline/stages/retimed.h"

/* clip: skeleton, motion, body, trust, whose torques count; own: its poses without a filter, which are written, or its
 * motion. On failure *out is empty. */
Status retime_search(const Clip *clip, const Motion *own, const BodyLimits *limits, const TrialPlan *plan, Retimed *out,
                     Error *err);

#endif
