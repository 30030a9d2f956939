/* The container: one clip in HDF5 that is also valid netCDF-4 (docs/design.md "The clip file").
 *
 * One writer in one fixed order, so that the bytes are a function of content. A stage reads a whole container into a
 * Clip and writes a new one; nothing is edited in place. An array without elements is left out - contact without
 * points keeps what it states of the feet - because netCDF takes a dimension of length zero for an unlimited one. */
#ifndef KANE_FORMATS_CONTAINER_H
#define KANE_FORMATS_CONTAINER_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* Root attribute Conventions: marks a file as a container. */
#define CONTAINER_CONVENTIONS "kane-1"

typedef struct ContainerDef {
    int float32;   /* 1: trajectories as 32-bit; default 0 */
    int compress;  /* deflate level 1..9 with shuffle; default 0: contiguous */
} ContainerDef;

ContainerDef container_default_def(void);

/* A container in memory. */
typedef struct ContainerImage {
    unsigned char *bytes; /* owned */
    size_t size;
} ContainerImage;

/* Fills image from clip. */
Status container_encode(const Clip *clip, const ContainerDef *def, ContainerImage *image, Error *err);

/* Writes the same bytes to a descriptor, front to back, so that a pipe will do; uncompressed float64 arrays go straight
 * from the clip, which spares an image of their size. */
Status container_write(const Clip *clip, const ContainerDef *def, int descriptor, Error *err);

/* Reads a clip from bytes that this process made itself. */
Status container_decode(const ContainerImage *image, Clip *out, Error *err);

/* The same for bytes from outside: checked first, decoded in a child process with limits, so that a file that
 * crashes or hangs libhdf5 becomes an error here. Dropped unknown groups are named in warning (may be NULL). */
Status container_decode_guarded(const ContainerImage *image, Clip *out, char *warning, size_t warning_size, Error *err);

/* What is wrong with a container, in the order of its datasets. */
typedef struct ContainerFindings {
    int count;
    Error found[32]; /* no more are kept */
} ContainerFindings;

/* Decodes like container_decode_guarded and keeps nothing but every finding: arrays that are damaged or missing;
 * where all are there, values that are not finite and whatever breaks the rules of container_check. */
Status container_inspect(const ContainerImage *image, ContainerFindings *findings, char *warning, size_t warning_size,
                         Error *err);

/* Whether bytes, or a file (no pipe: that gives its bytes once), begin as containers do. */
int container_begins(const void *bytes, size_t size);
enum { CONTAINER_FIRST_BYTE = 0x89 }; /* which no text has */
int container_is_at(const char *path);

/* Whether a name is more than ".h5", in any case, and ends so. */
int container_has_ending(const char *name);

/* Takes the next container from a stream that may hold several, one after the other. STATUS_OK with image->size 0 at
 * the end of the stream. */
Status container_next(FILE *stream, ContainerImage *image, Error *err);

/* Whole file into an image; no HDF5 lock is taken. */
Status container_load(const char *path, ContainerImage *image, Error *err);

void container_image_free(ContainerImage *image);

#endif
