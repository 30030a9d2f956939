/* See output.h. */
#include "pipeline/cli/output.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/stats/clip_stats.h"
#include "formats/export/export.h"
#include "formats/source/source.h"
#include "pipeline/cli/message.h"

const Option output_options[] = {
    {.name = "output", .key = 'o', .argument = "FILE|DIR/|-",
     .help = "Output file; a directory DIR/ gets one file per clip; - is standard output",
     .kind = &option_text, .offset = offsetof(OutputOptions, target), .unrecorded = 1},
    OUTPUT_MANNER(OutputOptions, manner),
    {0},
};

static const OutputEnding motion_endings[] = {
    {"bvh", 0, FILE_BVH},      {"h5", 0, FILE_CONTAINER}, {"hdf5", 0, FILE_CONTAINER},
    {"nc", 0, FILE_CONTAINER}, {NULL, 0, FILE_CONTAINER},
};

/* Checks the target: a folder, which is created, or a file with an extension of clip files, or of motion files. */
static Status check_target(const OutputOptions *given, Output *out, Error *err)
{
    struct stat info;
    const OutputEnding *ending;
    size_t length = strlen(out->target);
    out->is_folder = out->target[length - 1] == '/' || (stat(out->target, &info) == 0 && S_ISDIR(info.st_mode));
    if (out->is_folder && mkdir(out->target, 0777) && errno != EEXIST)
        return error_set(err, STATUS_IO, "%s: cannot create: %s", out->target, strerror(errno));
    if (out->is_folder)
        return STATUS_OK;
    Status status =
        output_ending(out->target, given->writes_motion ? motion_endings : container_endings, &ending, err);
    if (status)
        return status;
    out->kind = ending->kind;
    return output_file_check(&out->call, out->target, out->kind, err);
}

Status output_open(const OutputOptions *given, int argc, char *const *argv, Output *out, Error *err)
{
    *out = (Output){.target = given->target, .kind = FILE_CONTAINER, .pending = OUTPUT_FILE_NONE};
    if (!strcmp(out->target, "-"))
        return isatty(STDOUT_FILENO)
                   ? error_set(err, STATUS_USAGE, "a clip file cannot be written to a terminal: give -o FILE or a pipe")
                   : STATUS_OK;
    Status status = output_call_init(&out->call, given->manner, argc, argv, err);
    if (!status)
        status = check_target(given, out, err);
    if (status)
        output_call_free(&out->call);
    return status;
}

void output_folder(const Output *out, char *folder, size_t size)
{
    const char *slash = strrchr(out->target, '/'), *temporary = getenv("TMPDIR");
    if (out->is_folder)
        snprintf(folder, size, "%s", out->target);
    else if (!strcmp(out->target, "-"))
        snprintf(folder, size, "%s", temporary ? temporary : "/var/tmp");
    else
        snprintf(folder, size, "%.*s", slash ? (int)(slash + 1 - out->target) : 1, slash ? out->target : ".");
}

/* Builds the path of a clip in the folder. Titles are untrusted and must not lead out of it. */
static Status file_name(const Output *out, const char *title, char **path, Error *err)
{
    size_t length = strlen(out->target);
    if (!title || !*title || strchr(title, '/') || title[0] == '.') {
        error_set(err, STATUS_BAD_INPUT, "the title \"%s\" is not a file name; give -o FILE", title ? title : "");
        return STATUS_BAD_INPUT;
    }
    if (asprintf(path, "%s%s%s.h5", out->target, out->target[length - 1] == '/' ? "" : "/", title) < 0)
        return error_no_memory(err);
    return STATUS_OK;
}

/* Records the name of a file in the folder, which must be new; takes ownership of path. */
static Status note_name(Output *out, char *path, Error *err)
{
    char **written = realloc(out->written, (size_t)(out->clip_count + 1) * sizeof *written);
    if (!written) {
        free(path);
        return error_no_memory(err);
    }
    out->written = written;
    for (int i = 0; i < out->clip_count; i++)
        if (!strcmp(path, written[i])) {
            error_set(err, STATUS_USAGE, "%s: two clips have the same title; write them one by one with -o FILE", path);
            free(path);
            return STATUS_USAGE;
        }
    written[out->clip_count++] = path;
    return STATUS_OK;
}

