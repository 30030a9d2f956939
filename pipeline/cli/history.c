#include "pipeline/cli/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Whether a line still holds: of the stages that fill a group only the last call counts, and only while the group is
 * there. What changes the motion adds up. */
static int still_holds(const Clip *clip, const Verb *verb, const char *line, size_t length)
{
    const struct {
        const Verb *verb;
        int is_there;
    } groups[] = {{&verb_body, clip->has_body},
                  {&verb_diff, clip->has_kinematics},
                  {&verb_contact, clip->has_contact},
                  {&verb_torque, clip->has_dynamics}};
    size_t name = 0;
    while (name < length && line[name] != ' ')
        name++;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (strlen(groups[i].verb->name) == name && memcmp(groups[i].verb->name, line, name) == 0)
            return groups[i].is_there && groups[i].verb != verb;
    return 1;
}

/* Takes out the lines that verb, just applied, made untrue. */
static void drop_stale(Clip *clip, const Verb *verb)
{
    char *from = clip->provenance.history, *to = from;
    while (from && *from) {
        size_t length = strcspn(from, "\n");
        int is_last = from[length] == 0;
        if (still_holds(clip, verb, from, length)) {
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

Status history_stamp(Clip *clip, const Verb *verb, const OptionValues *resolved, const char *note, Error *err)
{
    char *line;
    Status status = history_line(verb, resolved, note, &line, err);
    if (status == STATUS_OK) {
        drop_stale(clip, verb);
        status = clip_add_history(clip, line, err);
    }
    free(line);
    return status;
}
