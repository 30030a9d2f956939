/* A contact sheet: so many frames of a clip side by side, or of two clips in rows one above the other.
 *
 * Bones are lines, the left side of the body red, the right one blue, the rest grey. Each frame is seen from the same
 * side of the world, a little from above, its hips in the middle over the ground; under it stands its time in seconds.
 * Clips of two are taken at the same parts of their length, and each is drawn to its own height, or smaller where it
 * would leave its frames. Of a simulated scene its shapes are drawn, with springs, tendons, particles and contact
 * forces, from a place that stands still unless they travel far. Of a clip with /tracking a simulated motion is drawn,
 * with its ball where all of it is in the frame. */
#ifndef KANE_PICTURE_CONTACT_GRID_H
#define KANE_PICTURE_CONTACT_GRID_H

#include <stdint.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* A picture of RGB pixels, and what is drawn into it: discs with smooth edges along lines, boxes, small numbers. */

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

/* Of a view: where a place lies in a frame, in metres to the right and up. */
typedef struct GridView {
    Vec3 right, up;
} GridView;

/* Frames of a clip with /shapes. */
typedef struct ScenePose {
    const Clip *clip;
    const Vec3 *position;    /* [frame][joint] m, world */
    const Quat *orientation; /* [frame][joint] joint to world */
    const int *shown;        /* [shown_count] frames */
    int shown_count;
    Vec3 paper;              /* red, green, blue, 0 to 1 */
} ScenePose;

/* Draws the shapes, springs, tendons, particles and contact forces of each shown frame into a square of so many pixels
 * with this upper left corner [shown_count]; all at one scale. */
Status scene_picture(const ScenePose *pose, const GridView *view, int pixels, const Spot *corner, Raster *out,
                     Error *err);

/* Pictures as PNG files: 8-bit RGB, one deflated stream. Reference: the PNG specification (W3C, third edition). */

/* STATUS_IO where the stream refuses; the caller closes it. */
Status png_write(const Raster *raster, FILE *stream, Error *err);

typedef struct RowWriterDef {
    int frames;   /* of each clip; default 12 */
    int columns;  /* default 6 */
    int size;     /* pixels of a frame's width and height; default 200 */
    double angle; /* degrees from which it is seen, about the vertical: 0 from +z, 90 from +x; default 35 */
    const char *run; /* controller of /tracking whose motion is drawn, or "clip": the clip's own; NULL (default): the
                        first of /tracking, the clip's own without one */
} RowWriterDef;

RowWriterDef row_writer_default_def(void);

/* "clip", or the controller whose simulated motion is drawn. STATUS_USAGE where the clip has none of that name. */
Status contact_grid_run(const Clip *clip, const RowWriterDef *def, const char **name, Error *err);

/* One clip or two; reads skeletons, motions and /tracking. Free with raster_free. */
Status contact_grid_draw(const Clip *const *clip, int clip_count, const RowWriterDef *def, Raster *out, Error *err);

#endif
