/* See source_file.h. */
#include "formats/base/source_file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "formats/base/bytes.h"

Status companions_add(Companions *companions, char *path, Error *err)
{
    if (!path)
        return STATUS_OK;
    if (!array_grow(&companions->path, companions->count, sizeof *companions->path)) {
        free(path);
        return error_no_memory(err);
    }
    companions->path[companions->count++] = path;
    return STATUS_OK;
}

void companions_free(Companions *companions)
{
    for (int i = 0; i < companions->count; i++)
        free(companions->path[i]);
    free(companions->path);
    *companions = (Companions){0};
}

static int is_regular(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

Status companion_named(const char *path, const char *name, char **found, Error *err)
{
    const char *slash = strrchr(path, '/');
    *found = NULL;
    if (asprintf(found, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name) < 0) {
        *found = NULL;
        return error_no_memory(err);
    }
    if (!is_regular(*found)) {
        free(*found);
        *found = NULL;
    }
    return STATUS_OK;
}

static int has_ending(const char *name, const char *ending)
{
    size_t length = strlen(name), size = strlen(ending);
    return length > size && strcasecmp(name + length - size, ending) == 0;
}

/* Finds the file as companion_named; a second one ends the search with *found NULL and *count 2. */
static Status keep_only(const char *path, const char *name, int *count, char **found, Error *err)
{
    char *next;
    Status status = companion_named(path, name, &next, err);
    if (status || !next)
        return status;
    free(*found);
    *found = ++*count == 1 ? next : NULL;
    if (!*found)
        free(next);
    return STATUS_OK;
}

Status companion_only(const char *path, const char *folder, const char *ending, char **found, Error *err)
{
    const char *slash = strrchr(path, '/');
    char place[4352], name[4352];
    int count = 0;
    Status status = STATUS_OK;
    *found = NULL;
    snprintf(place, sizeof place, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, *folder || slash ? folder : ".");
    DIR *files = opendir(place);
    if (!files)
        return STATUS_OK;
    for (const struct dirent *file; !status && count < 2 && (file = readdir(files));) {
        snprintf(name, sizeof name, "%s%s%s", folder, *folder ? "/" : "", file->d_name);
        if (has_ending(file->d_name, ending))
            status = keep_only(path, name, &count, found, err);
    }
    closedir(files);
    return status;
}
