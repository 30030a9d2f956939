#include "pipeline/cli/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "formats/base/file_kind.h"
#include "formats/container/container.h"
#include "pipeline/cli/message.h"
#include "pipeline/stages/stage_chain.h"

/* What all clips of one call share. */
typedef struct Visit {
    const char *verb;
    const char *path;
    ClipVisitor visitor;
    void *context;
    int takes_bvh; /* 1: files that end with .bvh are read as such */
} Visit;

static Status visit_image(const Visit *visit, const ContainerImage *image, Error *err)
{
    Clip clip = {0};
    char warning[512] = "";
    Status status = container_decode_guarded(image, &clip, warning, sizeof warning, err);
    if (status == STATUS_OK && *warning)
        message_note(visit->verb, visit->path, "%s", warning);
    if (status == STATUS_OK)
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
        if (status == STATUS_OK && image.size == 0) {
            if (count == 0)
                status = error_set(&err, STATUS_BAD_INPUT, "holds no container");
            return status == STATUS_OK ? code : message_error(visit->verb, visit->path, &err);
        }
        int framed = status == STATUS_OK; /* else nobody knows where the next one begins */
        if (framed)
            status = visit_image(visit, &image, &err);
        container_image_free(&image);
        if (!framed && status == STATUS_BAD_INPUT && last == STATUS_BAD_INPUT)
            return code; /* the rest of a damaged container, of which one line is enough */
        last = status;
        if (status != STATUS_OK)
            code = exit_code_worse(code, message_error(visit->verb, visit->path, &err));
        if (!framed || status == STATUS_USAGE)
            return code;
    }
}

/* A BVH file, read as kane import reads it. */
static int visit_bvh(const Visit *visit)
{
    StageChain chain = stage_chain_defaults();
    Clip clip = {0};
    Notes notes = {0};
    Error err = {0};
    Status status = stage_chain_open(&chain, visit->path, &clip, &notes, &err);
    if (status == STATUS_OK) {
        message_notes(visit->verb, visit->path, &notes, &clip);
        status = visit->visitor(visit->context, visit->path, &clip, &err);
    }
    notes_free(&notes);
    clip_free(&clip);
    return status == STATUS_OK ? 0 : message_error(visit->verb, visit->path, &err);
}

static int is_bvh(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strcasecmp(dot, ".bvh");
}

/* Says of a regular file of another format what it is. */
static Status refuse_foreign(const Visit *visit, FILE *stream, Error *err)
{
    struct stat info;
    const char *what = NULL;
    if (fstat(fileno(stream), &info) || !S_ISREG(info.st_mode) || container_is_at(visit->path))
        return STATUS_OK;
    char *front = malloc(FILE_FRONT_SIZE);
    if (!front)
        return error_no_memory(err);
    size_t size = fread(front, 1, FILE_FRONT_SIZE, stream);
    what = size > 0 ? foreign_file(front, size) : NULL;
    free(front);
    rewind(stream);
    return what ? error_set(err, STATUS_BAD_INPUT, "no container but %s", what) : STATUS_OK;
}

static int visit_path(const Visit *visit)
{
    Error err;
    if (!strcmp(visit->path, "-"))
        return visit_stream(visit, stdin);
    if (visit->takes_bvh && is_bvh(visit->path))
        return visit_bvh(visit);
    FILE *stream = fopen(visit->path, "rbe");
    if (!stream) {
        error_set(&err, STATUS_IO, "%s", strerror(errno));
        return message_error(visit->verb, visit->path, &err);
    }
    if (is_bvh(visit->path)) {
        fclose(stream);
        error_set(&err, STATUS_BAD_INPUT, "a BVH file: kane import makes a container of it, kane run one with torques");
        return message_error(visit->verb, visit->path, &err);
    }
    int code = refuse_foreign(visit, stream, &err) == STATUS_OK ? visit_stream(visit, stream)
                                                                : message_error(visit->verb, visit->path, &err);
    fclose(stream);
    return code;
}

/* Verbs for which a clip need not have been imported: they ask for nothing but its motion. */
static int takes_bvh(const char *verb)
{
    const char *const verbs[] = {stage_retarget.command.name, stage_mirror.command.name, stage_trim.command.name,
                                 stage_resample.command.name, "picture"};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (!strcmp(verb, verbs[i]))
            return 1;
    return 0;
}

int clips_visit(const char *verb, char *const *paths, int path_count, ClipVisitor visit, void *context)
{
    Visit call = {verb, "-", visit, context, takes_bvh(verb)};
    if (path_count == 0)
        return visit_path(&call);
    int code = 0;
    for (int i = 0; i < path_count && code < status_exit_code(STATUS_USAGE); i++) {
        call.path = paths[i];
        code = exit_code_worse(code, visit_path(&call));
    }
    return code;
}
