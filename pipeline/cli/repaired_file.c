/* See repaired_file.h. */
#include "pipeline/cli/repaired_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/clip/clip.h"
#include "formats/base/new_file.h"
#include "formats/base/text.h"
#include "formats/source/source_table.h"
#include "pipeline/cli/check_line.h"

static int is_folder(const char *target)
{
    struct stat info;
    return target[strlen(target) - 1] == '/' || (stat(target, &info) == 0 && S_ISDIR(info.st_mode));
}

/* Builds the path of the repaired file; the caller frees *path. */
static Status name_file(const RepairedTake *repaired, const char *source, const char *target, char **path, Error *err)
{
    char piped[64];
    snprintf(piped, sizeof piped, "stdin%s", repaired->format->endings[0]);
    const char *name = strcmp(source, "-") ? base_name(source) : piped;
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
        CheckLine line = check_line(repaired->format, &findings->found[i]);
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

Status repaired_file_write(const OutputCall *call, const ImportGuessDef *def, RepairedTake *repaired,
                           const char *source, const char *target, Error *err)
{
    char *path = NULL, *log = NULL;
    const SourceDef limits = source_default_def();
    Provenance origin = {.source = (char *)base_name(source)};
    Status status = error_of_file(err, source, repaired->format->repair(repaired->take, def, err));
    if (!status)
        status = error_of_file(err, source, source_digest_path(source, &limits, origin.source_sha256, err));
    if (!status)
        status = name_file(repaired, source, target, &path, err);
    if (!status && asprintf(&log, "%s.log", path) < 0) {
        log = NULL;
        status = error_no_memory(err);
    }
    if (!status)
        status = write_one(call, repaired, &origin, NULL, is_folder(target) ? path : target, err);
    if (!status)
        status = write_one(call, repaired, &origin, source, log, err);
    free(path);
    free(log);
    return status;
}

enum { REPAIRED_MAX = 16 }; /* extensions of formats with a repair */

Status repaired_file_check(const char *target, Error *err)
{
    OutputEnding endings[REPAIRED_MAX + 1] = {{0}};
    const OutputEnding *ending;
    const SourceFormat *format;
    for (int i = 0, count = 0; (format = source_at(i)); i++)
        for (const char *const *name = format->endings; format->repair && *name && count < REPAIRED_MAX; name++)
            endings[count++] = (OutputEnding){*name + 1, 0, format->kind}; /* without the dot */
    return is_folder(target) ? STATUS_OK : output_ending(target, endings, &ending, err);
}
