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

#include "analysis/base/memory.h"
#include "analysis/stats/clip_stats.h"
#include "formats/container/container.h"

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

/* Whether the locked folder still has its name: the batch that held it before may have removed it meanwhile. */
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

/* The workers of a batch that was killed hold its lock until they end, which is a matter of moments. */
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
        return error_set(err, STATUS_IO, "%s: %s", group->scratch, strerror(errno));
    group->lock = open(group->scratch, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (group->lock < 0 && errno != ENOENT)
        return error_set(err, STATUS_IO, "%s: %s", group->scratch, strerror(errno));
    if (group->lock >= 0 && is_held_by_another(group->lock)) {
        unlock(group);
        return error_set(err, STATUS_IO, "%s: another batch is writing there", group->folder);
    }
    return STATUS_OK;
}

/* With the folders above it. */
static Status make_folder(const char *folder, Error *err)
{
    char *path = strdup(folder);
    Status status = path ? STATUS_OK : error_no_memory(err);
    for (size_t i = 1; path && i <= strlen(folder) && status == STATUS_OK; i++) {
        if (folder[i] != '/' && folder[i])
            continue;
        path[i] = 0;
        if (mkdir(path, 0777) && errno != EEXIST)
            status = error_set(err, STATUS_IO, "%s: %s", path, strerror(errno));
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
    if (made != STATUS_OK)
        return made;
    for (Status status; group->lock < 0;) {
        status = lock_scratch(group, err);
        if (status != STATUS_OK)
            return status;
        if (group->lock >= 0 && !is_in_place(group))
            unlock(group);
    }
    sweep(group->lock);
    return STATUS_OK;
}

Status batch_group_start(BatchGroup *group, Index *index, const BatchPlan *plan, BatchRequest *request, Error *err)
{
    group->index = index;
    group->plan = plan;
    group->request = request;
    group->waiting = array_new((size_t)plan->job_count, 1, sizeof *group->waiting);
    return group->waiting ? STATUS_OK : error_no_memory(err);
}

/* Notes what the clip or failure of a job was made of. */
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
    if (status != STATUS_OK)
        return status;
    status = index_put_clip(group->index, output, &unpacked, err);
    if (status == STATUS_OK)
        status = batch_request_tag(group->request, group->index, output, &changed, err);
    if (status == STATUS_OK)
        status = put_stamp(group, &group->plan->job[reply->job], &stamp, err);
    if (status == STATUS_OK)
        status = batch_remarks_add(&group->remarks, group->plan->job[reply->job].input, &unpacked, err);
    clip_stats_free(&unpacked);
    if (reply->size > 0)
        group->waiting[group->waiting_count++] = reply->job;
    return status;
}

/* Whether the container that an earlier batch made is in its place. */
static int has_container(const BatchGroup *group, const char *output)
{
    char *path;
    if (asprintf(&path, "%s/%s", group->folder, output) < 0)
        return 0;
    int is_there = container_is_at(path);
    free(path);
    return is_there;
}

/* Of the last good state nothing is lost; the stamp is no file's, so that the source is tried again each time. Where
 * the container is of another source, so is the stamp. */
Status batch_group_fail(BatchGroup *group, const BatchReply *reply, Error *err)
{
    const BatchJob *job = &group->plan->job[reply->job];
    const IndexStamp tried = {.input_size = -1};
    char message[ERROR_TEXT_SIZE + 32];
    if (reply->err.line > 0)
        snprintf(message, sizeof message, "%d:%d: %s", reply->err.line, reply->err.column, reply->err.text);
    else
        snprintf(message, sizeof message, "%s", reply->err.text);
    Status status = has_container(group, job->output)
                        ? index_put_stale(group->index, job->output, reply->stage, message, err)
                        : index_put_failure(group->index, job->output, 1, reply->stage, message, err);
    return status == STATUS_OK && !reply->is_foreign ? put_stamp(group, job, &tried, err) : status;
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
    if (status == STATUS_OK && rename(from, to))
        status = error_set(err, STATUS_IO, "%s: %s", to, strerror(errno));
    free(from);
    free(to);
    return status;
}

Status batch_group_commit(BatchGroup *group, Error *err)
{
    Status status = STATUS_OK;
    if (group->waiting_count && syncfs(group->lock))
        return error_set(err, STATUS_IO, "%s: %s", group->folder, strerror(errno));
    for (int i = 0; i < group->waiting_count && status == STATUS_OK; i++)
        status = rename_waiting(group, group->waiting[i], err);
    group->waiting_count = 0;
    return status == STATUS_OK ? error_of_file(err, index_path(group->index), index_commit(group->index, err)) : status;
}

void batch_group_close(BatchGroup *group)
{
    if (group->lock >= 0) {
        sweep(group->lock);
        rmdir(group->scratch);
        close(group->lock);
    }
    batch_remarks_free(&group->remarks);
    free(group->scratch);
    free(group->waiting);
    *group = (BatchGroup){.lock = -1};
}
