/* kane check: prints findings in motion files, clip files and indexes with their lines; --repair writes a repaired BVH
 * file. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/quality/take_findings.h"
#include "formats/base/text.h"
#include "pipeline/cli/check_again.h"
#include "pipeline/cli/check_line.h"
#include "pipeline/cli/check_plates.h"
#include "pipeline/cli/file_pool.h"
#include "pipeline/cli/found_files.h"
#include "pipeline/cli/index_upgrade.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/repaired_file.h"
#include "pipeline/cli/commands.h"
#include "pipeline/stages/stage_list.h"

/* Values of --ignore, lists of kinds: "frozen,flip". */
typedef struct IgnoredKinds {
    int count;
    const char *list[32];
} IgnoredKinds;

typedef struct CheckOptions {
    int repair, json, jobs, again;
    OutputManner manner;
    Severity severity;
    IgnoredKinds ignored;
    const char *output, *like, *external;
} CheckOptions;

/* State of one call of the command. */
typedef struct Check {
    CheckOptions given;
    ImportOptions import;
    Pipeline pipeline; /* for --external, with the body and smooth options */
    OutputCall call;
    FILE *out; /* receives the findings */
    int code;
    int reported; /* whether any file had a finding */
} Check;

static const FindingInfo container_unreadable = {
    .name = "unreadable", .meaning = "cannot read the clip", .is_refused = 1,
};
static const FindingInfo container_unknown = {
    .name = "unknown", .meaning = "unknown groups; stages drop them",
};

static const FindingInfo index_info[INDEX_FINDINGS] = {
    [INDEX_DAMAGED] = {.name = "index-damaged", .is_refused = 1,
                       .meaning = "the index has changed since kane wrote it; rebuild it with kane index --rebuild"},
    [INDEX_DIFFERS] = {.name = "index-differs",
                       .meaning = "the clip file has other content than the index; update it with kane index"},
    [INDEX_UNREADABLE] = {.name = "unreadable", .is_refused = 1, .meaning = "cannot read the clip"},
    [INDEX_ABSENT] = {.name = "index-absent", .is_note = 1, .meaning = "clip files of the index are missing"},
};

static int is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strcspn(at, ",") == length && !strncmp(at, name, length))
            return 1;
    return 0;
}

/* Kinds renamed since version 0.1, accepted by --ignore. */
static const struct {
    const char *old_name, *name;
} renamed_kinds[] = {{"held", "frozen"}, {"row-held", "row-frozen"}};

static int is_ignored(const IgnoredKinds *ignored, const char *name)
{
    for (int i = 0; i < ignored->count; i++) {
        if (is_listed(ignored->list[i], name))
            return 1;
        for (size_t k = 0; k < sizeof renamed_kinds / sizeof *renamed_kinds; k++)
            if (!strcmp(renamed_kinds[k].name, name) && is_listed(ignored->list[i], renamed_kinds[k].old_name))
                return 1;
    }
    return 0;
}

static int is_kind(const char *name, size_t length)
{
    for (size_t k = 0; k < sizeof renamed_kinds / sizeof *renamed_kinds; k++)
        if (strlen(renamed_kinds[k].old_name) == length && !strncmp(renamed_kinds[k].old_name, name, length))
            return 1;
    if (source_finding_named(name, length) || check_plates_info(name, length))
        return 1;
    for (int i = 0; i < INDEX_FINDINGS; i++)
        if (strlen(index_info[i].name) == length && !strncmp(index_info[i].name, name, length))
            return 1;
    return strlen(container_unknown.name) == length && !strncmp(container_unknown.name, name, length);
}

static Status ignored_parse(const Option *option, const char *text, void *value, Error *err)
{
    IgnoredKinds *ignored = value;
    for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!is_kind(at, strcspn(at, ",")))
            return error_set(err, STATUS_USAGE, "expected %s, for example euler-flip, found \"%s\"", option->argument,
                             text);
    if (ignored->count == sizeof ignored->list / sizeof *ignored->list)
        return error_set(err, STATUS_USAGE, "too many options; separate kinds by commas");
    ignored->list[ignored->count++] = text;
    return STATUS_OK;
}

static void ignored_format(const Option *option, const void *value, char *text, size_t size)
{
    (void)option, (void)value;
    snprintf(text, size, "%s", "");
}

static const OptionKind option_ignored = {ignored_parse, ignored_format};

