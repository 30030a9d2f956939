/* See relative_path.h. */
#include "formats/base/relative_path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the absolute path, with links resolved, of the folder that contains file. */
static Status path_folder(const char *file, char **out, Error *err)
{
    const char *slash = strrchr(file, '/');
    char *folder = slash ? strndup(file, slash == file ? 1 : (size_t)(slash - file)) : strdup(".");
    if (!folder)
        return error_no_memory(err);
    *out = realpath(folder, NULL);
    Status status = *out ? STATUS_OK : error_set(err, STATUS_IO, "folder %s: %s", folder, strerror(errno));
    free(folder);
    return status;
}

/* Joins an absolute folder and a path, and removes "." and ".." textually. NULL if memory runs out. */
static char *join(const char *folder, const char *path)
{
    size_t size = strlen(folder) + strlen(path) + 3, used = 0;
    char *out = malloc(size), *text = malloc(size), *rest = text, *part;
    if (out && text) {
        snprintf(text, size, "%s/%s", path[0] == '/' ? "" : folder, path);
        out[0] = 0;
        while ((part = strsep(&rest, "/"))) {
            if (strcmp(part, "..") == 0) {
                char *last = strrchr(out, '/');
                used = last ? (size_t)(last - out) : 0;
                out[used] = 0;
            } else if (*part && strcmp(part, ".") != 0) {
                used += (size_t)snprintf(out + used, size - used, "/%s", part);
            }
        }
    } else {
        free(out);
        out = NULL;
    }
    free(text);
    return out;
}

/* Returns the path of target relative to folder, both absolute and without "..". NULL if memory runs out. */
static char *seen_from(const char *folder, const char *target)
{
    size_t same = 0; /* length of the common folders, followed by '/' */
    for (size_t i = 0;; i++) {
        int folder_ends = folder[i] == '/' || folder[i] == 0;
        if (folder_ends && target[i] == '/')
            same = i;
        if (folder[i] != target[i] || folder[i] == 0)
            break;
    }
    size_t ups = 0;
    for (const char *c = folder + same; *c; c++)
        ups += *c == '/' && c[1] != 0;
    char *out = malloc(3 * ups + strlen(target + same) + 1), *at = out;
    if (!out)
        return NULL;
    for (size_t i = 0; i < ups; i++, at += 3)
        memcpy(at, "../", 3);
    memcpy(at, target + same + 1, strlen(target + same)); /* with the NUL */
    return out;
}

Status path_move(const PathMove *move, const char *path, char **out, Error *err)
{
    char *target = join(move->from, path);
    *out = target ? seen_from(move->to, target) : NULL;
    free(target);
    return *out ? STATUS_OK : error_no_memory(err);
}

Status path_move_init(PathMove *move, const char *from_database, const char *to_database, Error *err)
{
    *move = (PathMove){0};
    Status status = path_folder(from_database, &move->from, err);
    if (!status)
        status = path_folder(to_database, &move->to, err);
    if (status)
        path_move_free(move);
    return status;
}

void path_move_free(PathMove *move)
{
    free(move->from);
    free(move->to);
    *move = (PathMove){0};
}

Status relative_path(const char *file, const char *database, char **out, Error *err)
{
    const char *slash = strrchr(file, '/');
    PathMove move;
    *out = NULL;
    Status status = path_move_init(&move, file, database, err);
    if (!status)
        status = path_move(&move, slash ? slash + 1 : file, out, err);
    path_move_free(&move);
    return status;
}
