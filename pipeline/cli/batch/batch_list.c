#include "pipeline/cli/batch/batch_list.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const double worker_rate = 2e7; /* bytes of BVH a second and worker, on a fast machine */
static const double least_time = 30;   /* s, of a chunk: a job of a cluster costs seconds itself */

static Status shard_parse(const Option *option, const char *text, void *value, Error *err)
{
    char *slash, *end = NULL;
    long number = strtol(text, &slash, 10), count = 0;
    if (slash > text && *slash == '/')
        count = strtol(slash + 1, &end, 10);
    if (!end || end == slash + 1 || *end || number < 1 || number > count || count > INT_MAX)
        return error_set(err, STATUS_USAGE, "expected %s with K from 1 to N, found \"%s\"", option->argument, text);
    *(Shard *)value = (Shard){(int)number, (int)count};
    return STATUS_OK;
}

static void shard_format(const Option *option, const void *value, char *text, size_t size)
{
    const Shard *shard = value;
    (void)option;
    snprintf(text, size, "%d/%d", shard->number, shard->count);
}

const OptionKind option_shard = {shard_parse, shard_format};

#define FIELD(member) offsetof(BatchListOptions, member)
const Option batch_list_options[] = {
    {.name = "list",
     .help = "Do nothing, but print one shell command a chunk and last the one that merges their indexes",
     .kind = &option_flag, .offset = FIELD(list), .unrecorded = 1},
    {.name = "chunks", .argument = "N",
     .help = "How many chunks --list makes; so that each takes 30 s or more unless given",
     .kind = &option_count, .offset = FIELD(chunks), .unrecorded = 1},
    {0},
};

static int choose_chunks(const BatchPlan *plan, int jobs)
{
    double bytes = 0;
    struct stat info;
    for (size_t i = 0; i < plan->files.count; i++)
        if (stat(plan->files.file[i].path, &info) == 0)
            bytes += (double)info.st_size;
    double chunks = bytes / (worker_rate * least_time * (jobs > 0 ? jobs : 1));
    if (chunks > (double)plan->files.count)
        chunks = (double)plan->files.count;
    return chunks < 1 ? 1 : (int)chunks;
}

/* A word as the shell takes it literally. */
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

/* Whether argument is --name or an abbreviation of it, with its value in the same word or not. */
static int is_option(const char *argument, const char *name)
{
    size_t length = strcspn(argument, "=");
    return length > 2 && length - 2 <= strlen(name) && !strncmp(argument, "--", 2) &&
           !strncmp(argument + 2, name, length - 2);
}

/* The call without --list and --chunks. The shard comes before the other words, which may end with "--". */
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

/* A line is a command; the shell has no one-line form of a line break that every shell reads. */
static Status refuse_line_breaks(int argc, char *const *argv, Error *err)
{
    const char *word = strchr(program_invocation_name, '\n') ? program_invocation_name : NULL;
    for (int i = 1; i < argc && !word; i++)
        word = strchr(argv[i], '\n') ? argv[i] : NULL;
    if (!word)
        return STATUS_OK;
    return error_set(err, STATUS_USAGE, "--list: a path with a line break fits no command of one line: \"%.*s...\"",
                     (int)strcspn(word, "\n"), word);
}

Status batch_list_print(const BatchPlan *plan, const BatchListOptions *options, const BatchCall *call, FILE *stream,
                        Error *err)
{
    int chunks = options->chunks > 0 ? options->chunks : choose_chunks(plan, call->jobs);
    Status status = refuse_line_breaks(call->argc, call->argv, err);
    if (status != STATUS_OK)
        return status;
    for (int chunk = 1; chunk <= chunks; chunk++)
        put_command(stream, call->argc, call->argv, chunk, chunks);
    if (chunks > 1)
        put_merge(stream, call->output, chunks);
    if (fflush(stream) || ferror(stream))
        return error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return STATUS_OK;
}