static const Option options[] = {
    {.name = "severity", .argument = "note|warning|error",
     .help = "Least severity for exit code 1; an error is what import rejects",
     .kind = &option_choice, .offset = offsetof(CheckOptions, severity), .choices = severity_names},
    {.name = "ignore", .argument = "KIND[,KIND...]",
     .help = "Suppress these kinds of finding; repeatable",
     .kind = &option_ignored, .offset = offsetof(CheckOptions, ignored)},
    {.name = "jobs", .key = 'j', .argument = "N",
     .help = "Number of reading processes (default 1)",
     .kind = &option_count, .offset = offsetof(CheckOptions, jobs)},
    {.name = "repair",
     .help = "Write a repaired {repair} and a .log of the repairs",
     .kind = &option_flag, .offset = offsetof(CheckOptions, repair)},
    {.name = "output", .key = 'o', .argument = "FILE|DIR/",
     .help = "Output file of the repaired {repair}; a directory DIR/ keeps the file names",
     .kind = &option_text, .offset = offsetof(CheckOptions, output)},
    OUTPUT_MANNER(CheckOptions, manner),
    {.name = "like", .argument = "FILE",
     .help = "Reference file of the same skeleton: its joints that a file lacks are findings",
     .kind = &option_text, .offset = offsetof(CheckOptions, like)},
    {.name = "external", .argument = "FILE",
     .help = "Measured forces of a single clip to compare with its motion; subject mass: --body-mass",
     .kind = &option_file, .offset = offsetof(CheckOptions, external)},
    {.name = "again",
     .help = "FILE.h5 SOURCE: run the history of a clip file again on its source and compare the bytes; files that it "
             "names lie beside SOURCE",
     .kind = &option_flag, .offset = offsetof(CheckOptions, again)},
    {.name = "json",
     .help = "Output as one JSON object per finding",
     .kind = &option_flag, .offset = offsetof(CheckOptions, json)},
    {0},
};

/* Prints a finding, unless ignored, to standard output: findings are the result of this command. */
static void report(Check *check, const char *path, const CheckLine *line, int explain)
{
    if (is_ignored(&check->given.ignored, line->info->name))
        return;
    if (check_line_severity(line->info) >= check->given.severity)
        check->code = exit_code_worse(check->code, 1);
    check->reported = 1;
    if (check->given.json)
        check_line_print_json(check->out, path, line);
    else
        check_line_print(check->out, path, line, explain);
}

/* Reports an error as a finding. kane check has the options of import under the same names. */
static void report_error(Check *check, const char *path, const FindingInfo *info, const Error *err, int explain)
{
    char text[2 * ERROR_TEXT_SIZE];
    message_name_options("import", err->text, text, sizeof text);
    report(check, path, &(CheckLine){info, {err->line, err->column, 0}, NULL, 0, text}, explain);
}

static int is_first_of_kind(const Findings *findings, int i)
{
    int first = 0;
    while (findings->found[first].kind != findings->found[i].kind)
        first++;
    return first == i;
}

/* Reports the findings of a file; the meaning of each kind is printed once. */
static void report_findings(Check *check, const char *path, const SourceFormat *format, const Findings *findings)
{
    for (int i = 0; i < findings->count; i++) {
        CheckLine line = check_line(format, &findings->found[i]);
        report(check, path, &line, is_first_of_kind(findings, i));
    }
}

/* Inspects a take; with --like also reports joints that it lacks. */
static Status inspect(Check *check, Take *take, Error *err)
{
    Skeleton family = {0};
    Error unlike = {0};
    const char *like = check->given.like;
    Status known = like ? source_skeleton(like, &check->import.limits, &family, &unlike) : STATUS_OK;
    Status status = take_inspect(take, &check->import.guess, like && !known ? &family : NULL, err);
    skeleton_free(&family);
    if (status || !known)
        return status;
    if (err)
        *err = unlike;
    return error_of_file(err, like, known);
}

static void check_take(Check *check, const char *path, const Source *source, const SourceDef *limits)
{
    Error err = {0}, failed = {0};
    Take take;
    RepairedTake repaired = {source->format, &take};
    Status readable = source_take(source, limits, &take, &err), status;
    if (!readable)
        readable = inspect(check, &take, &err);
    status = readable;
    if (!status && check->given.repair)
        status = repaired_file_write(&check->call, &check->import.guess, &repaired, path, check->given.output,
                                     &failed);
    report_findings(check, path, source->format, &take.findings);
    if (readable)
        report_error(check, path, finding_info(FINDING_UNREADABLE), &err, 1);
    else if (status)
        check->code = exit_code_worse(check->code, message_error("check", NULL, &failed));
    take_free(&take);
}

/* Checks every clip of a clip file. */
static void check_containers(Check *check, const char *path, const char *bytes, size_t size)
{
    FILE *stream = fmemopen((char *)bytes, size, "rb");
    for (int last = 0; !last;) {
        ContainerImage image = {0};
        ContainerFindings findings = {0};
        Error err = {0};
        char warning[512] = "";
        Status status = stream ? container_next(stream, &image, &err) : error_no_memory(&err);
        last = status || image.size == 0;
        if (!last)
            status = container_inspect(&image, &findings, warning, sizeof warning, &err);
        if (status)
            report_error(check, path, &container_unreadable, &err, 1);
        for (int i = 0; i < findings.count; i++)
            report_error(check, path, &container_unreadable, &findings.found[i], i == 0);
        if (*warning)
            report(check, path, &(CheckLine){.info = &container_unknown, .text = warning}, 1);
        container_image_free(&image);
    }
    if (stream)
        fclose(stream);
}

