/* Attempts at a timing: its trial, what that costs, and which of them is the result. */
#ifndef KANE_STAGES_RETIME_ATTEMPT_H
#define KANE_STAGES_RETIME_ATTEMPT_H

#include "analysis/base/status.h"
#include "pipeline/stages/retime_state.h"
#include "pipeline/stages/retimed.h"

/* Makes a trial of the present timing and compares it with the best one and with the shortest within the limits, which
 * is so when it is filtered again as well. Returns in *cost its time and excess, s. */
Status retime_try(RetimeState *r, double *cost, Error *err);

/* Fills *out with the shortest timing within the limits, or with the best. */
Status retime_take(RetimeState *r, Retimed *out, Error *err);

#endif
