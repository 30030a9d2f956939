/* See query_page.h. */
#include "pipeline/cli/query_page.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/base/status.h"
#include "formats/base/new_file.h"
#include "formats/base/text.h"
#include "formats/report/report_answer.h"
#include "formats/report/report_page.h"
#include "formats/source/source.h"
#include "pipeline/cli/message.h"

/* A query and its result while the page is made. */
typedef struct Answer {
    const QueryPageOptions *given;
    const QueryDef *def;
    char *const *words; /* [word_count] indexes, then the query */
    int word_count, index_count;
    OutputCall call;
    ReportPage page;
    const char *path; /* of the page: from the command line, or made */
    char *made;     /* owned, as are the following */
    char *folder;   /* where pages of clips are searched */
    char *question;
    char *rows;
    size_t size;
    int is_beside;  /* 1: folder is that of the page */
    int is_empty;   /* 1: no row matched */
} Answer;

/* Returns the absolute folder of a path, NULL if it does not exist. */
static char *path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    char *whole = folder ? realpath(folder, NULL) : NULL;
    free(folder);
    return whole;
}

static int has_page(void *context, const char *name)
{
    const Answer *a = context;
    char *path = NULL;
    if (!a->folder || asprintf(&path, "%s/%s", a->folder, name) < 0)
        return 0;
    int is_there = access(path, R_OK) == 0;
    free(path);
    return is_there;
}

/* Chooses the folder with the pages of clips: beside the page, else beside the index. */
static void choose_folder(Answer *a)
{
    a->folder = path_folder(a->path);
    a->is_beside = has_page(a, "clips");
    if (a->is_beside)
        return;
    free(a->folder);
    a->folder = path_folder(a->words[0]);
}

static Status choose_path(Answer *a, Error *err)
{
    static const OutputEnding endings[] = {{"html", 0, FILE_PAGE}, {"htm", 0, FILE_PAGE}, {NULL, 0, FILE_PAGE}};
    const OutputEnding *ending;
    const char *temporary = getenv("TMPDIR");
    if (a->given->output) {
        a->path = a->given->output;
        return output_ending(a->path, endings, &ending, err);
    }
    char *folder = NULL;
    if (asprintf(&folder, "%s/kane-XXXXXX", temporary && *temporary ? temporary : "/tmp") < 0)
        return error_no_memory(err);
    Status status = mkdtemp(folder) ? STATUS_OK
                                    : error_set(err, STATUS_IO, "%s: cannot create: %s", folder, strerror(errno));
    if (!status && asprintf(&a->made, "%s/answer.html", folder) < 0) {
        a->made = NULL;
        status = error_no_memory(err);
    }
    a->path = a->made;
    free(folder);
    return status;
}

/* Joins the words of the query with spaces. */
static Status join_words(Answer *a, Error *err)
{
    size_t size;
    FILE *text = open_memstream(&a->question, &size);
    if (!text)
        return error_no_memory(err);
    for (int i = a->index_count; i < a->word_count; i++)
        fprintf(text, "%s%s", i > a->index_count ? " " : "", a->words[i]);
    if (a->def->sql)
        fputs(a->def->sql, text);
    return fclose(text) ? error_no_memory(err) : STATUS_OK;
}

/* Writes the rows as JSON; an empty result is valid. */
static Status ask(Answer *a, Error *err)
{
    QueryDef def = *a->def;
    def.format = QUERY_JSON;
    FILE *out = open_memstream(&a->rows, &a->size);
    if (!out)
        return error_no_memory(err);
    Status status = query_run_over((const char *const *)a->words, a->index_count, &def, out, err);
    a->is_empty = status == STATUS_NO_RESULT;
    if (fclose(out))
        return error_no_memory(err);
    return a->is_empty ? STATUS_OK : status;
}

static Status write_page(Answer *a, Error *err)
{
    OutputFile file;
    FILE *stream;
    Status status = output_file_open(&a->call, a->path, FILE_PAGE, NULL, &file, err);
    if (status)
        return status;
    const ReportAnswer answer = {a->question, a->rows, a->size, a->words[0], a->is_beside ? NULL : a->folder};
    status = new_file_stream(&file.file, &stream, err);
    if (!status) {
        status = report_answer_write(&a->page, &answer, has_page, a, stream, err);
        fclose(stream);
    }
    if (!status)
        status = output_file_commit(&file, err);
    output_file_discard(&file);
    return status;
}

/* Returns 1 if xdg-open succeeds; its messages are discarded. */
static int open_page(const char *path)
{
    char *const arguments[] = {"xdg-open", (char *)(uintptr_t)path, NULL};
    posix_spawn_file_actions_t files;
    pid_t child;
    int state = 1;
    if (posix_spawn_file_actions_init(&files))
        return 0;
    int failed = posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    failed = failed ? failed : posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    failed = failed ? failed : posix_spawnp(&child, "xdg-open", &files, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    while (!failed && waitpid(child, &state, 0) < 0)
        failed = errno != EINTR;
    return !failed && state == 0;
}

static Status make_page(Answer *a, Error *err)
{
    Status status;
    if ((status = report_page_find(a->given->page, &a->page, err)) ||
        (status = ask(a, err)) ||
        (status = choose_path(a, err)) ||
        (status = join_words(a, err)))
        return status;
    choose_folder(a);
    return write_page(a, err);
}

int query_page(const QueryPageOptions *given, const QueryDef *def, QueryWords words, int argc, char *const *argv)
{
    Answer a = {.given = given, .def = def, .words = argv + words.first, .word_count = argc - words.first,
                .index_count = words.indexes};
    Error err = {0};
    OutputManner manner = given->manner;
    manner.quiet |= !given->output; /* a temporary file, printed only if no browser opens it */
    Status status = output_call_init(&a.call, manner, argc, argv, &err);
    if (!status)
        status = make_page(&a, &err);
    int code = status ? message_error(argv[0], NULL, &err) : a.is_empty ? status_exit_code(STATUS_NO_RESULT) : 0;
    int is_open = !status && given->open && open_page(a.path);
    if (!status && !is_open && !given->output)
        message_note(argv[0], NULL, "no browser found; wrote %s", a.path);
    report_page_free(&a.page);
    output_call_free(&a.call);
    free(a.made);
    free(a.folder);
    free(a.question);
    free(a.rows);
    return code;
}
