/* See manual.h. */
#include "pipeline/cli/manual.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "analysis/base/status.h"
#include "analysis/base/version.h"
#include "formats/base/text.h"
#include "formats/source/source_table.h"

static const char exit_codes[] = "0 success, 1 an input failed or no row matched, 2 wrong usage, 3 internal error.";

/* Writes text escaped for roff: minus signs, and points or apostrophes at the start of a line. Text after argp's
 * vertical tab keeps its lines. */
static void put_roff(FILE *stream, const char *text)
{
    char words[SOURCE_WORDS_SIZE];
    text = source_words(text, words);
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
        if (*text == '|') /* permits a line break in long lists of values */
            fputs("\\:", stream);
    }
}

/* Writes "kane\-smooth", in capitals for the title; `command` NULL: "kane". */
static void put_page_name(FILE *stream, const char *command, int capitals)
{
    fputs(capitals ? "KANE" : "kane", stream);
    if (command)
        fputs("\\-", stream);
    for (; command && *command; command++)
        putc(capitals ? toupper(*command) : *command, stream);
}

static void put_head(FILE *stream, const char *command, const char *summary)
{
    fputs(".TH \"", stream);
    put_page_name(stream, command, 1);
    fputs("\" \"1\" \"\" \"kane " KANE_VERSION "\" \"User Commands\"\n.ad l\n.SH NAME\n", stream);
    put_page_name(stream, command, 0);
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
    if (option->key && !group->stage)
        fprintf(stream, "\\-%c, ", option->key);
    fputs("\\-\\-", stream);
    if (group->stage) {
        put_roff(stream, group->stage->name);
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
    if (group->stage && group->options && group->options->name)
        fprintf(stream, ".SS \"Stage %s\"\n", group->stage->name);
    for (const Option *option = group->options; option && option->name; option++)
        put_option(stream, group, option);
}

static void put_command_page(FILE *stream, const Command *command, const OptionGroup *groups, int group_count)
{
    put_head(stream, command->name, command->summary);
    fprintf(stream, ".SH SYNOPSIS\n.B kane %s\n[OPTION...] ", command->name);
    put_roff(stream, command->arguments);
    putc('\n', stream);
    put_section(stream, "DESCRIPTION", command->description);
    if (strstr(command->arguments, "{motion-files}")) {
        put_roff(stream, SOURCE_MOTION_NOTE);
        putc('\n', stream);
    }
    if (strchr(command->description, '\v'))
        fputs(".fi\n", stream);
    fputs(".SH OPTIONS\n", stream);
    for (int g = 0; g < group_count; g++)
        put_group(stream, &groups[g]);
    fputs(".TP\n.B \\-?, \\-\\-help\nList the options.\n", stream);
    put_section(stream, "EXAMPLE", command->example);
    put_section(stream, "EXIT STATUS", exit_codes);
    fputs(".SH SEE ALSO\n.BR kane (1)\n", stream);
}

static void put_program_page(FILE *stream, CommandAt *command_at)
{
    const Command *command;
    put_head(stream, NULL, "compute joint torques from motion capture and query them");
    fputs(".SH SYNOPSIS\n.B kane\nCOMMAND [OPTION...] [FILE...]\n", stream);
    put_section(stream, "DESCRIPTION",
                "Computes joint torques from motion capture, stores each clip as an HDF5 file and indexes whole "
                "libraries in SQLite. The stages of the pipeline read clip files from standard input and write them "
                "to standard output, so that they can be piped; - is standard input or output.");
    fputs(".SH COMMANDS\n", stream);
    for (int index = 0; (command = command_at(index)); index++) {
        fprintf(stream, ".TP\n.BR kane\\-%s (1)\n", command->name);
        put_roff(stream, command->summary);
        fputs(".\n", stream);
    }
    put_section(stream, "EXIT STATUS", exit_codes);
    fputs(".SH SEE ALSO\n", stream);
    for (int index = 0; (command = command_at(index)); index++)
        fprintf(stream, ".BR kane\\-%s (1)%s\n", command->name, command_at(index + 1) ? "," : "");
}

/* Writes a line "--smooth-cutoff<tab>HZ|auto<tab>help" per option; the second field of a flag is empty. */
static void put_completions(FILE *stream, const OptionGroup *groups, int group_count)
{
    char words[SOURCE_WORDS_SIZE];
    for (int g = 0; g < group_count; g++) {
        const OptionGroup *group = &groups[g];
        for (const Option *option = group->options; option && option->name; option++)
            fprintf(stream, "--%s%s%s\t%s\t%s\n", group->stage ? group->stage->name : "", group->stage ? "-" : "",
                    option->name, option->argument ? option->argument : "",
                    source_words(option->help, words));
    }
    fputs("--help\t\tList the options\n", stream);
}

static void put_commands(FILE *stream, CommandAt *command_at)
{
    char words[SOURCE_WORDS_SIZE];
    const Command *command;
    for (int index = 0; (command = command_at(index)); index++)
        fprintf(stream, "%s\t%s\n", command->name, source_words(command->summary, words));
}

int manual_print(const char *word, const Command *command, const OptionGroup *groups, int group_count, FILE *stream)
{
    if (!strcmp(word, "--man"))
        put_command_page(stream, command, groups, group_count);
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
        put_commands(stream, command_at);
    else
        return 0;
    return 1;
}
