/* See batch_targets.h. */
#include "pipeline/cli/batch/batch_targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/base/bytes.h"
#include "formats/container/container.h"
#include "formats/source/source.h"
#include "formats/source/source_table.h"

static int is_target(const char *path)
{
    return *base_name(path) != '.' && (source_is_motion(path) || container_has_ending(path));
}

static int is_list(const char *text)
{
    struct stat info;
    return stat(text, &info) ? strchr(text, ',') != NULL : S_ISDIR(info.st_mode);
}

static Status add_entry(FoundFiles *files, const char *entry, Error *err)
{
    size_t before = files->count;
    if (!*entry)
        return error_set(err, STATUS_USAGE, "--retarget-to: a comma without a file beside it");
    Status status = found_files_add(files, entry, is_target, err);
    if (!status && files->count == before)
        status = error_set(err, STATUS_BAD_INPUT, "--retarget-to: no motion or clip file in %s", entry);
    return status;
}

static Status find_files(FoundFiles *files, const char *text, Error *err)
{
    char *copy = strdup(text), *rest = copy, *entry;
    Status status = copy ? STATUS_OK : error_no_memory(err);
    while (!status && rest && (entry = strsep(&rest, ",")))
        status = add_entry(files, entry, err);
    free(copy);
    return status;
}

static Status name_folder(FoundFile *file, Error *err)
{
    const char *name = base_name(file->path);
    size_t length = strlen(name);
    length = container_has_ending(name) ? length - strlen(".h5") : source_stem(name, length);
    char *folder = strndup(name, length);
    if (!folder)
        return error_no_memory(err);
    free(file->relative);
    file->relative = folder;
    return *folder && *folder != '.'
               ? STATUS_OK
               : error_set(err, STATUS_USAGE, "--retarget-to: %s names no folder; rename it", file->path);
}

static int is_same_file(const char *path, const char *other)
{
    struct stat a, b;
    return !stat(path, &a) && !stat(other, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Removes files listed twice; rejects two with the same folder. */
static Status refuse_namesakes(FoundFiles *files, Error *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < files->count; i++) {
        FoundFile file = files->file[i], *last = kept ? &files->file[kept - 1] : NULL;
        int is_namesake = last && !strcmp(last->relative, file.relative);
        if (is_namesake && !is_same_file(last->path, file.path))
            return error_set(err, STATUS_USAGE, "--retarget-to: %s and %s would both write to the folder %s; rename "
                             "one", last->path, file.path, file.relative);
        files->file[i] = (FoundFile){0};
        if (is_namesake) {
            free(file.path);
            free(file.relative);
        } else {
            files->file[kept++] = file;
        }
    }
    files->count = kept;
    return STATUS_OK;
}

static Status find_list(FoundFiles *files, const char *text, Error *err)
{
    Status status = find_files(files, text, err);
    for (size_t i = 0; i < files->count && !status; i++)
        status = name_folder(&files->file[i], err);
    if (status)
        return status;
    found_files_sort(files);
    return refuse_namesakes(files, err);
}

Status batch_targets_init(BatchTargets *out, const Pipeline *pipeline, Error *err)
{
    Pipeline each = *pipeline;
    const char **to = pipeline_target(&each);
    *out = (BatchTargets){0};
    if (!*to)
        return STATUS_OK;
    Status status = is_list(*to) ? find_list(&out->files, *to, err) : pipeline_check_target(&each, err);
    for (size_t i = 0; i < out->files.count && !status; i++) {
        *to = out->files.file[i].path;
        status = pipeline_check_target(&each, err);
    }
    if (status)
        batch_targets_free(out);
    return status;
}

void batch_targets_free(BatchTargets *targets)
{
    found_files_free(&targets->files);
}

static Status add_clip(FoundFiles *files, const FoundFile *file, const FoundFile *target, Error *err)
{
    char *relative;
    if (asprintf(&relative, "%s/%s", target->relative, file->relative) < 0)
        return error_no_memory(err);
    Status status = found_files_take(files, file->path, err);
    if (status) {
        free(relative);
        return status;
    }
    FoundFile *added = &files->file[files->count - 1];
    free(added->relative);
    added->relative = relative;
    return STATUS_OK;
}

Status batch_targets_spread(const BatchTargets *targets, FoundFiles *files, Error *err)
{
    FoundFiles all = {.special_count = files->special_count, .special = files->special};
    Status status = STATUS_OK;
    if (targets->files.count == 0)
        return STATUS_OK;
    for (size_t t = 0; t < targets->files.count; t++)
        for (size_t i = 0; i < files->count && !status; i++)
            status = add_clip(&all, &files->file[i], &targets->files.file[t], err);
    files->special = NULL;
    files->special_count = 0;
    found_files_free(files);
    *files = all;
    return status;
}

const FoundFile *batch_targets_find(const BatchTargets *targets, const char *output)
{
    size_t length = strcspn(output, "/");
    for (size_t i = 0; i < targets->files.count && output[length]; i++) {
        const FoundFile *target = &targets->files.file[i];
        if (strlen(target->relative) == length && !memcmp(target->relative, output, length))
            return target;
    }
    return NULL;
}

const char *batch_targets_clip(const BatchTargets *targets, const char *output)
{
    const FoundFile *target = batch_targets_find(targets, output);
    return target ? output + strlen(target->relative) + 1 : output;
}
