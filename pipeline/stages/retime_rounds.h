/* Rounds of the search: a timing, its trial, the program that follows from it, and the best trial so far.
 *
 * A search begins with the best of the rates that the scan allows and of single rates, and goes on in two ways: limits
 * are tightened where a trial is larger than the program expected; where that is not enough the rate is bounded as well
 * (retime_adapt.h). */
#ifndef KANE_STAGES_RETIME_ROUNDS_H
#define KANE_STAGES_RETIME_ROUNDS_H

#include "analysis/base/status.h"
#include "pipeline/stages/retime_state.h"
#include "pipeline/stages/retimed.h"

/* Searches; *out has the shortest timing within the limits, or the best. */
Status retime_rounds_run(RetimeState *r, Retimed *out, Error *err);

#endif
