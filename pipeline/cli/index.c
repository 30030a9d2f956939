/* kane index: a library's index out of its containers; kane merge: one index out of those of several batches. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/base/memory.h"
#include "formats/index/index.h"
#include "formats/index/clip_path.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/paths.h"
#include "pipeline/cli/restore.h"
#include "pipeline/cli/verbs.h"

typedef struct IndexOptions {
    int rebuild;
} IndexOptions;

static const Option options[] = {
    {.name = "rebuild",
     .help = "Drop what the index held before",
     .kind = &option_flag, .offset = offsetof(IndexOptions, rebuild), .unrecorded = 1},
    {0},
};

static Status put_files(Index *index, const FoundFiles *files, char *const *relative, int *code, Error *err)
{
    Status status = STATUS_OK;
    for (size_t i = 0; i < files->count && status == STATUS_OK; i++)
        status = restore_clip("index", index, files->file[i].path, relative[i], code, err);
    return status == STATUS_OK ? index_finish(index, err) : status;
}

/* Paths as the index knows them. */
static Status relative_paths(const char *database, const FoundFiles *files, char **relative, Error *err)
{
    Status status = STATUS_OK;
    for (size_t i = 0; i < files->count && status == STATUS_OK; i++)
        status = error_of_file(err, files->file[i].path,
                                 relative_path(files->file[i].path, database, &relative[i], err));
    return status;
}

static Status index_files(const char *database, const FoundFiles *files, int rebuild, int *code, Error *err)
{
    Index *index = NULL;
    char **relative = array_new(files->count, 1, sizeof *relative);
    if (!relative)
        return error_no_memory(err);
    Status status = relative_paths(database, files, relative, err);
    if (status == STATUS_OK)
        status = error_of_file(err, database, rebuild ? index_open_anew(database, &index, err)
                                                        : restore_open("index", database, &index, code, err));
    if (status == STATUS_OK)
        status = error_of_file(err, database, put_files(index, files, relative, code, err));
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
    int code = 0;
    Status status = STATUS_OK;
    int first = command_line_parse(command, &group, 1, argc, argv);
    if (argc - first < 2)
        return message_usage(command->name, "expected %s", command->arguments);
    for (int i = first + 1; i < argc && status == STATUS_OK; i++)
        status = found_files_add(&files, argv[i], ".h5", &err);
    found_files_sort(&files);
    if (status == STATUS_OK)
        status = index_files(argv[first], &files, given.rebuild, &code, &err);
    found_files_free(&files);
    return status == STATUS_OK ? code : message_error(command->name, NULL, &err);
}

static const Command index_command = {
    .name = "index",
    .summary = "Put containers into an index",
    .arguments = "DB FILE.h5|DIR...",
    .description = "Adds containers to an index, or replaces what it holds of them. The containers are the truth: an "
                   "index can be deleted and made again from them, with the same content.",
    .options = options,
};

const Verb verb_index = {&index_command, index_main};

static int merge_main(const Command *command, int argc, char **argv)
{
    OptionGroup group = {NULL, NULL, NULL};
    Index *index = NULL;
    Error err = {0};
    int code = 0;
    int first = command_line_parse(command, &group, 1, argc, argv);
    if (argc - first < 2)
        return message_usage(command->name, "expected %s", command->arguments);
    Status status = restore_open(command->name, argv[first], &index, &code, &err);
    if (status == STATUS_OK)
        status = index_merge(index, (const char *const *)argv + first + 1, (size_t)(argc - first - 1), &err);
    if (status == STATUS_OK)
        status = index_finish(index, &err);
    index_close(index);
    return status == STATUS_OK ? code : message_error(command->name, argv[first], &err);
}

static const Command merge_command = {
    .name = "merge",
    .summary = "Join the indexes of the shards of a batch",
    .arguments = "DB SHARD.db...",
    .description = "Adds the clips and failures of other indexes; the result is that of one batch over everything.",
};

const Verb verb_merge = {&merge_command, merge_main};
