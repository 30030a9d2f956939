/* kane: dispatches to the commands. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/base/version.h"
#include "formats/base/text.h"
#include "formats/source/source_table.h"
#include "pipeline/cli/manual.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/commands.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"

#ifndef KANE_COMMIT /* set in the Makefile, except in builds without git */
#define KANE_COMMIT "unknown"
#endif

static const char *const headings[] = {
    [COMMANDS_PIPELINE] = "Pipeline", [COMMANDS_EDIT] = "Edit",         [COMMANDS_INSPECT] = "Inspect",
    [COMMANDS_LIBRARY] = "Library",   [COMMANDS_SIMULATE] = "Simulate", [COMMANDS_EXCHANGE] = "Exchange",
};
_Static_assert(sizeof headings / sizeof *headings == COMMAND_GROUP_COUNT, "a group has no heading");

static void print_group(FILE *stream, CommandGroup group)
{
    char words[SOURCE_WORDS_SIZE];
    const Command *command;
    fprintf(stream, "\n%s\n", headings[group]);
    for (int i = 0; (command = commands_at(i)); i++)
        if (command->group == group)
            fprintf(stream, "  %-10s  %s\n", command->name, source_words(command->summary, words));
}

static void print_help(FILE *stream)
{
    fputs("Usage: kane COMMAND [OPTION...] [FILE...]\n"
          "Computes joint torques from motion capture and indexes whole libraries.\n", stream);
    for (int group = 0; group < COMMAND_GROUP_COUNT; group++)
        print_group(stream, (CommandGroup)group);
    fputs("\nExamples\n"
          "  kane run walk.bvh -o walk.h5             joint torques of one clip\n"
          "  kane batch mocap/ -o library/            a folder of clips, with library/index.db\n"
          "  kane query library/index.db @hardest     the clips with the largest torques\n"
          "\n`kane COMMAND --help` lists the options of a command, `kane --version` prints the version,\n"
          "`kane --version --verbose` also the commit, compiler and libraries.\n"
          "`-` is standard input or output.\n"
          "Exit code: 0 success, 1 an input failed or no row matched, 2 wrong usage, 3 internal error.\n", stream);
}

static int refuse_command(const char *word)
{
    const char *names[64], *old[64];
    char near[256];
    size_t count = 0, old_count = 0;
    for (const Command *command; count < 64 && (command = commands_at((int)count)); count++) {
        names[count] = command->name;
        if (command->old_name)
            old[old_count++] = command->old_name;
    }
    const char *renamed = nearest_name(word, old, old_count), *current = nearest_name(word, names, count);
    did_you_mean(word, names, count, near, sizeof near);
    if (renamed && (!current || nearest_name(word, (const char *[]){current, renamed}, 2) == renamed))
        snprintf(near, sizeof near, "; did you mean %s?", commands_find(renamed)->name);
    return message_usage(NULL, "unknown command \"%s\"%s", word, *near ? near : "; `kane --help` lists the commands");
}

static const char *lane_width_name(LaneWidth width)
{
    return (const char *const[]){"scalar", "SSE2", "AVX2", "AVX-512"}[lane_twin(width)];
}

/* Prints what bug reports need: commit, compiler and libraries. */
static int print_build(void)
{
    LaneWidth wanted, width;
    char version[64];
    const char *name;
    Error err = {0};
    if (stage_lanes(&wanted, &err))
        return message_usage(NULL, "%s", err.text);
    width = lane_width_choose(wanted);
    printf("kane %s\n%-9s %s\n", KANE_VERSION, "commit", KANE_COMMIT);
#ifdef __clang__
    printf("%-9s %s %s\n", "compiler", "clang", __clang_version__);
#else
    printf("%-9s %s %s\n", "compiler", "gcc", __VERSION__);
#endif
    printf("%-9s %s, %d double%s\n", "lanes", lane_width_name(width), (int)width, width == LANES_SCALAR ? "" : "s");
    for (size_t i = 0; (name = library_version(i, version, sizeof version)); i++)
        printf("%-9s %s\n", name, version);
    return 0;
}

static int version_main(int argc, char **argv)
{
    int is_verbose = argc > 2 && !strcmp(argv[2], "--verbose");
    if (argc > 2 + is_verbose)
        return message_usage(NULL, "unexpected \"%s\": expected `kane --version` or `kane --version --verbose`",
            argv[2 + is_verbose]);
    if (is_verbose)
        return print_build();
    puts("kane " KANE_VERSION);
    return 0;
}

/* Flushes standard output; a write error is an error even if the command succeeded. A failed command has printed its
 * own error. */
static int flush_output(int code)
{
    int failed = fflush(stdout) != 0 || ferror(stdout);
    if (!failed || code)
        return code;
    fprintf(stderr, "kane: cannot write to standard output: %s\n", strerror(errno));
    return status_exit_code(STATUS_IO);
}

/* `kane help COMMAND` is `kane COMMAND --help`. */
static int help_main(int argc, char **argv)
{
    char help[] = "--help";
    if (argc < 3) {
        print_help(stdout);
        return 0;
    }
    if (!commands_find(argv[2]))
        return refuse_command(argv[2]);
    return commands_run(argv[2], 2, (char *[]){argv[2], help, NULL});
}

static int dispatch(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    if (!word) {
        print_help(stderr);
        return status_exit_code(STATUS_USAGE);
    }
    if (!strcmp(word, "--help") || !strcmp(word, "-?") || !strcmp(word, "-h") || !strcmp(word, "help")) {
        return help_main(argc, argv);
    }
    if (!strcmp(word, "--version")) {
        return version_main(argc, argv);
    }
    if (argc == 2 && manual_print_program(word, commands_at, stdout))
        return 0;
    if (!commands_find(word))
        return refuse_command(word);
    return commands_run(word, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    memory_return_freed();
    return flush_output(dispatch(argc, argv));
}
