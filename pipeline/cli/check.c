/* kane check: what is wrong with BVH files and containers, every finding with its line; --repair writes a mended
 * BVH. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/base/bytes.h"
#include "formats/base/new_file.h"
#include "formats/base/text.h"
#include "formats/bvh/bvh_findings.h"
#include "formats/bvh/bvh_motion_faults.h"
#include "formats/bvh/bvh_repair.h"
#include "formats/container/container.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/verbs.h"
#include "pipeline/stages/import.h"

/* A finding of a file of either kind. */
typedef struct Finding {
    const BvhFaultInfo *info;
    int line, column; /* 1-based, 0: not known */
    int mended;       /* 1: --repair did what info says */
    const char *text;
} Finding;

typedef struct CheckOptions {
    int repair, json;
    const char *output, *like;
} CheckOptions;

/* One call of the command. */
typedef struct Check {
    CheckOptions given;
    ImportOptions import;
    int code;
} Check;

static const BvhFaultInfo container_unreadable = {
    .name = "unreadable", .meaning = "the clip cannot be read",
};
static const BvhFaultInfo container_unknown = {
    .name = "unknown", .meaning = "kane does not know these groups; a stage that reads the clip leaves them out",
};
static const Option options[] = {
    {.name = "repair",
     .help = "Write a mended BVH, and what was done to it into a .log beside it",
     .kind = &option_flag, .offset = offsetof(CheckOptions, repair)},
    {.name = "output", .key = 'o', .argument = "FILE.bvh|DIR/",
     .help = "Where the mended BVH goes; in a folder under its own name",
     .kind = &option_text, .offset = offsetof(CheckOptions, output)},
    {.name = "like", .argument = "OTHER.bvh",
     .help = "A sound file of the same family: joints that it has and a file lacks are findings",
     .kind = &option_text, .offset = offsetof(CheckOptions, like)},
    {.name = "json",
     .help = "One JSON object a finding",
     .kind = &option_flag, .offset = offsetof(CheckOptions, json)},
    {0},
};

/* --- findings as lines for a person or objects for a script --- */

static void put_place(FILE *stream, const char *path, const Finding *finding)
{
    char place[4400];
    error_place(path, finding->line, finding->column, place, sizeof place);
    utf8_put_shown(stream, place, strlen(place));
    utf8_put_shown(stream, finding->text, strlen(finding->text));
}

/* "path:line:column: text", with explain followed by what it means and what a repair does. */
static void finding_print(FILE *stream, const char *path, const Finding *finding, int explain)
{
    const BvhFaultInfo *info = finding->info;
    put_place(stream, path, finding);
    fputs(info->is_note ? " (note)\n" : "\n", stream);
    if (!explain)
        return;
    fprintf(stream, "    %s: %s\n", info->name, info->meaning);
    fprintf(stream, "    %s%s\n", info->repair ? "--repair " : "no repair", info->repair ? info->repair : "");
}

static void put_text(FILE *stream, const char *key, const char *text)
{
    fprintf(stream, ", \"%s\": ", key);
    if (text)
        json_put_text(stream, text);
    else
        fputs("null", stream);
}

/* One JSON object in one line. */
static void finding_print_json(FILE *stream, const char *path, const Finding *finding)
{
    fputs("{\"file\": ", stream);
    json_put_text(stream, path);
    fprintf(stream, ", \"line\": %d, \"column\": %d", finding->line, finding->column);
    put_text(stream, "kind", finding->info->name);
    put_text(stream, "severity", finding->info->is_note ? "note" : "fault");
    put_text(stream, "text", finding->text);
    put_text(stream, "meaning", finding->info->meaning);
    put_text(stream, "repair", finding->info->repair);
    fprintf(stream, ", \"mended\": %s}\n", finding->mended ? "true" : "false");
}

/* A line of the repair log: the finding and what was done about it. */
static void finding_log(FILE *stream, const char *path, const Finding *finding)
{
    put_place(stream, path, finding);
    fprintf(stream, ": %s%s\n", finding->mended ? "mended: " : "left", finding->mended ? finding->info->repair : "");
}

