/* kane check: prints findings in motion files, clip files and indexes with their lines; --repair writes a repaired BVH
 * file. */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/clip/clip_schema.h"
#include "analysis/contact/measured.h"
#include "analysis/quality/take_findings.h"
#include "formats/base/bytes.h"
#include "formats/base/text.h"
#include "pipeline/cli/command_line.h"
#include "pipeline/cli/index_upgrade.h"
#include "pipeline/cli/input.h"
#include "pipeline/cli/message.h"
#include "pipeline/cli/output.h"
#include "pipeline/stages/plates.h"

/* Findings of motion files, and --repair, which writes the repaired FILE.bvh and the log FILE.bvh.log. */

/* A finding as text, as JSON, or as a line of the repair log. */

/* A finding of a file of any kind. */
typedef struct CheckLine {
    const FindingInfo *info;
    FileLocation at;
    const char *repair; /* description of the repair of this kind; NULL: none */
    int repaired;         /* 1: repaired */
    const char *text;
} CheckLine;

typedef enum Severity {
    SEVERITY_NOTE,    /* does not affect results */
    SEVERITY_WARNING,
    SEVERITY_ERROR    /* import rejects the file */
} Severity;

extern const char *const severity_names[]; /* by Severity, terminated by NULL */

/* A take that was read with def.tolerant and inspected. */
typedef struct RepairedTake {
    const SourceFormat *format; /* has a repair function */
    Take *take;
} RepairedTake;

/* Output of findings. */

const char *const severity_names[] = {"note", "warning", "error", NULL};

static void put_location(FILE *stream, const char *path, const CheckLine *line)
{
    char location[4400];
    error_location(path, line->at.line, line->at.column, location, sizeof location);
    utf8_put_shown(stream, location, strlen(location));
    if (line->at.line == 0 && line->at.byte > 0)
        fprintf(stream, "byte %lld: ", line->at.byte);
    utf8_put_shown(stream, line->text, strlen(line->text));
}

/* Prints "path:line:column: text"; with explain also the meaning of the kind and its repair. */
static void check_line_print(FILE *stream, const char *path, const CheckLine *line, int explain)
{
    const FindingInfo *info = line->info;
    put_location(stream, path, line);
    fputs(info->is_note ? " (note)\n" : "\n", stream);
    if (!explain)
        return;
    fprintf(stream, "    %s: %s\n", info->name, info->meaning);
    fprintf(stream, "    %s%s\n", line->repair ? "--repair " : "not repairable", line->repair ? line->repair : "");
}

static Severity check_line_severity(const FindingInfo *info)
{
    return info->is_note ? SEVERITY_NOTE : info->is_refused ? SEVERITY_ERROR : SEVERITY_WARNING;
}

/* Returns the line of a finding from a reader or take_inspect. */
static CheckLine check_line_of(const SourceFormat *format, const Finding *f)
{
    const char *repair = format->repair_words ? format->repair_words(f->kind) : NULL;
    return (CheckLine){source_finding(format, f->kind), f->at, repair, f->repaired, f->text};
}

/* Prints one JSON object on one line. */
static void check_line_print_json(FILE *stream, const char *path, const CheckLine *line)
{
    Json json = json_spaced(stream);
    json_open(&json, '{');
    json_member_text(&json, "file", path);
    json_member_integer(&json, "line", line->at.line);
    json_member_integer(&json, "column", line->at.column);
    if (line->at.line == 0 && line->at.byte > 0)
        json_member_integer(&json, "byte", line->at.byte);
    json_member_text(&json, "kind", line->info->name);
    json_member_text(&json, "severity", severity_names[check_line_severity(line->info)]);
    json_member_text(&json, "text", line->text);
    json_member_text(&json, "meaning", line->info->meaning);
    json_member_text(&json, "repair", line->repair);
    json_key(&json, "repaired");
    json_print(&json, line->repaired ? "true" : "false");
    json_close(&json, '}');
    putc('\n', stream);
}

/* Writes a line of the repair log: the finding and whether it was repaired. */
static void check_line_log(FILE *stream, const char *path, const CheckLine *line)
{
    put_location(stream, path, line);
    fprintf(stream, ": %s%s\n", line->repaired ? "repaired: " : "left", line->repaired ? line->repair : "");
}

