/* See batch_list.h. */
#include "pipeline/cli/batch/batch_list.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const double worker_rate = 2e7; /* bytes of a motion file per second and worker, on a fast machine */
static const double min_time = 30;     /* s per chunk; scheduling a cluster job takes seconds */

#define FIELD(member) offsetof(BatchListOptions, member)
const Option batch_list_options[] = {
    {.name = "list",
     .help = "Print one shell command per chunk and the merge command, and exit",
     .kind = &option_flag, .offset = FIELD(list)},
    {.name = "chunks", .argument = "N",
     .help = "Number of chunks for --list (default: at least 30 s each)",
     .kind = &option_count, .offset = FIELD(chunks)},
    {0},
};

static int choose_chunks(const BatchPlan *plan, int jobs)
{
    double bytes = 0;
    struct stat info;
    for (size_t i = 0; i < plan->files.count; i++)
        if (stat(plan->files.file[i].path, &info) == 0)
            bytes += (double)info.st_size;
    double chunks = bytes / (worker_rate * min_time * (jobs > 0 ? jobs : 1));
    if (chunks > (double)plan->files.count)
        chunks = (double)plan->files.count;
    return chunks < 1 ? 1 : (int)chunks;
}

/* Quotes a word for the shell. */
static void put_word(FILE *stream, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    if (*word && !word[strspn(word, plain)]) {
        fputs(word, stream);
        return;
    }
    putc('\'', stream);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", stream);
        else
            putc(*word, stream);
    }
    putc('\'', stream);
}

/* Returns whether argument is --name or an abbreviation of it, with or without "=value". */
static int is_option(const char *argument, const char *name)
{
    size_t length = strcspn(argument, "=");
    return length > 2 && length - 2 <= strlen(name) && !strncmp(argument, "--", 2) &&
           !strncmp(argument + 2, name, length - 2);
}

/* Writes the call without --list and --chunks. The shard precedes the other words, which may end with "--". */
static void put_command(FILE *stream, int argc, char *const *argv, int chunk, int chunks)
{
    put_word(stream, program_invocation_name);
    fputs(" batch", stream);
    fprintf(stream, " --shard %d/%d", chunk, chunks);
    for (int i = 1; i < argc; i++) {
        if (is_option(argv[i], "list"))
            continue;
        if (is_option(argv[i], "chunks")) {
            i += !strchr(argv[i], '=');
            continue;
        }
        putc(' ', stream);
        put_word(stream, argv[i]);
    }
    putc('\n', stream);
}

static void put_merge(FILE *stream, const char *output, int chunks)
{
    char path[4400];
    put_word(stream, program_invocation_name);
    fputs(" merge", stream);
    for (int chunk = 0; chunk <= chunks; chunk++) {
        if (chunk == 0)
            snprintf(path, sizeof path, "%s/index.db", output);
        else
            snprintf(path, sizeof path, "%s/index.%d-of-%d.db", output, chunk, chunks);
        putc(' ', stream);
        put_word(stream, path);
    }
    putc('\n', stream);
}

/* Rejects line breaks, because each command is one line and no quoting of them works in all shells. */
static Status refuse_line_breaks(int argc, char *const *argv, Error *err)
{
    const char *word = strchr(program_invocation_name, '\n') ? program_invocation_name : NULL;
    for (int i = 1; i < argc && !word; i++)
        word = strchr(argv[i], '\n') ? argv[i] : NULL;
    if (!word)
        return STATUS_OK;
    return error_set(err, STATUS_USAGE, "--list: the path \"%.*s...\" contains a line break",
                     (int)strcspn(word, "\n"), word);
}

Status batch_list_print(const BatchPlan *plan, const BatchListOptions *options, const BatchCall *call, FILE *stream,
                        Error *err)
{
    int chunks = options->chunks > 0 ? options->chunks : choose_chunks(plan, call->jobs);
    Status status = refuse_line_breaks(call->argc, call->argv, err);
    if (status)
        return status;
    for (int chunk = 1; chunk <= chunks; chunk++)
        put_command(stream, call->argc, call->argv, chunk, chunks);
    if (chunks > 1)
        put_merge(stream, call->output, chunks);
    if (fflush(stream) || ferror(stream))
        return error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return STATUS_OK;
}
