/* Single causes of uncertainty. The variances of all causes sum to those of `kane torque --uncertainty`. */
#ifndef KANE_TESTS_SINGLE_TERM_H
#define KANE_TESTS_SINGLE_TERM_H

#include "analysis/uncertainty/spread_terms.h"
#include "analysis/uncertainty/torque_uncertainty.h"

/* Returns def with only one term. With method full, SPREAD_FILTER represents the whole ensemble and the other ensemble
 * terms are zero. */
static inline UncertaintyDef single_term(const UncertaintyDef *def, SpreadTerm term)
{
    UncertaintyDef one = *def;
    int whole = def->method == SPREAD_FULL && term == SPREAD_FILTER;
    if (def->method == SPREAD_FULL && !whole)
        one.method = SPREAD_FAST;
    for (int i = 0; i < SPREAD_TERM_COUNT; i++) {
        int varied = def->method == SPREAD_FULL && spread_term_is_varied((SpreadTerm)i);
        if (whole ? !varied : varied || i != (int)term)
            one.size[i] = 0;
    }
    return one;
}

#endif
