/* Where containers go: standard output, a file, or a folder in which each is named by its title.
 *
 * Nothing appears before it is whole: a file gets its name when its bytes are on disk, and a single file only when it
 * is known that no second clip follows. */
#ifndef KANE_PIPELINE_OUTPUT_H
#define KANE_PIPELINE_OUTPUT_H

#include "formats/container.h"

typedef struct Output {
    const char *target;     /* "-", FILE or DIR/ */
    int is_folder;
    int clip_count;         /* given so far */
    ContainerImage pending; /* FILE: written at close */
    char **written;         /* DIR/: [clip_count] names, owned */
} Output;

/* target NULL: standard output. STATUS_USAGE for a terminal, STATUS_IO for a folder that cannot be made. */
Status output_open(const char *target, Output *out, Error *err);

/* Takes the image over. STATUS_USAGE for a second clip into a single file or a second one of the same title. */
Status output_put(Output *out, ContainerImage *image, const char *title, Error *err);

/* Writes what is pending. */
Status output_close(Output *out, Error *err);

/* Drops what is pending. */
void output_free(Output *out);

#endif
