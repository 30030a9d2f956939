/* Pictures as PNG files: 8-bit RGB, one deflated stream. Reference: the PNG specification (W3C, third edition). */
#ifndef KANE_FORMATS_PNG_H
#define KANE_FORMATS_PNG_H

#include <stdio.h>

#include "formats/picture/raster.h"

/* STATUS_IO where the stream refuses; the caller closes it. */
Status png_write(const Raster *raster, FILE *stream, Error *err);

#endif
