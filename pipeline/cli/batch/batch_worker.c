/* See batch_worker.h. */
#include "pipeline/cli/batch/batch_worker.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analysis/stats/clip_stats.h"
#include "formats/base/new_file.h"
#include "formats/container/output_rule.h"
#include "formats/container/source_mark.h"
#include "formats/container/container_store.h"
#include "formats/source/source.h"
#include "pipeline/cli/batch/batch_progress.h"
#include "pipeline/cli/batch/batch_select.h"
#include "pipeline/cli/output_file.h"
#include "pipeline/stages/clip_memory.h"
#include "pipeline/stages/pipeline.h"

char *batch_scratch_path(const char *scratch, int job)
{
    char *path;
    return asprintf(&path, "%s/%d", scratch, job) < 0 ? NULL : path;
}

int socket_read(int socket, void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t got = recv(socket, (char *)bytes + done, size - done, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return 0;
        done += (size_t)got;
    }
    return 1;
}

int socket_write(int socket, const void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t put = send(socket, (const char *)bytes + done, size - done, MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return 0;
        done += (size_t)put;
    }
    return 1;
}

/* Returns the final path of a job's clip file. The caller frees it; NULL without memory. */
static char *job_folder(const BatchSetup *setup, int job)
{
    char *path;
    return asprintf(&path, "%s/%s", setup->folder, setup->job[job].output) < 0 ? NULL : path;
}

static void enter_stage(BatchReply *reply, const char *name)
{
    snprintf(reply->stage, sizeof reply->stage, "%s", name);
}

static Status note_file(int file, BatchReply *reply)
{
    struct stat info;
    if (fstat(file, &info))
        return error_set(&reply->err, STATUS_IO, "cannot read: %s", strerror(errno));
    reply->size = info.st_size;
    reply->mtime_ns = info.st_mtim.tv_sec * INT64_C(1000000000) + info.st_mtim.tv_nsec;
    return STATUS_OK;
}

/* Returns whether an error concerns this path only, unlike a full or missing folder. */
static int is_of_name(int code)
{
    return code == ENOTDIR || code == EACCES || code == EPERM || code == ENAMETOOLONG || code == ELOOP;
}

/* Makes the parent folders and checks that the clip file can be renamed there, before the parent process renames a
 * whole group. */
static Status make_place(const BatchSetup *setup, BatchReply *reply)
{
    char *path = job_folder(setup, reply->job), *slash;
    struct stat info;
    const char *output = setup->job[reply->job].output;
    if (!path)
        return error_no_memory(&reply->err);
    errno = 0;
    Status status = path_make_parents(setup->folder, output, &reply->err);
    if (!status && stat(path, &info) && errno != ENOENT)
        status = error_set(&reply->err, STATUS_IO, "%s: cannot write: %s", path, strerror(errno));
    slash = strrchr(path, '/');
    *slash = 0;
    if (!status && access(path, W_OK | X_OK))
        status = error_set(&reply->err, STATUS_IO, "%s: cannot write: %s", path, strerror(errno));
    if (status == STATUS_IO && is_of_name(errno))
        status = STATUS_BAD_INPUT;
    free(path);
    return status;
}

/* Writes the clip under its temporary name, unsynced; the parent process syncs and renames a group at once. */
static Status store(const BatchSetup *setup, const ContainerDef *def, const Clip *clip, BatchReply *reply)
{
    char *scratch = batch_scratch_path(setup->scratch, reply->job), *path = job_folder(setup, reply->job);
    char source[PATH_HASH_SIZE], text[SOURCE_PATH_SIZE];
    NewFile file = {.descriptor = -1};
    enter_stage(reply, "store");
    Status status = scratch && path ? make_place(setup, reply) : error_no_memory(&reply->err);
    if (!status)
        status = container_store_pending(clip, def, path, scratch, &file, &reply->err);
    if (!status) {
        hash_path(source_file(setup->job[reply->job].input, text), source);
        path_hash_put(file.descriptor, source);
        status = note_file(file.descriptor, reply);
    }
    new_file_leave(&file);
    free(scratch);
    free(path);
    return status;
}

/* Returns the source of the clip. The digest is computed only if a file exists at path that no earlier batch has
 * recorded. */
static Provenance job_provenance(const BatchJob *job, const SourceDef *limits, const char *path)
{
    Provenance origin = {.source = (char *)base_name(job->input)};
    if (!job->is_own && access(path, F_OK) == 0 && source_digest_path(job->input, limits, origin.source_sha256, NULL))
        origin.source_sha256[0] = 0;
    return origin;
}

/* Rejects the job if a foreign file is at the path of the clip file, before the work (clip NULL), or after it a richer
 * clip, unless an earlier batch wrote that. */