static int is_folder(const char *target)
{
    struct stat info;
    return target[strlen(target) - 1] == '/' || (stat(target, &info) == 0 && S_ISDIR(info.st_mode));
}

/* Builds the path of the repaired file; the caller frees *path. */
static Status name_file(const char *source, const char *target, char **path, Error *err)
{
    const char *name = strcmp(source, "-") ? base_name(source) : "stdin.bvh";
    int folder = is_folder(target);
    if (folder && mkdir(target, 0777) && errno != EEXIST)
        return error_set(err, STATUS_IO, "%s: cannot create: %s", target, strerror(errno));
    int is_closed = target[strlen(target) - 1] == '/';
    if (asprintf(path, "%s%s%s", target, folder && !is_closed ? "/" : "", folder ? name : "") < 0) {
        *path = NULL;
        return error_no_memory(err);
    }
    return STATUS_OK;
}

static Status write_log(const RepairedTake *repaired, const char *source, FILE *stream, Error *err)
{
    const Findings *findings = &repaired->take->findings;
    for (int i = 0; i < findings->count; i++) {
        CheckLine line = check_line_of(repaired->format, &findings->found[i]);
        check_line_log(stream, source, &line);
    }
    if (fflush(stream) || ferror(stream))
        return error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return STATUS_OK;
}

/* Writes the repaired file, or with source its log. path: the pointer from argv if it is there. origin: of the repaired
 * file. */
static Status write_one(const OutputCall *call, const RepairedTake *repaired, const Provenance *origin,
                        const char *source, const char *path, Error *err)
{
    OutputFile file;
    FILE *stream = NULL;
    FileKind kind = source ? FILE_TEXT : repaired->format->kind;
    Status status = output_file_open(call, path, kind, origin, &file, err);
    if (status)
        return status;
    status = error_of_file(err, path, new_file_stream(&file.file, &stream, err));
    if (!status)
        status = error_of_file(err, path,
                               source ? write_log(repaired, source, stream, err)
                                      : repaired->format->repair_write(repaired->take, stream, err));
    if (stream)
        fclose(stream);
    if (!status)
        status = output_file_commit(&file, err);
    output_file_discard(&file);
    return status;
}

/* Repairs the take and writes file and log. target: a file, or a folder (created if it ends in "/") in which the
 * source's name is used; err has the file. */
static Status repaired_file_write(const OutputCall *call, const ImportGuessDef *def, RepairedTake *repaired,
                                  const char *source, const char *target, Error *err)
{
    char *path = NULL, *log = NULL;
    Provenance origin = {.source = (char *)base_name(source)};
    Status status = error_of_file(err, source, repaired->format->repair(repaired->take, def, err));
    if (!status)
        status = error_of_file(err, source, digest_path(source, origin.source_sha256, err));
    if (!status)
        status = name_file(source, target, &path, err);
    if (!status && asprintf(&log, "%s.log", path) < 0) {
        log = NULL;
        status = error_no_memory(err);
    }
    if (!status)
        status = write_one(call, repaired, &origin, NULL, is_folder(target) ? path : target, err);
    if (!status)
        status = write_one(call, repaired, NULL, source, log, err);
    free(path);
    free(log);
    return status;
}

/* STATUS_USAGE if the target has the wrong extension; called before any file is read. */
static Status repaired_file_check(const char *target, Error *err)
{
    static const OutputEnding endings[] = {{"bvh", 0, FILE_BVH}, {NULL, 0, FILE_BVH}};
    const OutputEnding *ending;
    return is_folder(target) ? STATUS_OK : output_ending(target, endings, &ending, err);
}

/* kane check --external: compares force plates with the motion of a clip. */

/* Receives a finding: its kind and text. */
typedef void (*CheckPlatesReport)(void *context, const FindingInfo *info, const char *text);

