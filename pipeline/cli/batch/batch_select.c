#include "pipeline/cli/batch/batch_select.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const store_names[] = {"full", "dynamics", "index", NULL};

#define FIELD(member) offsetof(BatchSelect, member)
const Option batch_select_options[] = {
    {.name = "include", .argument = "GLOB[,...]",
     .help = "Only files of folders whose path below the folder, or name, is like one of these",
     .kind = &option_text, .offset = FIELD(include), .unrecorded = 1},
    {.name = "exclude", .argument = "GLOB[,...]",
     .help = "No files like one of these",
     .kind = &option_text, .offset = FIELD(exclude), .unrecorded = 1},
    {.name = "files-from", .argument = "FILE|-",
     .help = "Also the files that this list names, a line each",
     .kind = &option_text, .offset = FIELD(files_from), .unrecorded = 1},
    {.name = "clips", .argument = "TABLE.tsv",
     .help = "Options and tags of single clips: a column glob, columns named as options of kane run (body-mass, "
             "retarget-to), and tags (actor, show) that kane query asks for by their names",
     .kind = &option_text, .offset = FIELD(clips), .unrecorded = 1},
    {.name = "dry-run",
     .help = "Do nothing, but print what would be done and why: new, content, option, version, output or redo",
     .kind = &option_flag, .offset = FIELD(dry_run), .unrecorded = 1},
    {.name = "redo",
     .help = "Make every container anew, also those that have not changed",
     .kind = &option_flag, .offset = FIELD(redo), .unrecorded = 1},
    {.name = "prune",
     .help = "Remove the containers that this batch wrote and whose source has gone; --dry-run lists them",
     .kind = &option_flag, .offset = FIELD(prune), .unrecorded = 1},
    {.name = "store", .argument = "full|dynamics|index",
     .help = "What is kept: all groups, all but /kinematics, or no containers and only their rows in the index",
     .kind = &option_choice, .offset = FIELD(store), .choices = store_names},
    {.name = "summary", .argument = "FILE.json",
     .help = "Write what was done, and each failure, as JSON",
     .kind = &option_text, .offset = FIELD(summary), .unrecorded = 1},
    {0},
};

const char *batch_store_name(BatchStore store)
{
    return store_names[store];
}

static Status add_line(FoundFiles *files, char *line, Error *err)
{
    line[strcspn(line, "\r\n")] = 0;
    return *line ? found_files_add(files, line, ".bvh", err) : STATUS_OK;
}

Status batch_select_add(const BatchSelect *select, FoundFiles *files, Error *err)
{
    if (!select->files_from)
        return STATUS_OK;
    int is_input = strcmp(select->files_from, "-") == 0;
    FILE *list = is_input ? stdin : fopen(select->files_from, "re");
    if (!list)
        return error_set(err, STATUS_IO, "%s: %s", select->files_from, strerror(errno));
    char *line = NULL;
    size_t size = 0;
    Status status = STATUS_OK;
    while (status == STATUS_OK && getline(&line, &size, list) >= 0)
        status = add_line(files, line, err);
    if (status == STATUS_OK && ferror(list))
        status = error_set(err, STATUS_IO, "%s: %s", select->files_from, strerror(errno));
    free(line);
    if (!is_input)
        fclose(list);
    return status;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
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
