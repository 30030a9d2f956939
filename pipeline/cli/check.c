/* kane check: what is wrong with BVH files and containers, every finding with its line; --repair writes a mended
 * BVH. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/bvh/bvh_repair.h"
#include "formats/bvh/bvh_warning.h"
#include "formats/base/bytes.h"
#include "formats/container/container.h"
#include "pipeline/cli/bvh_source.h"
#include "pipeline/cli/check_mend.h"
#include "pipeline/cli/check_report.h"
#include "pipeline/cli/message.h"

typedef struct CheckOptions {
    int repair, json;
    const char *output;
} CheckOptions;

/* One call of the verb. */
typedef struct Check {
    CheckOptions given;
    OptionValues import; /* an ImportOptions */
    int code;
} Check;

static const BvhFaultInfo container_unreadable = {
    "unreadable", "the clip cannot be read", NULL,
};
static const BvhFaultInfo container_unknown = {
    "unknown", "kane does not know these groups; a stage that reads the clip leaves them out", NULL,
};
static const Option options[] = {
    {.name = "repair",
     .help = "Write a mended BVH, and what was done to it into a .log beside it",
     .kind = &option_flag, .offset = offsetof(CheckOptions, repair)},
    {.name = "output", .key = 'o', .argument = "FILE.bvh|DIR/",
     .help = "Where the mended BVH goes; in a folder under its own name",
     .kind = &option_text, .offset = offsetof(CheckOptions, output)},
    {.name = "json",
     .help = "One JSON object a finding",
     .kind = &option_flag, .offset = offsetof(CheckOptions, json)},
    {0},
};

/* Findings are this verb's data, so they go to standard output. */
static void report(Check *check, const char *path, const Finding *finding, int explain)
{
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

static int is_container(const char *bytes, size_t size)
{
    static const char signature[8] = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
    return size >= sizeof signature && !memcmp(bytes, signature, sizeof signature);
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

static Status mend(const Check *check, const char *path, Bvh *bvh, Error *err)
{
    const ImportOptions *import = (const ImportOptions *)&check->import;
    Status status = message_of_file(err, path, bvh_repair(bvh, &import->evidence, err));
    return status == STATUS_OK ? check_mend_write(bvh, path, check->given.output, err) : status;
}

static void check_bvh(Check *check, const char *path, const char *bytes, size_t size)
{
    const ImportOptions *import = (const ImportOptions *)&check->import;
    BvhDef limits = import->limits;
    Bvh bvh;
    Error err = {0}, failed = {0};
    limits.tolerant = 1;
    if (bvh_parse(bytes, size, &limits, &bvh, &err) != STATUS_OK) {
        report_error(check, path, bvh_fault_info(BVH_FAULT_UNREADABLE), &err, 1);
        return;
    }
    Status readable = bvh_inspect(&bvh, &import->evidence, &err), status = readable;
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
    if (is_container(bytes, size))
        check_containers(check, path, bytes, size);
    else
        check_bvh(check, path, bytes, size);
    free(bytes);
}

static int check_main(const Verb *verb, int argc, char **argv)
{
    Check check = {0};
    ImportOptions *import = (ImportOptions *)&check.import;
    OptionGroup groups[] = {{NULL, verb->options, &check.given},
                            {NULL, verb_import.options, import},
                            {NULL, import_limit_options, &import->limits}};
    int first;
    verb_defaults(&verb_import, &check.import);
    options_parse("kane check", verb->arguments, verb->description, groups, 3, argc, argv, &first);
    if (first == argc)
        return message_usage(verb->name, "expected %s", verb->arguments);
    if (check.given.repair != (check.given.output != NULL))
        return message_usage(verb->name, "--repair and -o FILE.bvh|DIR/ go together");
    if (check.given.repair && argc - first > 1 && check.given.output[strlen(check.given.output) - 1] != '/')
        return message_usage(verb->name, "%d files do not fit into one: give -o DIR/", argc - first);
    for (int i = first; i < argc; i++)
        check_file(&check, argv[i]);
    return check.code;
}

const Verb verb_check = {
    .name = "check",
    .summary = "Say what is wrong with BVH files and containers, and mend BVH",
    .arguments = "FILE...",
    .description = "Prints every finding with its line, what it means and what --repair would do; exit code 1 if there "
                   "is any. What a file does not say - unit, up axis, frame rate - the options of kane import tell; a "
                   "mended file is then in centimetres, +Y up.",
    .options = options,
    .main = check_main,
};
