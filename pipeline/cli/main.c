/* kane: dispatch to the verbs. */
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "analysis/base/status.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/verbs.h"

static void print_help(FILE *stream)
{
    const Command *command;
    fputs("Usage: kane VERB [OPTION...] [FILE...]\n"
          "Motion capture to joint torques that can be queried.\n\n", stream);
    for (int place = 0; (command = verbs_command(place)); place++)
        fprintf(stream, "  %-10s %s\n", command->name, command->summary);
    fputs("\n`kane help VERB` lists the options of a verb, `kane --version` names this program's version.\n"
          "`-` is standard input or output. Exit code: 0 done, 1 some input failed or no row, 2 wrong usage, "
          "3 internal.\n", stream);
}

/* What was printed must have arrived: a full disk is no success. A verb that failed has said why. */
static int flush_output(int code)
{
    int failed = fflush(stdout) != 0 || ferror(stdout);
    if (!failed || code)
        return code;
    fprintf(stderr, "kane: cannot write to standard output: %s\n", strerror(errno));
    return status_exit_code(STATUS_IO);
}

/* `kane help VERB` is `kane VERB --help`. */
static int help_main(int argc, char **argv)
{
    char help[] = "--help";
    if (argc < 3) {
        print_help(stdout);
        return 0;
    }
    if (!verbs_find(argv[2])) {
        fprintf(stderr, "kane: there is no verb \"%s\"; `kane --help` lists them\n", argv[2]);
        return status_exit_code(STATUS_USAGE);
    }
    return verbs_run(argv[2], 2, (char *[]){argv[2], help, NULL});
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
        puts("kane " KANE_VERSION);
        return 0;
    }
    if (argc == 2 && manual_print_program(word, verbs_command, stdout))
        return 0;
    if (!verbs_find(word)) {
        fprintf(stderr, "kane: there is no verb \"%s\"; `kane --help` lists them\n", word);
        return status_exit_code(STATUS_USAGE);
    }
    return verbs_run(word, argc - 1, argv + 1);
}

/* What a long clip has freed goes back to the system: left to itself glibc keeps up to 32 MB of each size. */
static void return_freed_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

int main(int argc, char **argv)
{
    return_freed_memory();
    return flush_output(dispatch(argc, argv));
}
