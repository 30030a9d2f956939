/* See index_upgrade.h. */
#include "pipeline/cli/index_upgrade.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "analysis/base/arena.h"
#include "analysis/clip/clip.h"
#include "analysis/stats/clip_stats.h"
#include "formats/container/container.h"
#include "formats/index/index_check.h"
#include "formats/index/index_options.h"
#include "formats/query/query.h"
#include "pipeline/cli/file_pool.h"
#include "pipeline/cli/found_files.h"
#include "pipeline/cli/interrupt.h"
#include "pipeline/cli/message.h"

static Status read_stats(const char *path, ClipStats *stats, Error *err)
{
    ContainerImage image = {0};
    Clip clip = {0};
    Status status = container_load(path, &image, err);
    if (!status)
        status = container_decode_guarded(&image, &clip, NULL, 0, err);
    if (!status)
        status = clip_stats_init(stats, &clip, FRAMES_SOUND, err);
    clip_free(&clip);
    container_image_free(&image);
    return status;
}

/* Writes the packed statistics of a clip file to the parent process, or with a nonzero code the Error. Runs in a
 * child. */
static int read_stats_in_child(void *context, const char *path, FILE *out)
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
    message_error(r->restore->command, r->paths[file], &bad);
    return index_put_failure(r->index, r->relative[file], 0, "index", bad.text, err);
}

static Status put_stats(const Restoring *r, size_t file, const char *said, size_t size, Error *err)
{
    ClipStats stats;
    Status status = clip_stats_unpack((const unsigned char *)said, size, &stats, err);
    if (status)
        return status;
    /* The file of a stale clip has nothing new about its source: clip, mark and failure stay. */
    if (!index_has_stale_clip(r->index, r->relative[file], stats.metrics.source_sha256, stats.text + stats.history))
        status = index_put_clip(r->index, r->relative[file], &stats, err);
    if (!status)
        (void)index_put_file(r->index, r->relative[file], r->paths[file], NULL); /* of use to queries only */
    clip_stats_free(&stats);
    return status;
}

static Status take_stats(void *context, size_t file, int code, const char *said, size_t size, Error *err)
{
    Restoring *r = context;
    time_t now = time(NULL);
    Status status = code ? put_failure(r, file, said, size, err) : put_stats(r, file, said, size, err);
    r->restore->done += !status;
    r->restore->failed += !status && code;
    if (!status && !r->restore->strict && now != r->committed) {
        r->committed = now;
        status = index_commit(r->index, err);
    }
    return status;
}

typedef struct Mixed {
    const char *command, *database;
    int count;
} Mixed;

static Status note_mixed(void *context, const char *option, const char *values, Error *err)
{
    Mixed *mixed = context;
    (void)err;
    mixed->count++;
    message_note(mixed->command, mixed->database, "warning: clips differ in %s: %.300s", option, values);
    return STATUS_OK;
}

Status index_note_mixed(Index *index, const char *command, int *count, Error *err)
{
    Mixed mixed = {command, index_path(index), 0};
    Status status = index_visit_mixed(index, note_mixed, &mixed, err);
    *count = mixed.count;
    return status;
}

enum { CHANGED_NAMED = 3 };

typedef struct Changed {
    size_t count, used;
    char names[400];
} Changed;

static Status note_changed(void *context, const char *path, Error *err)
{
    Changed *changed = context;
    (void)err;
    if (changed->count++ < CHANGED_NAMED)
        changed->used += (size_t)snprintf(changed->names + changed->used, sizeof changed->names - changed->used,
                                          "%s%.120s", changed->used ? ", " : "", path);
    return STATUS_OK;
}

Status index_note_changed(const char *command, const char *database, Error *err)
{
    static const double max_seconds = 0.5;
    Changed changed = {0};
    Status status = index_changed_files(database, max_seconds, note_changed, &changed, err);
    if (!status && changed.count)
        message_note(command, database, "warning: %zu clip file%s changed since indexed: %s%s; kane index updates "
                     "the rows", changed.count, changed.count == 1 ? "" : "s", changed.names,
                     changed.count > CHANGED_NAMED ? ", ..." : "");
    return status;
}

Status index_upgrade_clips(IndexUpgrade *restore, Index *index, char *const *paths, const char *const *relative,
                           size_t count, Error *err)
{
    Restoring r = {restore, index, paths, relative, time(NULL)};
    int jobs = restore->jobs > 0 ? restore->jobs : file_pool_processors();
    FilePool pool = {read_stats_in_child, take_stats, &r, (size_t)jobs < count ? jobs : (int)count, interrupt_noted};
    return count > 0 ? file_pool_ask(&pool, paths, count, NULL, &restore->code, err) : STATUS_OK;
}

/* Resolves a path of an index relative to its folder. NULL if memory runs out. */
static char *path_from(const char *database, const char *relative)
{
    const char *slash = strrchr(database, '/');
    char *path = NULL;
    return asprintf(&path, "%.*s%s", slash ? (int)(slash + 1 - database) : 0, database, relative) < 0 ? NULL : path;
}

/* Returns 1 for a regular file. The list is untrusted, and a pipe would block. */
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

