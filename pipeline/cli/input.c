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
#include "formats/container/container.h"
#include "pipeline/cli/message.h"
#include "pipeline/stages/stage.h"

/* Lists of files in folders. */

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

/* Returns 1 if an entry of the walk belongs in the list: a file with a wanted name, even if it cannot be examined (a
 * broken link, a folder without permission), or an unreadable folder. Opening it then reports the error. */
static int is_wanted(const FTSENT *entry, FileName *is_named)
{
    switch (entry->fts_info) {
    case FTS_DNR: return 1;
    case FTS_F:
    case FTS_NS:
    case FTS_SLNONE: return is_named(entry->fts_name);
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

static Status walk(FoundFiles *files, const char *folder, FileName *is_named, Error *err)
{
    char *roots[] = {(char *)folder, NULL};
    size_t skip = strlen(folder);
    Status status = STATUS_OK;
    FTSENT *entry;
    FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, NULL);
    if (!tree)
        return error_set(err, STATUS_IO, "%s: cannot read: %s", folder, strerror(errno));
    while (!status && (entry = fts_read(tree))) {
        const char *relative = entry->fts_path + skip;
        while (*relative == '/')
            relative++;
        if (entry->fts_info == FTS_ERR || (entry->fts_info == FTS_DNR && entry->fts_level == FTS_ROOTLEVEL))
            status = error_set(err, STATUS_IO, "%s: cannot read: %s", entry->fts_path, strerror(entry->fts_errno));
        else if (is_wanted(entry, is_named))
            status = add_file(files, entry->fts_path, relative, err);
        else if (entry->fts_info == FTS_DEFAULT && is_named(entry->fts_name))
            status = pass_over(files, entry->fts_path, err);
    }
    fts_close(tree);
    return status;
}

Status found_files_add(FoundFiles *files, const char *argument, FileName *is_named, Error *err)
{
    struct stat info;
    const char *slash = strrchr(argument, '/');
    if (stat(argument, &info))
        return error_set(err, STATUS_IO, "%s: cannot read: %s", argument, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return walk(files, argument, is_named, err);
    return add_file(files, argument, slash ? slash + 1 : argument, err);
}

Status found_files_take(FoundFiles *files, const char *path, Error *err)
{
    return add_file(files, path, path, err);
}

/* Adds "walk.x" and its relative name with the number of a take. */
static Status add_take(FoundFiles *files, const FoundFile *file, int number, Error *err)
{
    char *path = NULL, *relative = NULL;
    Status status = asprintf(&path, "%s#%d", file->path, number) < 0 ||
                            asprintf(&relative, "%s#%d", file->relative, number) < 0
                        ? error_no_memory(err)
                        : add_file(files, path, relative, err);
    free(path);
    free(relative);
    return status;
}

static Status add_takes(FoundFiles *files, const FoundFile *file, const SourceDef *limits, Error *err)
{
    int count = source_count(file->path, limits);
    Status status = count == 1 ? add_file(files, file->path, file->relative, err) : STATUS_OK;
    for (int i = 1; count > 1 && i <= count && !status; i++)
        status = add_take(files, file, i, err);
    return status;
}

Status found_files_split_takes(FoundFiles *files, const SourceDef *limits, Error *err)
{
    FoundFiles split = {.special_count = files->special_count, .special = files->special};
    Status status = STATUS_OK;
    for (size_t i = 0; i < files->count && !status; i++)
        status = add_takes(&split, &files->file[i], limits, err);
    files->special = NULL;
    files->special_count = 0;
    found_files_free(files);
    *files = split;
    return status;
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
        message_note(verb, first, "skipped: not a regular file (%zu in all); name it explicitly to read it", count);
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
    while (slash && !status) {
        *slash = 0;
        if (mkdir(path, 0777) && errno != EEXIST)
            status = error_set(err, STATUS_IO, "%s: cannot create: %s", path, strerror(errno));
        *slash = '/';
        slash = strchr(slash + 1, '/');
    }
    free(path);
    return status;
}

/* Parameters of a visit. */
typedef struct Visit {
    const char *verb;
    const char *path;
    ClipVisitor visitor;
    void *context;
    int reads_motion; /* 1: also read motion files, as kane import does */
    int quiet;        /* 1: print only warnings of import */
} Visit;

static Status visit_image(const Visit *visit, const ContainerImage *image, Error *err)
{
    Clip clip = {0};
    char warning[512] = "";
    Status status = container_decode_guarded(image, &clip, warning, sizeof warning, err);
    if (!status && *warning)
        message_note(visit->verb, visit->path, "warning: %s", warning);
    if (!status)
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
        if (!status && image.size == 0) {
            if (count == 0)
                status = error_set(&err, STATUS_BAD_INPUT, "no clip in the input; expected a clip file (.h5)");
            return !status ? code : message_error(visit->verb, visit->path, &err);
        }
        int framed = !status; /* otherwise the start of the next clip is unknown */
        if (framed)
            status = visit_image(visit, &image, &err);
        container_image_free(&image);
        if (!framed && status == STATUS_BAD_INPUT && last == STATUS_BAD_INPUT)
            return code; /* rest of a damaged clip; one message suffices */
        last = status;
        if (status)
            code = exit_code_worse(code, message_error(visit->verb, visit->path, &err));
        if (!framed || status == STATUS_USAGE)
            return code;
    }
}

/* Reads a motion file, or a take of it, as kane import does. */
static int visit_take(const Visit *visit)
{
    Pipeline chain = pipeline_defaults();
    Clip clip = {0};
    Notes notes = {0};
    Error err = {0};
    Status status = pipeline_open(&chain, visit->path, &clip, &notes, &err);
    if (!status) {
        message_notes(visit->verb, visit->path, &notes, &clip, visit->quiet);
        status = visit->visitor(visit->context, visit->path, &clip, &err);
    }
    notes_free(&notes);
    clip_free(&clip);
    return !status ? 0 : message_error(visit->verb, visit->path, &err);
}

/* Reads every take of a motion file. */
static int visit_takes(const Visit *visit)
{
    SourceDef limits = source_default_def();
    FoundFiles takes = {0};
    Visit one = *visit;
    Error err = {0};
    Status status = found_files_take(&takes, visit->path, &err);
    if (!status)
        status = found_files_split_takes(&takes, &limits, &err);
    int code = !status ? 0 : message_error(visit->verb, visit->path, &err);
    for (size_t i = 0; i < takes.count && code < status_exit_code(STATUS_USAGE); i++) {
        one.path = takes.file[i].path;
        code = exit_code_worse(code, visit_take(&one));
    }
    found_files_free(&takes);
    return code;
}

/* Reads the first bytes of a regular file; the caller frees *front, which is NULL for other kinds. */
static Status read_front(FILE *stream, char **front, size_t *size, Error *err)
{
    struct stat info;
    *front = NULL;
    *size = 0;
    if (fstat(fileno(stream), &info) || !S_ISREG(info.st_mode))
        return STATUS_OK;
    if (!(*front = malloc(FILE_FRONT_SIZE)))
        return error_no_memory(err);
    *size = fread(*front, 1, FILE_FRONT_SIZE, stream);
    rewind(stream);
    return STATUS_OK;
}

/* Sets the error of a file that is not a clip file, with its format. */
static Status refuse_foreign(const Visit *visit, const char *front, size_t size, Error *err)
{
    const SourceFormat *format = front ? source_of_front(front, size) : NULL;
    if (format || source_has_ending(visit->path))
        return error_set(err, STATUS_BAD_INPUT,
                         "is a %s file; run kane import or kane run first",
                         format ? format->name : "motion");
    const char *what = size > 0 && !container_begins(front, size) ? foreign_file(front, size) : NULL;
    return what ? error_set(err, STATUS_BAD_INPUT, "expected a clip file (.h5), found %s", what) : STATUS_OK;
}

static int visit_file(const Visit *visit, FILE *stream, Error *err)
{
    char *front;
    size_t size;
    Status status = read_front(stream, &front, &size, err);
    int is_motion = front && visit->reads_motion && source_of_front(front, size);
    if (!status && !is_motion)
        status = refuse_foreign(visit, front, size, err);
    free(front);
    if (status)
        return message_error(visit->verb, visit->path, err);
    return is_motion ? visit_takes(visit) : visit_stream(visit, stream);
}

/* Reads standard input; its first byte distinguishes clip files from motion files. */
static int visit_pipe(const Visit *visit)
{
    container_expect();
    int first = visit->reads_motion ? getc(stdin) : EOF;
    if (first == EOF)
        return visit_stream(visit, stdin);
    ungetc(first, stdin);
    return first == CONTAINER_FIRST_BYTE ? visit_stream(visit, stdin) : visit_take(visit);
}

static int visit_path(const Visit *visit)
{
    Error err;
    char name[4352];
    if (!strcmp(visit->path, "-"))
        return visit_pipe(visit);
    if (visit->reads_motion && (source_has_ending(visit->path) || source_split(visit->path, name, sizeof name)))
        return visit_takes(visit);
    FILE *stream = fopen(visit->path, "rbe");
    if (!stream) {
        error_set(&err, STATUS_IO, "cannot read: %s", strerror(errno));
        return message_error(visit->verb, visit->path, &err);
    }
    int code = visit_file(visit, stream, &err);
    fclose(stream);
    return code;
}

static int visit_all(Visit *call, char *const *paths, int path_count)
{
    if (path_count == 0)
        return visit_path(call);
    int code = 0;
    for (int i = 0; i < path_count && code < status_exit_code(STATUS_USAGE); i++) {
        call->path = paths[i];
        code = exit_code_worse(code, visit_path(call));
    }
    return code;
}

int clips_visit(const char *verb, char *const *paths, int path_count, ClipVisitor visit, void *context)
{
    return visit_all(&(Visit){verb, "-", visit, context, 0, 0}, paths, path_count);
}

int clips_visit_motion(const char *verb, char *const *paths, int path_count, ClipVisitor visit, void *context,
                       int quiet)
{
    return visit_all(&(Visit){verb, "-", visit, context, 1, quiet}, paths, path_count);
}

/* Processes many files in several child processes, with results in file order. */

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
