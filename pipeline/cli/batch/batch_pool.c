/* See batch.h. */
#include "pipeline/cli/batch/batch.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/stats/clip_stats.h"
#include "formats/base/bytes.h"
#include "formats/container/output_rule.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/message.h"

/* Worker process of kane batch. */

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
static char *place_of(const BatchSetup *setup, int job)
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
    char *path = place_of(setup, reply->job), *slash;
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
    char *scratch = batch_scratch_path(setup->scratch, reply->job), *path = place_of(setup, reply->job);
    char source[PATH_HASH_SIZE], text[SOURCE_PATH_SIZE];
    NewFile file = {.descriptor = -1};
    enter_stage(reply, "store");
    Status status = scratch && path ? make_place(setup, reply) : error_no_memory(&reply->err);
    if (!status)
        status = container_store_pending(clip, def, path, scratch, &file, &reply->err);
    if (!status) {
        path_hash_of(source_file(setup->job[reply->job].input, text), source);
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
static Provenance origin_of(const BatchJob *job, const char *path)
{
    Provenance origin = {.source = (char *)base_name(job->input)};
    char text[SOURCE_PATH_SIZE];
    if (!job->is_own && access(path, F_OK) == 0 &&
        digest_path(source_file(job->input, text), origin.source_sha256, NULL))
        origin.source_sha256[0] = 0;
    return origin;
}

/* Rejects the job, before the work, if a foreign file is at the path of the clip file. */
static Status refuse_foreign(const BatchSetup *setup, BatchReply *reply)
{
    const BatchJob *job = &setup->job[reply->job];
    char *path = place_of(setup, reply->job), source[PATH_HASH_SIZE], text[SOURCE_PATH_SIZE];
    enter_stage(reply, "store");
    if (!path)
        return error_no_memory(&reply->err);
    const Provenance origin = origin_of(job, path);
    const char *input = source_file(job->input, text);
    path_hash_of(input, source);
    OutputClaim claim = {FILE_CONTAINER, &input, 1, setup->forced, &origin, source, NULL};
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

static Status compute(const BatchSetup *setup, const Pipeline *chain, StageProgress *progress, Clip *clip,
                      BatchReply *reply)
{
    Notes notes = {.progress = progress};
    Pipeline own = *chain;
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
    Status status = clip_stats_init(&stats, clip, FRAMES_TRUSTED, &reply->err);
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
    Pipeline chain;
    *bytes = NULL;
    reply->status = batch_request_chain(setup->request, setup->job[reply->job].output, &chain, &reply->err);
    if (!reply->status)
        reply->status = setup->request->store == STORE_INDEX ? STATUS_OK : refuse_foreign(setup, reply);
    if (!reply->status)
        reply->status = compute(setup, &chain, progress, &clip, reply);
    if (!reply->status)
        reply->status = summarise(&clip, reply, bytes);
    if (setup->request->store == STORE_DYNAMICS && clip.has_kinematics) {
        kinematics_free(&clip.kinematics);
        clip.has_kinematics = 0;
    }
    if (!reply->status && setup->request->store != STORE_INDEX)
        reply->status = store(setup, &chain.container, &clip, reply);
    reply->frames = clip.motion.frame_count;
    memcpy(reply->source_sha256, clip.provenance.source_sha256, sizeof reply->source_sha256);
    clip_free(&clip);
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
        work(setup, &watch->progress, &reply, &bytes);
        reply.seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
        watch->job = -1;
        int sent = socket_write(socket, &reply, sizeof reply) && socket_write(socket, bytes, reply.stats_size);
        free(bytes);
        if (!sent)
            return;
    }
}

/* Jobs queued in a worker's socket, so that it does not wait for the parent; few near the end, so that no job waits
 * behind a long clip while a worker is idle. */
enum { MOST_QUEUED = 32, LEAST_QUEUED = 1 };

static const double long_clip = 1; /* s, after which progress is shown */

typedef struct Worker {
    pid_t pid; /* 0: none */
    int socket;
    int queue[MOST_QUEUED]; /* sent and not answered, oldest first; queue[0] is running */
    int queued;
    BatchWatch *watch;
} Worker;

struct BatchPool {
    const BatchSetup *setup;
    int job_count, next_job, answered;
    int *returned; /* [returned_count] jobs that ended workers had not started */
    int returned_count;
    int worker_count;
    long long memory; /* bytes for all workers; 0: no limit */
    BatchWatch *watch; /* [worker] shared memory */
    Worker *worker;
    struct pollfd *poll; /* [worker] */
};

static _Noreturn void be_worker(BatchPool *pool, BatchWatch *watch, int socket)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    interrupt_ignore(); /* the parent ends its workers */
    for (int i = 0; i < pool->worker_count; i++)
        if (pool->worker[i].pid)
            close(pool->worker[i].socket); /* otherwise the other workers would not see the parent end */
    batch_worker_run(pool->setup, watch, socket);
    _exit(0);
}