/* STATUS_BAD_INPUT if clip files are missing: their clips would be lost in the new index. */
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
                     "made by %s: of the clip files of its %zu clips %zu are missing (first: %.150s); restore them, "
                     "rebuild without them (kane index --rebuild %.150s FILE.h5|DIR...), or delete the index",
                     old->maker, old->count, missing, first, database);
}

static void free_paths(char **paths, size_t count)
{
    for (size_t i = 0; i < count && paths; i++)
        free(paths[i]);
    free(paths);
}

/* Rebuilds an outdated index; the old one is replaced only on success. */
static Status index_upgrade_outdated(IndexUpgrade *restore, Index *index, const char *database, Error *err)
{
    Outdated old;
    old.maker = index_outdated(index, &old.relative, &old.count);
    Status status = check_containers(&old, database, err);
    if (status)
        return status;
    message_note(restore->command, database, "upgrading the index of %s: reading its %zu clips again", old.maker,
                 old.count);
    char **paths = array_new(old.count, 1, sizeof *paths);
    for (size_t i = 0; i < old.count && paths && !status; i++)
        status = (paths[i] = path_from(database, old.relative[i])) ? STATUS_OK : error_no_memory(err);
    if (!paths)
        return error_no_memory(err);
    if (!status)
        status = index_upgrade_clips(restore, index, paths, old.relative, old.count, err);
    free_paths(paths, old.count);
    if (!status && interrupt_noted())
        return error_set(err, STATUS_BAD_INPUT, "stopped by %s: the index is unchanged",
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

typedef struct IndexAsked {
    const char *database;
    IndexCheck *index;
    FoundFiles clips; /* existing clip files, by path */
    ReportIndex *report;
    void *context;
    size_t damage, absent;
    char first_absent[256];
} IndexAsked;

static Status visit_damage(void *context, const char *clip, const char *text, Error *err)
{
    IndexAsked *asked = context;
    (void)err;
    asked->damage++;
    asked->report(asked->context, INDEX_DAMAGED, clip, text);
    return STATUS_OK;
}

static Status note_clip(void *context, const char *relative, Error *err)
{
    IndexAsked *asked = context;
    char *path = path_from(asked->database, relative);
    if (!path)
        return error_no_memory(err);
    Status status = STATUS_OK;
    if (is_file(path))
        status = found_files_take(&asked->clips, path, err);
    else if (asked->absent++ == 0)
        snprintf(asked->first_absent, sizeof asked->first_absent, "%.250s", relative);
    free(path);
    return status;
}

static Status compare_clip(void *context, size_t file, int code, const char *said, size_t size, Error *err)
{
    IndexAsked *asked = context;
    const char *path = asked->clips.file[file].path, *slash = strrchr(asked->database, '/');
    const char *relative = slash ? path + (slash + 1 - asked->database) : path;
    ClipStats stats;
    Error bad = {0};
    int is_same = 0;
    if (code) {
        if (size == sizeof bad)
            memcpy(&bad, said, sizeof bad);
        asked->report(asked->context, INDEX_UNREADABLE, relative, bad.text);
        return STATUS_OK;
    }
    Status status = clip_stats_unpack((const unsigned char *)said, size, &stats, err);
    if (status)
        return status;
    status = index_check_clip(asked->index, relative, &stats, &is_same, err);
    clip_stats_free(&stats);
    if (!status && !is_same)
        asked->report(asked->context, INDEX_DIFFERS, relative, "the clip file has other content");
    return status;
}

static Status compare_clips(IndexAsked *asked, int jobs, Error *err)
{
    size_t count = asked->clips.count;
    int code = 0;
    FilePool pool = {.ask = read_stats_in_child, .take = compare_clip, .context = asked, .jobs = jobs > 0 ? jobs : 1};
    char text[512], **paths = array_new(count + 1, 1, sizeof *paths);
    if (!paths)
        return error_no_memory(err);
    for (size_t i = 0; i < count; i++)
        paths[i] = asked->clips.file[i].path;
    Status status = count > 0 ? file_pool_ask(&pool, paths, count, NULL, &code, err) : STATUS_OK;
    free(paths);
    snprintf(text, sizeof text, "%zu of %zu clip files are missing, the first is %s", asked->absent,
             asked->absent + count, asked->first_absent);
    if (!status && asked->absent)
        asked->report(asked->context, INDEX_ABSENT, NULL, text);
    return status;
}

Status index_upgrade_check(const char *path, int jobs, ReportIndex *report, void *context, Error *err)
{
    IndexAsked asked = {.database = path, .report = report, .context = context};
    if (!query_is_database(path))
        return error_set(err, STATUS_NO_RESULT, "no database");
    Status status = index_check_open(path, &asked.index, err);
    if (status == STATUS_BAD_INPUT) {
        report(context, INDEX_DAMAGED, NULL, err->text);
        return STATUS_OK;
    }
    if (!status)
        status = index_check_file(asked.index, visit_damage, &asked, err);
    if (!status && !asked.damage)
        status = index_check_paths(asked.index, note_clip, &asked, err);
    if (!status && !asked.damage)
        status = compare_clips(&asked, jobs, err);
    found_files_free(&asked.clips);
    index_check_close(asked.index);
    return status;
}