static void check_opened(Check *check, const char *path, const Source *source, const SourceDef *limits)
{
    if (container_begins(source->file.bytes, source->file.size))
        check_containers(check, path, source->file.bytes, source->file.size);
    else
        check_take(check, path, source, limits);
}

/* State while an index is checked. */
typedef struct IndexAsked {
    Check *check;
    const char *path;
    int explained[INDEX_FINDINGS];
} IndexAsked;

static void report_index(void *context, IndexFinding kind, const char *clip, const char *text)
{
    IndexAsked *asked = context;
    char words[2 * ERROR_TEXT_SIZE];
    snprintf(words, sizeof words, "%s%s%s", clip ? clip : "", clip ? ": " : "", text);
    report(asked->check, asked->path, &(CheckLine){.info = &index_info[kind], .text = words}, !asked->explained[kind]);
    asked->explained[kind] = 1;
}

/* Checks an index; returns 0 if the file is not one. */
static int check_index(Check *check, const char *path)
{
    IndexAsked asked = {.check = check, .path = path};
    Error err = {0};
    Status status = index_upgrade_check(path, check->given.jobs, report_index, &asked, &err);
    if (status && status != STATUS_NO_RESULT)
        check->code = exit_code_worse(check->code, message_error("check", path, &err));
    return status != STATUS_NO_RESULT;
}

static void check_file(Check *check, const char *path)
{
    if (check_index(check, path))
        return;
    SourceDef limits = check->import.limits;
    Source source;
    char words[SOURCE_WORDS_SIZE];
    Error err = {0};
    limits.tolerant = 1;
    Status status = source_open(path, &limits, &source, &err);
    if (!status && check->given.repair && !source.format->repair)
        status = error_set(&err, STATUS_USAGE, "%s file: %s", source.format->name,
                           source_words("--repair supports {repair} only", words));
    if (status)
        check->code = exit_code_worse(check->code, message_error("check", path, &err));
    else
        check_opened(check, path, &source, &limits);
    source_close(&source);
}

/* State while plates are checked. */
typedef struct PlatesAsked {
    Check *check;
    const char *path;
} PlatesAsked;

static void report_plates(void *context, const FindingInfo *info, const char *text)
{
    const PlatesAsked *asked = context;
    report(asked->check, asked->path, &(CheckLine){.info = info, .text = text}, 1);
}

static void check_measured(Check *check, const char *path)
{
    PlatesAsked asked = {check, path};
    Error err = {0};
    check->pipeline.import = check->import;
    if (check_plates(&check->pipeline, check->given.external, path, report_plates, &asked, &err))
        check->code = exit_code_worse(check->code, message_error("check", path, &err));
}

static int check_in_child(void *context, const char *path, FILE *out)
{
    Check *check = context;
    check->out = out;
    check->code = 0;
    check_file(check, path);
    if (check->given.external)
        check_measured(check, path);
    return check->code;
}

/* State while a clip is recomputed. */
typedef struct AgainAsked {
    Check *check;
    const char *path;
    int count;
} AgainAsked;

static void report_again(void *context, const char *text)
{
    AgainAsked *asked = context;
    report(asked->check, asked->path, &(CheckLine){.info = &not_reproduced, .text = text}, asked->count++ == 0);
}

static int check_made_again(Check *check, const char *path, const char *source)
{
    AgainAsked asked = {.check = check, .path = path};
    Error err = {0};
    check->out = stdout;
    Status status = check_again(path, source, report_again, &asked, &err);
    if (status)
        return message_error("check", path, &err);
    if (asked.count == 0)
        message_note("check", path, "its history gives the same bytes again");
    return check->code;
}

/* Finds the motion files and clip files below a folder. */
static Status find_below(const char *folder, FoundFiles *files, Error *err)
{
    FoundFiles below = {0};
    Status status = found_files_add(&below, folder, source_is_motion, err);
    if (!status)
        status = found_files_add(&below, folder, container_has_ending, err);
    found_files_note(&below, "check");
    found_files_sort(&below);
    for (size_t i = 0; i < below.count && !status; i++)
        status = found_files_take(files, below.file[i].path, err);
    found_files_free(&below);
    return status;
}

static Status find_files(char *const *arguments, int count, const SourceDef *limits, FoundFiles *files,
                         Error *err)
{
    struct stat info;
    Status status = STATUS_OK;
    for (int i = 0; i < count && !status; i++)
        status = stat(arguments[i], &info) == 0 && S_ISDIR(info.st_mode)
                     ? find_below(arguments[i], files, err)
                     : found_files_take(files, arguments[i], err);
    return status ? status : found_files_split_takes(files, limits, err);
}

