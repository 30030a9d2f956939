/* See input.h. */
#include "pipeline/cli/input.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/base/arena.h"
#include "formats/base/bytes.h"
#include "formats/base/file_kind.h"
#include "formats/container/container.h"
#include "pipeline/cli/message.h"
#include "pipeline/stages/pipeline.h"

/* Lists of files out of folders. */

static Status add_file(FoundFiles *files, const char *path, const char *relative, Error *err)
{
    if (files->count == files->capacity) {
        size_t capacity = files->capacity ? 2 * files->capacity : 64;
        FoundFile *larger = realloc(files->file, capacity * sizeof *larger);
        if (!larger)
            return error_no_memory(err);
        files->file = larger;
        files->capacity = capacity;
    }
    FoundFile file = {strdup(path), strdup(relative)};
    if (!file.path || !file.relative) {
        free(file.path);
        free(file.relative);
        return error_no_memory(err);
    }
    files->file[files->count++] = file;
    return STATUS_OK;
}

static int ends_in(const char *name, const char *suffix)
{
    size_t length = strlen(name), tail = strlen(suffix);
    return length > tail && !strcasecmp(name + length - tail, suffix);
}

/* Whether the walk has something for the list: a file of that ending, also one that cannot be looked at (a link to
 * nowhere, a folder without the right to enter), or a folder that cannot be read. Who opens it says why it cannot. */
static int is_wanted(const FTSENT *entry, const char *suffix)
{
    switch (entry->fts_info) {
    case FTS_DNR: return 1;
    case FTS_F:
    case FTS_NS:
    case FTS_SLNONE: return ends_in(entry->fts_name, suffix);
    default: return 0;
    }
}

static Status pass_over(FoundFiles *files, const char *path, Error *err)
{
    char *copy = strdup(path);
    if (!copy || !array_grow(&files->special, files->special_count, sizeof *files->special)) {
        free(copy);
        return error_no_memory(err);
    }
    files->special[files->special_count++] = copy;
    return STATUS_OK;
}

static Status walk(FoundFiles *files, const char *folder, const char *suffix, Error *err)
{
    char *roots[] = {(char *)folder, NULL};
    size_t skip = strlen(folder);
    Status status = STATUS_OK;
    FTSENT *entry;
    FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, NULL);
    if (!tree)
        return error_set(err, STATUS_IO, "%s: %s", folder, strerror(errno));
    while (status == STATUS_OK && (entry = fts_read(tree))) {
        const char *relative = entry->fts_path + skip;
        while (*relative == '/')
            relative++;
        if (entry->fts_info == FTS_ERR || (entry->fts_info == FTS_DNR && entry->fts_level == FTS_ROOTLEVEL))
            status = error_set(err, STATUS_IO, "%s: %s", entry->fts_path, strerror(entry->fts_errno));
        else if (is_wanted(entry, suffix))
            status = add_file(files, entry->fts_path, relative, err);
        else if (entry->fts_info == FTS_DEFAULT && ends_in(entry->fts_name, suffix))
            status = pass_over(files, entry->fts_path, err);
    }
    fts_close(tree);
    return status;
}

Status found_files_add(FoundFiles *files, const char *argument, const char *suffix, Error *err)
{
    struct stat info;
    const char *slash = strrchr(argument, '/');
    if (stat(argument, &info))
        return error_set(err, STATUS_IO, "%s: %s", argument, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return walk(files, argument, suffix, err);
    return add_file(files, argument, slash ? slash + 1 : argument, err);
}

Status found_files_take(FoundFiles *files, const char *path, Error *err)
{
    return add_file(files, path, path, err);
}

static int is_among(const FoundFiles *files, const char *path)
{
    for (size_t i = 0; i < files->count; i++)
        if (!strcmp(files->file[i].path, path))
            return 1;
    return 0;
}

void found_files_note(const FoundFiles *files, const char *verb)
{
    const char *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < files->special_count; i++)
        if (!is_among(files, files->special[i])) {
            first = first ? first : files->special[i];
            count++;
        }
    if (first)
        message_note(verb, first, "passed over, as it is no regular file (%zu in all); name it to read from it", count);
}

