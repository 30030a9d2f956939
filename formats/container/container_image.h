/* Opens HDF5 files in memory with libhdf5, without a copy and without file system access.
 *
 * Reference: libhdf5, "Virtual File Layer". */
#ifndef KANE_CONTAINER_CONTAINER_IMAGE_H
#define KANE_CONTAINER_CONTAINER_IMAGE_H

#include <hdf5.h>

#include "formats/container/container.h"

typedef struct ImageView {
    const ContainerImage *image;
    int is_short; /* 1: HDF5 failed for lack of memory */
    hid_t driver; /* of the open file */
} ImageView;

/* Opens an image read-only; image and view must outlive the file. Negative if it is not an HDF5 file. */
hid_t image_open(ImageView *view);
void image_close(ImageView *view, hid_t file);

/* Error reporting of libhdf5, which prints errors unless silenced. */
typedef struct ImageErrors {
    H5E_auto2_t report;
    void *data;
} ImageErrors;

ImageErrors image_errors_silence(void);
void image_errors_restore(ImageErrors errors);

/* Returns the end-of-file address in the first IMAGE_HEADER_SIZE bytes of a clip file; 0 if they are not of one. */
enum { IMAGE_HEADER_SIZE = 48 };
unsigned long long image_end(const unsigned char header[IMAGE_HEADER_SIZE]);

#endif
