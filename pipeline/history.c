#include "pipeline/history.h"

#include <stdio.h>
#include <stdlib.h>

Status history_line(const Verb *verb, const OptionValues *resolved, const char *note, char **line, Error *err)
{
    char *options;
    *line = NULL;
    Status status = options_describe(verb->options, resolved, &options, err);
    if (status != STATUS_OK)
        return status;
    const char *gap = *options ? " " : "", *mark = note ? " # " : "";
    if (asprintf(line, "%s%s%s%s%s", verb->name, gap, options, mark, note ? note : "") < 0) {
        *line = NULL;
        status = error_no_memory(err);
    }
    free(options);
    return status;
}

Status history_stamp(Clip *clip, const Verb *verb, const OptionValues *resolved, const char *note, Error *err)
{
    char *line;
    Status status = history_line(verb, resolved, note, &line, err);
    if (status == STATUS_OK)
        status = clip_add_history(clip, line, err);
    free(line);
    return status;
}
