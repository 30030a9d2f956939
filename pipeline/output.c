#include "pipeline/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Status output_open(const char *target, Output *out, Error *err)
{
    struct stat info;
    *out = (Output){.target = target ? target : "-"};
    if (!strcmp(out->target, "-"))
        return isatty(STDOUT_FILENO) ? error_set(err, STATUS_USAGE, "a container is not for a terminal: give -o FILE or a pipe")
                                     : STATUS_OK;
    size_t length = strlen(out->target);
    out->is_folder = out->target[length - 1] == '/' || (stat(out->target, &info) == 0 && S_ISDIR(info.st_mode));
    if (out->is_folder && mkdir(out->target, 0777) && errno != EEXIST)
        return error_set(err, STATUS_IO, "%s: %s", out->target, strerror(errno));
    return STATUS_OK;
}

static Status put_stream(const ContainerImage *image, Error *err)
{
    if (fwrite(image->bytes, 1, image->size, stdout) != image->size || fflush(stdout))
        return error_set(err, STATUS_IO, "standard output: %s", strerror(errno));
    return STATUS_OK;
}

/* A title comes from a container and names a file: it must not lead out of the folder. */
static Status file_name(const Output *out, const char *title, char **path, Error *err)
{
    size_t length = strlen(out->target);
    if (!title || !*title || strchr(title, '/') || title[0] == '.')
        return error_set(err, STATUS_BAD_INPUT, "the title \"%s\" is no file name: give -o FILE", title ? title : "");
    if (asprintf(path, "%s%s%s.h5", out->target, out->target[length - 1] == '/' ? "" : "/", title) < 0)
        return error_no_memory(err);
    return STATUS_OK;
}

static Status put_folder(Output *out, const ContainerImage *image, const char *title, Error *err)
{
    char *path;
    Status status = file_name(out, title, &path, err);
    if (status != STATUS_OK)
        return status;
    for (int i = 0; i < out->clip_count; i++)
        if (!strcmp(path, out->written[i])) {
            free(path);
            return error_set(err, STATUS_USAGE, "a second clip has the title \"%s\"", title);
        }
    char **written = realloc(out->written, (size_t)(out->clip_count + 1) * sizeof *written);
    if (!written) {
        free(path);
        return error_no_memory(err);
    }
    out->written = written;
    out->written[out->clip_count] = path;
    status = container_save(image, path, err);
    if (status != STATUS_OK) {
        free(path);
        return status;
    }
    out->clip_count++;
    return STATUS_OK;
}

Status output_put(Output *out, ContainerImage *image, const char *title, Error *err)
{
    if (out->is_folder)
        return put_folder(out, image, title, err);
    if (!strcmp(out->target, "-"))
        return put_stream(image, err);
    if (out->clip_count++)
        return error_set(err, STATUS_USAGE, "a second clip does not fit into %s: give -o FOLDER/", out->target);
    out->pending = *image;
    *image = (ContainerImage){0};
    return STATUS_OK;
}

Status output_close(Output *out, Error *err)
{
    if (!out->pending.bytes)
        return STATUS_OK;
    return container_save(&out->pending, out->target, err);
}

void output_free(Output *out)
{
    if (!out)
        return;
    container_image_free(&out->pending);
    for (int i = 0; out->written && i < out->clip_count; i++)
        free(out->written[i]);
    free(out->written);
    *out = (Output){0};
}