static const FindingInfo plate_info[PLATE_ERROR_KINDS] = {
    [PLATES_EXCHANGED] = {.name = "plates-exchanged", .meaning = "the table has the plates of the feet swapped"},
    [PLATES_APART] = {.name = "plates-apart", .meaning = "plates and feet are loaded at different times"},
    [PLATES_DOWNWARD] = {.name = "plates-downward", .meaning = "the forces are on the plates, not on the feet"},
    [PLATES_ALONG_SIGN] = {.name = "plates-along-sign", .meaning = "fore-aft forces contradict the motion"},
    [PLATES_SIDE_SIGN] = {.name = "plates-side-sign", .meaning = "side forces contradict the motion"},
    [PLATES_TURNED] = {.name = "plates-turned", .meaning = "plates and motion have different horizontal axes"},
    [PLATES_LATE] = {.name = "plates-late", .meaning = "plates and motion are not synchronized"},
    [PLATES_SCALE] = {.name = "plates-scale", .meaning = "the vertical impulse of the plates differs from that of the "
                                                         "body"},
    [PLATES_FOOT_SCALE] = {.name = "plates-foot-scale", .meaning = "the plates have different scales"},
    [PLATES_PRESSURE_ALONG] = {.name = "plates-pressure-along", .meaning = "plates are shifted fore-aft"},
    [PLATES_PRESSURE_SIDE] = {.name = "plates-pressure-side", .meaning = "plates are shifted sideways"},
    [PLATES_OFF_SOLE] = {.name = "plates-off-sole", .meaning = "forces act outside the feet"},
    [PLATES_OFFSET] = {.name = "plates-offset", .meaning = "the plate was not zeroed"},
    [PLATES_UNIT] = {.name = "plates-unit", .meaning = "forces are not in N"},
    [PLATES_UPRIGHT] = {.name = "plates-upright", .meaning = "table and motion have different vertical axes"},
};

/* Returns the kind of this name, or NULL. Static. */
static const FindingInfo *check_plates_info(const char *name, size_t length)
{
    for (int i = 0; i < PLATE_ERROR_KINDS; i++)
        if (strlen(plate_info[i].name) == length && !strncmp(plate_info[i].name, name, length))
            return &plate_info[i];
    return NULL;
}

static void report_warnings(const Clip *clip, CheckPlatesReport report, void *context)
{
    char text[512];
    for (const char *line = clip->provenance.warnings; line && *line; line += *line == '\n') {
        size_t length = strcspn(line, "\n"), kind = strcspn(line, ":");
        const FindingInfo *info = kind < length ? check_plates_info(line, kind) : NULL;
        if (info) {
            snprintf(text, sizeof text, "%.*s", (int)(length - kind - 2), line + kind + 2);
            report(context, info, text);
        }
        line += length;
    }
}

/* STATUS_BAD_INPUT if the stage has noted that plates and motion were not compared. */
static Status refuse_silence(const Notes *notes, Error *err)
{
    for (int i = 0; i < notes->count; i++)
        if (!strncmp(notes->note[i].text, PLATES_NOT_COMPARED, strlen(PLATES_NOT_COMPARED)))
            return error_set(err, STATUS_BAD_INPUT, "%s", notes->note[i].text);
    return STATUS_OK;
}

static Status judge(Pipeline *chain, Clip *clip, Error *err)
{
    Notes notes = {0};
    int is_run = clip->has_body && clip->has_kinematics;
    Status status = is_run ? stage_apply(&stage_contact, &chain->stage[chain->length - 1], clip, &notes, err)
                           : pipeline_run(chain, clip, &notes, err);
    if (!status)
        status = refuse_silence(&notes, err);
    notes_free(&notes);
    return status;
}

/* Runs the missing stages of a file up to contact, whose external method reads the plates, and reports each error of
 * the plates. */
static Status check_plates(Pipeline *chain, const char *external, const char *path, CheckPlatesReport report,
                           void *context, Error *err)
{
    Clip clip = {0};
    pipeline_end_with(chain, &stage_contact);
    OptionValues *contact = &chain->stage[chain->length - 1];
    const Option *option = option_find(stage_contact.command.options, "external");
    memcpy(contact->bytes + option->offset, &external, sizeof external);
    Status status = pipeline_open(chain, path, &clip, NULL, err);
    if (!status)
        status = judge(chain, &clip, err);
    if (!status)
        report_warnings(&clip, report, context);
    clip_free(&clip);
    return status;
}

/* kane check --again: reruns the history of a clip file and compares the bytes. */

static const FindingInfo not_reproduced = {
    .name = "not-reproduced", .meaning = "the history of the clip file gives other content with this kane",
};

