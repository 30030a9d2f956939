/* Artifacts of a recording that remain when it is shown slower: a clip that was sped up has jumps and turns that no
 * body makes, but nothing is wrong with its recording. */
#ifndef KANE_RETIME_SLOW_ARTIFACTS_H
#define KANE_RETIME_SLOW_ARTIFACTS_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* Clears flags of teleports, flips and flicker that artifacts_find does not find at this rate (below 1) as well. Does
 * nothing for a clip without trust. */
Status artifacts_confirm(Clip *clip, double rate, Error *err);

#endif