/* Prints "181 frames, 96.7 % trusted, residual 0.11 BW", as far as known. */
static void summarize(const Clip *clip, char *text, size_t size)
{
    int frames = clip->motion.frame_count, used = snprintf(text, size, "%d frame%s", frames, frames == 1 ? "" : "s");
    if (!clip->has_trust)
        return;
    double residual = clip_residual_force_rms(clip, FRAMES_TRUSTED);
    used += snprintf(text + used, size - (size_t)used, ", %.1f %% trusted", 100 * trust_fraction(&clip->trust));
    if (!isnan(residual))
        snprintf(text + used, size - (size_t)used, ", residual %.2g BW", residual);
}

static Status store(Output *out, const char *path, const Clip *clip, const ContainerDef *def, OutputFile *file,
                    Error *err)
{
    Status status = output_file_open_clip(&out->call, path, clip, file, err);
    if (!status)
        status = error_of_file(err, path, container_write(clip, def, file->file.descriptor, err));
    file->origin = NULL; /* the clip may be freed before the commit */
    summarize(clip, file->summary, sizeof file->summary);
    if (status)
        output_file_discard(file);
    return status;
}

/* Writes the motion of the clip as BVH. */
static Status store_motion(Output *out, const char *path, const Clip *clip, OutputFile *file, Error *err)
{
    FILE *stream;
    ExportDef def = export_default_def();
    def.format = EXPORT_BVH;
    output_origin_add(&out->origin, &clip->provenance);
    Status status = output_file_open(&out->call, path, FILE_BVH, output_origin(&out->origin), file, err);
    if (!status && !(status = new_file_stream(&file->file, &stream, err))) {
        status = export_clip(clip, &def, stream, err);
        if (fclose(stream) && !status)
            status = error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
        status = error_of_file(err, path, status);
    }
    int frames = clip->motion.frame_count;
    snprintf(file->summary, sizeof file->summary, "%d frame%s", frames, frames == 1 ? "" : "s");
    if (status)
        output_file_discard(file);
    return status;
}

static Status put_folder(Output *out, const Clip *clip, const ContainerDef *def, Error *err)
{
    char *path = NULL;
    OutputFile file = OUTPUT_FILE_NONE;
    Status status = file_name(out, clip->provenance.title, &path, err);
    if (!status)
        status = note_name(out, path, err);
    if (!status)
        status = store(out, path, clip, def, &file, err);
    return status ? status : output_file_commit(&file, err);
}

static Status put_file(Output *out, const Clip *clip, const ContainerDef *def, Error *err)
{
    if (out->clip_count++)
        return error_set(err, STATUS_USAGE, "several clips cannot be written to %s; give -o DIR/", out->target);
    return out->kind == FILE_BVH ? store_motion(out, out->target, clip, &out->pending, err)
                                 : store(out, out->target, clip, def, &out->pending, err);
}

Status output_put(Output *out, const Clip *clip, const ContainerDef *def, Error *err)
{
    if (out->is_folder)
        return put_folder(out, clip, def, err);
    if (strcmp(out->target, "-"))
        return put_file(out, clip, def, err);
    return error_of_file(err, "standard output", container_write(clip, def, STDOUT_FILENO, err));
}

int output_close(Output *out, const char *command, int code)
{
    Error err = {0};
    if (out->pending.file.descriptor >= 0 && code < status_exit_code(STATUS_USAGE) &&
        output_file_commit(&out->pending, &err))
        code = exit_code_worse(code, message_error(command, NULL, &err));
    output_file_discard(&out->pending);
    output_call_free(&out->call);
    for (int i = 0; out->written && i < out->clip_count; i++)
        free(out->written[i]);
    free(out->written);
    *out = (Output){.pending = OUTPUT_FILE_NONE};
    return code;
}
