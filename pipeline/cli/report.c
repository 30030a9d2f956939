/* kane report: clips and libraries as HTML pages that a browser opens as files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/report/report_clips.h"
#include "formats/report/report_library.h"
#include "formats/report/report_page.h"
#include "formats/report/report_program.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/output_file.h"
#include "pipeline/cli/commands.h"

enum { PAGE_FILES = 2 }; /* clips on a page */

/* Controllers of /tracking to show. */
typedef struct ControllerList {
    int count;
    int is_all; /* 1: the clip and all its controllers */
    ControllerKind kind[PAGE_FILES];
} ControllerList;

typedef struct ReportOptions {
    ControllerList controllers;
    int pages;
    const char *page, *output;
    OutputManner manner;
} ReportOptions;

typedef struct Report {
    ReportOptions given;
    const char *command;
    OutputCall call;
    ReportPage page;
    ReportPage linked; /* page that loads the shared script, for the clips of a library */
    ReportProgram program;
    const char *database; /* of a library */
    Clip clip[PAGE_FILES]; /* owned */
    int clip_count;
    int code; /* exit code of skipped clips */
} Report;

static int find_controller(const char *name, size_t length, ControllerKind *kind)
{
    for (int k = 0; k < CONTROLLER_COUNT; k++) {
        const char *own = controller_name((ControllerKind)k);
        *kind = (ControllerKind)k;
        if (strlen(own) == length && !strncmp(own, name, length))
            return 1;
    }
    return 0;
}

static Status controllers_parse(const Option *option, const char *text, void *value, Error *err)
{
    ControllerList *list = value;
    *list = (ControllerList){.is_all = !strcmp(text, "all")};
    for (const char *at = list->is_all ? NULL : text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        if (list->count == PAGE_FILES || !find_controller(at, strcspn(at, ","), &list->kind[list->count]))
            return error_set(err, STATUS_USAGE,
                             "expected %s with one or two controllers of kane track, or all, found \"%s\"",
                             option->argument, text);
        list->count++;
    }
    return STATUS_OK;
}

static void controllers_format(const Option *option, const void *value, char *text, size_t size)
{
    const ControllerList *list = value;
    (void)option;
    snprintf(text, size, "%s", list->is_all ? "all" : "");
    for (int i = 0; i < list->count; i++)
        snprintf(text + strlen(text), size - strlen(text), "%s%s", i ? "," : "", controller_name(list->kind[i]));
}

static const OptionKind option_controllers = {controllers_parse, controllers_format};

#define FIELD(member) offsetof(ReportOptions, member)
static const Option options[] = {
    {.name = "controller", .argument = "NAME[,NAME]",
     .help = "Controllers of /tracking to compare with the clip, or with each other; all",
     .kind = &option_controllers, .offset = FIELD(controllers)},
    {.name = "pages",
     .help = "Library: also write one page per clip, linked from the index page",
     .kind = &option_flag, .offset = FIELD(pages)},
    {.name = "page", .argument = "FILE.html",
     .help = "Page template (default: the installed one)",
     .kind = &option_text, .offset = FIELD(page)},
    {.name = "output", .key = 'o', .argument = "FILE|DIR|-",
     .help = "Output file; of a library the output directory",
     .kind = &option_text, .offset = FIELD(output)},
    OUTPUT_MANNER(ReportOptions, manner),
    {0},
};

static int has_controllers(const Report *report)
{
    return report->given.controllers.count > 0 || report->given.controllers.is_all;
}

/* ---- One page ---- */

static Status write_clips(const Report *report, FILE *stream, Error *err)
{
    const ControllerList *list = &report->given.controllers;
    ReportSide side[REPORT_ACTORS] = {{.clip = &report->clip[0]}, {.clip = &report->clip[1]}};
    int count = report->clip_count;
    if (list->is_all)
        count = report_controller_sides(&report->clip[0], side);
    if (list->count > 0) { /* controllers of the clip are the last sides */
        count = PAGE_FILES;
        for (int i = 0; i < list->count; i++)
            side[count - list->count + i] = (ReportSide){&report->clip[0], 1, list->kind[i]};
    }
    return report_clips_write(report->linked.text ? &report->linked : &report->page, side, count, stream, err);
}

static int page_is_there(void *context, const char *name)
{
    const Report *report = context;
    char *path = NULL;
    if (!strcmp(report->given.output, "-") || asprintf(&path, "%s/%s", report->given.output, name) < 0)
        return 0;
    int is_there = access(path, R_OK) == 0;
    free(path);
    return is_there;
}

