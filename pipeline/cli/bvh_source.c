#include "pipeline/cli/bvh_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/bytes.h"
#include "formats/base/digest.h"
#include "pipeline/cli/doubt.h"
#include "pipeline/cli/history.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/sink.h"

void import_report_free(ImportReport *report)
{
    if (!report)
        return;
    free(report->warning);
    *report = (ImportReport){0};
}

/* The options as evidence resolved them. */
static OptionValues resolve(const OptionValues *values, const Evidence *evidence)
{
    OptionValues resolved = *values;
    ImportOptions *options = (ImportOptions *)&resolved;
    options->evidence.metres_per_unit = evidence->metres_per_unit;
    options->evidence.up = evidence->up;
    options->evidence.fps = evidence->fps;
    options->evidence.root_offset = evidence->root_offset;
    return resolved;
}

static Status parse(const OptionValues *values, const char *bytes, size_t size, Clip *out, ImportReport *report,
                    Error *err)
{
    const ImportOptions *options = (const ImportOptions *)values;
    Bvh bvh;
    Evidence evidence;
    Status status = bvh_parse(bytes, size, &options->limits, &bvh, err);
    if (status != STATUS_OK)
        return status;
    status = clip_from_bvh(&bvh, &options->evidence, out, &evidence, err);
    if (status == STATUS_OK) {
        OptionValues resolved = resolve(values, &evidence);
        evidence_describe(&evidence, report->decision, sizeof report->decision);
        status = history_stamp(out, &verb_import, &resolved, report->decision, err);
    }
    report->warning_count = bvh.warning_count;
    report->warning = bvh.warning;
    bvh.warning = NULL;
    bvh.warning_count = 0;
    bvh_free(&bvh);
    return status;
}

static Status read_clip(const OptionValues *values, const char *path, Clip *out, ImportReport *report, Error *err)
{
    char *bytes;
    size_t size;
    int piped = !strcmp(path, "-");
    Status status = piped ? bytes_read_stream(stdin, &bytes, &size, err) : bytes_read_path(path, &bytes, &size, err);
    if (status != STATUS_OK)
        return status;
    status = parse(values, bytes, size, out, report, err);
    if (status == STATUS_OK)
        status = clip_set_source(out, piped ? "stdin.bvh" : path, err);
    if (status == STATUS_OK)
        status = digest_bytes(bytes, size, out->provenance.source_sha256, err);
    free(bytes);
    return status;
}

Status bvh_source_read(const OptionValues *values, const char *path, Clip *out, ImportReport *report, Error *err)
{
    ImportReport own = {0};
    *out = (Clip){0};
    Status status = read_clip(values, path, out, report ? report : &own, err);
    if (status != STATUS_OK)
        clip_free(out);
    import_report_free(&own);
    return status;
}

/* One command over many files. */
typedef struct Conversion {
    const Verb *verb;
    const Verb *const *chain;
    OptionValues import, stage[CHAIN_LENGTH];
    SinkOptions sink;
    Output output;
} Conversion;

static Status convert(Conversion *c, const char *path, Error *err)
{
    Clip clip;
    ImportReport report = {0};
    Status status = bvh_source_read(&c->import, path, &clip, &report, err);
    for (int i = 0; i < report.warning_count; i++)
        message_note_at(c->verb->name, path, report.warning[i].line, report.warning[i].column, report.warning[i].text);
    if (status == STATUS_OK)
        message_note(c->verb->name, path, "%s", report.decision);
    for (int i = 0; c->chain[i] && status == STATUS_OK; i++)
        status = verb_apply(c->chain[i], &c->stage[i], &clip, err);
    if (status == STATUS_OK)
        doubt_size(c->verb->name, path, &clip);
    if (status == STATUS_OK)
        status = output_put(&c->output, &clip, &c->sink.container, err);
    clip_free(&clip);
    import_report_free(&report);
    return status;
}

static int convert_all(Conversion *c, char *const *paths, int count)
{
    int code = 0;
    for (int i = 0; i < count && code < status_exit_code(STATUS_USAGE); i++) {
        Error err = {0};
        if (convert(c, paths[i], &err) != STATUS_OK)
            code = exit_code_worse(code, message_error(c->verb->name, paths[i], &err));
    }
    return code;
}

int bvh_source_main(const Verb *verb, const Verb *const *chain, int argc, char **argv)
{
    Conversion c = {.verb = verb, .chain = chain, .sink = sink_defaults(), .output.pending.descriptor = -1};
    ImportOptions *import = (ImportOptions *)&c.import;
    OptionGroup groups[4 + CHAIN_LENGTH] = {{NULL, sink_output_options, &c.sink},
                                            {NULL, sink_storage_options, &c.sink.container},
                                            {NULL, import_limit_options, &import->limits},
                                            {verb == &verb_import ? NULL : "import", verb_import.options, import}};
    int first, group_count = 4;
    Error err = {0};
    char name[64];
    verb_defaults(&verb_import, &c.import);
    for (int i = 0; chain[i]; i++) {
        verb_defaults(chain[i], &c.stage[i]);
        groups[group_count++] = (OptionGroup){chain[i]->name, chain[i]->options, &c.stage[i]};
    }
    snprintf(name, sizeof name, "kane %s", verb->name);
    options_parse(name, verb->arguments, verb->description, groups, group_count, argc, argv, &first);
    if (first == argc)
        return message_usage(verb->name, "expected %s", verb->arguments);
    if (output_open(c.sink.output, &c.output, &err) != STATUS_OK)
        return message_error(verb->name, NULL, &err);
    if (argc - first > 1 && !c.output.is_folder && strcmp(c.output.target, "-"))
        return message_usage(verb->name, "%d clips do not fit into %s: give -o FOLDER/", argc - first, c.output.target);
    int code = convert_all(&c, argv + first, argc - first);
    if (code < status_exit_code(STATUS_USAGE) && output_close(&c.output, &err) != STATUS_OK)
        code = exit_code_worse(code, message_error(verb->name, NULL, &err));
    output_free(&c.output);
    return code;
}