/* Receives the text of a finding. */
typedef void (*ReportAgain)(void *context, const char *text);

/* Finds the storage options with which encoding the clip gives the bytes of its file; returns 0 if there are none. */
static int find_storage(const Clip *clip, const ContainerImage *stored, ContainerDef *def)
{
    for (int i = 0; i < 20; i++) {
        ContainerImage image = {0};
        *def = (ContainerDef){.float32 = i % 2, .compress = i / 2};
        int is_same = !container_encode(clip, def, &image, NULL) && image.size == stored->size &&
                      memcmp(image.bytes, stored->bytes, image.size) == 0;
        container_image_free(&image);
        if (is_same)
            return 1;
    }
    *def = container_default_def();
    return 0;
}

/* Describes how two arrays of equal size differ; "" if they are equal. */
static void describe_values(const Clip *a, const Clip *b, const SchemaDataset *d, char *text, size_t size)
{
    size_t count = schema_count(a, d), element = schema_element_size(d->element), differ = 0, first = 0;
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        const char *x = (char *)schema_array(a, d) + i * element, *y = (char *)schema_array(b, d) + i * element;
        int is_same = schema_is_text(d->element) ? strcmp(schema_label(a, d, i), schema_label(b, d, i)) == 0
                                                 : memcmp(x, y, element) == 0;
        if (is_same)
            continue;
        first = differ++ ? first : i / schema_row(a, d);
        if (d->element == ELEMENT_DOUBLE)
            most = fmax(most, fabs(*(const double *)(const void *)x - *(const double *)(const void *)y));
    }
    *text = 0;
    if (differ && d->element == ELEMENT_DOUBLE)
        snprintf(text, size, "differs in %zu of %zu values from row %zu on, by at most %.3g %s", differ, count, first,
                 most, d->units ? d->units : "");
    else if (differ)
        snprintf(text, size, "differs in %zu of %zu values from row %zu on", differ, count, first);
}

/* Reports each dataset that differs; returns their number. */
static int compare_datasets(const Clip *stored, const Clip *again, ReportAgain report, void *context)
{
    int differ = 0;
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        const SchemaDataset *d = &schema_datasets[i];
        char path[128], words[160] = "", text[320];
        int has = schema_has_dataset(stored, d), has_again = schema_has_dataset(again, d);
        if (has != has_again)
            snprintf(words, sizeof words, "%s", has ? "is not made again" : "is missing in the file");
        else if (has && schema_count(stored, d) != schema_count(again, d))
            snprintf(words, sizeof words, "has %zu values, again %zu", schema_count(stored, d), schema_count(again, d));
        else if (has)
            describe_values(stored, again, d, words, sizeof words);
        if (!*words)
            continue;
        schema_path(d, path, sizeof path);
        snprintf(text, sizeof text, "%s %s", path, words);
        report(context, text);
        differ++;
    }
    return differ;
}

/* Describes the first differing line of two texts. */
static void describe_texts(const char *a, const char *b, char *text, size_t size)
{
    *text = 0;
    while (*a && *b && strcspn(a, "\n") == strcspn(b, "\n") && strncmp(a, b, strcspn(a, "\n")) == 0) {
        a += strcspn(a, "\n");
        b += strcspn(b, "\n");
        a += *a == '\n';
        b += *b == '\n';
    }
    if (strcmp(a, b) != 0)
        snprintf(text, size, "is \"%.*s\", again \"%.*s\"", (int)strcspn(a, "\n"), a, (int)strcspn(b, "\n"), b);
}

static void describe_attribute(const Clip *a, const Clip *b, const SchemaAttribute *attribute, char *text, size_t size)
{
    const char *x = (const char *)a + attribute->member, *y = (const char *)b + attribute->member;
    const char *u = attribute->kind == ATTRIBUTE_OWNED ? *(char *const *)(const void *)x : x;
    const char *v = attribute->kind == ATTRIBUTE_OWNED ? *(char *const *)(const void *)y : y;
    *text = 0;
    if (attribute->kind != ATTRIBUTE_NUMBER)
        describe_texts(u ? u : "", v ? v : "", text, size);
    else if (memcmp(x, y, attribute->size * sizeof(double)) != 0)
        snprintf(text, size, "is %.9g%s, again %.9g", *(const double *)(const void *)x,
                 attribute->size > 1 ? "..." : "", *(const double *)(const void *)y);
}

