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
#include "formats/bvh/bvh.h"

/* What kane check finds in a file. */

const char *const severity_names[] = {"note", "warning", "error", NULL};

static void put_place(FILE *stream, const char *path, const Finding *finding)
{
    char place[4400];
    error_place(path, finding->line, finding->column, place, sizeof place);
    utf8_put_shown(stream, place, strlen(place));
    utf8_put_shown(stream, finding->text, strlen(finding->text));
}

void finding_print(FILE *stream, const char *path, const Finding *finding, int explain)
{
    const BvhFaultInfo *info = finding->info;
    put_place(stream, path, finding);
    fputs(info->is_note ? " (note)\n" : "\n", stream);
    if (!explain)
        return;
    fprintf(stream, "    %s: %s\n", info->name, info->meaning);
    fprintf(stream, "    %s%s\n", info->repair ? "--repair " : "no repair", info->repair ? info->repair : "");
}

Severity finding_severity(const BvhFaultInfo *info)
{
    return info->is_note ? SEVERITY_NOTE : info->is_refused ? SEVERITY_ERROR : SEVERITY_WARNING;
}

void finding_print_json(FILE *stream, const char *path, const Finding *finding)
{
    Json json = json_spaced(stream);
    json_open(&json, '{');
    json_member_text(&json, "file", path);
    json_member_integer(&json, "line", finding->line);
    json_member_integer(&json, "column", finding->column);
    json_member_text(&json, "kind", finding->info->name);
    json_member_text(&json, "severity", severity_names[finding_severity(finding->info)]);
    json_member_text(&json, "text", finding->text);
    json_member_text(&json, "meaning", finding->info->meaning);
    json_member_text(&json, "repair", finding->info->repair);
    json_key(&json, "mended");
    json_print(&json, finding->mended ? "true" : "false");
    json_close(&json, '}');
    putc('\n', stream);
}

void finding_log(FILE *stream, const char *path, const Finding *finding)
{
    put_place(stream, path, finding);
    fprintf(stream, ": %s%s\n", finding->mended ? "mended: " : "left", finding->mended ? finding->info->repair : "");
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

/* The BVH, or with source given its log. path: the word of the command line where it is one. origin: of the BVH. */
static Status write_one(const OutputCall *call, const Bvh *bvh, const Provenance *origin, const char *source,
                        const char *path, Error *err)
{
    OutputFile file;
    FILE *stream = NULL;
    Status status = output_file_open(call, path, source ? FILE_TEXT : FILE_BVH, origin, &file, err);
    if (status != STATUS_OK)
        return status;
    status = error_of_file(err, path, new_file_stream(&file.file, &stream, err));
    if (status == STATUS_OK)
        status = error_of_file(err, path, source ? write_log(bvh, source, stream, err) : bvh_write(bvh, stream, err));
    if (stream)
        fclose(stream);
    if (status == STATUS_OK)
        status = output_file_commit(&file, err);
    output_file_discard(&file);
    return status;
}

Status repaired_file_write(const OutputCall *call, const ImportGuessDef *def, Bvh *bvh, const char *source,
                           const char *target, Error *err)
{
    char *path = NULL, *log = NULL;
    Provenance origin = {.source = (char *)base_name(source)};
    Status status = error_of_file(err, source, bvh_repair(bvh, def, err));
    if (status == STATUS_OK)
        status = error_of_file(err, source, digest_path(source, origin.source_sha256, err));
    if (status == STATUS_OK)
        status = name_file(source, target, &path, err);
    if (status == STATUS_OK && asprintf(&log, "%s.log", path) < 0) {
        log = NULL;
        status = error_no_memory(err);
    }
    if (status == STATUS_OK)
        status = write_one(call, bvh, &origin, NULL, is_folder(target) ? path : target, err);
    if (status == STATUS_OK)
        status = write_one(call, bvh, NULL, source, log, err);
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
