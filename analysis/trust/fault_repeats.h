/* Every row of a take written twice, or more often: what was resampled by repeating, or recorded at another rate. */
#ifndef KANE_TRUST_FAULT_REPEATS_H
#define KANE_TRUST_FAULT_REPEATS_H

#include "analysis/trust/fault.h"

/* Appends one fault over all frames; size: how often each row stands. */
Status fault_repeats_find(const Skeleton *skeleton, const Motion *motion, Faults *faults, Error *err);

#endif