static int by_relative(const void *a, const void *b)
{
    const FoundFile *left = a, *right = b;
    int order = strcmp(left->relative, right->relative);
    return order ? order : strcmp(left->path, right->path);
}

void found_files_sort(FoundFiles *files)
{
    if (files->count)
        qsort(files->file, files->count, sizeof *files->file, by_relative);
}

void found_files_free(FoundFiles *files)
{
    if (!files)
        return;
    for (size_t i = 0; i < files->count; i++) {
        free(files->file[i].path);
        free(files->file[i].relative);
    }
    free(files->file);
    for (size_t i = 0; i < files->special_count; i++)
        free(files->special[i]);
    free(files->special);
    *files = (FoundFiles){0};
}

Status path_make_parents(const char *base, const char *relative, Error *err)
{
    char *path;
    Status status = STATUS_OK;
    if (asprintf(&path, "%s/%s", base, relative) < 0)
        return error_no_memory(err);
    char *slash = strchr(path + strlen(base) + 1, '/');
    while (slash && status == STATUS_OK) {
        *slash = 0;
        if (mkdir(path, 0777) && errno != EEXIST)
            status = error_set(err, STATUS_IO, "%s: %s", path, strerror(errno));
        *slash = '/';
        slash = strchr(slash + 1, '/');
    }
    free(path);
    return status;
}

/* What all clips of one call share. */
typedef struct Visit {
    const char *verb;
    const char *path;
    ClipVisitor visitor;
    void *context;
    int takes_bvh; /* 1: files that end with .bvh are read as such */
} Visit;

static Status visit_image(const Visit *visit, const ContainerImage *image, Error *err)
{
    Clip clip = {0};
    char warning[512] = "";
    Status status = container_decode_guarded(image, &clip, warning, sizeof warning, err);
    if (status == STATUS_OK && *warning)
        message_note(visit->verb, visit->path, "%s", warning);
    if (status == STATUS_OK)
        status = visit->visitor(visit->context, visit->path, &clip, err);
    clip_free(&clip);
    return status;
}

static int visit_stream(const Visit *visit, FILE *stream)
{
    int code = 0, count = 0;
    Status last = STATUS_OK;
    for (;; count++) {
        ContainerImage image = {0};
        Error err = {0};
        Status status = container_next(stream, &image, &err);
        if (status == STATUS_OK && image.size == 0) {
            if (count == 0)
                status = error_set(&err, STATUS_BAD_INPUT, "holds no container");
            return status == STATUS_OK ? code : message_error(visit->verb, visit->path, &err);
        }
        int framed = status == STATUS_OK; /* else nobody knows where the next one begins */
        if (framed)
            status = visit_image(visit, &image, &err);
        container_image_free(&image);
        if (!framed && status == STATUS_BAD_INPUT && last == STATUS_BAD_INPUT)
            return code; /* the rest of a damaged container, of which one line is enough */
        last = status;
        if (status != STATUS_OK)
            code = exit_code_worse(code, message_error(visit->verb, visit->path, &err));
        if (!framed || status == STATUS_USAGE)
            return code;
    }
}

/* A BVH file, read as kane import reads it. */
static int visit_bvh(const Visit *visit)
{
    Pipeline chain = pipeline_defaults();
    Clip clip = {0};
    Notes notes = {0};
    Error err = {0};
    Status status = pipeline_open(&chain, visit->path, &clip, &notes, &err);
    if (status == STATUS_OK) {
        message_notes(visit->verb, visit->path, &notes, &clip);
        status = visit->visitor(visit->context, visit->path, &clip, &err);
    }
    notes_free(&notes);
    clip_free(&clip);
    return status == STATUS_OK ? 0 : message_error(visit->verb, visit->path, &err);
}

static int is_bvh(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strcasecmp(dot, ".bvh");
}

/* Says of a regular file of another format what it is. */
static Status refuse_foreign(const Visit *visit, FILE *stream, Error *err)
{
    struct stat info;
    const char *what = NULL;
    if (fstat(fileno(stream), &info) || !S_ISREG(info.st_mode) || container_is_at(visit->path))
        return STATUS_OK;
    char *front = malloc(FILE_FRONT_SIZE);
    if (!front)
        return error_no_memory(err);
    size_t size = fread(front, 1, FILE_FRONT_SIZE, stream);
    what = size > 0 ? foreign_file(front, size) : NULL;
    free(front);
    rewind(stream);
    return what ? error_set(err, STATUS_BAD_INPUT, "no container but %s", what) : STATUS_OK;
}

