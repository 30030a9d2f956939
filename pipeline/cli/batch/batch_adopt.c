#include "pipeline/cli/batch/batch_adopt.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/container/container.h"

/* Whether two indexes are shards of one split, "index.1-of-4.db" and "index.3-of-4.db": they share no clip, and are
 * written at the same time. */
static int is_of_one_split(const char *path, const char *other)
{
    const char *count = strrchr(path, '-'), *same = strrchr(other, '-');
    return count && same && !strcmp(count, same);
}

/* Indexes of the folder that this kane made, but for one and the other shards of its split. The caller frees *found. */
static Status find_indexes(const char *folder, const char *database, glob_t *found, Error *err)
{
    char *pattern;
    if (asprintf(&pattern, "%s/index*.db", folder) < 0)
        return error_no_memory(err);
    int code = glob(pattern, 0, NULL, found);
    free(pattern);
    if (code == GLOB_NOSPACE)
        return error_no_memory(err);
    size_t kept = 0;
    for (size_t i = 0; i < found->gl_pathc; i++) {
        char *path = found->gl_pathv[i];
        if (strcmp(path, database) != 0 && !is_of_one_split(path, database) && index_is_current(path))
            found->gl_pathv[kept++] = path;
        else
            free(path);
    }
    found->gl_pathc = kept;
    return STATUS_OK;
}

typedef struct Adoption {
    Index *index;
    const FoundFiles *files; /* in the order of their places */
    size_t kept;
} Adoption;

static int compare_place(const void *key, const void *file)
{
    return strcmp(key, ((const FoundFile *)file)->relative);
}

/* What is another shard's goes again. */
static Status keep_own(void *context, const char *path, Error *err)
{
    Adoption *a = context;
    if (bsearch(path, a->files->file, a->files->count, sizeof *a->files->file, compare_place)) {
        a->kept++;
        return STATUS_OK;
    }
    return index_remove(a->index, path, err);
}

Status batch_adopt(Index *index, const char *folder, const char *database, const BatchPlan *plan, size_t *adopted,
                   Error *err)
{
    glob_t found = {0};
    Adoption adoption = {index, &plan->files, 0};
    *adopted = 0;
    if (!index_is_empty(index))
        return STATUS_OK;
    Status status = find_indexes(folder, database, &found, err);
    if (status == STATUS_OK && found.gl_pathc > 0)
        status = index_merge(index, (const char *const *)found.gl_pathv, found.gl_pathc, err);
    if (status == STATUS_OK && found.gl_pathc > 0)
        status = index_visit(index, keep_own, &adoption, err);
    *adopted = adoption.kept;
    globfree(&found);
    return status;
}

static int is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Whether "takes/walk.bvh.h5" has its takes/walk.bvh; what cannot be looked at counts as there. */
static int has_source(const BatchSource *source, const char *relative)
{
    int is_there = 0;
    for (int i = 0; i < source->count && !is_there; i++) {
        char *path;
        if (asprintf(&path, "%s/%.*s", source->argument[i], (int)strlen(relative) - 3, relative) < 0)
            return 1;
        is_there = is_folder(source->argument[i]) && (access(path, F_OK) == 0 || errno != ENOENT);
        free(path);
    }
    return is_there;
}

Status batch_prune_containers(const char *folder, const BatchSource *source, size_t *removed, Error *err)
{
    FoundFiles found = {0};
    int folders = 0;
    *removed = 0;
    for (int i = 0; i < source->count; i++)
        folders += is_folder(source->argument[i]);
    if (folders == 0)
        return error_set(err, STATUS_USAGE, "--prune wants a folder of sources, to see what has gone");
    Status status = found_files_add(&found, folder, ".bvh.h5", err);
    for (size_t i = 0; i < found.count && status == STATUS_OK; i++) {
        const FoundFile *file = &found.file[i];
        if (has_source(source, file->relative) || !container_is_at(file->path))
            continue;
        if (unlink(file->path))
            status = error_set(err, STATUS_IO, "%s: %s", file->path, strerror(errno));
        ++*removed;
    }
    found_files_free(&found);
    return status;
}
