/* See history_read.h. */
#include "pipeline/stages/history_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/bytes.h"

const char *history_behind_name(const Command *command, const char *line)
{
    char name[32];
    size_t length = strcspn(line, " \n");
    snprintf(name, sizeof name, "%.*s", (int)length, line);
    return command_is(command, name) ? line + length : NULL;
}

/* Returns the last line of a stage without its name and note; NULL if it was never applied. The caller frees it. */
static char *last_line(const char *history, const Command *command)
{
    const char *found = NULL;
    for (const char *line = history; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *behind = history_behind_name(command, line);
        found = behind ? behind : found;
    }
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
    char *line = last_line(clip->provenance.history, &stage->command);
    int has = line && strstr(line, word);
    free(line);
    return has;
}

static Status read_value(const HistoryReading *r, const Option *option, const char *text, Error *err)
{
    Status status = option->kind->parse(option, text, r->values + option->offset, NULL);
    if (status != STATUS_USAGE)
        return status;
    return error_set(err, STATUS_BAD_INPUT, "history: unsupported \"--%s %s\" of kane %s; run kane %s again",
                     option->name, text, r->command->name, r->command->name);
}

/* Sets the option to the file r->file in the source's directory if it has this digest. */
static Status find_beside(const HistoryReading *r, const Option *option, const char *digest, Error *err)
{
    const char *slash = strrchr(r->source, '/');
    char *path = NULL, found[DIGEST_SIZE] = "";
    if (asprintf(&path, "%.*s%s", slash ? (int)(slash + 1 - r->source) : 0, r->source, r->file) < 0)
        return error_no_memory(err);
    Status status = digest_path(path, found, NULL);
    int is_same = !status && *digest && strncmp(found, digest, strlen(digest)) == 0;
    int fits = (size_t)snprintf(r->file, r->size, "%s", path) < r->size;
    free(path);
    if (!is_same || !fits)
        return error_set(err, STATUS_BAD_INPUT, "cannot repeat kane %s: --%s read %.200s (SHA-256 %.16s...), which %s",
                         r->command->name, option->name, r->file, digest,
                         status ? "is not beside the source" : "has other content");
    return option->kind->parse(option, r->file, r->values + option->offset, err);
}

/* Parses "--cutoff 8" from words separated by strtok_r. */
static Status read_option(const HistoryReading *r, const char *word, char **rest, Error *err)
{
    const Option *option = strncmp(word, "--", 2) ? NULL : option_find(r->command->options, word + 2);
    if (!option)
        return error_set(err, STATUS_BAD_INPUT, "history: unsupported option \"%s\" of kane %s; run that stage again",
                         word, r->command->name);
    const char *text = option->argument ? strtok_r(NULL, " ", rest) : "";
    if (option->kind != &option_file)
        return read_value(r, option, text ? text : "", err);
    if (text && option_word(option, text)) /* static text in place of that of the line */
        return option->kind->parse(option, option_word(option, text), r->values + option->offset, err);
    if (*r->file && r->source)
        return error_set(err, STATUS_BAD_INPUT, "cannot repeat kane %s: it read more than one file", r->command->name);
    for (size_t used = 0; text; text = strtok_r(NULL, " ", rest)) { /* a file name may contain spaces */
        int length = (int)strcspn(text, "@");
        used += (size_t)snprintf(r->file + used, r->size - used, "%s%.*s", used ? " " : "", length, text);
        if (text[length] || used >= r->size)
            return r->source ? find_beside(r, option, text + length + (text[length] != 0), err) : STATUS_OK;
    }
    return STATUS_OK;
}

Status history_read_options(const HistoryReading *r, char *words, Error *err)
{
    char *rest = NULL;
    Status status = STATUS_OK;
    *r->file = 0;
    for (char *word = strtok_r(words, " ", &rest); word && !status; word = strtok_r(NULL, " ", &rest))
        status = read_option(r, word, &rest, err);
    return status;
}

Status history_read(const Clip *clip, const Stage *stage, OptionValues *values, char *file, size_t size, Error *err)
{
    HistoryReading reading = {&stage->command, values->bytes, file, size, NULL};
    char *line = last_line(clip->provenance.history, &stage->command);
    *file = 0;
    stage_defaults(stage, values);
    Status status = line ? history_read_options(&reading, line, err) : STATUS_OK;
    free(line);
    return status;
}