static int compare_attributes(const Clip *stored, const Clip *again, ReportAgain report, void *context)
{
    int differ = 0;
    for (int i = 0; i < SCHEMA_ATTRIBUTE_COUNT; i++) {
        const SchemaAttribute *attribute = &schema_attributes[i];
        char words[600] = "", text[800];
        if (schema_has_group(stored, attribute->group) && schema_has_group(again, attribute->group))
            describe_attribute(stored, again, attribute, words, sizeof words);
        if (!*words)
            continue;
        snprintf(text, sizeof text, "attribute %s%s%s %s", schema_groups[attribute->group].name,
                 attribute->group == GROUP_ROOT ? "" : "/", attribute->name, words);
        report(context, text);
        differ++;
    }
    return differ;
}

/* made: the recomputed clip, encoded with the options of the file. */
static Status compare_again(const Clip *stored, const ContainerImage *file, const ContainerImage *made,
                            ReportAgain report, void *context, Error *err)
{
    Clip again;
    if (made->size == file->size && memcmp(made->bytes, file->bytes, file->size) == 0)
        return STATUS_OK;
    Status status = container_decode(made, &again, err);
    if (status)
        return status;
    int differ = compare_datasets(stored, &again, report, context);
    differ += compare_attributes(stored, &again, report, context);
    if (!differ)
        report(context, "the content is the same, the bytes are not: another version of kane stored it");
    clip_free(&again);
    return STATUS_OK;
}

/* Reruns the history of the clip file at path on its source and reports each dataset and attribute that differs;
 * nothing if the bytes are equal. */
