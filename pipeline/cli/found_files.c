/* See found_files.h. */
#include "pipeline/cli/found_files.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/base/bytes.h"
#include "pipeline/cli/message.h"

static Status add_file(FoundFiles *files, const char *path, const char *relative, Error *err)
{
    if (files->count == files->capacity) {
        size_t capacity = files->capacity ? 2 * files->capacity : 64;
        FoundFile *larger = realloc(files->file, capacity * sizeof *larger);
        if (!larger)
            return error_no_memory(err);
        files->file = larger;
        files->capacity = capacity;
    }
    FoundFile file = {strdup(path), strdup(relative)};
    if (!file.path || !file.relative) {
        free(file.path);
        free(file.relative);
        return error_no_memory(err);
    }
    files->file[files->count++] = file;
    return STATUS_OK;
}

/* Returns 1 if an entry of the walk belongs in the list: a wanted file, even if it cannot be examined (a
 * broken link, a folder without permission), or an unreadable folder. Opening it then reports the error. */
static int is_wanted(const FTSENT *entry, FileWanted *wants)
{
    switch (entry->fts_info) {
    case FTS_DNR: return 1;
    case FTS_F:
    case FTS_NS:
    case FTS_SLNONE: return wants(entry->fts_path);
    default: return 0;
    }
}

static Status pass_over(FoundFiles *files, const char *path, Error *err)
{
    char *copy = strdup(path);
    if (!copy || !array_grow(&files->special, files->special_count, sizeof *files->special)) {
        free(copy);
        return error_no_memory(err);
    }
    files->special[files->special_count++] = copy;
    return STATUS_OK;
}

static Status walk(FoundFiles *files, const char *folder, FileWanted *wants, Error *err)
{
    char *roots[] = {(char *)folder, NULL};
    size_t skip = strlen(folder);
    Status status = STATUS_OK;
    FTSENT *entry;
    FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, NULL);
    if (!tree)
        return error_set(err, STATUS_IO, "%s: cannot read: %s", folder, strerror(errno));
    while (!status && (entry = fts_read(tree))) {
        const char *relative = entry->fts_path + skip;
        while (*relative == '/')
            relative++;
        if (entry->fts_info == FTS_ERR || (entry->fts_info == FTS_DNR && entry->fts_level == FTS_ROOTLEVEL))
            status = error_set(err, STATUS_IO, "%s: cannot read: %s", entry->fts_path, strerror(entry->fts_errno));
        else if (is_wanted(entry, wants))
            status = add_file(files, entry->fts_path, relative, err);
        else if (entry->fts_info == FTS_DEFAULT && wants(entry->fts_path))
            status = pass_over(files, entry->fts_path, err);
    }
    fts_close(tree);
    return status;
}

Status found_files_add(FoundFiles *files, const char *argument, FileWanted *wants, Error *err)
{
    struct stat info;
    const char *slash = strrchr(argument, '/');
    if (stat(argument, &info))
        return error_set(err, STATUS_IO, "%s: cannot read: %s", argument, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return walk(files, argument, wants, err);
    return add_file(files, argument, slash ? slash + 1 : argument, err);
}

Status found_files_take(FoundFiles *files, const char *path, Error *err)
{
    return add_file(files, path, path, err);
}

/* Adds "walk.x" and its relative name with the number of a take. */
static Status add_take(FoundFiles *files, const FoundFile *file, int number, Error *err)
{
    char *path = NULL, *relative = NULL;
    Status status = asprintf(&path, "%s#%d", file->path, number) < 0 ||
                            asprintf(&relative, "%s#%d", file->relative, number) < 0
                        ? error_no_memory(err)
                        : add_file(files, path, relative, err);
    free(path);
    free(relative);
    return status;
}

/* Adds the take that an option names; a file that cannot be read is added as it is, and reading it reports why. */
static Status add_named_take(FoundFiles *files, const FoundFile *file, const SourceDef *limits, Error *err)
{
    int number;
    if (source_find_take(file->path, limits, &number, NULL))
        number = 0;
    return number > 0 ? add_take(files, file, number, err) : add_file(files, file->path, file->relative, err);
}

static Status add_takes(FoundFiles *files, const FoundFile *file, const SourceDef *limits, Error *err)
{
    if (limits->take)
        return add_named_take(files, file, limits, err);
    int count = source_count(file->path, limits);
    Status status = count == 1 ? add_file(files, file->path, file->relative, err) : STATUS_OK;
    for (int i = 1; count > 1 && i <= count && !status; i++)
        status = add_take(files, file, i, err);
    return status;
}

Status found_files_split_takes(FoundFiles *files, const SourceDef *limits, Error *err)
{
    FoundFiles split = {.special_count = files->special_count, .special = files->special};
    Status status = STATUS_OK;
    for (size_t i = 0; i < files->count && !status; i++)
        status = add_takes(&split, &files->file[i], limits, err);
    files->special = NULL;
    files->special_count = 0;
    found_files_free(files);
    *files = split;
    return status;
}

static int is_among(const FoundFiles *files, const char *path)
{
    for (size_t i = 0; i < files->count; i++)
        if (!strcmp(files->file[i].path, path))
            return 1;
    return 0;
}

void found_files_note(const FoundFiles *files, const char *command)
{
    const char *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < files->special_count; i++)
        if (!is_among(files, files->special[i])) {
            first = first ? first : files->special[i];
            count++;
        }
    if (first)
        message_note(command, first, "skipped: not a regular file (%zu in all); name it explicitly to read it", count);
}

static int by_relative(const void *a, const void *b)
{
    const FoundFile *left = a, *right = b;
    int order = strcmp(left->relative, right->relative);
    return order ? order : strcmp(left->path, right->path);
}

void found_files_sort(FoundFiles *files)
{
    if (files->count)
        qsort(files->file, files->count, sizeof *files->file, by_relative);
}

void found_files_free(FoundFiles *files)
{
    if (!files)
        return;
    for (size_t i = 0; i < files->count; i++) {
        free(files->file[i].path);
        free(files->file[i].relative);
    }
    free(files->file);
    for (size_t i = 0; i < files->special_count; i++)
        free(files->special[i]);
    free(files->special);
    *files = (FoundFiles){0};
}
