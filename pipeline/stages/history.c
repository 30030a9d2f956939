#include "pipeline/stages/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Status history_add(Clip *clip, const Command *command, const void *resolved, const char *note, Error *err)
{
    char *options, *line;
    Status status = options_describe(command->options, resolved, &options, err);
    if (status != STATUS_OK)
        return status;
    const char *gap = *options ? " " : "", *mark = note ? " # " : "";
    if (asprintf(&line, "%s%s%s%s%s", command->name, gap, options, mark, note ? note : "") < 0)
        line = NULL;
    free(options);
    status = line ? clip_add_history(clip, line, err) : error_no_memory(err);
    free(line);
    return status;
}