static Status refuse_foreign(const BatchSetup *setup, const SourceDef *limits, const Clip *clip, BatchReply *reply)
{
    const BatchJob *job = &setup->job[reply->job];
    char *path = job_folder(setup, reply->job), source[PATH_HASH_SIZE], text[SOURCE_PATH_SIZE];
    enter_stage(reply, "store");
    if (!path)
        return error_no_memory(&reply->err);
    const Provenance origin = job_provenance(job, limits, path);
    const char *input = source_file(job->input, text);
    hash_path(input, source);
    OutputClaim claim = {.kind = FILE_CONTAINER, .input = &input, .input_count = 1, .forced = setup->forced,
                         .origin = &origin, .clip = clip, .path_hash = source};
    Status status = output_allowed(path, &claim, &reply->err);
    claim.forced = 1;
    if (status && !output_allowed(path, &claim, NULL)) {
        size_t used = strlen(reply->err.text);
        snprintf(reply->err.text + used, sizeof reply->err.text - used, "; move it or use --force");
    }
    status = error_of_file(&reply->err, path, status);
    reply->is_foreign = status ? 1 : 0;
    free(path);
    return status == STATUS_IO ? STATUS_BAD_INPUT : status; /* concerns this clip, not the output as a whole */
}

static Status compute(const BatchSetup *setup, const Pipeline *pipeline, StageProgress *progress, Clip *clip,
                      BatchReply *reply)
{
    Notes notes = {.progress = progress};
    Pipeline own = *pipeline;
    pipeline_follow(&own, setup->job[reply->job].family, setup->job[reply->job].member);
    Status status = pipeline_import(&own, setup->job[reply->job].input, clip, &notes, &reply->err);
    if (!status)
        status = pipeline_run(&own, clip, &notes, &reply->err);
    enter_stage(reply, notes.stage);
    notes_free(&notes);
    return status;
}

static Status summarise(const Clip *clip, BatchReply *reply, unsigned char **bytes)
{
    ClipStats stats;
    enter_stage(reply, "index");
    Status status = clip_stats_init(&stats, clip, FRAMES_SOUND, &reply->err);
    if (status)
        return status;
    status = clip_stats_pack(&stats, bytes, &reply->stats_size, &reply->err);
    clip_stats_free(&stats);
    return status;
}

/* The caller frees *bytes. */
static void work(const BatchSetup *setup, StageProgress *progress, BatchReply *reply, unsigned char **bytes)
{
    Clip clip = {0};
    Pipeline pipeline;
    *bytes = NULL;
    reply->status = batch_request_pipeline(setup->request, setup->job[reply->job].output, &pipeline, &reply->err);
    if (!reply->status)
        reply->status = setup->request->store == STORE_INDEX
                            ? STATUS_OK : refuse_foreign(setup, &pipeline.import.limits, NULL, reply);
    if (!reply->status)
        reply->status = compute(setup, &pipeline, progress, &clip, reply);
    if (!reply->status)
        reply->status = summarise(&clip, reply, bytes);
    if (setup->request->store == STORE_DYNAMICS && clip.has_kinematics) {
        kinematics_free(&clip.kinematics);
        clip.has_kinematics = 0;
    }
    pipeline.container.lean = setup->request->store == STORE_LEAN;
    if (!reply->status && setup->request->store != STORE_INDEX && !setup->job[reply->job].is_own)
        reply->status = refuse_foreign(setup, &pipeline.import.limits, &clip, reply);
    if (!reply->status && setup->request->store != STORE_INDEX)
        reply->status = store(setup, &pipeline.container, &clip, reply);
    reply->frames = clip.motion.frame_count;
    memcpy(reply->source_sha256, clip.provenance.source_sha256, sizeof reply->source_sha256);
    clip_free(&clip);
}

/* A job that needs more than the limit of all workers runs alone (batch_pool.h). */
static void limit_memory(const BatchSetup *setup, int job)
{
    long long limit = setup->memory > 0 ? setup->memory : CLIP_MEMORY_DEFAULT;
    clip_memory_limit(setup->job[job].input, limit, setup->request->pipeline.container.float32, setup->scratch);
}

void batch_worker_run(const BatchSetup *setup, BatchWatch *watch, int socket)
{
    int job;
    while (socket_read(socket, &job, sizeof job)) {
        BatchReply reply = {.job = job};
        unsigned char *bytes;
        watch->started = batch_clock();
        watch->job = job;
        clock_t began = clock();
        limit_memory(setup, job);
        work(setup, &watch->progress, &reply, &bytes);
        clip_memory_unlimit();
        reply.seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
        watch->job = -1;
        int sent = socket_write(socket, &reply, sizeof reply) && socket_write(socket, bytes, reply.stats_size);
        free(bytes);
        if (!sent)
            return;
    }
}