/* Prints the findings of a file that another process has checked. */
static Status pass_on(void *context, size_t file, int code, const char *said, size_t size, Error *err)
{
    Check *check = context;
    (void)file, (void)code;
    check->reported |= size > 0;
    int is_written = fwrite(said, 1, size, stdout) == size;
    return is_written ? STATUS_OK : error_set(err, STATUS_IO, "cannot write standard output");
}

static int check_all(Check *check, const FoundFiles *files)
{
    FilePool pool = {.ask = check_in_child, .take = pass_on, .context = check,
                     .jobs = check->given.jobs > 0 ? check->given.jobs : 1};
    char **paths = calloc(files->count + 1, sizeof *paths);
    Error err = {0};
    int code = 0;
    Status status = paths ? STATUS_OK : error_no_memory(&err);
    for (size_t i = 0; !status && i < files->count; i++)
        paths[i] = files->file[i].path;
    if (!status && pool.jobs > 1)
        status = file_pool_ask(&pool, paths, files->count, stdout, &code, &err);
    for (size_t i = 0; !status && pool.jobs == 1 && i < files->count; i++)
        code = exit_code_worse(code, check_in_child(check, paths[i], stdout));
    free(paths);
    if (!status && !code && !check->reported && !check->given.manner.quiet && !check->given.json)
        fputs("kane check: no findings\n", stderr);
    return status ? exit_code_worse(code, message_error("check", NULL, &err)) : code;
}

/* Checks the target of --repair before any file is read. */
static Status open_repair(Check *check, int argc, char *const *argv, Error *err)
{
    Status status = repaired_file_check(check->given.output, err);
    return status ? status : output_call_init(&check->call, check->given.manner, argc, argv, err);
}

/* Checks combinations of options; returns 0 or the exit code of wrong usage. */
static int check_usage(const CheckOptions *given, const char *name, int count)
{
    if (given->repair != (given->output != NULL))
        return message_usage(name, "--repair requires -o FILE|DIR/, and -o requires --repair");
    if (given->repair && count > 1 && given->output[strlen(given->output) - 1] != '/')
        return message_usage(name, "%d input files need -o DIR/", count);
    if (given->again && count != 2)
        return message_usage(name, "--again requires FILE.h5 SOURCE");
    if (given->external && count > 1)
        return message_usage(name, "--external is for one clip, found %d", count);
    return 0;
}

/* Returns the options of a stage with the names of kane run. */
static OptionGroup stage_group(Pipeline *pipeline, const Stage *stage)
{
    int i = 0;
    while (pipeline_stages[i] != stage)
        i++;
    return (OptionGroup){&stage->command, stage->command.options, &pipeline->stage[i]};
}

static int check_main(const Command *command, int argc, char **argv)
{
    Check check = {.import = import_defaults(), .pipeline = pipeline_defaults(), .given.severity = SEVERITY_WARNING};
    OptionGroup groups[] = {{NULL, command->options, &check.given},
                            {NULL, import_command.options, &check.import},
                            {NULL, import_limit_options, &check.import.limits},
                            stage_group(&check.pipeline, &stage_body),
                            stage_group(&check.pipeline, &stage_smooth)};
    int first = command_line_parse(command, groups, 5, argc, argv);
    if (first == argc)
        return message_missing(command->name, command->arguments);
    int usage = check_usage(&check.given, command->name, argc - first);
    if (usage)
        return usage;
    Error err = {0};
    if (check.given.repair && open_repair(&check, argc, argv, &err))
        return message_error(command->name, NULL, &err);
    if (check.given.again)
        return check_made_again(&check, argv[first], argv[first + 1]);
    FoundFiles files = {0};
    int code = find_files(argv + first, argc - first, &check.import.limits, &files, &err)
                   ? message_error(command->name, NULL, &err)
                   : check_all(&check, &files);
    found_files_free(&files);
    output_call_free(&check.call);
    return code;
}

static const Command check_command = {
    .name = "check",
    .group = COMMANDS_INSPECT,
    .summary = "Validate motion and clip files and indexes; repair {repair}",
    .arguments = "FILE|DIR|INDEX.db...",
    .description = "Prints each finding with its line, its meaning and its repair. Exit code 1 if a finding reaches "
                   "--severity. Of a directory, all motion and clip files are checked, with their checksums. Of an "
                   "index, all rows are compared with their checksums, and its clips with the clip files. --again "
                   "runs the history of a clip file again and compares the bytes. Options of kane import override "
                   "detection. A repaired file is in centimetres, Y up.",
    .example = "kane check mocap/ --severity error",
    .options = options,
};

const CliCommand cli_check = {&check_command, check_main};
