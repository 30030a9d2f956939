#include "pipeline/cli/paths.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "formats/base/grow.h"
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

static int ends_in(const char *name, const char *suffix)
{
    size_t length = strlen(name), tail = strlen(suffix);
    return length > tail && !strcasecmp(name + length - tail, suffix);
}

/* Whether the walk has something for the list: a file of that ending, also one that cannot be looked at (a link to
 * nowhere, a folder without the right to enter), or a folder that cannot be read. Who opens it says why it cannot. */
static int is_wanted(const FTSENT *entry, const char *suffix)
{
    switch (entry->fts_info) {
    case FTS_DNR: return 1;
    case FTS_F:
    case FTS_NS:
    case FTS_SLNONE: return ends_in(entry->fts_name, suffix);
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

static Status walk(FoundFiles *files, const char *folder, const char *suffix, Error *err)
{
    char *roots[] = {(char *)folder, NULL};
    size_t skip = strlen(folder);
    Status status = STATUS_OK;
    FTSENT *entry;
    FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, NULL);
    if (!tree)
        return error_set(err, STATUS_IO, "%s: %s", folder, strerror(errno));
    while (status == STATUS_OK && (entry = fts_read(tree))) {
        const char *relative = entry->fts_path + skip;
        while (*relative == '/')
            relative++;
        if (entry->fts_info == FTS_ERR || (entry->fts_info == FTS_DNR && entry->fts_level == FTS_ROOTLEVEL))
            status = error_set(err, STATUS_IO, "%s: %s", entry->fts_path, strerror(entry->fts_errno));
        else if (is_wanted(entry, suffix))
            status = add_file(files, entry->fts_path, relative, err);
        else if (entry->fts_info == FTS_DEFAULT && ends_in(entry->fts_name, suffix))
            status = pass_over(files, entry->fts_path, err);
    }
    fts_close(tree);
    return status;
}

Status found_files_add(FoundFiles *files, const char *argument, const char *suffix, Error *err)
{
    struct stat info;
    const char *slash = strrchr(argument, '/');
    if (stat(argument, &info))
        return error_set(err, STATUS_IO, "%s: %s", argument, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return walk(files, argument, suffix, err);
    return add_file(files, argument, slash ? slash + 1 : argument, err);
}

Status found_files_take(FoundFiles *files, const char *path, Error *err)
{
    return add_file(files, path, path, err);
}

static int is_among(const FoundFiles *files, const char *path)
{
    for (size_t i = 0; i < files->count; i++)
        if (!strcmp(files->file[i].path, path))
            return 1;
    return 0;
}

void found_files_note(const FoundFiles *files, const char *verb)
{
    const char *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < files->special_count; i++)
        if (!is_among(files, files->special[i])) {
            first = first ? first : files->special[i];
            count++;
        }
    if (first)
        message_note(verb, first, "passed over, as it is no regular file (%zu in all); name it to read from it", count);
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

Status path_make_parents(const char *base, const char *relative, Error *err)
{
    char *path;
    Status status = STATUS_OK;
    if (asprintf(&path, "%s/%s", base, relative) < 0)
        return error_no_memory(err);
    char *slash = strchr(path + strlen(base) + 1, '/');
    while (slash && status == STATUS_OK) {
        *slash = 0;
        if (mkdir(path, 0777) && errno != EEXIST)
            status = error_set(err, STATUS_IO, "%s: %s", path, strerror(errno));
        *slash = '/';
        slash = strchr(slash + 1, '/');
    }
    free(path);
    return status;
}
