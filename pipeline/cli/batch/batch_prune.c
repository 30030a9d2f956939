/* See batch_prune.h. */
#include "pipeline/cli/batch/batch_prune.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/base/bytes.h"
#include "formats/container/container.h"
#include "formats/source/source.h"
#include "formats/source/source_table.h"
#include "pipeline/cli/batch/batch_adopt.h"
#include "pipeline/cli/message.h"

typedef struct BatchPrune {
    size_t count;
    char **path;     /* [count] owned, of clip files unchanged since the batch wrote them */
    char **relative; /* [count] owned, relative to the folder */
    size_t others;   /* clip files NAME.bvh.h5 without a source that the batch did not write, or that have changed */
    char *other;     /* owned, the first of these; NULL: none */
} BatchPrune;

static void prune_free(BatchPrune *p)
{
    for (size_t i = 0; i < p->count; i++) {
        free(p->path[i]);
        free(p->relative[i]);
    }
    free(p->path);
    free(p->relative);
    free(p->other);
    *p = (BatchPrune){0};
}

static int is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

Status batch_prune_check(const BatchSource *source, Error *err)
{
    for (int i = 0; i < source->count; i++)
        if (is_folder(source->argument[i]))
            return STATUS_OK;
    return error_set(err, STATUS_USAGE, "--prune requires a directory of sources");
}

/* State of a search. */
typedef struct Search {
    const char *folder;
    BatchPrune *found;
} Search;

static int is_found(const BatchPrune *p, const char *relative)
{
    for (size_t i = 0; i < p->count; i++)
        if (!strcmp(p->relative[i], relative))
            return 1;
    return 0;
}

/* Returns whether a file has the size and time that the batch recorded. */
static int is_as_written(const char *path, const LostFile *lost)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == lost->output_size &&
           info.st_mtim.tv_sec * INT64_C(1000000000) + info.st_mtim.tv_nsec == lost->output_mtime_ns;
}

static Status remove_lost_file(void *context, const LostFile *lost, Error *err)
{
    const Search *s = context;
    BatchPrune *p = s->found;
    char *path = NULL;
    if (asprintf(&path, "%s/%s", s->folder, lost->path) < 0)
        return error_no_memory(err);
    if (!is_as_written(path, lost) || !container_is_at(path) || is_found(p, lost->path)) {
        free(path);
        return STATUS_OK;
    }
    char *relative = strdup(lost->path);
    if (!relative || !array_grow(&p->path, p->count, sizeof *p->path) ||
        !array_grow(&p->relative, p->count, sizeof *p->relative)) {
        free(path);
        free(relative);
        return error_no_memory(err);
    }
    p->path[p->count] = path;
    p->relative[p->count++] = relative;
    return STATUS_OK;
}

/* Returns whether "takes/walk.bvh.h5" has its source takes/walk.bvh; also if that cannot be determined. */
static int has_source(const BatchSource *source, const char *relative)
{
    int is_there = 0;
    relative = batch_targets_clip(source->targets, relative);
    for (int i = 0; i < source->count && !is_there; i++) {
        char *path, text[SOURCE_PATH_SIZE];
        if (asprintf(&path, "%s/%.*s", source->argument[i], (int)strlen(relative) - 3, relative) < 0)
            return 1;
        is_there = is_folder(source->argument[i]) && (access(source_file(path, text), F_OK) == 0 || errno != ENOENT);
        free(path);
    }
    return is_there;
}

/* Recognises names such as "walk.bvh.h5" and "walk.x#2.h5". */
static int is_batch_output(const char *name)
{
    size_t length = strlen(name) - (container_has_ending(name) ? strlen(".h5") : 0);
    const char *mark = memrchr(name, '#', length);
    if (mark && strspn(mark + 1, "0123456789") == length - (size_t)(mark + 1 - name))
        length = (size_t)(mark - name);
    return container_has_ending(name) && source_stem(name, length) < length;
}

