/* Where an option acts: one that was given and changes nothing is an error.
 *
 * A command has a table, a row an option, and knows its circumstances as bits: what kind of input it has, which other
 * options are given, what a scene holds. A new option gets a row (tests/unit/stages/test_option_effect.c). */
#ifndef KANE_PIPELINE_OPTION_EFFECT_H
#define KANE_PIPELINE_OPTION_EFFECT_H

#include "pipeline/stages/option.h"

enum { EFFECT_NEEDS = 4 };

/* One of these bits must be among the circumstances. */
typedef struct EffectNeed {
    unsigned any;
    const char *otherwise; /* what is said of the option then: "is for scenes, not for ..." */
} EffectNeed;

typedef struct OptionEffect {
    const char *name;
    const EffectNeed *need[EFFECT_NEEDS]; /* NULL: no more */
} OptionEffect;

/* Whether the option acts under the circumstances; *lacking (may be NULL) receives the need that is not met. */
int option_acts(const OptionEffect *effects, const char *name, unsigned circumstances, const EffectNeed **lacking);

/* STATUS_USAGE naming the first option that was given, that is differs from `defaults`, and does not act. Both are
 * structs of the options. The table ends with a zero row. */
Status options_check_effect(const Option *options, const OptionEffect *effects, unsigned circumstances,
                            const void *given, const void *defaults, Error *err);

#endif
