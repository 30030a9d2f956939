/* kane index: builds an index from clip files. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "formats/base/relative_path.h"
#include "formats/container/container.h"
#include "formats/index/index.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/found_files.h"
#include "pipeline/cli/index_upgrade.h"
#include "pipeline/cli/interrupt.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/commands.h"
#include "pipeline/stages/option.h"

typedef struct IndexOptions {
    int rebuild, no_trace, strict;
    int jobs;
} IndexOptions;

static const Option options[] = {
    {.name = "rebuild",
     .help = "Rebuild the index from these files; tags, failures and stale marks are kept",
     .kind = &option_flag, .offset = offsetof(IndexOptions, rebuild), .unrecorded = 1},
    {.name = "no-trace",
     .help = "No torque of every frame in a new or rebuilt index: a quarter smaller, without @within and @over LIMITS",
     .kind = &option_flag, .offset = offsetof(IndexOptions, no_trace), .unrecorded = 1},
    {.name = "strict",
     .help = "Refuse clips whose settings or version of kane differ; the index then stays unchanged",
     .kind = &option_flag, .offset = offsetof(IndexOptions, strict), .unrecorded = 1},
    {.name = "jobs", .key = 'j', .argument = "N",
     .help = "Number of reading processes (default: number of processors)",
     .kind = &option_count, .offset = offsetof(IndexOptions, jobs), .unrecorded = 1},
    {0},
};

/* Computes paths relative to the index. */
static Status relative_paths(const char *database, const FoundFiles *files, char **relative, Error *err)
{
    Status status = STATUS_OK;
    for (size_t i = 0; i < files->count && !status; i++)
        status = error_of_file(err, files->file[i].path,
                                 relative_path(files->file[i].path, database, &relative[i], err));
    return status;
}

/* Adds files to the index; a rebuilt index replaces the old one only when complete. */
static Status put_files(IndexUpgrade *restore, Index *index, const FoundFiles *files, char *const *relative,
                        int is_rebuilt, Error *err)
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
                is_rebuilt ? "the index is unchanged" : "the clips read so far are in the index");
    if (status || (is_cut && is_rebuilt))
        return status;
    int mixed = 0;
    status = index_note_mixed(index, "index", &mixed, err);
    if (!status && mixed && restore->strict)
        status = error_set(err, STATUS_BAD_INPUT, "clips were made with different settings, which --strict refuses: "
                           "the index is unchanged");
    return status ? status : index_finish(index, err);
}

/* Skips clips that were removed from the index with their source. */
static void leave_out_lost(Index *index, FoundFiles *files, char **relative)
{
    size_t kept = 0, count = files->count;
    for (size_t i = 0; i < count; i++) {
        if (!index_is_lost(index, relative[i])) {
            files->file[kept] = files->file[i];
            relative[kept++] = relative[i];
            continue;
        }
        free(files->file[i].path);
        free(files->file[i].relative);
        free(relative[i]);
    }
    files->count = kept;
    if (kept < count)
        message_note("index", index_path(index), "skipped %zu clip file%s whose source has disappeared; kane index "
                     "without --rebuild adds them", count - kept, count - kept == 1 ? "" : "s");
}

static Status index_files(const char *database, FoundFiles *files, const IndexOptions *given,
                          IndexUpgrade *restore, Error *err)
{
    Index *index = NULL;
    int is_new = access(database, F_OK) != 0;
    char **relative = array_new(files->count, 1, sizeof *relative);
    if (!relative)
        return error_no_memory(err);
    Status status = relative_paths(database, files, relative, err);
    if (!status)
        status = error_of_file(err, database, given->rebuild ? index_open_anew(database, &index, err)
                                                               : index_upgrade_open(restore, database, &index, err));
    if (!status && given->no_trace)
        status = error_of_file(err, database, index_leave_out_traces(index, err));
    if (!status && given->rebuild)
        leave_out_lost(index, files, relative);
    if (!status)
        status = error_of_file(err, database, put_files(restore, index, files, relative, given->rebuild, err));
    index_close(index);
    if (status && is_new && given->strict)
        index_delete_new(database);
    for (size_t i = 0; i < files->count; i++)
        free(relative[i]);
    free(relative);
    if (!status && !interrupt_noted())
        message_note(restore->command, database, "%zu clip%s indexed, %zu failed", restore->done - restore->failed,
                     restore->done - restore->failed == 1 ? "" : "s", restore->failed);
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
    IndexUpgrade restore = {.command = command->name, .jobs = given.jobs, .strict = given.strict};
    if (argc - first < 2)
        return message_missing(command->name, command->arguments);
    interrupt_note();
    for (int i = first + 1; i < argc && !status; i++)
        status = found_files_add(&files, argv[i], container_has_ending, &err);
    found_files_note(&files, command->name);
    found_files_sort(&files);
    if (!status)
        status = index_files(argv[first], &files, &given, &restore, &err);
    found_files_free(&files);
    return interrupt_exit_code(status ? message_error(command->name, NULL, &err) : restore.code);
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

const CliCommand cli_index = {&index_command, index_main};
