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

static int still_holds(const Clip *clip, const Stage *applied, const char *line)
{
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(line, " \n"), line);
    const Stage *stage = stage_find(name);
    if (!stage || stage->fills & CLIP_ALWAYS)
        return 1;
    return stage != applied && !(stage->fills & ~clip_groups(clip));
}

static void drop_stale(Clip *clip, const Stage *applied)
{
    char *from = clip->provenance.history, *to = from;
    while (from && *from) {
        size_t length = strcspn(from, "\n");
        int is_last = from[length] == 0;
        if (still_holds(clip, applied, from)) {
            if (to != clip->provenance.history)
                *to++ = '\n';
            memmove(to, from, length);
            to += length;
        }
        from += length + !is_last;
    }
    if (to)
        *to = 0;
}

Status history_stamp(Clip *clip, const Stage *stage, const OptionValues *resolved, Error *err)
{
    drop_stale(clip, stage);
    return history_add(clip, &stage->command, resolved, NULL, err);
}
