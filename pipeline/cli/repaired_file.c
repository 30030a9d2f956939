/* See repaired_file.h. */
#include "pipeline/cli/repaired_file.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/base/status.h"
#include "formats/base/bytes.h"
#include "formats/base/json.h"
#include "formats/base/text.h"

/* What kane check finds in a file. */

const char *const severity_names[] = {"note", "warning", "error", NULL};

static void put_place(FILE *stream, const char *path, const CheckLine *line)
{
    char place[4400];
    error_place(path, line->at.line, line->at.column, place, sizeof place);
    utf8_put_shown(stream, place, strlen(place));
    if (line->at.line == 0 && line->at.byte > 0)
        fprintf(stream, "byte %lld: ", line->at.byte);
    utf8_put_shown(stream, line->text, strlen(line->text));
}

void check_line_print(FILE *stream, const char *path, const CheckLine *line, int explain)
{
    const FindingInfo *info = line->info;
    put_place(stream, path, line);
    fputs(info->is_note ? " (note)\n" : "\n", stream);
    if (!explain)
        return;
    fprintf(stream, "    %s: %s\n", info->name, info->meaning);
    fprintf(stream, "    %s%s\n", line->repair ? "--repair " : "no repair", line->repair ? line->repair : "");
}

Severity check_line_severity(const FindingInfo *info)
{
    return info->is_note ? SEVERITY_NOTE : info->is_refused ? SEVERITY_ERROR : SEVERITY_WARNING;
}

CheckLine check_line_of(const SourceFormat *format, const Finding *f)
{
    const char *repair = format->repair_words ? format->repair_words(f->kind) : NULL;
    return (CheckLine){source_finding(format, f->kind), f->at, repair, f->mended, f->text};
}

void check_line_print_json(FILE *stream, const char *path, const CheckLine *line)
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
    json_key(&json, "mended");
    json_print(&json, line->mended ? "true" : "false");
    json_close(&json, '}');
    putc('\n', stream);
}

void check_line_log(FILE *stream, const char *path, const CheckLine *line)
{
    put_place(stream, path, line);
    fprintf(stream, ": %s%s\n", line->mended ? "mended: " : "left", line->mended ? line->repair : "");
}

static int is_folder(const char *target)
{
    struct stat info;
    return target[strlen(target) - 1] == '/' || (stat(target, &info) == 0 && S_ISDIR(info.st_mode));
}

/* *path is owned by the caller. */
static Status name_file(const char *source, const char *target, char **path, Error *err)
{
    const char *name = strcmp(source, "-") ? base_name(source) : "stdin.bvh";
    int folder = is_folder(target);
    if (folder && mkdir(target, 0777) && errno != EEXIST)
        return error_set(err, STATUS_IO, "%s: %s", target, strerror(errno));
    if (asprintf(path, "%s%s%s", target, folder ? "/" : "", folder ? name : "") < 0) {
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

/* The repaired file, or with source given its log. path: the word of the command line where it is one. origin: of the
 * mended file. */
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

Status repaired_file_write(const OutputCall *call, const ImportGuessDef *def, RepairedTake *repaired,
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

Status repaired_file_check(const char *target, Error *err)
{
    static const OutputEnding endings[] = {{"bvh", 0, FILE_BVH}, {NULL, 0, FILE_BVH}};
    const OutputEnding *ending;
    return is_folder(target) ? STATUS_OK : output_ending(target, endings, &ending, err);
}
