#include "pipeline/stages/history_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last line of a stage without its name and note; NULL: it was never applied. The caller frees it. */
static char *last_line(const char *history, const char *name)
{
    const char *found = NULL;
    size_t length = strlen(name);
    for (const char *line = history; line && *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (!strncmp(line, name, length) && strchr(" \n", line[length]))
            found = line + length;
    char *text = found ? strndup(found, strcspn(found, "\n")) : NULL;
    char *note = text ? strstr(text, " # ") : NULL;
    if (note)
        *note = 0;
    return text;
}

int history_has(const Clip *clip, const Stage *stage)
{
    return history_line_has(clip, stage, "");
}

int history_line_has(const Clip *clip, const Stage *stage, const char *word)
{
    char *line = last_line(clip->provenance.history, stage->command.name);
    int has = line && strstr(line, word);
    free(line);
    return has;
}

typedef struct HistoryReading {
    const Stage *stage;
    OptionValues *values;
    char *file;
    size_t size;
} HistoryReading;

/* Takes "--cutoff 8" out of words that strtok_r divides. */
static Status read_option(const HistoryReading *r, const char *word, char **rest, Error *err)
{
    const Option *option = strncmp(word, "--", 2) ? NULL : option_find(r->stage->command.options, word + 2);
    if (!option)
        return error_set(err, STATUS_BAD_INPUT, "its history has \"%s\" of kane %s, which this version does not know",
                         word, r->stage->command.name);
    const char *text = option->argument ? strtok_r(NULL, " ", rest) : "";
    if (option->kind != &option_file)
        return option->kind->parse(option, text ? text : "", r->values->bytes + option->offset, err);
    if (text && option_word(option, text)) /* the option's own text: that of the line goes */
        return option->kind->parse(option, option_word(option, text), r->values->bytes + option->offset, err);
    for (size_t used = 0; text; text = strtok_r(NULL, " ", rest)) { /* a file's name may hold blanks */
        int length = (int)strcspn(text, "@");
        used += (size_t)snprintf(r->file + used, r->size - used, "%s%.*s", used ? " " : "", length, text);
        if (text[length] || used >= r->size)
            break;
    }
    return STATUS_OK;
}

Status history_read(const Clip *clip, const Stage *stage, OptionValues *values, char *file, size_t size, Error *err)
{
    HistoryReading reading = {stage, values, file, size};
    char *line = last_line(clip->provenance.history, stage->command.name), *rest = NULL;
    Status status = STATUS_OK;
    *file = 0;
    stage_defaults(stage, values);
    for (char *word = line ? strtok_r(line, " ", &rest) : NULL; word && !status; word = strtok_r(NULL, " ", &rest))
        status = read_option(&reading, word, &rest, err);
    free(line);
    return status == STATUS_USAGE ? STATUS_BAD_INPUT : status;
}