static int visit_path(const Visit *visit)
{
    Error err;
    if (!strcmp(visit->path, "-"))
        return visit_stream(visit, stdin);
    if (visit->takes_bvh && is_bvh(visit->path))
        return visit_bvh(visit);
    FILE *stream = fopen(visit->path, "rbe");
    if (!stream) {
        error_set(&err, STATUS_IO, "%s", strerror(errno));
        return message_error(visit->verb, visit->path, &err);
    }
    if (is_bvh(visit->path)) {
        fclose(stream);
        error_set(&err, STATUS_BAD_INPUT, "a BVH file: kane import makes a container of it, kane run one with torques");
        return message_error(visit->verb, visit->path, &err);
    }
    int code = refuse_foreign(visit, stream, &err) == STATUS_OK ? visit_stream(visit, stream)
                                                                : message_error(visit->verb, visit->path, &err);
    fclose(stream);
    return code;
}

/* Verbs for which a clip need not have been imported: they ask for nothing but its motion. */
static int takes_bvh(const char *verb)
{
    const char *const verbs[] = {stage_retarget.command.name, stage_mirror.command.name, stage_trim.command.name,
                                 stage_resample.command.name, "picture"};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (!strcmp(verb, verbs[i]))
            return 1;
    return 0;
}

int clips_visit(const char *verb, char *const *paths, int path_count, ClipVisitor visit, void *context)
{
    Visit call = {verb, "-", visit, context, takes_bvh(verb)};
    if (path_count == 0)
        return visit_path(&call);
    int code = 0;
    for (int i = 0; i < path_count && code < status_exit_code(STATUS_USAGE); i++) {
        call.path = paths[i];
        code = exit_code_worse(code, visit_path(&call));
    }
    return code;
}

/* A question to many files in several processes, its answers in the order of the files. */

/* A child that asks every jobs-th file; its answers come through the pipe one after the other. */
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

/* Writes the answers of the asker of this number, and does not return. */
static _Noreturn void be_asker(const FilePool *pool, char *const *paths, size_t count, int number, FILE *to)
{
    signal(SIGPIPE, SIG_DFL); /* nobody listens any more */
    if (pool->stop)
        interrupt_ignore(); /* the caller ends its children */
    for (size_t i = (size_t)number; to && i < count; i += (size_t)pool->jobs)
        send_answer(pool, paths[i], to);
    _exit(0);
}

static Status start(const FilePool *pool, char *const *paths, size_t count, Asker *askers, int number, Error *err)
{
    int ends[2];
    Asker *asker = &askers[number];
    if (pipe2(ends, O_CLOEXEC))
        return error_set(err, STATUS_IO, "cannot make a pipe: %s", strerror(errno));
    fflush(NULL);
    asker->pid = fork();
    if (asker->pid == 0) {
        close(ends[0]);
        for (int i = 0; i < number; i++)
            close(fileno(askers[i].answers)); /* else the others would go on writing when nobody listens */
        be_asker(pool, paths, count, number, fdopen(ends[1], "wb"));
    }
    close(ends[1]);
    fcntl(ends[0], F_SETPIPE_SZ, PIPE_BYTES); /* so that a child goes on while another is listened to */
    asker->answers = fdopen(ends[0], "rb");
    return asker->pid > 0 && asker->answers
               ? STATUS_OK
               : error_set(err, STATUS_IO, "cannot start a process: %s", strerror(errno));
}

static Status has_ended(const char *path, Error *err)
{
    return error_set(err, STATUS_IO, "%s: the process that read it has ended", path);
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
                        : error_set(err, STATUS_IO, "a process that read files has ended");
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
    for (int i = 0; i < pool->jobs && status == STATUS_OK; i++)
        status = start(pool, paths, count, asker, i, err);
    for (size_t i = 0; i < count && status == STATUS_OK && !(pool->stop && pool->stop()); i++)
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
