/* The clip file: clips in HDF5 that are also valid netCDF-4 (docs/design.md "The clip file").
 *
 * There is one writer with a fixed order, so the bytes are a function of the content. A stage reads a whole clip and
 * writes a new one; nothing is edited in place. An array without elements is omitted (a contact without points keeps
 * its data of the feet), because netCDF interprets a dimension of length zero as unlimited. */
#ifndef KANE_FORMATS_CONTAINER_H
#define KANE_FORMATS_CONTAINER_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* Root attribute Conventions, which identifies a clip file. */
#define CONTAINER_CONVENTIONS "kane-1"

typedef struct ContainerDef {
    int float32;   /* 1: trajectories as 32-bit floats; default 0 */
    int compress;  /* deflate level 1..9 with shuffle; default 0: contiguous */
    int lean;      /* 1: leaves out what the reader computes again, and rounds the rest (container_lean.h); default 0 */
} ContainerDef;

ContainerDef container_default_def(void);

/* A clip file in memory. */
typedef struct ContainerImage {
    unsigned char *bytes; /* owned */
    size_t size;
} ContainerImage;

/* Encodes a clip. */
Status container_encode(const Clip *clip, const ContainerDef *def, ContainerImage *image, Error *err);

/* Writes the same bytes to a descriptor in order, which may be a pipe; uncompressed float64 arrays are written directly
 * from the clip, without a copy. */
Status container_write(const Clip *clip, const ContainerDef *def, int descriptor, Error *err);

/* Decodes a clip from bytes that this process has made. */
Status container_decode(const ContainerImage *image, Clip *out, Error *err);

/* Decodes untrusted bytes: checked first, then read in a child process with resource limits, so that a file that
 * crashes or hangs libhdf5 returns an error. warning (may be NULL): names of unknown groups that were dropped. */
Status container_decode_guarded(const ContainerImage *image, Clip *out, char *warning, size_t warning_size, Error *err);

/* Findings in a clip file, in the order of its datasets. */
typedef struct ContainerFindings {
    int count;
    Error found[32]; /* further ones are dropped */
} ContainerFindings;

/* Decodes like container_decode_guarded, but keeps only findings: missing or damaged arrays; if there are none, values
 * that are not finite and violations of container_check. */
Status container_inspect(const ContainerImage *image, ContainerFindings *findings, char *warning, size_t warning_size,
                         Error *err);

/* Return 1 if bytes, or a file (not a pipe, which can be read only once), begin like a clip file. */
int container_begins(const void *bytes, size_t size);
enum { CONTAINER_FIRST_BYTE = 0x89 }; /* not in any text */
int container_is_at(const char *path);

/* Returns 1 if a name is longer than, and ends in, ".h5", in any case. */
int container_has_ending(const char *name);

/* Loads libhdf5, which reading does otherwise: for a pipe, while the program that writes it is at work. */
void container_expect(void);

/* Reads the next clip from a stream of several. Returns STATUS_OK with image->size 0 at the end. */
Status container_next(FILE *stream, ContainerImage *image, Error *err);

/* Reads a whole file; takes no HDF5 lock. */
Status container_load(const char *path, ContainerImage *image, Error *err);

void container_image_free(ContainerImage *image);

#endif