static Status check_again(const char *path, const char *source, ReportAgain report, void *context, Error *err)
{
    ContainerImage file = {0}, made = {0};
    ContainerDef def;
    Clip stored = {0}, again = {0};
    Status status = container_load(path, &file, err);
    if (!status)
        status = container_decode_guarded(&file, &stored, NULL, 0, err);
    if (!status)
        status = history_rerun(&stored, source, &again, err);
    if (!status && !stored.has_kinematics && again.has_kinematics) { /* stored by kane batch --store dynamics */
        kinematics_free(&again.kinematics);
        again.has_kinematics = 0;
    }
    if (!status) {
        find_storage(&stored, &file, &def);
        status = container_encode(&again, &def, &made, err);
    }
    if (!status)
        status = compare_again(&stored, &file, &made, report, context, err);
    clip_free(&stored);
    clip_free(&again);
    container_image_free(&file);
    container_image_free(&made);
    return status;
}

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
    Pipeline chain; /* for --external, with the body and smooth options */
    OutputCall call;
    FILE *out; /* receives the findings */
    int code;
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
     .help = "Write a repaired BVH and a .log of the repairs",
     .kind = &option_flag, .offset = offsetof(CheckOptions, repair)},
    {.name = "output", .key = 'o', .argument = "FILE.bvh|DIR/",
     .help = "Output file of the repaired BVH; a directory DIR/ keeps the file names",
     .kind = &option_text, .offset = offsetof(CheckOptions, output)},
    OUTPUT_MANNER(CheckOptions, manner),
    {.name = "like", .argument = "OTHER.bvh",
     .help = "Reference file of the same skeleton: its joints that a file lacks are findings",
     .kind = &option_text, .offset = offsetof(CheckOptions, like)},
    {.name = "external", .argument = "FILE.tsv",
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
        CheckLine line = check_line_of(format, &findings->found[i]);
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

static void check_take(Check *check, const char *path, const SourceFile *file, const SourceDef *limits)
{
    Error err = {0}, failed = {0};
    Take take;
    RepairedTake repaired = {file->format, &take};
    Status readable = source_take(file, limits, &take, &err), status;
    if (!readable)
        readable = inspect(check, &take, &err);
    status = readable;
    if (!status && check->given.repair)
        status = repaired_file_write(&check->call, &check->import.guess, &repaired, path, check->given.output,
                                     &failed);
    report_findings(check, path, file->format, &take.findings);
    if (readable)
        report_error(check, path, finding_info(FINDING_UNREADABLE), &err, 1);
    else if (status)
        check->code = exit_code_worse(check->code, message_error("check", NULL, &failed));
    take_free(&take);
}

/* Checks every clip of a clip file. */
static void check_containers(Check *check, const char *path, char *bytes, size_t size)
{
    FILE *stream = fmemopen(bytes, size, "rb");
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

static void check_opened(Check *check, const char *path, const SourceFile *file, const SourceDef *limits)
{
    if (container_begins(file->bytes, file->size))
        check_containers(check, path, file->bytes, file->size);
    else
        check_take(check, path, file, limits);
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
    SourceFile file;
    Error err = {0};
    limits.tolerant = 1;
    Status status = source_open(path, &limits, &file, &err);
    if (!status && check->given.repair && !file.format->repair)
        status = error_set(&err, STATUS_USAGE, "%s file: --repair supports BVH only", file.format->name);
    if (status)
        check->code = exit_code_worse(check->code, message_error("check", path, &err));
    else
        check_opened(check, path, &file, &limits);
    source_close(&file);
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
    check->chain.import = check->import;
    if (check_plates(&check->chain, check->given.external, path, report_plates, &asked, &err))
        check->code = exit_code_worse(check->code, message_error("check", path, &err));
}

static int ask_file(void *context, const char *path, FILE *out)
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
    Status status = found_files_add(&below, folder, source_has_ending, err);
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

static int check_all(Check *check, const FoundFiles *files)
{
    FilePool pool = {.ask = ask_file, .context = check, .jobs = check->given.jobs > 0 ? check->given.jobs : 1};
    char **paths = calloc(files->count + 1, sizeof *paths);
    Error err = {0};
    int code = 0;
    Status status = paths ? STATUS_OK : error_no_memory(&err);
    for (size_t i = 0; !status && i < files->count; i++)
        paths[i] = files->file[i].path;
    if (!status && pool.jobs > 1)
        status = file_pool_ask(&pool, paths, files->count, stdout, &code, &err);
    for (size_t i = 0; !status && pool.jobs == 1 && i < files->count; i++)
        code = exit_code_worse(code, ask_file(check, paths[i], stdout));
    free(paths);
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
        return message_usage(name, "--repair requires -o FILE.bvh|DIR/, and -o requires --repair");
    if (given->repair && count > 1 && given->output[strlen(given->output) - 1] != '/')
        return message_usage(name, "%d input files need -o DIR/", count);
    if (given->again && count != 2)
        return message_usage(name, "--again requires FILE.h5 SOURCE");
    if (given->external && count > 1)
        return message_usage(name, "--external is for one clip, found %d", count);
    return 0;
}

/* Returns the options of a stage with the names of kane run. */
static OptionGroup stage_group(Pipeline *chain, const Stage *stage)
{
    int i = 0;
    while (chain_stages[i] != stage)
        i++;
    return (OptionGroup){&stage->command, stage->command.options, &chain->stage[i]};
}

static int check_main(const Command *command, int argc, char **argv)
{
    Check check = {.import = import_defaults(), .chain = pipeline_defaults(), .given.severity = SEVERITY_WARNING};
    OptionGroup groups[] = {{NULL, command->options, &check.given},
                            {NULL, import_command.options, &check.import},
                            {NULL, import_limit_options, &check.import.limits},
                            stage_group(&check.chain, &stage_body),
                            stage_group(&check.chain, &stage_smooth)};
    int first = command_line_parse(command, groups, 5, argc, argv);
    if (first == argc)
        return message_usage(command->name, "expected %s", command->arguments);
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
    .summary = "Validate BVH and clip files and indexes; repair BVH",
    .arguments = "FILE|DIR|INDEX.db...",
    .description = "Prints each finding with its line, its meaning and its repair. Exit code 1 if a finding reaches "
                   "--severity. Of a directory, all BVH and clip files are checked, with their checksums. Of an index, "
                   "all rows are compared with their checksums, and its clips with the clip files. --again runs the "
                   "history of a clip file again and compares the bytes. Options of kane import override detection. A "
                   "repaired file is in centimetres, Y up.",
    .example = "kane check mocap/ --severity error",
    .options = options,
};

const Verb verb_check = {&check_command, check_main};
