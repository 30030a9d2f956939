/* Conditions under which options have an effect; giving an option without effect is an error.
 *
 * A command has a table with one row per option and computes bits that describe its input, the other options and the
 * scene. Each new option requires a row (tests/unit/stages/test_option_effect.c). */
#ifndef KANE_STAGES_OPTION_EFFECT_H
#define KANE_STAGES_OPTION_EFFECT_H

#include "analysis/base/status.h"
#include "pipeline/stages/option.h"

enum { EFFECT_CONDITIONS = 4 };

/* A condition: at least one of these bits is set. */
typedef struct EffectCondition {
    unsigned any;
    const char *otherwise; /* end of the error message if not: "is for scenes, not for ..." */
} EffectCondition;

typedef struct OptionEffect {
    const char *name;
    const EffectCondition *condition[EFFECT_CONDITIONS]; /* all must be met; ends with NULL */
} OptionEffect;

/* Returns whether the option has an effect; *lacking (may be NULL) receives the first condition that is not met. */
int option_acts(const OptionEffect *effects, const char *name, unsigned circumstances, const EffectCondition **lacking);

/* STATUS_USAGE with the first option that was given (differs from `defaults`) without having an effect. given and
 * defaults are the command's options structs. effects ends with a zero row. */
Status options_check_effect(const Option *options, const OptionEffect *effects, unsigned circumstances,
                            const void *given, const void *defaults, Error *err);

#endif
