#include "pipeline/cli/verbs.h"

#include <stdlib.h>
#include <string.h>

#include "pipeline/cli/history.h"

static const Verb *const table[] = {
    &verb_import, &verb_check,  &verb_trim,  &verb_resample, &verb_retarget, &verb_body, &verb_smooth, &verb_diff,
    &verb_contact, &verb_torque, &verb_track, &verb_run,      &verb_batch,    &verb_index, &verb_merge, &verb_query,
    &verb_export, &verb_plot,   &verb_report, &verb_info,     NULL,
};

static const Verb *const chain[CHAIN_LENGTH + 1] = {
    &verb_body, &verb_smooth, &verb_diff, &verb_contact, &verb_torque, NULL,
};

const Verb *const *verbs_all(void)
{
    return table;
}

const Verb *const *verbs_chain(void)
{
    return chain;
}

const Verb *verbs_find(const char *name)
{
    for (const Verb *const *verb = table; *verb; verb++)
        if (!strcmp((*verb)->name, name))
            return *verb;
    return NULL;
}

void verb_defaults(const Verb *verb, OptionValues *values)
{
    *values = (OptionValues){0};
    if (verb->defaults)
        verb->defaults(values);
}

Status verb_apply(const Verb *verb, const OptionValues *values, Clip *clip, Error *err)
{
    OptionValues resolved = *values;
    Status status = verb->apply(&resolved, clip, err);
    return status == STATUS_OK ? history_stamp(clip, verb, &resolved, NULL, err) : status;
}
