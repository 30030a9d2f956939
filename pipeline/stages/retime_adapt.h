/* What rounds learn from a trial that the program did not foresee. Contact forces are shared in another way at another
 * timing, and their estimate changes by several percent when a touch moves by a frame: slopes alone do not converge. */
#ifndef KANE_STAGES_RETIME_ADAPT_H
#define KANE_STAGES_RETIME_ADAPT_H

#include "pipeline/stages/retime_state.h"

/* What the program that was solved expects of the efforts, as fractions of their limits. */
void retime_expect(RetimeState *r);

/* Where an effort is over its limit and larger than expected, its limit is lowered by that ratio. Elsewhere limits are
 * slowly loosened. */
void retime_tighten(RetimeState *r);

/* Bounds the rate where the trial is over its limits although the program met them, or everywhere: from above if the
 * scan says that a slower rate lowers the effort, else from below. Elsewhere bounds are slowly loosened. */
void retime_move_caps(RetimeState *r, int everywhere);

#endif
