/* An HDF5 file driver over bytes of this project: HDF5 writes its metadata there and clears nothing, reads without a
 * copy and never asks the file system.
 *
 * The core driver of libhdf5 would clear the whole file once more at close, which for a container of 400 MB costs more
 * than all the rest. Reference: libhdf5, "Virtual File Layer"; the features are those of the core driver, so that the
 * bytes are the same as its. */
#ifndef KANE_FORMATS_IMAGE_DRIVER_H
#define KANE_FORMATS_IMAGE_DRIVER_H

#include <hdf5.h>

#include "formats/container/image_buffer.h"

/* Lets files that are created or opened with these access properties live in buffer, which must outlive them. The
 * driver's id is the caller's to give to H5FDunregister once the file is open; negative on failure. */
hid_t image_driver_set(hid_t access_properties, ImageBuffer *buffer);

#endif
