/* See option.h. */
#include "pipeline/stages/option.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/bytes.h"
#include "formats/base/number.h"
#include "formats/base/text.h"

Status real_parse(const char *text, double *value, Error *err)
{
    double number = 0;
    const char *end = number_scan(text, text + strlen(text), &number);
    if (!end || *end || !isfinite(number))
        return error_set(err, STATUS_USAGE, "expected a number, found \"%s\"%s", text,
                         number_hint(text, strlen(text)));
    *value = number;
    return STATUS_OK;
}

static Status flag_parse(const Option *option, const char *text, void *value, Error *err)
{
    (void)option, (void)text, (void)err;
    *(int *)value = 1;
    return STATUS_OK;
}

static void flag_format(const Option *option, const void *value, char *text, size_t size)
{
    (void)option;
    snprintf(text, size, "%s", *(const int *)value ? "yes" : "");
}

static Status number_parse(const Option *option, const char *text, void *value, Error *err)
{
    (void)option;
    return real_parse(text, value, err);
}

static void number_format(const Option *option, const void *value, char *text, size_t size)
{
    char number[NUMBER_TEXT_SIZE];
    (void)option;
    number_print(*(const double *)value, number);
    snprintf(text, size, "%s", number);
}

static Status positive_parse(const Option *option, const char *text, void *value, Error *err)
{
    double number = 0;
    (void)option;
    Status status = real_parse(text, &number, err);
    if (status)
        return status;
    if (!(number > 0))
        return error_set(err, STATUS_USAGE, "expected a positive number, found \"%s\"", text);
    *(double *)value = number;
    return STATUS_OK;
}

static Status amount_parse(const Option *option, const char *text, void *value, Error *err)
{
    double number = 0;
    Status status = number_parse(option, text, &number, err);
    if (status)
        return status;
    if (!(number >= 0))
        return error_set(err, STATUS_USAGE, "expected a number of 0 or more, found \"%s\"", text);
    *(double *)value = number;
    return STATUS_OK;
}

static Status fraction_parse(const Option *option, const char *text, void *value, Error *err)
{
    double number = 0;
    Status status = number_parse(option, text, &number, err);
    if (status)
        return status;
    if (!(number >= 0 && number <= 1))
        return error_set(err, STATUS_USAGE, "expected a number from 0 to 1, found \"%s\"", text);
    *(double *)value = number;
    return STATUS_OK;
}

static void positive_format(const Option *option, const void *value, char *text, size_t size)
{
    text[0] = 0;
    if (*(const double *)value > 0)
        number_format(option, value, text, size);
}

static Status count_parse(const Option *option, const char *text, void *value, Error *err)
{
    char *end;
    long number = strtol(text, &end, 10);
    (void)option;
    if (end == text || *end || number < 1 || number > INT_MAX)
        return error_set(err, STATUS_USAGE, "expected a positive integer, found \"%s\"", text);
    *(int *)value = (int)number;
    return STATUS_OK;
}

static void count_format(const Option *option, const void *value, char *text, size_t size)
{
    (void)option;
    text[0] = 0;
    if (*(const int *)value > 0)
        snprintf(text, size, "%d", *(const int *)value);
}

static int is_choice(const Option *option, int i, const char *text)
{
    return !strcmp(text, option->choices[i]) ||
           (*text && option->old_choices && !strcmp(text, option->old_choices[i]));
}

static Status choice_parse(const Option *option, const char *text, void *value, Error *err)
{
    for (int i = 0; option->choices[i]; i++)
        if (is_choice(option, i, text)) {
            memcpy(value, &i, sizeof i);
            return STATUS_OK;
        }
    return error_set(err, STATUS_USAGE, "expected %s, found \"%s\"", option->argument, text);
}

static void choice_format(const Option *option, const void *value, char *text, size_t size)
{
    int i;
    memcpy(&i, value, sizeof i);
    snprintf(text, size, "%s", option->choices[i]);
}

static Status text_parse(const Option *option, const char *text, void *value, Error *err)
{
    (void)option;
    if (!*text)
        return error_set(err, STATUS_USAGE, "expected a value, found none");
    *(const char **)value = text;
    return STATUS_OK;
}

static void time_format(const Option *option, const void *value, char *text, size_t size)
{
    text[0] = 0;
    if (isfinite(*(const double *)value))
        number_format(option, value, text, size);
}

static void text_format(const Option *option, const void *value, char *text, size_t size)
{
    const char *given = *(const char *const *)value;
    (void)option;
    snprintf(text, size, "%s", given ? given : "");
}

const OptionKind option_flag = {flag_parse, flag_format};
const OptionKind option_real = {number_parse, number_format};
const OptionKind option_time = {number_parse, time_format};
const OptionKind option_fraction = {fraction_parse, number_format};
const OptionKind option_amount = {amount_parse, positive_format};
const OptionKind option_positive = {positive_parse, positive_format};
const OptionKind option_count = {count_parse, count_format};
const OptionKind option_choice = {choice_parse, choice_format};
const OptionKind option_text = {text_parse, text_format};
const OptionKind option_file = {text_parse, text_format};

const Option *option_find(const Option *options, const char *name)
{
    for (const Option *option = options; option && option->name; option++)
        if (!strcmp(option->name, name) || (option->old_name && !strcmp(option->old_name, name)))
            return option;
    return NULL;
}

