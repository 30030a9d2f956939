/* See help.h. */
#include "pipeline/cli/help.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "formats/source/source.h"
#include "formats/source/source_table.h"

enum {
    WIDTH = 79,       /* columns of a line */
    TEXT_COLUMN = 29, /* of the texts of options */
    BREAK_COLUMN = 8, /* of the rest of a name that is longer than a line */
    MAX_OPTIONS = 256,
};

typedef struct HelpOption {
    const OptionGroup *group;
    const Option *option;
} HelpOption;

/* Prints text in lines of WIDTH columns, the first from `column`, the others from `indent`. */
static void put_text(FILE *stream, const char *text, int column, int indent)
{
    for (int is_first = 1; *text; is_first = 0) {
        int length = (int)strcspn(text, " \n");
        if (!is_first && column + 1 + length > WIDTH)
            column = (fprintf(stream, "\n%*s", indent, ""), indent);
        else if (!is_first)
            column += (putc(' ', stream), 1);
        column += fprintf(stream, "%.*s", length, text);
        text += length + (text[length] != 0);
    }
    putc('\n', stream);
}

/* Prints "  -j, --jobs=N" and returns its width. A list of values that is longer than a line is broken behind a bar. */
static int put_name(FILE *stream, const HelpOption *o)
{
    const Command *stage = o->group->stage;
    const Option *option = o->option;
    int column = option->key && !stage ? fprintf(stream, "  -%c, ", option->key) : fprintf(stream, "      ");
    column += fprintf(stream, "--%s%s%s%s", stage ? stage->name : "", stage ? "-" : "", option->name,
                      option->argument ? "=" : "");
    for (const char *word = option->argument; word && *word;) {
        int length = (int)strcspn(word, "|");
        length += word[length] != 0;
        if (column + length > WIDTH)
            column = (fprintf(stream, "\n%*s", BREAK_COLUMN, ""), BREAK_COLUMN);
        column += fprintf(stream, "%.*s", length, word);
        word += length;
    }
    return column;
}

static void put_option(FILE *stream, const HelpOption *o)
{
    const Option *option = o->option;
    char given[OPTION_TEXT_SIZE], named[1024], words[SOURCE_WORDS_SIZE], text[2 * OPTION_TEXT_SIZE + 64];
    int column = put_name(stream, o);
    if (column + 2 > TEXT_COLUMN)
        column = (putc('\n', stream), 0);
    fprintf(stream, "%*s", TEXT_COLUMN - column, "");
    snprintf(named, sizeof named, "%s", option->help);
    if (o->group->stage)
        option_prefix(o->group->options, o->group->stage->name, option->help, named, sizeof named);
    option->kind->format(option, (const char *)o->group->values + option->offset, given, sizeof given);
    int has_default = option->argument && *given;
    snprintf(text, sizeof text, "%s%s%s%s", source_words(named, words), has_default ? " (default " : "",
             has_default ? given : "", has_default ? ")" : "");
    put_text(stream, text, TEXT_COLUMN, TEXT_COLUMN);
}

static int by_name(const void *a, const void *b)
{
    return strcasecmp(((const HelpOption *)a)->option->name, ((const HelpOption *)b)->option->name);
}

/* Prints the options of the groups with this stage by name. */
static void put_options(FILE *stream, const OptionGroup *groups, int group_count, const Command *stage)
{
    HelpOption list[MAX_OPTIONS] = {0};
    size_t count = 0;
    for (int g = 0; g < group_count; g++)
        for (const Option *o = groups[g].options; groups[g].stage == stage && o && o->name; o++)
            if (count < MAX_OPTIONS)
                list[count++] = (HelpOption){&groups[g], o};
    qsort(list, count, sizeof *list, by_name);
    for (size_t i = 0; i < count; i++)
        put_option(stream, &list[i]);
}

void help_print(const Command *command, const OptionGroup *groups, int group_count, FILE *stream)
{
    char words[SOURCE_WORDS_SIZE];
    const char *behind = strchr(command->description, '\v');
    fprintf(stream, "Usage: kane %s [OPTION...] %s\n", command->name, source_words(command->arguments, words));
    char *description = strndup(command->description, strcspn(command->description, "\v"));
    if (description)
        put_text(stream, source_words(description, words), 0, 0);
    free(description);
    if (strstr(command->arguments, "{motion-files}"))
        put_text(stream, source_words(SOURCE_MOTION_NOTE, words), 0, 0);
    putc('\n', stream);
    put_options(stream, groups, group_count, NULL);
    for (int g = 0; g < group_count; g++)
        if (groups[g].stage && groups[g].options && groups[g].options->name) {
            fprintf(stream, "\nStage %s:\n", groups[g].stage->name);
            put_options(stream, groups, group_count, groups[g].stage);
        }
    fprintf(stream, "\n  -?, --help                 Print this help\n      --usage                Print a short usage "
            "message\n");
    if (behind)
        fprintf(stream, "\n%s", behind + 1 + (behind[1] == '\n'));
    fprintf(stream, "\nExample:\n  %s\n", command->example);
}