/* Findings are this command's data, so they go to standard output. */
static void report(Check *check, const char *path, const Finding *finding, int explain)
{
    if (!finding->info->is_note)
        check->code = exit_code_worse(check->code, 1);
    if (check->given.json)
        finding_print_json(stdout, path, finding);
    else
        finding_print(stdout, path, finding, explain);
}

static void report_error(Check *check, const char *path, const BvhFaultInfo *info, const Error *err, int explain)
{
    report(check, path, &(Finding){info, err->line, err->column, 0, err->text}, explain);
}

/* What a kind of finding means is told once a file. */
static void report_bvh(Check *check, const char *path, const Bvh *bvh)
{
    int told[BVH_FAULT_COUNT] = {0};
    for (int i = 0; i < bvh->warning_count; i++) {
        const BvhWarning *w = &bvh->warning[i];
        Finding finding = {bvh_fault_info(w->fault), w->line, w->column, w->mended, w->text};
        report(check, path, &finding, !told[w->fault]++);
    }
}

/* --- what --repair writes: FILE.bvh mended and FILE.bvh.log --- */

static int is_folder(const char *target)
{
    struct stat info;
    return target[strlen(target) - 1] == '/' || (stat(target, &info) == 0 && S_ISDIR(info.st_mode));
}

static int is_same_file(const char *a, const char *b)
{
    struct stat left, right;
    return stat(a, &left) == 0 && stat(b, &right) == 0 && left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

/* *path is owned by the caller. */
static Status name_file(const char *source, const char *target, char **path, Error *err)
{
    const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source;
    int folder = is_folder(target);
    if (!strcmp(source, "-"))
        name = "stdin.bvh";
    if (folder && mkdir(target, 0777) && errno != EEXIST)
        return error_set(err, STATUS_IO, "%s: %s", target, strerror(errno));
    if (asprintf(path, "%s%s%s", target, folder ? "/" : "", folder ? name : "") < 0) {
        *path = NULL;
        return error_no_memory(err);
    }
    return is_same_file(source, *path) ? error_set(err, STATUS_USAGE, "%s would be written over itself", source)
                                       : STATUS_OK;
}

static Status write_log(const Bvh *bvh, const char *source, FILE *stream, Error *err)
{
    for (int i = 0; i < bvh->warning_count; i++) {
        const BvhWarning *w = &bvh->warning[i];
        Finding finding = {bvh_fault_info(w->fault), w->line, w->column, w->mended, w->text};
        finding_log(stream, source, &finding);
    }
    if (fflush(stream) || ferror(stream))
        return error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return STATUS_OK;
}

/* The BVH, or with source given its log. */
static Status write_one(const Bvh *bvh, const char *source, const char *path, Error *err)
{
    NewFile file;
    FILE *stream = NULL;
    Status status = new_file_open(path, &file, err);
    if (status == STATUS_OK)
        status = new_file_stream(&file, &stream, err);
    if (status == STATUS_OK)
        status = source ? write_log(bvh, source, stream, err) : bvh_write(bvh, stream, err);
    if (stream)
        fclose(stream);
    if (status == STATUS_OK)
        status = new_file_commit(&file, err);
    new_file_discard(&file);
    return error_of_file(err, path, status);
}

/* The BVH and its log; target is a file, or a folder in which the source's name is kept. err names the file.
 * STATUS_USAGE where the target is the source itself. */
static Status write_mended(const Bvh *bvh, const char *source, const char *target, Error *err)
{
    char *path = NULL, *log = NULL;
    Status status = name_file(source, target, &path, err);
    if (status == STATUS_OK && asprintf(&log, "%s.log", path) < 0) {
        log = NULL;
        status = error_no_memory(err);
    }
    if (status == STATUS_OK)
        status = write_one(bvh, NULL, path, err);
    if (status == STATUS_OK)
        status = write_one(bvh, source, log, err);
    free(path);
    free(log);
    return status;
}

static Status mend(const Check *check, const char *path, Bvh *bvh, Error *err)
{
    Status status = error_of_file(err, path, bvh_repair(bvh, &check->import.evidence, err));
    return status == STATUS_OK ? write_mended(bvh, path, check->given.output, err) : status;
}

/* Joints that the sound file has and this one lacks. */
static Status compare_family(const Check *check, Bvh *bvh, Error *err)
{
    Bvh other;
    Status status = bvh_read_path(check->given.like, &check->import.limits, &other, err);
    if (status != STATUS_OK)
        return error_of_file(err, check->given.like, status);
    status = bvh_compare_family(bvh, &other, err);
    bvh_free(&other);
    return status;
}

static void check_bvh(Check *check, const char *path, const char *bytes, size_t size)
{
    BvhDef limits = check->import.limits;
    Bvh bvh;
    Error err = {0}, failed = {0};
    limits.tolerant = 1;
    if (bvh_parse(bytes, size, &limits, &bvh, &err) != STATUS_OK) {
        report_error(check, path, bvh_fault_info(BVH_FAULT_UNREADABLE), &err, 1);
        return;
    }
    Status readable = bvh_inspect(&bvh, &check->import.evidence, &err);
    if (readable == STATUS_OK && check->given.like)
        readable = compare_family(check, &bvh, &err);
    Status status = readable;
    if (status == STATUS_OK && check->given.repair)
        status = mend(check, path, &bvh, &failed);
    report_bvh(check, path, &bvh);
    if (readable != STATUS_OK)
        report_error(check, path, bvh_fault_info(BVH_FAULT_UNREADABLE), &err, 1);
    else if (status != STATUS_OK)
        check->code = exit_code_worse(check->code, message_error("check", NULL, &failed));
    bvh_free(&bvh);
}

/* Every container of a file. */
static void check_containers(Check *check, const char *path, char *bytes, size_t size)
{
    FILE *stream = fmemopen(bytes, size, "rb");
    for (int last = 0; !last;) {
        ContainerImage image = {0};
        ContainerFindings findings = {0};
        Error err = {0};
        char warning[512] = "";
        Status status = stream ? container_next(stream, &image, &err) : error_no_memory(&err);
        last = status != STATUS_OK || image.size == 0;
        if (!last)
            status = container_inspect(&image, &findings, warning, sizeof warning, &err);
        if (status != STATUS_OK)
            report_error(check, path, &container_unreadable, &err, 1);
        for (int i = 0; i < findings.count; i++)
            report_error(check, path, &container_unreadable, &findings.found[i], i == 0);
        if (*warning)
            report(check, path, &(Finding){&container_unknown, 0, 0, 0, warning}, 1);
        container_image_free(&image);
    }
    if (stream)
        fclose(stream);
}

static void check_file(Check *check, const char *path)
{
    char *bytes;
    size_t size;
    Error err = {0};
    Status status = strcmp(path, "-") ? bytes_read_path(path, &bytes, &size, &err)
                                      : bytes_read_stream(stdin, &bytes, &size, &err);
    if (status != STATUS_OK) {
        check->code = exit_code_worse(check->code, message_error("check", path, &err));
        return;
    }
    if (container_begins(bytes, size))
        check_containers(check, path, bytes, size);
    else
        check_bvh(check, path, bytes, size);
    free(bytes);
}

static int check_main(const Command *command, int argc, char **argv)
{
    Check check = {.import = import_defaults()};
    OptionGroup groups[] = {{NULL, command->options, &check.given},
                            {NULL, import_command.options, &check.import},
                            {NULL, import_limit_options, &check.import.limits}};
    int first = command_line_parse(command, groups, 3, argc, argv);
    if (first == argc)
        return message_usage(command->name, "expected %s", command->arguments);
    if (check.given.repair != (check.given.output != NULL))
        return message_usage(command->name, "--repair and -o FILE.bvh|DIR/ go together");
    if (check.given.repair && argc - first > 1 && check.given.output[strlen(check.given.output) - 1] != '/')
        return message_usage(command->name, "%d files do not fit into one: give -o DIR/", argc - first);
    for (int i = first; i < argc; i++)
        check_file(&check, argv[i]);
    return check.code;
}

static const Command check_command = {
    .name = "check",
    .summary = "Say what is wrong with BVH files and containers, and mend BVH",
    .arguments = "FILE...",
    .description = "Prints every finding with its line, what it means and what --repair would do; exit code 1 if there "
                   "is any beside notes. What a file does not say - unit, up axis, frame rate - the options of kane "
                   "import tell; a mended file is then in centimetres, +Y up.",
    .options = options,
};

const Verb verb_check = {&check_command, check_main};
