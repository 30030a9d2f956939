/* The bytes behind an HDF5 file in memory. */
#ifndef KANE_FORMATS_IMAGE_BUFFER_H
#define KANE_FORMATS_IMAGE_BUFFER_H

#include <stddef.h>

#include "analysis/base/status.h"

/* For writing it is sized once; HDF5 grows it only where the estimate fell short. */
typedef struct ImageBuffer {
    unsigned char *bytes; /* zeroed */
    size_t capacity;
    int is_short; /* 1: HDF5 failed because there was no memory for it here */
} ImageBuffer;

Status image_buffer_init(ImageBuffer *buffer, size_t capacity, Error *err);
void image_buffer_free(ImageBuffer *buffer);

/* Grows the buffer to at least size bytes, new ones zero; 0 without memory. */
int image_buffer_hold(ImageBuffer *buffer, unsigned long long size);

#endif
