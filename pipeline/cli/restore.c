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
        status = clip_stats_init(stats, &clip, err);
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

/* A path of an index leads from its folder. Only files are opened: the list may come from anywhere, and a pipe would
 * block. */
static Status restore_path(const char *verb, Index *index, const char *database, const char *relative, int *code,
                           Error *err)
{
    const char *slash = strrchr(database, '/');
    struct stat info;
    char *path;
    if (asprintf(&path, "%.*s%s", slash ? (int)(slash + 1 - database) : 0, database, relative) < 0)
        return error_no_memory(err);
    Status status = STATUS_OK;
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode))
        status = restore_clip(verb, index, path, relative, code, err);
    free(path);
    return status;
}

Status restore_outdated(const char *verb, Index *index, const char *database, int *code, Error *err)
{
    const char *const *paths;
    size_t count = index_outdated(index, &paths);
    if (count == 0)
        return STATUS_OK;
    message_note(verb, database, "an older kane made the index: its %zu clips are read again", count);
    Status status = index_plan(index, paths, count, err);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = restore_path(verb, index, database, paths[i], code, err);
    return status;
}
