/* See batch_adopt.h. */
#include "pipeline/cli/batch/batch_adopt.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether two indexes are shards of one split, such as "index.1-of-4.db" and "index.3-of-4.db": these share no
 * clip and may be written at the same time. */
static int is_of_one_split(const char *path, const char *other)
{
    const char *count = strrchr(path, '-'), *same = strrchr(other, '-');
    return count && same && !strcmp(count, same);
}

/* Finds the indexes of this version in the folder, except `database` and the other shards of its split. The caller
 * frees *found. */
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
    const FoundFiles *files; /* by relative path */
    size_t kept;
} Adoption;

static int compare_place(const void *key, const void *file)
{
    return strcmp(key, ((const FoundFile *)file)->relative);
}

/* Keeps a clip if its file is in this shard; removes it otherwise. */
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
    if (!status && found.gl_pathc > 0)
        status = index_merge(index, (const char *const *)found.gl_pathv, found.gl_pathc, err);
    if (!status && found.gl_pathc > 0)
        status = index_visit(index, keep_own, &adoption, err);
    *adopted = adoption.kept;
    globfree(&found);
    return status;
}
