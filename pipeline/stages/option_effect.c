/* See option_effect.h. */
#include "pipeline/stages/option_effect.h"

#include <string.h>

int option_acts(const OptionEffect *effects, const char *name, unsigned circumstances, const EffectCondition **lacking)
{
    while (effects->name && strcmp(effects->name, name) != 0)
        effects++;
    for (int i = 0; effects->name && i < EFFECT_CONDITIONS && effects->condition[i]; i++)
        if (!(effects->condition[i]->any & circumstances)) {
            if (lacking)
                *lacking = effects->condition[i];
            return 0;
        }
    return 1;
}

static int is_given(const Option *o, const void *given, const void *defaults)
{
    char is[256], unless[256];
    o->kind->format(o, (const char *)given + o->offset, is, sizeof is);
    o->kind->format(o, (const char *)defaults + o->offset, unless, sizeof unless);
    return strcmp(is, unless) != 0;
}

Status options_check_effect(const Option *options, const OptionEffect *effects, unsigned circumstances,
                            const void *given, const void *defaults, Error *err)
{
    const EffectCondition *lacking;
    for (const Option *o = options; o->name; o++)
        if (is_given(o, given, defaults) && !option_acts(effects, o->name, circumstances, &lacking))
            return error_set(err, STATUS_USAGE, "--%s %s", o->name, lacking->otherwise);
    return STATUS_OK;
}
