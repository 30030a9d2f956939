/* HDF5 files in memory, in a buffer that this project owns, so that no copy is made at close.
 *
 * A file driver of its own lets libhdf5 write its metadata there and clear nothing, read without a copy and never ask
 * the file system: the core driver of libhdf5 would clear the whole file once more at close, which for a container of
 * 400 MB costs more than all the rest. Reference: libhdf5, "Virtual File Layer"; the features are those of the core
 * driver, so that the bytes are the same as its. */
#ifndef KANE_CONTAINER_CONTAINER_IMAGE_H
#define KANE_CONTAINER_CONTAINER_IMAGE_H

#include <hdf5.h>
#include <stddef.h>

#include "analysis/base/status.h"
#include "formats/container/container.h"

/* For writing it is sized once; HDF5 grows it only where the estimate fell short. */
typedef struct ImageBuffer {
    unsigned char *bytes; /* zeroed */
    size_t capacity;
    int is_short; /* 1: HDF5 failed because there was no memory for it here */
    hid_t driver; /* of the open file */
} ImageBuffer;

Status image_buffer_init(ImageBuffer *buffer, size_t capacity, Error *err);
void image_buffer_free(ImageBuffer *buffer);

/* Grows the buffer to at least size bytes, new ones zero; 0 without memory. */
int image_buffer_hold(ImageBuffer *buffer, unsigned long long size);

/* Creates an empty file in the buffer, which must outlive it. Negative on failure. */
hid_t image_create(ImageBuffer *buffer, hid_t creation_properties);

/* Closes a file that was created or opened here; negative where HDF5 could not write it. */
int image_close(ImageBuffer *buffer, hid_t file);

/* After image_close: cuts the buffer to the end-of-file address of the superblock and hands it over. */
Status image_take(ImageBuffer *buffer, ContainerImage *image, Error *err);

/* Opens the bytes of a view read-only, without copying them; both must outlive the file. Negative where they are no
 * HDF5 file. */
hid_t image_open(ImageBuffer *view);

/* What libhdf5 would do with its errors: it prints them unless it is silenced. */
typedef struct ImageErrors {
    H5E_auto2_t report;
    void *data;
} ImageErrors;

ImageErrors image_errors_silence(void);
void image_errors_restore(ImageErrors errors);

/* End-of-file address in the first IMAGE_HEADER_SIZE bytes of a container; 0 where they are none. */
enum { IMAGE_HEADER_SIZE = 48 };
unsigned long long image_end(const unsigned char header[IMAGE_HEADER_SIZE]);

#endif