static Status start(BatchPool *pool, Worker *worker, Error *err)
{
    int pair[2];
    *worker = (Worker){.watch = &pool->watch[worker - pool->worker]};
    *worker->watch = (BatchWatch){.job = -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
        return error_set(err, STATUS_IO, "cannot create a socket: %s", strerror(errno));
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) {
        close(pair[0]);
        close(pair[1]);
        return error_set(err, STATUS_IO, "cannot start a worker: %s", strerror(errno));
    }
    if (pid == 0) {
        close(pair[0]);
        be_worker(pool, worker->watch, pair[1]);
    }
    close(pair[1]);
    worker->pid = pid;
    worker->socket = pair[0];
    return STATUS_OK;
}

/* Closes a worker's socket and waits for the process to end. */
static int stop(Worker *worker)
{
    int state = 0;
    close(worker->socket);
    while (waitpid(worker->pid, &state, 0) < 0 && errno == EINTR)
        ;
    worker->pid = 0;
    return state;
}

static int next_job(BatchPool *pool)
{
    if (pool->returned_count)
        return pool->returned[--pool->returned_count];
    return pool->next_job < pool->job_count ? pool->next_job++ : -1;
}

static int queue_depth(const BatchPool *pool)
{
    int share = (pool->job_count - pool->answered) / (4 * pool->worker_count);
    return share > MOST_QUEUED ? MOST_QUEUED : share < LEAST_QUEUED ? LEAST_QUEUED : share;
}

/* Returns the largest memory need of the jobs sent to a worker. */
static long long need_of(const BatchPool *pool, const Worker *worker)
{
    long long most = 0;
    for (int i = 0; i < worker->queued; i++)
        most = pool->setup->job[worker->queue[i]].need > most ? pool->setup->job[worker->queue[i]].need : most;
    return most;
}

/* Returns whether a job fits the memory limit beside the running ones; always if none is running. */
static int has_room(const BatchPool *pool, const Worker *worker, int job)
{
    long long need = pool->setup->job[job].need, own = need_of(pool, worker), sum = need > own ? need : own;
    int busy = worker->queued;
    for (int i = 0; i < pool->worker_count; i++)
        if (&pool->worker[i] != worker) {
            sum += need_of(pool, &pool->worker[i]);
            busy += pool->worker[i].queued;
        }
    return pool->memory == 0 || sum <= pool->memory || busy == 0;
}

/* Sends jobs to a worker. A worker that has ended is noticed on reading its answer, so errors of send are ignored. */
static void feed(BatchPool *pool, Worker *worker)
{
    int depth = queue_depth(pool), job;
    while (worker->queued < depth && (job = next_job(pool)) >= 0) {
        if (!has_room(pool, worker, job)) {
            pool->returned[pool->returned_count++] = job; /* becomes the next one again */
            return;
        }
        worker->queue[worker->queued++] = job;
        socket_write(worker->socket, &job, sizeof job);
    }
}

/* Feeds the workers in order; memory that one leaves free may be used by the next. */
static void feed_all(BatchPool *pool)
{
    for (int i = 0; i < pool->worker_count; i++)
        feed(pool, &pool->worker[i]);
}

