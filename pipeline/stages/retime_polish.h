/* Lowers what the rounds leave over its limit, by trying: shapes are laid on the timing where a trial is over its
 * limits, at all places at once, and each place keeps the one that lowers its excess most. Needs no slopes. */
#ifndef KANE_STAGES_RETIME_POLISH_H
#define KANE_STAGES_RETIME_POLISH_H

#include "analysis/base/status.h"
#include "pipeline/stages/retime_state.h"

Status retime_polish(RetimeState *r, Error *err);

#endif
