/* See measured_options.h. */
#include "pipeline/stages/measured_options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const plate_aligns[] = {"auto", "none", NULL};
const char *const plate_zeros[] = {"file", "unloaded", "none", NULL};

static Status lag_parse(const Option *option, const char *text, void *value, Error *err)
{
    if (strcmp(text, "auto"))
        return option_real.parse(option, text, value, err);
    *(double *)value = NAN;
    return STATUS_OK;
}

static void lag_format(const Option *option, const void *value, char *text, size_t size)
{
    double lag = *(const double *)value;
    text[0] = 0;
    if (isnan(lag))
        snprintf(text, size, "auto");
    else if (!isinf(lag))
        option_real.format(option, value, text, size);
}

static Status choice_parse(const Option *option, const char *text, void *value, Error *err)
{
    return option_choice.parse(option, text, value, err);
}

/* The default is not written to the history. */
static void choice_format(const Option *option, const void *value, char *text, size_t size)
{
    int chosen;
    memcpy(&chosen, value, sizeof chosen);
    text[0] = 0;
    if (chosen)
        option_choice.format(option, value, text, size);
}

const OptionKind option_lag = {lag_parse, lag_format};
const OptionKind option_measured = {choice_parse, choice_format};

MeasuredOptions measured_options(void)
{
    return (MeasuredOptions){.lag = INFINITY};
}
