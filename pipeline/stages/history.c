/* See history.h. */
#include "pipeline/stages/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const ComputedGroup computed_groups[] = {
    {CLIP_BODY, "body", NULL},         {CLIP_KINEMATICS, "kinematics", "diff"}, {CLIP_CONTACT, "contact", NULL},
    {CLIP_DYNAMICS, "torque", NULL},   {CLIP_ANGLES, "angles", "anatomy"},     {CLIP_TRACKING, "track", NULL},
    {0},
};

Status history_add(Clip *clip, const Command *command, const void *resolved, const char *note, Error *err)
{
    char *options, *line;
    Status status = options_describe(command->options, resolved, &options, err);
    if (status)
        return status;
    const char *gap = *options ? " " : "", *mark = note ? " # " : "";
    if (asprintf(&line, "%s%s%s%s%s", command->name, gap, options, mark, note ? note : "") < 0)
        line = NULL;
    free(options);
    status = line ? clip_add_history(clip, line, err) : error_no_memory(err);
    free(line);
    return status;
}

/* Returns the group that the command of a line of history computed; 0 if it changed skeleton or motion. */
static unsigned group_of_line(const char *line)
{
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(line, " \n"), line);
    for (const ComputedGroup *c = computed_groups; c->stage; c++)
        if (!strcmp(name, c->stage) || (c->old_name && !strcmp(name, c->old_name)))
            return c->group;
    return 0;
}

static int still_applies(const Clip *clip, unsigned filled, const char *line)
{
    unsigned group = group_of_line(line);
    return !group || (group != filled && group & clip_groups(clip));
}

void history_drop_stale(Clip *clip, unsigned filled)
{
    char *from = clip->provenance.history, *to = from;
    while (from && *from) {
        size_t length = strcspn(from, "\n");
        int is_last = from[length] == 0;
        if (still_applies(clip, filled, from)) {
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
