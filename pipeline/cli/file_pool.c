/* See file_pool.h. */
#include "pipeline/cli/file_pool.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/base/arena.h"
#include "pipeline/cli/interrupt.h"
#include "pipeline/cli/message.h"

/* A child that processes every jobs-th file; its results come through the pipe in order. */
typedef struct Asker {
    pid_t pid;
    FILE *answers;
} Asker;

enum { PIPE_BYTES = 1 << 20 };

typedef struct AnswerHead {
    int code;
    size_t size;
} AnswerHead;

static void send_answer(const FilePool *pool, const char *path, FILE *to)
{
    char *text = NULL;
    AnswerHead head = {.code = status_exit_code(STATUS_NO_MEMORY)};
    FILE *said = open_memstream(&text, &head.size);
    if (said) {
        head.code = pool->ask(pool->context, path, said);
        fclose(said);
    }
    fwrite(&head, sizeof head, 1, to);
    if (text)
        fwrite(text, 1, head.size, to);
    fflush(to);
    free(text);
}

/* Runs child `number`: writes its results and exits. */
static _Noreturn void be_asker(const FilePool *pool, char *const *paths, size_t count, int number, FILE *to)
{
    signal(SIGPIPE, SIG_DFL); /* if the parent has ended */
    if (pool->stop)
        interrupt_ignore(); /* the parent ends its children */
    for (size_t i = (size_t)number; to && i < count; i += (size_t)pool->jobs)
        send_answer(pool, paths[i], to);
    _exit(0);
}

static Status start(const FilePool *pool, char *const *paths, size_t count, Asker *askers, int number, Error *err)
{
    int ends[2];
    Asker *asker = &askers[number];
    if (pipe2(ends, O_CLOEXEC))
        return error_set(err, STATUS_IO, "cannot create a pipe: %s", strerror(errno));
    fflush(NULL);
    asker->pid = fork();
    if (asker->pid == 0) {
        close(ends[0]);
        for (int i = 0; i < number; i++)
            close(fileno(askers[i].answers)); /* otherwise the other children would not get SIGPIPE when the parent
                                                 ends */
        be_asker(pool, paths, count, number, fdopen(ends[1], "wb"));
    }
    close(ends[1]);
    fcntl(ends[0], F_SETPIPE_SZ, PIPE_BYTES); /* lets a child proceed while the parent reads from another */
    asker->answers = fdopen(ends[0], "rb");
    return asker->pid > 0 && asker->answers
               ? STATUS_OK
               : error_set(err, STATUS_IO, "cannot start a process: %s", strerror(errno));
}

static Status has_ended(const char *path, Error *err)
{
    return error_set(err, STATUS_IO, "%s: the reading process has ended unexpectedly", path);
}

static Status copy_answer(FILE *answers, size_t size, const char *path, FILE *out, Error *err)
{
    char piece[4096];
    while (size > 0) {
        size_t part = size < sizeof piece ? size : sizeof piece;
        if (fread(piece, 1, part, answers) != part)
            return has_ended(path, err);
        fwrite(piece, 1, part, out);
        size -= part;
    }
    return STATUS_OK;
}

static Status hand_on(const FilePool *pool, const AnswerHead *head, FILE *answers, size_t file, Error *err)
{
    char *said = malloc(head->size + 1);
    if (!said)
        return error_no_memory(err);
    Status status = fread(said, 1, head->size, answers) == head->size
                        ? pool->take(pool->context, file, head->code, said, head->size, err)
                        : error_set(err, STATUS_IO, "a reading process has ended unexpectedly");
    free(said);
    return status;
}

static Status take_answer(const FilePool *pool, FILE *answers, const char *path, size_t file, FILE *out, int *code,
                          Error *err)
{
    AnswerHead head;
    if (fread(&head, sizeof head, 1, answers) != 1)
        return has_ended(path, err);
    *code = exit_code_worse(*code, head.code);
    return pool->take ? hand_on(pool, &head, answers, file, err) : copy_answer(answers, head.size, path, out, err);
}

Status file_pool_ask(const FilePool *pool, char *const *paths, size_t count, FILE *out, int *code, Error *err)
{
    Asker *asker = array_new((size_t)pool->jobs, 1, sizeof *asker);
    Status status = asker ? STATUS_OK : error_no_memory(err);
    for (int i = 0; i < pool->jobs && !status; i++)
        status = start(pool, paths, count, asker, i, err);
    for (size_t i = 0; i < count && !status && !(pool->stop && pool->stop()); i++)
        status = take_answer(pool, asker[i % (size_t)pool->jobs].answers, paths[i], i, out, code, err);
    for (int i = 0; asker && i < pool->jobs; i++)
        if (asker[i].answers)
            fclose(asker[i].answers);
    for (int i = 0; asker && i < pool->jobs; i++)
        while (asker[i].pid > 0 && waitpid(asker[i].pid, NULL, 0) < 0 && errno == EINTR)
            ;
    free(asker);
    return status;
}

int file_pool_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}