static Status write_page(Report *report, FILE *stream, Error *err)
{
    if (report->clip_count > 0)
        return write_clips(report, stream, err);
    return report_library_write(&report->page, report->database, page_is_there, report, stream, err);
}

static Status write_program(Report *report, FILE *stream, Error *err)
{
    size_t written = fwrite(report->program.text, 1, report->program.size, stream);
    if (written == report->program.size && !fflush(stream))
        return STATUS_OK;
    return error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
}

/* A file to write: page or script. */
typedef struct Part {
    FileKind kind;
    Status (*write)(Report *report, FILE *stream, Error *err);
} Part;

static const Part the_page = {FILE_PAGE, write_page}, the_program = {FILE_TEXT, write_program};

static Status write_file(Report *report, const char *path, const Part *part, Error *err)
{
    OutputFile file;
    OutputOrigin origin = {0};
    FILE *stream;
    for (int i = 0; part == &the_page && i < report->clip_count; i++)
        output_origin_add(&origin, &report->clip[i].provenance);
    Status status = output_file_open(&report->call, path, part->kind, output_origin(&origin), &file, err);
    if (status)
        return status;
    status = error_of_file(err, path, new_file_stream(&file.file, &stream, err));
    if (!status) {
        status = part->write(report, stream, err);
        fclose(stream);
    }
    if (!status)
        status = output_file_commit(&file, err);
    output_file_discard(&file);
    return status;
}

static Status write_output(Report *report, Error *err)
{
    if (strcmp(report->given.output, "-"))
        return write_file(report, report->given.output, &the_page, err);
    return write_page(report, stdout, err);
}

/* ---- Clips ---- */

static void drop_clips(Report *report)
{
    for (int i = 0; i < PAGE_FILES; i++)
        clip_free(&report->clip[i]);
    report->clip_count = 0;
}

static Status keep_clip(void *context, const char *path, Clip *clip, Error *err)
{
    Report *report = context;
    (void)path;
    if (report->clip_count == PAGE_FILES)
        return error_set(err, STATUS_USAGE, "at most two clips per page");
    report->clip[report->clip_count++] = *clip;
    *clip = (Clip){0};
    return STATUS_OK;
}

static int report_clips(Report *report, char *const *paths, int count)
{
    Error err = {0};
    int code = clips_visit(report->command, paths, count, keep_clip, report);
    Status status = STATUS_OK;
    if (code == 0 && has_controllers(report) && report->clip_count > 1)
        code = message_usage(report->command, "--controller requires one clip");
    if (code == 0)
        status = write_output(report, &err);
    drop_clips(report);
    return status ? message_error(report->command, count == 1 ? paths[0] : NULL, &err) : code;
}

/* ---- A library ---- */

/* Returns the path of a clip file from its path in the index; the caller frees *out. */
static Status container_path(const char *database, const char *path, char **out, Error *err)
{
    const char *slash = strrchr(database, '/');
    int folder = slash && path[0] != '/' ? (int)(slash + 1 - database) : 0;
    return asprintf(out, "%.*s%s", folder, database, path) < 0 ? error_no_memory(err) : STATUS_OK;
}

/* Writes a file in the folder of the library. */
static Status write_inside(Report *report, const char *name, const Part *part, Error *err)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%s", report->given.output, name) < 0)
        return error_no_memory(err);
    Status status = write_file(report, path, part, err);
    free(path);
    return status;
}

/* Makes the page of a clip. An unreadable clip is reported and skipped; a write error ends the command. */
static Status make_clip_page(void *context, const char *path, Error *err)
{
    Report *report = context;
    struct stat info;
    char *container = NULL, *name = NULL;
    Status status = container_path(report->database, path, &container, err);
    if (!status)
        status = report_clip_page_name(path, &name, err);
    if (!status && (stat(container, &info) || !S_ISREG(info.st_mode))) { /* reading a pipe could block */
        Error absent;
        error_set(&absent, STATUS_IO, "missing");
        report->code = exit_code_worse(report->code, message_error(report->command, container, &absent));
    } else if (!status) {
        int code = clips_visit(report->command, &container, 1, keep_clip, report);
        report->code = exit_code_worse(report->code, code);
        status = code == 0 ? write_inside(report, name, &the_page, err) : STATUS_OK;
        drop_clips(report);
    }
    free(container);
    free(name);
    return status;
}

