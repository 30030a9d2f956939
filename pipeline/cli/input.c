/* See input.h. */
#include "pipeline/cli/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/base/text.h"
#include "formats/container/container.h"
#include "formats/source/identify.h"
#include "formats/source/source.h"
#include "formats/source/source_table.h"
#include "pipeline/cli/found_files.h"
#include "pipeline/cli/message.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/pipeline.h"

/* Parameters of a visit. */
typedef struct Visit {
    const char *command;
    const char *path;
    ClipVisitor visitor;
    void *context;
    int reads_motion; /* 1: also read motion files, as kane import does */
    MotionReading reading;
} Visit;

static Status visit_image(const Visit *visit, const ContainerImage *image, Error *err)
{
    Clip clip = {0};
    char warning[512] = "";
    Status status = container_decode_guarded(image, &clip, warning, sizeof warning, err);
    if (!status && *warning)
        message_note(visit->command, visit->path, "warning: %s", warning);
    if (!status)
        status = visit->visitor(visit->context, visit->path, &clip, err);
    clip_free(&clip);
    return status;
}

static int visit_stream(const Visit *visit, FILE *stream)
{
    int code = 0, count = 0;
    Status last = STATUS_OK;
    for (;; count++) {
        ContainerImage image = {0};
        Error err = {0};
        Status status = container_next(stream, &image, &err);
        if (!status && image.size == 0) {
            if (count == 0)
                status = error_set(&err, STATUS_BAD_INPUT, "no clip in the input; expected a clip file (.h5)");
            return !status ? code : message_error(visit->command, visit->path, &err);
        }
        int framed = !status; /* otherwise the start of the next clip is unknown */
        if (framed)
            status = visit_image(visit, &image, &err);
        container_image_free(&image);
        if (!framed && status == STATUS_BAD_INPUT && last == STATUS_BAD_INPUT)
            return code; /* rest of a damaged clip; one message suffices */
        last = status;
        if (status)
            code = exit_code_worse(code, message_error(visit->command, visit->path, &err));
        if (!framed || status == STATUS_USAGE)
            return code;
    }
}

/* Reads a motion file, or a take of it, as kane import does. */
static int visit_take(const Visit *visit)
{
    Pipeline pipeline = pipeline_defaults();
    Clip clip = {0};
    Notes notes = {0};
    Error err = {0};
    if (visit->reading.import)
        pipeline.import = *visit->reading.import;
    Status status = pipeline_open(&pipeline, visit->path, &clip, &notes, &err);
    if (visit->reading.import)
        notes_prefix_options(&import_command, &notes, 0, status ? &err : NULL);
    if (!status) {
        message_notes(visit->command, visit->path, &notes, &clip, visit->reading.quiet);
        status = visit->visitor(visit->context, visit->path, &clip, &err);
    }
    notes_free(&notes);
    clip_free(&clip);
    return !status ? 0 : message_error(visit->command, visit->path, &err);
}

/* Reads every take of a motion file. */
static int visit_takes(const Visit *visit)
{
    SourceDef limits = source_default_def();
    FoundFiles takes = {0};
    Visit one = *visit;
    Error err = {0};
    Status status = found_files_take(&takes, visit->path, &err);
    if (!status)
        status = found_files_split_takes(&takes, &limits, &err);
    int code = !status ? 0 : message_error(visit->command, visit->path, &err);
    for (size_t i = 0; i < takes.count && code < status_exit_code(STATUS_USAGE); i++) {
        one.path = takes.file[i].path;
        code = exit_code_worse(code, visit_take(&one));
    }
    found_files_free(&takes);
    return code;
}

/* Reads the first bytes of a regular file; the caller frees *front, which is NULL for other kinds. */
static Status read_front(FILE *stream, char **front, size_t *size, Error *err)
{
    struct stat info;
    *front = NULL;
    *size = 0;
    if (fstat(fileno(stream), &info) || !S_ISREG(info.st_mode))
        return STATUS_OK;
    if (!(*front = malloc(FILE_FRONT_SIZE)))
        return error_no_memory(err);
    *size = fread(*front, 1, FILE_FRONT_SIZE, stream);
    rewind(stream);
    return STATUS_OK;
}

/* Sets the error of a file that is not a clip file, with its format. */
static Status refuse_foreign(const Visit *visit, const char *front, size_t size, Error *err)
{
    const SourceFormat *format = front ? source_of_front(front, size) : NULL;
    if (format || source_has_ending(visit->path))
        return error_set(err, STATUS_BAD_INPUT,
                         "is a %s file; run kane import or kane run first",
                         format ? format->name : "motion");
    const char *what = size > 0 && !container_begins(front, size) ? foreign_file(front, size) : NULL;
    return what ? error_set(err, STATUS_BAD_INPUT, "expected a clip file (.h5), found %s", what) : STATUS_OK;
}

static int visit_file(const Visit *visit, FILE *stream, Error *err)
{
    char *front;
    size_t size;
    Status status = read_front(stream, &front, &size, err);
    int is_motion = front && visit->reads_motion && source_of_front(front, size);
    if (!status && !is_motion)
        status = refuse_foreign(visit, front, size, err);
    free(front);
    if (status)
        return message_error(visit->command, visit->path, err);
    return is_motion ? visit_takes(visit) : visit_stream(visit, stream);
}

/* Reads standard input; its first byte distinguishes clip files from motion files. */
static int visit_pipe(const Visit *visit)
{
    container_expect();
    int first = visit->reads_motion ? getc(stdin) : EOF;
    if (first == EOF)
        return visit_stream(visit, stdin);
    ungetc(first, stdin);
    return first == CONTAINER_FIRST_BYTE ? visit_stream(visit, stdin) : visit_take(visit);
}

static int visit_path(const Visit *visit)
{
    Error err;
    char name[4352];
    if (!strcmp(visit->path, "-"))
        return visit_pipe(visit);
    if (visit->reads_motion && (source_has_ending(visit->path) || source_split(visit->path, name, sizeof name)))
        return visit_takes(visit);
    FILE *stream = fopen(visit->path, "rbe");
    if (!stream) {
        error_set(&err, STATUS_IO, "cannot read: %s", strerror(errno));
        return message_error(visit->command, visit->path, &err);
    }
    int code = visit_file(visit, stream, &err);
    fclose(stream);
    return code;
}

static int visit_all(Visit *call, char *const *paths, int path_count)
{
    if (path_count == 0)
        return visit_path(call);
    int code = 0;
    for (int i = 0; i < path_count && code < status_exit_code(STATUS_USAGE); i++) {
        call->path = paths[i];
        code = exit_code_worse(code, visit_path(call));
    }
    return code;
}

int clips_visit(const char *command, char *const *paths, int path_count, ClipVisitor visit, void *context)
{
    return visit_all(&(Visit){command, "-", visit, context, 0, {NULL, 0}}, paths, path_count);
}

int clips_visit_motion(const char *command, char *const *paths, int path_count, ClipVisitor visit, void *context,
                       MotionReading reading)
{
    return visit_all(&(Visit){command, "-", visit, context, 1, reading}, paths, path_count);
}