/* Allocates memory shared across fork; NULL on failure. */
static BatchWatch *make_watch(int worker_count)
{
    void *shared = mmap(NULL, (size_t)worker_count * sizeof(BatchWatch), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return shared == MAP_FAILED ? NULL : shared;
}

Status batch_pool_open(const BatchSetup *setup, int job_count, BatchShare share, BatchPool **out, Error *err)
{
    int worker_count = share.workers;
    BatchPool *pool = calloc(1, sizeof *pool);
    *out = NULL;
    if (!pool)
        return error_no_memory(err);
    if (worker_count < 1)
        worker_count = file_pool_processors();
    if (worker_count > job_count)
        worker_count = job_count;
    *pool = (BatchPool){.setup = setup, .job_count = job_count, .worker_count = worker_count,
                        .memory = share.memory};
    pool->returned = array_new((size_t)worker_count + 1, MOST_QUEUED, sizeof *pool->returned);
    pool->watch = make_watch(worker_count);
    pool->worker = array_new((size_t)worker_count, 1, sizeof *pool->worker);
    pool->poll = array_new((size_t)worker_count, 1, sizeof *pool->poll);
    Status status = pool->returned && pool->watch && pool->worker && pool->poll ? STATUS_OK : error_no_memory(err);
    for (int i = 0; i < worker_count && !status; i++)
        status = start(pool, &pool->worker[i], err);
    if (status) {
        batch_pool_close(pool);
        return status;
    }
    feed_all(pool);
    *out = pool;
    return STATUS_OK;
}

static void describe_end(int state, BatchReply *reply)
{
    snprintf(reply->stage, sizeof reply->stage, "worker");
    if (WIFSIGNALED(state))
        error_set(&reply->err, STATUS_INTERNAL, "the worker was terminated by signal %d (%s)", WTERMSIG(state),
                  strsignal(WTERMSIG(state)));
    else
        error_set(&reply->err, STATUS_INTERNAL, "the worker failed with exit code %d", WEXITSTATUS(state));
    reply->status = STATUS_INTERNAL;
}

/* Replaces a worker that ended: its oldest job failed, the others are queued again. */
static Status replace(BatchPool *pool, Worker *worker, BatchReply *reply, Error *err)
{
    *reply = (BatchReply){.job = worker->queued ? worker->queue[0] : -1};
    for (int i = worker->queued - 1; i > 0; i--)
        pool->returned[pool->returned_count++] = worker->queue[i];
    pool->answered += worker->queued > 0;
    describe_end(stop(worker), reply);
    Status status = start(pool, worker, err);
    if (!status)
        feed_all(pool);
    return status;
}

static Status receive(BatchPool *pool, Worker *worker, BatchReply *reply, unsigned char **stats, Error *err)
{
    if (!socket_read(worker->socket, reply, sizeof *reply))
        return replace(pool, worker, reply, err);
    *stats = malloc(reply->stats_size ? reply->stats_size : 1);
    if (!*stats)
        return error_no_memory(err);
    if (!socket_read(worker->socket, *stats, reply->stats_size))
        return replace(pool, worker, reply, err);
    worker->queued--;
    memmove(worker->queue, worker->queue + 1, (size_t)worker->queued * sizeof *worker->queue);
    pool->answered++;
    feed_all(pool);
    return STATUS_OK;
}

Status batch_pool_next(BatchPool *pool, int timeout_ms, BatchReply *reply, unsigned char **stats, Error *err)
{
    *reply = (BatchReply){.job = -1};
    *stats = NULL;
    for (int i = 0; i < pool->worker_count; i++)
        pool->poll[i] = (struct pollfd){.fd = pool->worker[i].queued ? pool->worker[i].socket : -1, .events = POLLIN};
    int ready = poll(pool->poll, (nfds_t)pool->worker_count, timeout_ms);
    if (ready < 0 && errno != EINTR)
        return error_set(err, STATUS_IO, "cannot wait for the workers: %s", strerror(errno));
    for (int i = 0; i < pool->worker_count && ready > 0; i++)
        if (pool->poll[i].revents)
            return receive(pool, &pool->worker[i], reply, stats, err);
    return STATUS_OK;
}

int batch_pool_remaining(const BatchPool *pool)
{
    return pool->job_count - pool->answered;
}

/* Returns the watch of the longest-running job; NULL: none. */
static const BatchWatch *longest(const BatchPool *pool)
{
    const BatchWatch *found = NULL;
    for (int i = 0; i < pool->worker_count; i++) {
        const BatchWatch *watch = &pool->watch[i];
        if (watch->job >= 0 && (!found || watch->started < found->started))
            found = watch;
    }
    return found;
}

void batch_pool_describe(const BatchPool *pool, char *text, size_t size)
{
    const BatchWatch *watch = longest(pool);
    int job = watch ? watch->job : -1;
    const char *stage = watch ? watch->progress.stage : NULL;
    text[0] = 0;
    if (job < 0 || job >= pool->job_count || !stage || batch_clock() - watch->started < long_clip)
        return;
    const char *input = base_name(pool->setup->job[job].input);
    double part = (double)watch->progress.part;
    if (part > 0)
        snprintf(text, size, "%.80s: %s %.0f %%", input, stage, 100 * part);
    else
        snprintf(text, size, "%.80s: %s", input, stage);
}

void batch_pool_close(BatchPool *pool)
{
    if (!pool)
        return;
    for (int i = 0; pool->worker && i < pool->worker_count; i++)
        if (pool->worker[i].pid)
            stop(&pool->worker[i]);
    if (pool->watch)
        munmap(pool->watch, (size_t)pool->worker_count * sizeof *pool->watch);
    free(pool->returned);
    free(pool->worker);
    free(pool->poll);
    free(pool);
}