static Status make_folders(const ReportOptions *given, Error *err)
{
    char *inside = NULL;
    int is_absolute = given->output[0] == '/';
    if (asprintf(&inside, "%s/%s", given->output, given->pages ? "clips/index.html" : "index.html") < 0)
        return error_no_memory(err);
    Status status = path_make_parents(is_absolute ? "" : ".", inside + is_absolute, err);
    free(inside);
    return status;
}

/* Writes the script first, so that pages never refer to a missing file. */
static Status write_clip_pages(Report *report, Error *err)
{
    int quiet = report->call.manner.quiet;
    report->call.manner.quiet = 1; /* only the index page is announced */
    Status status = report_program_find(&report->page, &report->program, err);
    if (!status && report->program.text) {
        status = report_program_link(&report->page, &report->program, &report->linked, err);
        if (!status && !page_is_there(report, report->program.name)) /* the name identifies the content */
            status = write_inside(report, report->program.name, &the_program, err);
    }
    if (!status)
        status = report_library_visit(report->database, make_clip_page, report, err);
    report_page_free(&report->linked);
    report->call.manner.quiet = quiet;
    return status;
}

static Status write_library(Report *report, Error *err)
{
    if (!strcmp(report->given.output, "-"))
        return write_page(report, stdout, err);
    Status status = make_folders(&report->given, err);
    if (!status && report->given.pages)
        status = write_clip_pages(report, err);
    return status ? status : write_inside(report, "index.html", &the_page, err);
}

static int report_library(Report *report, const char *database)
{
    Error err = {0};
    if (has_controllers(report))
        return message_usage(report->command, "--controller does not apply to an index");
    if (report->given.pages && !strcmp(report->given.output, "-"))
        return message_usage(report->command, "--pages requires -o DIR");
    report->database = database;
    Status status = write_library(report, &err);
    return status ? message_error(report->command, database, &err) : report->code;
}

/* Checks the output before clips are read. */
static Status check_output(const Report *report, Error *err)
{
    static const OutputEnding endings[] = {{"html", 0, FILE_PAGE}, {"htm", 0, FILE_PAGE}, {NULL, 0, FILE_PAGE}};
    const OutputEnding *ending;
    Status status = output_ending(report->given.output, endings, &ending, err);
    return status ? status : output_file_check(&report->call, report->given.output, FILE_PAGE, err);
}

static int is_database(const char *path)
{
    char head[16] = "";
    FILE *file = strcmp(path, "-") ? fopen(path, "rbe") : NULL;
    struct stat info;
    int is_file = file && fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode); /* a pipe can be read only once */
    size_t size = is_file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        fclose(file);
    return size == sizeof head && !memcmp(head, "SQLite format 3", sizeof head);
}

static int report_main(const Command *command, int argc, char **argv)
{
    Report report = {.given = {.output = "-"}, .command = command->name};
    OptionGroup group = {NULL, command->options, &report.given};
    Error err = {0};
    int first = command_line_parse(command, &group, 1, argc, argv);
    int count = argc - first, is_library = count == 1 && is_database(argv[first]);
    if (count > PAGE_FILES)
        return message_missing(command->name, command->arguments);
    if (!is_library && report.given.pages)
        return message_usage(command->name, "--pages requires an index");
    if (!strcmp(report.given.output, "-") && isatty(STDOUT_FILENO))
        return message_usage(command->name, "a page cannot be written to a terminal: give -o FILE.html or a pipe");
    Status status = output_call_init(&report.call, report.given.manner, argc, argv, &err);
    if (!status && !is_library)
        status = check_output(&report, &err);
    if (!status)
        status = report_page_find(report.given.page, &report.page, &err);
    int code = status       ? message_error(command->name, NULL, &err)
               : is_library ? report_library(&report, argv[first])
                            : report_clips(&report, argv + first, count);
    report_page_free(&report.page);
    output_call_free(&report.call);
    return code;
}

static const Command report_command = {
    .name = "report",
    .group = COMMANDS_INSPECT,
    .summary = "Write interactive HTML reports",
    .arguments = "[FILE.h5 [FILE.h5]] | DB",
    .description = "Writes a self-contained page that needs no network: the moving skeleton coloured by torque, and "
                   "plots of each joint. Two clips play side by side. For an index: DIR/index.html, a table to sort "
                   "and filter.",
    .example = "kane report walk.h5 -o walk.html",
    .options = options,
};

const CliCommand cli_report = {&report_command, report_main};
