/* kane index: a library's index out of its containers; kane merge: one index out of those of several batches. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "formats/index/database.h"
#include "formats/index/index.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/index_upgrade.h"
#include "pipeline/cli/verbs.h"

typedef struct IndexOptions {
    int rebuild;
    int jobs;
} IndexOptions;

static const Option options[] = {
    {.name = "rebuild",
     .help = "Drop what the index held before, but for the tags of these clips",
     .kind = &option_flag, .offset = offsetof(IndexOptions, rebuild), .unrecorded = 1},
    {.name = "jobs", .key = 'j', .argument = "N",
     .help = "Processes that read containers; as many as processors unless given",
     .kind = &option_count, .offset = offsetof(IndexOptions, jobs), .unrecorded = 1},
    {0},
};

enum { SHELL_SIGNAL = 128 }; /* exit code of what a signal has ended, as shells tell it */

/* The exit code of a call that a signal may have ended. */
static int code_of_end(int code)
{
    return interrupt_noted() ? SHELL_SIGNAL + interrupt_noted() : code;
}

/* Paths as the index knows them. */
static Status relative_paths(const char *database, const FoundFiles *files, char **relative, Error *err)
{
    Status status = STATUS_OK;
    for (size_t i = 0; i < files->count && !status; i++)
        status = error_of_file(err, files->file[i].path,
                                 relative_path(files->file[i].path, database, &relative[i], err));
    return status;
}

/* Of an index that is made anew nothing takes the place before all is done. */
static Status put_files(IndexUpgrade *restore, Index *index, const FoundFiles *files, char *const *relative, int anew,
                        Error *err)
{
    char **paths = array_new(files->count, 1, sizeof *paths);
    if (!paths)
        return error_no_memory(err);
    for (size_t i = 0; i < files->count; i++)
        paths[i] = files->file[i].path;
    Status status = index_upgrade_clips(restore, index, paths, (const char *const *)relative, files->count, err);
    free(paths);
    int is_cut = !status && interrupt_noted() && restore->done < files->count;
    if (is_cut)
        fprintf(stderr, "kane index: %s: stopped by %s: %s\n", index_path(index), interrupt_name(interrupt_noted()),
                anew ? "it is as it was" : "what was read before stands");
    return !status && !(is_cut && anew) ? index_finish(index, err) : status;
}

static Status index_files(const char *database, const FoundFiles *files, const IndexOptions *given,
                          IndexUpgrade *restore, Error *err)
{
    Index *index = NULL;
    char **relative = array_new(files->count, 1, sizeof *relative);
    if (!relative)
        return error_no_memory(err);
    Status status = relative_paths(database, files, relative, err);
    if (!status)
        status = error_of_file(err, database, given->rebuild ? index_open_anew(database, &index, err)
                                                               : index_upgrade_open(restore, database, &index, err));
    if (!status)
        status = error_of_file(err, database, put_files(restore, index, files, relative, given->rebuild, err));
    index_close(index);
    for (size_t i = 0; i < files->count; i++)
        free(relative[i]);
    free(relative);
    return status;
}

static int index_main(const Command *command, int argc, char **argv)
{
    IndexOptions given = {0};
    OptionGroup group = {NULL, command->options, &given};
    FoundFiles files = {0};
    Error err = {0};
    Status status = STATUS_OK;
    int first = command_line_parse(command, &group, 1, argc, argv);
    IndexUpgrade restore = {.verb = command->name, .jobs = given.jobs};
    if (argc - first < 2)
        return message_usage(command->name, "expected %s", command->arguments);
    interrupt_note();
    for (int i = first + 1; i < argc && !status; i++)
        status = found_files_add(&files, argv[i], container_has_ending, &err);
    found_files_note(&files, command->name);
    found_files_sort(&files);
    if (!status)
        status = index_files(argv[first], &files, &given, &restore, &err);
    found_files_free(&files);
    return code_of_end(status ? message_error(command->name, NULL, &err) : restore.code);
}

static const Command index_command = {
    .name = "index",
    .group = COMMANDS_LIBRARY,
    .summary = "Add clip files to an index",
    .arguments = "DB FILE.h5|DIR...",
    .description = "Adds clips to an index, or updates them. The clip files are authoritative: the index can be "
                   "rebuilt from them.",
    .example = "kane index library/index.db library/",
    .options = options,
};

const Verb verb_index = {&index_command, index_main};

static Status merge_indexes(IndexUpgrade *restore, const char *database, char *const *shards, int count, Error *err)
{
    Index *index = NULL;
    Status status = index_upgrade_open(restore, database, &index, err);
    if (!status) {
        index_stop_when(index, interrupt_noted);
        status = index_merge(index, (const char *const *)shards, (size_t)count, err);
    }
    if (!status)
        status = index_finish(index, err);
    else if (index && interrupt_noted())
        status = error_set(err, status, "stopped by %s: the indexes that were merged before stand, and merging again "
                           "goes on", interrupt_name(interrupt_noted()));
    index_close(index);
    return status;
}

static int merge_main(const Command *command, int argc, char **argv)
{
    OptionGroup group = {NULL, NULL, NULL};
    Error err = {0};
    int first = command_line_parse(command, &group, 1, argc, argv);
    IndexUpgrade restore = {.verb = command->name};
    if (argc - first < 2)
        return message_usage(command->name, "expected %s", command->arguments);
    interrupt_note();
    Status status = merge_indexes(&restore, argv[first], argv + first + 1, argc - first - 1, &err);
    return code_of_end(status ? message_error(command->name, argv[first], &err) : restore.code);
}

static const Command merge_command = {
    .name = "merge",
    .group = COMMANDS_LIBRARY,
    .summary = "Merge the indexes of a sharded batch",
    .arguments = "DB SHARD.db...",
    .description = "Adds the clips and failures of other indexes. The result equals the index of one batch over all "
                   "files.",
    .example = "kane merge index.db index.1-of-2.db index.2-of-2.db",
};

const Verb verb_merge = {&merge_command, merge_main};
