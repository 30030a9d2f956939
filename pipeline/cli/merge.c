/* kane merge: merges indexes of several batches. */
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/base/status.h"
#include "formats/index/index.h"
#include "formats/index/index_check.h"
#include "formats/index/index_options.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/index_upgrade.h"
#include "pipeline/cli/interrupt.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/commands.h"
#include "pipeline/stages/option.h"

/* STATUS_USAGE if the output is one of the inputs. */
static Status refuse_output(const char *database, char *const *shards, int count, Error *err)
{
    struct stat output, input;
    if (stat(database, &output))
        return STATUS_OK;
    for (int i = 0; i < count; i++)
        if (stat(shards[i], &input) == 0 && input.st_dev == output.st_dev && input.st_ino == output.st_ino)
            return error_set(err, STATUS_USAGE, "the output is an input as well; "
                             "name it once, before the others");
    return STATUS_OK;
}

typedef struct MergeOptions {
    int forced;
} MergeOptions;

static const Option merge_options[] = {
    {.name = "force",
     .help = "Merge indexes whose clips were made with different options",
     .kind = &option_flag, .offset = offsetof(MergeOptions, forced), .unrecorded = 1},
    {0},
};

static Status count_difference(void *context, const OptionDifference *d, Error *err)
{
    int *differences = context;
    (void)err;
    ++*differences;
    message_note("merge", d->side[1].index, "%s differs: %s%s (%lld clip%s), in %s %s%s (%lld clip%s)", d->option,
                 d->side[1].value, d->side[1].values > 1 ? "..." : "", d->side[1].clips,
                 d->side[1].clips == 1 ? "" : "s", d->side[0].index, d->side[0].value,
                 d->side[0].values > 1 ? "..." : "", d->side[0].clips, d->side[0].clips == 1 ? "" : "s");
    return STATUS_OK;
}

/* STATUS_BAD_INPUT, unless forced, if clips were made with different options and are not comparable. */
static Status check_options(Index *index, const char *const *shards, size_t count, int forced, Error *err)
{
    int differences = 0;
    Status status = index_compare_options(index, shards, count, count_difference, &differences, err);
    if (status || !differences || forced)
        return status;
    return error_set(err, STATUS_BAD_INPUT, "clips were made with different options; nothing is merged without --force "
                     "(kane query DB @options lists the options of an index)");
}

typedef struct ShardCheck {
    size_t damage;
    char first[256];
} ShardCheck;

static Status note_damage(void *context, const char *clip, const char *text, Error *err)
{
    ShardCheck *check = context;
    (void)err;
    if (check->damage++ == 0)
        snprintf(check->first, sizeof check->first, "%.120s%s%.120s", clip ? clip : "", clip ? ": " : "", text);
    return STATUS_OK;
}

/* Checks the rows of an index against their checksums: STATUS_BAD_INPUT if they differ. */
static Status check_rows(const char *shard, Error *err)
{
    ShardCheck found = {0};
    IndexCheck *check = NULL;
    Status status = error_of_file(err, shard, index_check_open(shard, &check, err));
    if (!status)
        status = error_of_file(err, shard, index_check_file(check, note_damage, &found, err));
    index_check_close(check);
    if (status || !found.damage)
        return status;
    return error_set(err, STATUS_BAD_INPUT, "%s: damaged: %s; rebuild it from its clip files (kane index --rebuild)",
                     shard, found.first);
}

static Status check_shards(char *const *shards, int count, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < count && !status; i++)
        status = check_rows(shards[i], err);
    for (int i = 0; i < count && !status; i++)
        status = index_note_changed("merge", shards[i], err);
    return status;
}

static Status merge_indexes(IndexUpgrade *restore, const char *database, char *const *shards, int count, int forced,
                            Error *err)
{
    Index *index = NULL;
    int is_new = access(database, F_OK) != 0;
    Status status = refuse_output(database, shards, count, err);
    if (!status)
        status = check_shards(shards, count, err);
    if (!status)
        status = index_upgrade_open(restore, database, &index, err);
    if (!status) {
        index_stop_when(index, interrupt_noted);
        status = check_options(index, (const char *const *)shards, (size_t)count, forced, err);
    }
    if (!status)
        status = index_merge(index, (const char *const *)shards, (size_t)count, err);
    if (status && is_new && index && index_is_empty(index))
        unlink(database);
    int mixed;
    if (!status)
        status = index_note_mixed(index, "merge", &mixed, err);
    if (!status)
        status = index_finish(index, err);
    else if (index && interrupt_noted())
        status = error_set(err, status, "stopped by %s: the indexes merged so far are kept; run the same command to "
                           "resume", interrupt_name(interrupt_noted()));
    index_close(index);
    return status;
}

static int merge_main(const Command *command, int argc, char **argv)
{
    MergeOptions given = {0};
    OptionGroup group = {NULL, command->options, &given};
    Error err = {0};
    int first = command_line_parse(command, &group, 1, argc, argv);
    IndexUpgrade restore = {.command = command->name};
    if (argc - first < 2)
        return message_missing(command->name, command->arguments);
    interrupt_note();
    Status status = merge_indexes(&restore, argv[first], argv + first + 1, argc - first - 1, given.forced, &err);
    return interrupt_exit_code(status ? message_error(command->name, argv[first], &err) : restore.code);
}

static const Command merge_command = {
    .name = "merge",
    .group = COMMANDS_LIBRARY,
    .summary = "Merge the indexes of a sharded batch",
    .arguments = "DB SHARD.db...",
    .description = "Adds the clips and failures of other indexes. The result equals the index of one batch over all "
                   "files. Rows that do not match their checksums are refused, and without --force indexes whose clips "
                   "were made with different options; values that a table of clips sets (kane batch --clips) may "
                   "differ.",
    .options = merge_options,
    .example = "kane merge index.db index.1-of-2.db index.2-of-2.db",
};

const CliCommand cli_merge = {&merge_command, merge_main};
