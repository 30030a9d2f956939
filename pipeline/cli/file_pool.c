#include "pipeline/cli/file_pool.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/base/memory.h"
#include "pipeline/cli/message.h"

/* A child that asks every jobs-th file; its answers come through the pipe one after the other. */
typedef struct Asker {
    pid_t pid;
    FILE *answers;
} Asker;

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

static Status start(const FilePool *pool, char *const *paths, size_t count, int number, Asker *asker, Error *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return error_set(err, STATUS_IO, "cannot make a pipe: %s", strerror(errno));
    fflush(NULL);
    asker->pid = fork();
    if (asker->pid == 0) {
        FILE *to = fdopen(ends[1], "wb");
        close(ends[0]);
        for (size_t i = (size_t)number; to && i < count; i += (size_t)pool->jobs)
            send_answer(pool, paths[i], to);
        _exit(0);
    }
    close(ends[1]);
    asker->answers = fdopen(ends[0], "rb");
    return asker->pid > 0 && asker->answers
               ? STATUS_OK
               : error_set(err, STATUS_IO, "cannot start a process: %s", strerror(errno));
}

/* The next answer of a child, copied on. */
static Status take_answer(Asker *asker, const char *path, FILE *out, int *code, Error *err)
{
    AnswerHead head;
    char piece[4096];
    if (fread(&head, sizeof head, 1, asker->answers) != 1)
        return error_set(err, STATUS_INTERNAL, "%s: the process that read it has ended", path);
    while (head.size > 0) {
        size_t part = head.size < sizeof piece ? head.size : sizeof piece;
        if (fread(piece, 1, part, asker->answers) != part)
            return error_set(err, STATUS_INTERNAL, "%s: the process that read it has ended", path);
        fwrite(piece, 1, part, out);
        head.size -= part;
    }
    *code = exit_code_worse(*code, head.code);
    return STATUS_OK;
}

Status file_pool_ask(const FilePool *pool, char *const *paths, size_t count, FILE *out, int *code, Error *err)
{
    Asker *asker = array_new((size_t)pool->jobs, 1, sizeof *asker);
    Status status = asker ? STATUS_OK : error_no_memory(err);
    for (int i = 0; i < pool->jobs && status == STATUS_OK; i++)
        status = start(pool, paths, count, i, &asker[i], err);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = take_answer(&asker[i % (size_t)pool->jobs], paths[i], out, code, err);
    for (int i = 0; asker && i < pool->jobs; i++) {
        if (asker[i].answers)
            fclose(asker[i].answers);
        while (asker[i].pid > 0 && waitpid(asker[i].pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
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
