/* See batch_pool.h. */
#include "pipeline/cli/batch/batch_pool.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/base/arena.h"
#include "pipeline/cli/batch/batch_progress.h"
#include "pipeline/cli/file_pool.h"
#include "pipeline/cli/interrupt.h"

/* Jobs queued in a worker's socket, so that it does not wait for the parent; few near the end, so that no job waits
 * behind a long clip while a worker is idle. */
enum { MAX_QUEUED = 32, MIN_QUEUED = 1 };

static const double long_clip = 1; /* s, after which progress is shown */

typedef struct Worker {
    pid_t pid; /* 0: none */
    int socket;
    int queue[MAX_QUEUED];  /* sent and not answered, oldest first; queue[0] is running */
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
    return share > MAX_QUEUED ? MAX_QUEUED : share < MIN_QUEUED ? MIN_QUEUED : share;
}

/* Returns the largest memory need of the jobs sent to a worker. */
static long long worker_memory(const BatchPool *pool, const Worker *worker)
{
    long long max = 0;
    for (int i = 0; i < worker->queued; i++)
        max = pool->setup->job[worker->queue[i]].need > max ? pool->setup->job[worker->queue[i]].need : max;
    return max;
}

/* Returns whether a job fits the memory limit beside the running ones; always if none is running. */
static int has_room(const BatchPool *pool, const Worker *worker, int job)
{
    long long need = pool->setup->job[job].need, own = worker_memory(pool, worker), sum = need > own ? need : own;
    int busy = worker->queued;
    for (int i = 0; i < pool->worker_count; i++)
        if (&pool->worker[i] != worker) {
            sum += worker_memory(pool, &pool->worker[i]);
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
    pool->returned = array_new((size_t)worker_count + 1, MAX_QUEUED, sizeof *pool->returned);
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
