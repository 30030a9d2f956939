#include "pipeline/cli/manual.h"

#include <ctype.h>
#include <string.h>

#include "analysis/base/version.h"

static const char exit_codes[] = "0 done, 1 some input failed or no row matched, 2 wrong usage, 3 internal error.";

/* Text as roff takes it literally: a minus is not a hyphen, a line must not begin with a point or an apostrophe. What
 * stands behind argp's vertical tab keeps its lines. */
static void put_roff(FILE *stream, const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", stream);
    for (; *text; text++) {
        if (*text == '\\')
            fputs("\\e", stream);
        else if (*text == '-')
            fputs("\\-", stream);
        else if (*text == '\v')
            fputs("\n.PP\n.nf\n", stream);
        else
            putc(*text, stream);
    }
}

/* "kane\-smooth", in capitals for the title; verb NULL: "kane". */
static void put_page_name(FILE *stream, const char *verb, int capitals)
{
    fputs(capitals ? "KANE" : "kane", stream);
    if (verb)
        fputs("\\-", stream);
    for (; verb && *verb; verb++)
        putc(capitals ? toupper(*verb) : *verb, stream);
}

static void put_head(FILE *stream, const char *verb, const char *summary)
{
    fputs(".TH \"", stream);
    put_page_name(stream, verb, 1);
    fputs("\" \"1\" \"\" \"kane " KANE_VERSION "\" \"User Commands\"\n.SH NAME\n", stream);
    put_page_name(stream, verb, 0);
    fputs(" \\- ", stream);
    put_roff(stream, summary);
    putc('\n', stream);
}

static void put_section(FILE *stream, const char *title, const char *text)
{
    fprintf(stream, ".SH %s\n", title);
    put_roff(stream, text);
    putc('\n', stream);
}

static void put_option(FILE *stream, const OptionGroup *group, const Option *option)
{
    char given[256];
    fputs(".TP\n.B ", stream);
    if (option->key && !group->prefix)
        fprintf(stream, "\\-%c, ", option->key);
    fputs("\\-\\-", stream);
    if (group->prefix) {
        put_roff(stream, group->prefix);
        fputs("\\-", stream);
    }
    put_roff(stream, option->name);
    if (option->argument) {
        putc('=', stream);
        put_roff(stream, option->argument);
    }
    putc('\n', stream);
    put_roff(stream, option->help);
    option->kind->format(option, (const char *)group->values + option->offset, given, sizeof given);
    if (option->argument && *given) {
        fputs(" (default ", stream);
        put_roff(stream, given);
        putc(')', stream);
    }
    fputs(".\n", stream);
}

static void put_group(FILE *stream, const OptionGroup *group)
{
    if (group->prefix && group->options && group->options->name)
        fprintf(stream, ".SS \"Stage %s\"\n", group->prefix);
    for (const Option *option = group->options; option && option->name; option++)
        put_option(stream, group, option);
}

static void put_verb_page(FILE *stream, const Command *command, const OptionGroup *groups, int group_count)
{
    put_head(stream, command->name, command->summary);
    fprintf(stream, ".SH SYNOPSIS\n.B kane %s\n[OPTION...] ", command->name);
    put_roff(stream, command->arguments);
    putc('\n', stream);
    put_section(stream, "DESCRIPTION", command->description);
    if (strchr(command->description, '\v'))
        fputs(".fi\n", stream);
    fputs(".SH OPTIONS\n", stream);
    for (int g = 0; g < group_count; g++)
        put_group(stream, &groups[g]);
    fputs(".TP\n.B \\-?, \\-\\-help\nGive a list of the options.\n", stream);
    put_section(stream, "EXIT STATUS", exit_codes);
    fputs(".SH SEE ALSO\n.BR kane (1)\n", stream);
}

static void put_program_page(FILE *stream, CommandAt *command_at)
{
    const Command *command;
    put_head(stream, NULL, "motion capture to joint torques that can be queried");
    fputs(".SH SYNOPSIS\n.B kane\nVERB [OPTION...] [FILE...]\n", stream);
    put_section(stream, "DESCRIPTION",
                "Turns BVH motion-capture files into HDF5 containers of joint torques, and many of these into an "
                "SQLite index. The verbs of a chain read containers from standard input and write them to standard "
                "output, so that they compose in a pipe; - is standard input or output.");
    fputs(".SH VERBS\n", stream);
    for (int place = 0; (command = command_at(place)); place++) {
        fprintf(stream, ".TP\n.BR kane\\-%s (1)\n", command->name);
        put_roff(stream, command->summary);
        fputs(".\n", stream);
    }
    put_section(stream, "EXIT STATUS", exit_codes);
    fputs(".SH SEE ALSO\n", stream);
    for (int place = 0; (command = command_at(place)); place++)
        fprintf(stream, ".BR kane\\-%s (1)%s\n", command->name, command_at(place + 1) ? "," : "");
}

/* "--smooth-cutoff<tab>HZ|auto<tab>help" a line; a flag has an empty second field. */
static void put_completions(FILE *stream, const OptionGroup *groups, int group_count)
{
    for (int g = 0; g < group_count; g++) {
        const OptionGroup *group = &groups[g];
        for (const Option *option = group->options; option && option->name; option++)
            fprintf(stream, "--%s%s%s\t%s\t%s\n", group->prefix ? group->prefix : "", group->prefix ? "-" : "",
                    option->name, option->argument ? option->argument : "", option->help);
    }
    fputs("--help\t\tGive a list of the options\n", stream);
}

static void put_verbs(FILE *stream, CommandAt *command_at)
{
    const Command *command;
    for (int place = 0; (command = command_at(place)); place++)
        fprintf(stream, "%s\t%s\n", command->name, command->summary);
}

int manual_print(const char *word, const Command *command, const OptionGroup *groups, int group_count, FILE *stream)
{
    if (!strcmp(word, "--man"))
        put_verb_page(stream, command, groups, group_count);
    else if (!strcmp(word, "--complete"))
        put_completions(stream, groups, group_count);
    else
        return 0;
    return 1;
}

int manual_print_program(const char *word, CommandAt *command_at, FILE *stream)
{
    if (!strcmp(word, "--man"))
        put_program_page(stream, command_at);
    else if (!strcmp(word, "--complete"))
        put_verbs(stream, command_at);
    else
        return 0;
    return 1;
}
