/* A picture of RGB pixels, and what is drawn into it: discs with smooth edges along lines, boxes, small numbers. */
#ifndef KANE_FORMATS_RASTER_H
#define KANE_FORMATS_RASTER_H

#include <stdint.h>

#include "analysis/base/status.h"

typedef struct Colour {
    uint8_t r, g, b;
} Colour;

typedef struct Raster {
    int width, height;
    uint8_t *pixel; /* [height][width][3] owned */
} Raster;

/* Filled with one colour. */
Status raster_init(Raster *out, int width, int height, Colour paper, Error *err);
void raster_free(Raster *r);

/* A point in pixels, y downwards; pixel centres lie at halves. */
typedef struct Spot {
    double x, y;
} Spot;

/* A line with round ends; what lies outside the picture is cut. */
void raster_line(Raster *r, Spot from, Spot to, double width, Colour ink);

void raster_box(Raster *r, Spot corner, double width, double height, Colour ink);

/* Digits, '.', '-', 's' and spaces, each 4 by 6 units; the corner is the upper left one. Returns the x behind it. */
double raster_text(Raster *r, Spot corner, double unit, const char *text, Colour ink);

#endif