/* Returns the part of name after "prefix-"; NULL if it begins otherwise. */
static const char *behind_prefix(const char *prefix, const char *name)
{
    size_t length = prefix ? strlen(prefix) : 0;
    return length && !strncmp(name, prefix, length) && name[length] == '-' ? name + length + 1 : NULL;
}

const Option *option_find_prefixed(const OptionGroup *group, const char *name)
{
    const Command *stage = group->stage;
    const char *own = !stage ? name : behind_prefix(stage->name, name);
    if (!own)
        own = behind_prefix(stage->old_name, name);
    return own ? option_find(group->options, own) : NULL;
}

enum { PREFIXED_MAX = 256, PREFIXED_SIZE = 48 };

void option_suggest(const OptionGroup *groups, int group_count, const char *name, char *text, size_t size)
{
    char whole[PREFIXED_MAX][PREFIXED_SIZE], dashed[PREFIXED_SIZE];
    const char *names[PREFIXED_MAX];
    size_t count = 0;
    snprintf(dashed, sizeof dashed, "%s", name);
    for (char *c = dashed; (c = strchr(c, '_'));)
        *c = '-';
    for (int g = 0; g < group_count; g++)
        for (const Option *option = groups[g].options; option->name && count < PREFIXED_MAX; option++) {
            const char *stage = groups[g].stage ? groups[g].stage->name : "";
            snprintf(whole[count], sizeof whole[count], "%s%s%s", stage, *stage ? "-" : "", option->name);
            names[count] = whole[count];
            count++;
        }
    const char *near = *dashed ? nearest_name(dashed, names, count) : NULL;
    snprintf(text, size, "%s%s%s", near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

int command_is(const Command *command, const char *name)
{
    return !strcmp(command->name, name) || (command->old_name && !strcmp(command->old_name, name));
}

/* Returns whether text, which follows "--", begins with the complete name of an option. */
static int names_option(const Option *options, const char *text)
{
    char name[64];
    int length = (int)strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-");
    snprintf(name, sizeof name, "%.*s", length, text);
    return length > 0 && option_find(options, name) != NULL;
}

/* Returns the length of a stage name before "'s --", as in "import's --unit"; 0 if there is none. */
static size_t stage_named(const char *text, const char *at)
{
    size_t length = at == text || at[-1] == ' ' ? strspn(at, "abcdefghijklmnopqrstuvwxyz") : 0;
    return strncmp(at + length, "'s --", 5) ? 0 : length;
}

void option_prefix(const Option *options, const char *prefix, const char *text, char *out, size_t size)
{
    size_t used = 0;
    for (const char *at = text; *at && used + 1 < size; at++) {
        size_t stage = stage_named(text, at);
        if (stage > 0) {
            used += (size_t)snprintf(out + used, size - used, "--%.*s-", (int)stage, at);
            at += stage + strlen("'s --") - 1;
            continue;
        }
        int is_option = !strncmp(at, "--", 2) && (at == text || at[-1] == ' ' || at[-1] == '(') &&
                        names_option(options, at + 2);
        used += (size_t)(is_option ? snprintf(out + used, size - used, "--%s-", prefix)
                                   : snprintf(out + used, size - used, "%c", *at));
        at += is_option;
    }
    out[used < size ? used : size - 1] = 0;
}

const char *option_word(const Option *option, const char *text)
{
    for (const char *const *word = option->choices; word && *word; word++)
        if (!strcmp(*word, text))
            return *word;
    return NULL;
}

/* Writes name and digest of a file: "segments.tsv@1a2b3c4d". */
static Status describe_file(const char *path, FILE *stream, Error *err)
{
    char digest[DIGEST_SIZE];
    Status status = error_of_file(err, path, digest_path(path, digest, err));
    if (!status)
        fprintf(stream, " %s@%.8s", base_name(path), digest);
    return status;
}

static Status describe(const Option *option, const void *value, FILE *stream, Error *err)
{
    char text[OPTION_TEXT_SIZE];
    option->kind->format(option, value, text, sizeof text);
    if (!*text)
        return STATUS_OK;
    fprintf(stream, "%s--%s", ftell(stream) > 0 ? " " : "", option->name);
    if (option->kind == &option_file && !option_word(option, text))
        return describe_file(*(const char *const *)value, stream, err);
    if (option->argument)
        fprintf(stream, " %s", text);
    return STATUS_OK;
}

/* Returns whether text is one of the words of a list such as "butterworth|spring". */
static int is_listed(const char *list, const char *text)
{
    size_t length = strlen(text);
    for (const char *word = list; word; word = strchr(word, '|')) {
        word += *word == '|';
        if (!strncmp(word, text, length) && (word[length] == '|' || !word[length]))
            return 1;
    }
    return 0;
}

static int is_recorded(const Option *option, const Option *first, const void *values)
{
    char text[256];
    if (option->unrecorded || !option->with)
        return !option->unrecorded;
    first->kind->format(first, (const char *)values + first->offset, text, sizeof text);
    return is_listed(option->with, text);
}

Status options_describe(const Option *options, const void *values, char **text, Error *err)
{
    size_t size;
    Status status = STATUS_OK;
    *text = NULL;
    FILE *stream = open_memstream(text, &size);
    if (!stream)
        return error_no_memory(err);
    for (const Option *option = options; option && option->name && !status; option++)
        if (is_recorded(option, options, values))
            status = describe(option, (const char *)values + option->offset, stream, err);
    if (fclose(stream) && !status)
        status = error_no_memory(err);
    if (status) {
        free(*text);
        *text = NULL;
    }
    return status;
}
