#include "pipeline/cli/restore.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/container/container.h"
#include "pipeline/cli/message.h"

static Status read_stats(const char *path, ClipStats *stats, Error *err)
{
    ContainerImage image = {0};
    Clip clip = {0};
    Status status = container_load(path, &image, err);
    if (status == STATUS_OK)
        status = container_decode_guarded(&image, &clip, NULL, 0, err);
    if (status == STATUS_OK)
        status = clip_stats_init(stats, &clip, FRAMES_TRUSTED, err);
    clip_free(&clip);
    container_image_free(&image);
    return status;
}

Status restore_clip(const char *verb, Index *index, const char *path, const char *relative, int *code, Error *err)
{
    ClipStats stats = {0};
    Error bad = {0};
    if (read_stats(path, &stats, &bad) != STATUS_OK) {
        *code = exit_code_worse(*code, message_error(verb, path, &bad));
        return index_put_failure(index, relative, 0, "index", bad.text, err);
    }
    Status status = index_put_clip(index, relative, &stats, err);
    clip_stats_free(&stats);
    return status;
}

/* A path of an index leads from its folder. NULL without memory. */
static char *path_from(const char *database, const char *relative)
{
    const char *slash = strrchr(database, '/');
    char *path = NULL;
    return asprintf(&path, "%.*s%s", slash ? (int)(slash + 1 - database) : 0, database, relative) < 0 ? NULL : path;
}

/* Only files are opened: the list may come from anywhere, and a pipe would block. */
static int is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

typedef struct Outdated {
    const char *maker;
    const char *const *relative; /* [count] */
    size_t count;
} Outdated;

/* What the index knows of a clip without a container would be lost. */
static Status check_containers(const Outdated *old, const char *database, Error *err)
{
    const char *first = NULL;
    size_t missing = 0;
    for (size_t i = 0; i < old->count; i++) {
        char *path = path_from(database, old->relative[i]);
        if (!path)
            return error_no_memory(err);
        if (!is_file(path) && missing++ == 0)
            first = old->relative[i];
        free(path);
    }
    if (!missing)
        return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT,
                     "%s made it, and of the containers of its %zu clips %zu are not there (first: %.150s): bring them "
                     "back, leave them out (kane index --rebuild %.150s FILE.h5|DIR...), or remove the index",
                     old->maker, old->count, missing, first, database);
}

static Status restore_path(const char *verb, Index *index, const char *database, const char *relative, int *code,
                           Error *err)
{
    char *path = path_from(database, relative);
    if (!path)
        return error_no_memory(err);
    Status status = restore_clip(verb, index, path, relative, code, err);
    free(path);
    return status;
}

static Status restore_outdated(const char *verb, Index *index, const char *database, int *code, Error *err)
{
    Outdated old;
    old.maker = index_outdated(index, &old.relative, &old.count);
    Status status = check_containers(&old, database, err);
    if (status != STATUS_OK)
        return status;
    message_note(verb, database, "%s made the index: its %zu clips are read again", old.maker, old.count);
    for (size_t i = 0; i < old.count && status == STATUS_OK; i++)
        status = restore_path(verb, index, database, old.relative[i], code, err);
    return status == STATUS_OK ? index_finish(index, err) : status;
}

Status restore_open(const char *verb, const char *database, Index **out, int *code, Error *err)
{
    const char *const *paths;
    size_t count;
    Status status = index_open(database, out, err);
    if (status != STATUS_OK || !index_outdated(*out, &paths, &count))
        return status;
    status = restore_outdated(verb, *out, database, code, err);
    index_close(*out);
    *out = NULL;
    return status == STATUS_OK ? index_open(database, out, err) : status;
}
