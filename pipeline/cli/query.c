/* kane query: queries of an index. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "formats/query/query.h"
#include "formats/report/report_library.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/output.h"

/* kane query -o FILE.html, --open: the result as a page. */

typedef struct QueryPageOptions {
    const char *output; /* FILE.html; NULL: with open a new temporary file */
    const char *page;   /* page template FILE.html of kane report; NULL: the built-in one */
    int open;           /* 1: open in a browser, if available */
    OutputManner manner;
} QueryPageOptions;

/* Position and number of the indexes in the command line; the query follows them. */
typedef struct QueryWords {
    int first, indexes;
} QueryWords;

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
static char *folder_of(const char *path)
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
    a->folder = folder_of(a->path);
    a->is_beside = has_page(a, "clips");
    if (a->is_beside)
        return;
    free(a->folder);
    a->folder = folder_of(a->words[0]);
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

/* Makes the page. argv: the command line, starting with the command. Prints errors and returns the exit code: 1 if no
 * row matches, which the page also states. */
static int query_page(const QueryPageOptions *given, const QueryDef *def, QueryWords words, int argc, char *const *argv)
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

static Status format_parse(const Option *option, const char *text, void *value, Error *err)
{
    if (!query_format_from_name(text, value))
        return error_set(err, STATUS_USAGE, "expected %s, found \"%s\"", option->argument, text);
    return STATUS_OK;
}

static void format_format(const Option *option, const void *value, char *text, size_t size)
{
    (void)option;
    snprintf(text, size, "%s", query_format_name(*(const QueryFormat *)value));
}

static Status limit_parse(const Option *option, const char *text, void *value, Error *err)
{
    int count = 0;
    Status status = option_count.parse(option, text, &count, err);
    if (!status)
        *(long long *)value = count;
    return status;
}

static void limit_format(const Option *option, const void *value, char *text, size_t size)
{
    (void)option;
    long long limit = *(const long long *)value;
    text[0] = 0;
    if (limit >= 0)
        snprintf(text, size, "%lld", limit);
}

static const OptionKind option_format = {format_parse, format_format};
static const OptionKind option_limit = {limit_parse, limit_format};

static const char *const likeness_names[] = {"both", "pose", "torque", NULL};
_Static_assert(sizeof likeness_names / sizeof *likeness_names == LIKENESS_COUNT + 1, "a name for every LikenessOf");

typedef struct QueryOptions {
    QueryDef def;
    QueryPageOptions page;
} QueryOptions;

#define FIELD(member) offsetof(QueryOptions, def.member)
#define PAGE(member) offsetof(QueryOptions, page.member)
static const Option options[] = {
    {.name = "columns", .argument = "NAMES",
     .help = "Columns to print, separated by commas",
     .kind = &option_text, .offset = FIELD(columns)},
    {.name = "order", .argument = "EXPRESSION",
     .help = "Row order, for example \"left_knee_torque_peak_nm_kg DESC\"",
     .kind = &option_text, .offset = FIELD(order)},
    {.name = "limit", .argument = "N",
     .help = "Maximum number of rows",
     .kind = &option_limit, .offset = FIELD(limit)},
    {.name = "format", .argument = "table|tsv|csv|json|jsonl",
     .help = "Output format",
     .kind = &option_format, .offset = FIELD(format)},
    {.name = "min-seconds", .argument = "S",
     .help = "@within, @over: minimum interval in s (default: 1 for @within, any for @over)",
     .kind = &option_positive, .offset = FIELD(min_seconds)},
    {.name = "by", .argument = "both|pose|torque",
     .help = "@similar FILE@FROM-TO: basis of similarity",
     .kind = &option_choice, .offset = FIELD(by), .choices = likeness_names},
    {.name = "mirror",
     .help = "@similar, @lower-torque FILE@FROM-TO: also match the mirrored interval",
     .kind = &option_flag, .offset = FIELD(with_mirror)},
    {.name = "timeout", .argument = "S",
     .help = "Time limit in s",
     .kind = &option_positive, .offset = FIELD(time_limit)},
    {.name = "sql", .argument = "SELECT",
     .help = "SQL statement over all tables instead of WHERE; kane_frames(path) returns the frames of a clip file",
     .kind = &option_text, .offset = FIELD(sql)},
    {.name = "open",
     .help = "Open the result as a page in a browser",
     .kind = &option_flag, .offset = PAGE(open)},
    {.name = "output", .key = 'o', .argument = "FILE.html",
     .help = "Output page, with links to the pages of the clips (kane report DB -o DIR --pages)",
     .kind = &option_text, .offset = PAGE(output)},
    {.name = "page", .argument = "FILE.html",
     .help = "Page template (default: the installed one)",
     .kind = &option_text, .offset = PAGE(page)},
    OUTPUT_MANNER(QueryOptions, page.manner),
    {0},
};

/* Writes the help paragraph on expressions and presets. The caller's storage is static. */
static void describe(const char *start, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s\v", start);
    for (int i = 0; query_preset_help(i) && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s\n", query_preset_help(i));
}

/* Counts the indexes: the first word and all databases directly after it. */
static int count_indexes(char *const *words, int count)
{
    int indexes = 1;
    while (indexes < count && query_is_database(words[indexes]))
        indexes++;
    return indexes;
}

static int query_main(const Command *command, int argc, char **argv)
{
    QueryOptions given = {.def = query_default_def()};
    OptionGroup group = {NULL, command->options, &given};
    Command described = *command;
    char description[4096];
    Error err = {0};
    int is_cut = 0;
    describe(command->description, description, sizeof description);
    described.description = description;
    int first = command_line_parse(&described, &group, 1, argc, argv);
    int indexes = count_indexes(argv + first, argc - first), last = first + indexes;
    if (argc - first < 1 || argc - last > 3)
        return message_usage(command->name, "expected %s", command->arguments);
    QueryDef def = given.def;
    def.where = argc > last ? argv[last] : NULL;
    def.argument = argc - last > 1 ? argv[last + 1] : NULL;
    def.among = argc - last > 2 ? argv[last + 2] : NULL;
    def.is_cut = &is_cut;
    if (given.page.open || given.page.output)
        return query_page(&given.page, &def, (QueryWords){first, indexes}, argc, argv);
    Status status = query_run_over((const char *const *)argv + first, indexes, &def, stdout, &err);
    if (!status && fflush(stdout))
        status = error_set(&err, STATUS_IO, "cannot write the result");
    if (status == STATUS_NO_RESULT)
        return status_exit_code(status);
    if (is_cut)
        message_note(command->name, argv[first], "more rows match; see --limit");
    return status ? message_error(command->name, indexes == 1 ? argv[first] : NULL, &err) : 0;
}

static const Command query_command = {
    .name = "query",
    .group = COMMANDS_LIBRARY,
    .summary = "Search an index",
    .arguments = "DB... [WHERE | @preset [ARGUMENT] [WHERE]]",
    .description = "WHERE is an SQL expression over the columns of clip_summary, such as "
                   "\"left_knee_torque_peak_nm_kg > 3\"; behind a preset it selects clips (of @failed files: "
                   "path, stage, message). Several indexes are searched as one. The index is opened "
                   "read-only. Exit code 1 if no row matches.",
    .example = "kane query library/index.db \"left_knee_torque_peak_nm_kg > 3\" --limit 5",
    .options = options,
};

const Verb verb_query = {&query_command, query_main};
