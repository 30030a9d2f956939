/* HDF5 files in memory before libhdf5, which reads them without a copy and never asks the file system.
 *
 * Reference: libhdf5, "Virtual File Layer". */
#ifndef KANE_CONTAINER_CONTAINER_IMAGE_H
#define KANE_CONTAINER_CONTAINER_IMAGE_H

#include <hdf5.h>
#include <stddef.h>

#include "analysis/base/status.h"
#include "formats/container/container.h"

typedef struct ImageView {
    const ContainerImage *image;
    int is_short; /* 1: HDF5 failed because there was no memory here */
    hid_t driver; /* of the open file */
} ImageView;

/* Opens the bytes of an image read-only; both must outlive the file. Negative where they are no HDF5 file. */
hid_t image_open(ImageView *view);
void image_close(ImageView *view, hid_t file);

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