/* Counts clip files without a source that must not be removed. */
static Status count_others(const char *folder, const BatchSource *source, BatchPrune *p, Error *err)
{
    FoundFiles found = {0};
    Status status = is_folder(folder) ? found_files_add(&found, folder, is_batch_output, err) : STATUS_OK;
    for (size_t i = 0; !status && i < found.count; i++) {
        const FoundFile *file = &found.file[i];
        if (has_source(source, file->relative) || is_found(p, file->relative) || !container_is_at(file->path))
            continue;
        if (p->others++ == 0 && !(p->other = strdup(file->path)))
            status = error_no_memory(err);
    }
    found_files_free(&found);
    return status;
}

/* Finds the clip files to remove. On failure *out is empty. */
static Status find(Index *index, const char *folder, const BatchSource *source, BatchPrune *out, Error *err)
{
    Search search = {folder, out};
    Status status = STATUS_OK;
    *out = (BatchPrune){0};
    for (int i = 0; index && !status && i < source->count; i++)
        if (is_folder(source->argument[i]))
            status = index_lost(index, source->argument[i], remove_lost_file, &search, err);
    if (!status && source->shard.count == 1) /* a shard does not know what the others wrote */
        status = count_others(folder, source, out, err);
    if (status)
        prune_free(out);
    return status;
}

static Status remove_all(const BatchPrune *p, Index *index, Error *err)
{
    Status status = STATUS_OK;
    for (size_t i = 0; !status && i < p->count; i++) {
        if (unlink(p->path[i]) && errno != ENOENT)
            return error_set(err, STATUS_IO, "%s: %s", p->path[i], strerror(errno));
        status = index_forget_lost(index, p->relative[i], err);
    }
    return status;
}

Status batch_prune_containers(Index *index, const char *folder, const BatchSource *source, size_t *count, Error *err)
{
    BatchPrune found;
    Status status = find(index, folder, source, &found, err);
    if (!status)
        status = remove_all(&found, index, err);
    *count = status ? 0 : found.count;
    if (!status && found.count > 0)
        message_note("batch", folder, "removed %zu clip files without source", found.count);
    if (!status && found.others > 0)
        message_note("batch", found.other, "kept, although its source has disappeared: it was not written by this "
                                           "batch (%zu such)",
                     found.others);
    prune_free(&found);
    return status;
}

Status batch_prune_list(Index *index, const char *folder, const BatchSource *source, size_t *count, Error *err)
{
    BatchPrune found;
    Status status = find(index, folder, source, &found, err);
    for (size_t i = 0; i < found.count; i++)
        printf("prune\t%s\n", found.path[i]);
    *count = found.count;
    prune_free(&found);
    return status;
}

static Status drop_lost(Index *index, const char *database, const BatchSource *source, size_t *lost, Error *err)
{
    Status status = STATUS_OK;
    size_t removed = 0, total = 0;
    for (int i = 0; i < source->count && !status; i++) {
        if (is_folder(source->argument[i]))
            status = index_prune(index, source->argument[i], &removed, err);
        total += removed;
        removed = 0;
    }
    *lost = total;
    if (!status && total > 0)
        message_note("batch", database, "removed %zu %s without source from the index%s", total,
                     total == 1 ? "clip or failure" : "clips or failures",
                     source->select->prune ? ""
                     : total == 1          ? "; its clip file is kept"
                                           : "; their clip files are kept");
    return status;
}

Status batch_tidy(Index *index, const char *database, const BatchPlan *plan, const BatchSource *source, size_t *lost,
                  Error *err)
{
    const char *slash = strrchr(database, '/');
    char *folder = NULL;
    size_t adopted = 0;
    if (asprintf(&folder, "%.*s", slash ? (int)(slash - database) : 0, database) < 0)
        return error_no_memory(err);
    Status status = batch_adopt(index, folder, database, plan, &adopted, err);
    free(folder);
    if (!status && adopted > 0)
        message_note("batch", database, "adopted %zu clip%s from other indexes of the directory", adopted,
                     adopted == 1 ? "" : "s");
    if (!status)
        status = drop_lost(index, database, source, lost, err);
    return error_of_file(err, database, status);
}
