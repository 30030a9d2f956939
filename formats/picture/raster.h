/* An RGB image and drawing operations: antialiased lines with round ends, boxes, small numbers; and PNG output. */
#ifndef KANE_PICTURE_RASTER_H
#define KANE_PICTURE_RASTER_H

#include <stdint.h>
#include <stdio.h>

#include "analysis/base/status.h"

typedef struct Colour {
    uint8_t r, g, b;
} Colour;

typedef struct Raster {
    int width, height;
    uint8_t *pixel; /* [height][width][3] owned */
} Raster;

/* Allocates an image filled with one colour. */
Status raster_init(Raster *out, int width, int height, Colour paper, Error *err);
void raster_free(Raster *r);

/* A point in pixels, y downwards; pixel centres are at half-integers. */
typedef struct Spot {
    double x, y;
} Spot;

/* Draw a line with round ends, or a box, clipped to the image. */
void raster_line(Raster *r, Spot from, Spot to, double width, Colour ink);

void raster_box(Raster *r, Spot corner, double width, double height, Colour ink);

/* Draws digits, '.', '-', 's' and spaces, each 4 by 6 units, from the upper left corner. Returns the x after the
 * text. */
double raster_text(Raster *r, Spot corner, double unit, const char *text, Colour ink);

/* Writes a PNG: 8-bit RGB, one deflate stream. STATUS_IO if writing fails; the caller closes the stream. Reference: the
 * PNG specification (W3C, third edition). */
Status png_write(const Raster *raster, FILE *stream, Error *err);

#endif
