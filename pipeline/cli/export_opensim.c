/* See export_opensim.h. */
#include "pipeline/cli/export_opensim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "pipeline/cli/interrupt.h"
#include "pipeline/cli/message.h"

/* A folder while it is written. */
typedef struct Writing {
    const OpensimFolder *set;
    OutputCall call; /* quiet: one line names all files */
    const char *folder;
    const Provenance *origin;
    char *path[OPENSIM_FILE_COUNT];
    OutputFile file[OPENSIM_FILE_COUNT];
} Writing;

static Status fill_file(const Clip *clip, OpensimFile file, const char *model, OpensimFolder *out, Error *err)
{
    FILE *stream = open_memstream(&out->text[file], &out->size[file]);
    if (!stream)
        return error_no_memory(err);
    Status status = opensim_set_write(clip, file, model, stream, err);
    if (fclose(stream) && !status)
        status = error_no_memory(err);
    return error_of_file(err, opensim_set_name(file), status);
}

Status opensim_folder_fill(const Clip *clip, const char *model, OpensimFolder *out, Error *err)
{
    char *full = model ? realpath(model, NULL) : NULL;
    Status status = STATUS_OK;
    *out = (OpensimFolder){0};
    if (model && !full)
        return error_set(err, STATUS_IO, "%.300s: cannot open: %s", model, strerror(errno));
    for (int i = 0; i < OPENSIM_FILE_COUNT && !status; i++)
        status = fill_file(clip, (OpensimFile)i, full ? full : "model.osim", out, err);
    free(full);
    return status;
}

void opensim_folder_free(OpensimFolder *set)
{
    for (int i = 0; i < OPENSIM_FILE_COUNT; i++)
        free(set->text[i]);
    *set = (OpensimFolder){0};
}

/* Writes a file under a temporary name. */
static Status open_file(Writing *w, int i, Error *err)
{
    struct iovec piece = {w->set->text[i], w->set->size[i]};
    if (asprintf(&w->path[i], "%s/%s", w->folder, opensim_set_name((OpensimFile)i)) < 0) {
        w->path[i] = NULL;
        return error_no_memory(err);
    }
    Status status = output_file_open(&w->call, w->path[i], FILE_OPENSIM, w->origin, &w->file[i], err);
    if (status)
        return status;
    return error_of_file(err, w->path[i], write_pieces_fully(w->file[i].file.descriptor, &piece, 1, err));
}

static Status write_files(Writing *w, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < OPENSIM_FILE_COUNT && !status; i++)
        status = open_file(w, i, err);
    for (int i = 0; i < OPENSIM_FILE_COUNT && !status; i++)
        status = output_file_verify(&w->file[i], err);
    for (int i = 0; i < OPENSIM_FILE_COUNT && !status; i++)
        status = output_file_commit(&w->file[i], err);
    for (int i = 0; i < OPENSIM_FILE_COUNT; i++) {
        output_file_discard(&w->file[i]);
        free(w->path[i]);
    }
    return status;
}

Status opensim_folder_write(const OpensimFolder *set, const OutputCall *call, const char *folder,
                            const Provenance *origin, Error *err)
{
    Writing w = {.set = set, .call = *call, .folder = folder, .origin = origin};
    struct stat there;
    Status status = STATUS_OK;
    w.call.manner.quiet = 1;
    for (int i = 0; i < OPENSIM_FILE_COUNT; i++)
        w.file[i] = OUTPUT_FILE_NONE;
    interrupt_hold();
    int is_made = mkdir(folder, 0777) == 0;
    if (!is_made && (stat(folder, &there) || !S_ISDIR(there.st_mode)))
        status = error_set(err, STATUS_IO, "%.300s: cannot create the folder: %s", folder, strerror(errno));
    if (!status)
        status = write_files(&w, err);
    if (status && is_made)
        rmdir(folder);
    interrupt_release();
    if (!status && !call->manner.quiet)
        message_note(call->command, NULL, "wrote %s: coordinates, ground forces, moments, setup of inverse dynamics",
                     folder);
    return status;
}
