/* See batch_select.h. */
#include "formats/source/source.h"
#include "pipeline/cli/batch/batch_select.h"

#include <errno.h>
#include <fnmatch.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const store_names[] = {"lean", "full", "dynamics", "index", NULL};

#define FIELD(member) offsetof(BatchSelect, member)
const Option batch_select_options[] = {
    {.name = "include", .argument = "GLOB[,...]",
     .help = "Patterns of relative paths or file names to include",
     .kind = &option_text, .offset = FIELD(include)},
    {.name = "exclude", .argument = "GLOB[,...]",
     .help = "Patterns of relative paths or file names to exclude",
     .kind = &option_text, .offset = FIELD(exclude)},
    {.name = "files-from", .argument = "FILE|-",
     .help = "List of additional input files, one per line",
     .kind = &option_text, .offset = FIELD(files_from)},
    {.name = "clips", .argument = "TABLE.tsv",
     .help = "Table of options and tags per clip: column glob, columns named like options of kane run (body-mass, "
             "retarget-to), and tags for kane query (tag:actor, tag:show)",
     .kind = &option_text, .offset = FIELD(clips)},
    {.name = "dry-run",
     .help = "Print what would be done and why (new, failed, content, option, version, output, redo), and exit",
     .kind = &option_flag, .offset = FIELD(dry_run)},
    {.name = "redo",
     .help = "Recompute all clip files, also unchanged ones",
     .kind = &option_flag, .offset = FIELD(redo)},
    {.name = "prune",
     .help = "Remove clip files of this batch whose source has disappeared; --dry-run lists them",
     .kind = &option_flag, .offset = FIELD(prune)},
    {.name = "store", .argument = "lean|full|dynamics|index",
     .help = "Stored data: lean = what cannot be computed again, a sixth of a full file; full = all groups; dynamics = "
             "all but /kinematics; index = only the rows of the index",
     .kind = &option_choice, .offset = FIELD(store), .choices = store_names},
    {.name = "no-trace",
     .help = "No torque of every frame in a new index: a quarter smaller, without @within and @over LIMITS",
     .kind = &option_flag, .offset = FIELD(no_trace)},
    {.name = "summary", .argument = "FILE.json",
     .help = "JSON summary: counts, warnings, failures, slowest clips, disk space; and those of the call before",
     .kind = &option_text, .offset = FIELD(summary)},
    {0},
};

const char *batch_store_name(BatchStore store)
{
    return store_names[store];
}

static Status add_line(FoundFiles *files, char *line, Error *err)
{
    line[strcspn(line, "\r\n")] = 0;
    return *line ? found_files_add(files, line, source_is_motion, err) : STATUS_OK;
}

Status batch_select_add(const BatchSelect *select, FoundFiles *files, Error *err)
{
    if (!select->files_from)
        return STATUS_OK;
    int is_input = strcmp(select->files_from, "-") == 0;
    FILE *list = is_input ? stdin : fopen(select->files_from, "re");
    if (!list)
        return error_set(err, STATUS_IO, "%s: cannot read: %s", select->files_from, strerror(errno));
    char *line = NULL;
    size_t size = 0;
    Status status = STATUS_OK;
    while (!status && getline(&line, &size, list) >= 0)
        status = add_line(files, line, err);
    if (!status && ferror(list))
        status = error_set(err, STATUS_IO, "%s: cannot read: %s", select->files_from, strerror(errno));
    free(line);
    if (!is_input)
        fclose(list);
    return status;
}

int batch_select_is_like(const char *patterns, const char *relative)
{
    char pattern[512];
    while (*patterns) {
        size_t length = strcspn(patterns, ",");
        snprintf(pattern, sizeof pattern, "%.*s", (int)length, patterns);
        if (!fnmatch(pattern, relative, 0) || !fnmatch(pattern, base_name(relative), 0))
            return 1;
        patterns += length + (patterns[length] == ',');
    }
    return 0;
}

void batch_select_keep(const BatchSelect *select, FoundFiles *files, size_t *passed_over)
{
    size_t kept = 0;
    *passed_over = 0;
    for (size_t i = 0; i < files->count; i++) {
        FoundFile *file = &files->file[i];
        int is_shadow = !strncmp(base_name(file->relative), "._", 2);
        *passed_over += (size_t)is_shadow;
        if (!is_shadow && (!select->include || batch_select_is_like(select->include, file->relative)) &&
            !(select->exclude && batch_select_is_like(select->exclude, file->relative))) {
            files->file[kept++] = *file;
            continue;
        }
        free(file->path);
        free(file->relative);
    }
    files->count = kept;
}
