/* See batch_group.h. */
#include "pipeline/cli/batch/batch_group.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analysis/base/arena.h"
#include "analysis/stats/clip_stats.h"
#include "formats/base/new_file.h"
#include "formats/container/container.h"
#include "pipeline/cli/batch/batch_select.h"
#include "pipeline/cli/output_file.h"

static void sweep(int scratch)
{
    int again = openat(scratch, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = again >= 0 ? fdopendir(again) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
}

/* Returns whether the locked folder is still at its path; the batch that had the lock before may have removed it. */
static int is_in_place(const BatchGroup *group)
{
    struct stat held, named;
    return fstat(group->lock, &held) == 0 && lstat(group->scratch, &named) == 0 && held.st_ino == named.st_ino &&
           held.st_dev == named.st_dev;
}

static void unlock(BatchGroup *group)
{
    close(group->lock);
    group->lock = -1;
}

/* Waits a second, because the workers of a killed batch hold its lock until they end. */
static int is_held_by_another(int folder)
{
    const struct timespec moment = {.tv_nsec = 20 * 1000 * 1000};
    for (int i = 0; i < 50; i++) {
        if (flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            return 0;
        nanosleep(&moment, NULL);
    }
    return 1;
}

static Status lock_scratch(BatchGroup *group, Error *err)
{
    if (mkdir(group->scratch, 0777) && errno != EEXIST)
        return error_set(err, STATUS_IO, "%s: cannot create: %s", group->scratch, strerror(errno));
    group->lock = open(group->scratch, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (group->lock < 0 && errno != ENOENT)
        return error_set(err, STATUS_IO, "%s: cannot read: %s", group->scratch, strerror(errno));
    if (group->lock >= 0 && is_held_by_another(group->lock)) {
        unlock(group);
        return error_set(err, STATUS_IO, "%s: in use by another batch", group->folder);
    }
    return STATUS_OK;
}

/* Makes a folder and its parents. */
static Status make_folder(const char *folder, Error *err)
{
    char *path = strdup(folder);
    Status status = path ? STATUS_OK : error_no_memory(err);
    for (size_t i = 1; path && i <= strlen(folder) && !status; i++) {
        if (folder[i] != '/' && folder[i])
            continue;
        path[i] = 0;
        if (mkdir(path, 0777) && errno != EEXIST)
            status = error_set(err, STATUS_IO, "%s: cannot create: %s", path, strerror(errno));
        path[i] = folder[i];
    }
    free(path);
    return status;
}

Status batch_group_open(BatchGroup *group, const char *folder, Shard shard, Error *err)
{
    *group = (BatchGroup){.folder = folder, .lock = -1};
    if (asprintf(&group->scratch, "%s/.kane-batch.%d-of-%d", folder, shard.number, shard.count) < 0) {
        group->scratch = NULL;
        return error_no_memory(err);
    }
    Status made = make_folder(folder, err);
    if (made)
        return made;
    for (Status status; group->lock < 0;) {
        status = lock_scratch(group, err);
        if (status)
            return status;
        if (group->lock >= 0 && !is_in_place(group))
            unlock(group);
    }
    sweep(group->lock);
    return STATUS_OK;
}

/* Reserves disk space for the index rows of a group, to be released when the disk is full. Reserves none on a full
 * disk. */
static void keep_reserve(const BatchGroup *group)
{
    enum { RESERVE = 4 << 20 }; /* bytes */
    char *path = NULL;
    if (asprintf(&path, "%s/reserve", group->scratch) < 0)
        return;
    file_reserve(path, RESERVE);
    free(path);
}

Status batch_group_start(BatchGroup *group, Index *index, const BatchPlan *plan, BatchRequest *request, Error *err)
{
    group->index = index;
    group->plan = plan;
    group->request = request;
    keep_reserve(group);
    group->waiting = array_new((size_t)plan->job_count, 1, sizeof *group->waiting);
    return group->waiting ? batch_order_init(&group->order, plan->job_count, err) : error_no_memory(err);
}

/* Records the inputs of a job's clip or failure. */
static Status put_stamp(BatchGroup *group, const BatchJob *job, const IndexStamp *stamp, Error *err)
{
    const char *request;
    Status status = batch_request_text(group->request, job->output, &request, err);
    return status ? status : index_put_stamp(group->index, job->output, job->input, stamp, request, err);
}

Status batch_group_add(BatchGroup *group, const BatchReply *reply, const unsigned char *stats, Error *err)
{
    const char *output = group->plan->job[reply->job].output;
    IndexStamp stamp = group->plan->stamp[reply->job];
    ClipStats unpacked;
    int changed;
    stamp.output_size = reply->size;
    stamp.output_mtime_ns = reply->mtime_ns;
    memcpy(stamp.input_sha256, reply->source_sha256, sizeof stamp.input_sha256);
    Status status = clip_stats_unpack(stats, reply->stats_size, &unpacked, err);
    if (status)
        return status;
    status = index_put_clip(group->index, output, &unpacked, err);
    if (!status)
        status = batch_request_tag(group->request, group->index, output, &changed, err);
    if (!status)
        status = put_stamp(group, &group->plan->job[reply->job], &stamp, err);
    if (!status)
        status = batch_remarks_add(&group->remarks, group->plan->job[reply->job].name, &unpacked, err);
    clip_stats_free(&unpacked);
    if (reply->size > 0)
        group->waiting[group->waiting_count++] = reply->job;
    return status;
}

/* Returns whether the clip file of an earlier batch exists. */
static int has_container(const BatchGroup *group, const char *output)
{
    char *path;
    if (asprintf(&path, "%s/%s", group->folder, output) < 0)
        return 0;
    int is_there = container_is_at(path);
    free(path);
    return is_there;
}

/* Keeps the last good clip, in a file or only in the index, and marks it as stale. The stamp matches no file, so the
 * source is retried in each call; there is no stamp if a clip file of another source is in the way. */
Status batch_group_fail(BatchGroup *group, const BatchReply *reply, Error *err)
{
    const BatchJob *job = &group->plan->job[reply->job];
    const IndexStamp tried = {.input_size = -1};
    const char *name = reply->err.line > 0 ? job->input : job->name;
    char message[ERROR_TEXT_SIZE + 32];
    if (reply->err.line > 0)
        snprintf(message, sizeof message, "%d:%d: %s", reply->err.line, reply->err.column, reply->err.text);
    else
        snprintf(message, sizeof message, "%s", reply->err.text);
    int stays = group->request->store == STORE_INDEX || has_container(group, job->output);
    Status status = stays ? index_put_stale(group->index, job->output, reply->stage, message, err)
                          : index_put_failure(group->index, job->output, 1, reply->stage, message, err);
    if (!status)
        status = batch_remarks_fail(&group->remarks, name, reply->stage, message, err);
    return !status && !reply->is_foreign ? put_stamp(group, job, &tried, err) : status;
}

static Status rename_waiting(BatchGroup *group, int job, Error *err)
{
    const char *output = group->plan->job[job].output;
    char *from = batch_scratch_path(group->scratch, job), *to = NULL;
    if (!from || asprintf(&to, "%s/%s", group->folder, output) < 0) {
        free(from);
        return error_no_memory(err);
    }
    Status status = path_make_parents(group->folder, output, err);
    if (!status && rename(from, to))
        status = error_set(err, STATUS_IO, "%s: cannot write: %s", to, strerror(errno));
    free(from);
    free(to);
    return status;
}

static Status put_waiting(BatchGroup *group, Error *err)
{
    Status status = STATUS_OK;
    if (group->waiting_count && syncfs(group->lock))
        return error_set(err, STATUS_IO, "%s: cannot write: %s", group->folder, strerror(errno));
    for (int i = 0; i < group->waiting_count && !status; i++)
        status = rename_waiting(group, group->waiting[i], err);
    group->waiting_count = 0;
    return status;
}

Status batch_group_commit(BatchGroup *group, Error *err)
{
    Status status = put_waiting(group, err);
    return status ? status : error_of_file(err, index_path(group->index), index_commit(group->index, err));
}

void batch_group_rescue(BatchGroup *group)
{
    if (put_waiting(group, NULL))
        return;
    sweep(group->lock); /* including the reserve */
    (void)index_commit(group->index, NULL);
}

void batch_group_close(BatchGroup *group)
{
    if (group->lock >= 0) {
        sweep(group->lock);
        rmdir(group->scratch);
        close(group->lock);
    }
    batch_order_free(&group->order);
    batch_remarks_free(&group->remarks);
    free(group->scratch);
    free(group->waiting);
    *group = (BatchGroup){.lock = -1};
}
