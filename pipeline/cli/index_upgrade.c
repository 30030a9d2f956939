#include "pipeline/cli/index_upgrade.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "analysis/base/arena.h"
#include "formats/container/container.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/message.h"

static Status read_stats(const char *path, ClipStats *stats, Error *err)
{
    ContainerImage image = {0};
    Clip clip = {0};
    Status status = container_load(path, &image, err);
    if (!status)
        status = container_decode_guarded(&image, &clip, NULL, 0, err);
    if (!status)
        status = clip_stats_init(stats, &clip, FRAMES_TRUSTED, err);
    clip_free(&clip);
    container_image_free(&image);
    return status;
}

/* What a child says of a container: its packed statistics, or, where the code is not 0, the Error. */
static int ask_stats(void *context, const char *path, FILE *out)
{
    ClipStats stats = {0};
    Error bad = {0};
    unsigned char *bytes = NULL;
    size_t size = 0;
    (void)context;
    Status status = read_stats(path, &stats, &bad);
    if (!status)
        status = clip_stats_pack(&stats, &bytes, &size, &bad);
    if (!status)
        fwrite(bytes, 1, size, out);
    else
        fwrite(&bad, sizeof bad, 1, out);
    clip_stats_free(&stats);
    free(bytes);
    return status_exit_code(status);
}

typedef struct Restoring {
    IndexUpgrade *restore;
    Index *index;
    char *const *paths;
    const char *const *relative;
    time_t committed;
} Restoring;

static Status put_failure(const Restoring *r, size_t file, const char *said, size_t size, Error *err)
{
    Error bad = {0};
    if (size == sizeof bad)
        memcpy(&bad, said, sizeof bad);
    message_error(r->restore->verb, r->paths[file], &bad);
    return index_put_failure(r->index, r->relative[file], 0, "index", bad.text, err);
}

static Status put_stats(const Restoring *r, size_t file, const char *said, size_t size, Error *err)
{
    ClipStats stats;
    Status status = clip_stats_unpack((const unsigned char *)said, size, &stats, err);
    if (status)
        return status;
    status = index_put_clip(r->index, r->relative[file], &stats, err);
    clip_stats_free(&stats);
    return status;
}

static Status take_stats(void *context, size_t file, int code, const char *said, size_t size, Error *err)
{
    Restoring *r = context;
    time_t now = time(NULL);
    Status status = code ? put_failure(r, file, said, size, err) : put_stats(r, file, said, size, err);
    r->restore->done += !status;
    if (!status && now != r->committed) {
        r->committed = now;
        status = index_commit(r->index, err);
    }
    return status;
}

Status index_upgrade_clips(IndexUpgrade *restore, Index *index, char *const *paths, const char *const *relative,
                           size_t count, Error *err)
{
    Restoring r = {restore, index, paths, relative, time(NULL)};
    int jobs = restore->jobs > 0 ? restore->jobs : file_pool_processors();
    FilePool pool = {ask_stats, take_stats, &r, (size_t)jobs < count ? jobs : (int)count, interrupt_noted};
    return count > 0 ? file_pool_ask(&pool, paths, count, NULL, &restore->code, err) : STATUS_OK;
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

static void free_paths(char **paths, size_t count)
{
    for (size_t i = 0; i < count && paths; i++)
        free(paths[i]);
    free(paths);
}

/* Nothing takes the old one's place before all is done. */
static Status index_upgrade_outdated(IndexUpgrade *restore, Index *index, const char *database, Error *err)
{
    Outdated old;
    old.maker = index_outdated(index, &old.relative, &old.count);
    Status status = check_containers(&old, database, err);
    if (status)
        return status;
    message_note(restore->verb, database, "%s made the index: its %zu clips are read again", old.maker, old.count);
    char **paths = array_new(old.count, 1, sizeof *paths);
    for (size_t i = 0; i < old.count && paths && !status; i++)
        status = (paths[i] = path_from(database, old.relative[i])) ? STATUS_OK : error_no_memory(err);
    if (!paths)
        return error_no_memory(err);
    if (!status)
        status = index_upgrade_clips(restore, index, paths, old.relative, old.count, err);
    free_paths(paths, old.count);
    if (!status && interrupt_noted())
        return error_set(err, STATUS_BAD_INPUT, "stopped by %s: the index is as it was",
                         interrupt_name(interrupt_noted()));
    return status ? status : index_finish(index, err);
}

Status index_upgrade_open(IndexUpgrade *restore, const char *database, Index **out, Error *err)
{
    const char *const *paths;
    size_t count;
    Status status = index_open(database, out, err);
    if (status || !index_outdated(*out, &paths, &count))
        return status;
    status = index_upgrade_outdated(restore, *out, database, err);
    restore->done = 0;
    index_close(*out);
    *out = NULL;
    return status ? status : index_open(database, out, err);
}
