/* A contact sheet (thumbnails): frames of one clip side by side, or of two clips in alternating rows.
 *
 * Bones are lines: red on the left side of the body, blue on the right, grey in the middle. All frames have the same
 * viewing direction, slightly from above, with the hips centred over the ground and the time in seconds below. Two
 * clips are sampled at the same fractions of their length; each is drawn to its own height, or smaller if it would
 * leave its frames. A simulated scene is drawn with its shapes, springs, tendons, particles and contact forces from a
 * fixed camera, which follows only if they travel far. A clip with /tracking is drawn in its simulated motion, with the
 * ball where all of it is inside the frame. */
#ifndef KANE_PICTURE_CONTACT_GRID_H
#define KANE_PICTURE_CONTACT_GRID_H

#include <stdint.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* An RGB image and drawing operations: antialiased lines with round ends, boxes, small numbers. */

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

/* Directions of the view: right and up in the image, per m in the world. */
typedef struct GridView {
    Vec3 right, up;
} GridView;

/* Frames to draw of a clip with /shapes. */
typedef struct ScenePose {
    const Clip *clip;
    const Vec3 *position;    /* [frame][joint] m, world */
    const Quat *orientation; /* [frame][joint] joint to world */
    const int *shown;        /* [shown_count] frame indices */
    int shown_count;
    Vec3 paper;              /* background: red, green, blue, 0 to 1 */
} ScenePose;

/* Draws shapes, springs, tendons, particles and contact forces of each frame into a square of `pixels` with the upper
 * left corner [shown_count]; all at the same scale. */
Status scene_picture(const ScenePose *pose, const GridView *view, int pixels, const Spot *corner, Raster *out,
                     Error *err);

/* PNG output: 8-bit RGB, one deflate stream. Reference: the PNG specification (W3C, third edition). */

/* STATUS_IO if writing fails; the caller closes the stream. */
Status png_write(const Raster *raster, FILE *stream, Error *err);

typedef struct RowWriterDef {
    int frames;   /* per clip; default 12 */
    int columns;  /* default 6 */
    int size;     /* pixels, width and height of a frame; default 200 */
    double angle; /* degrees, viewing direction about the vertical: 0 from +z, 90 from +x; default 35 */
    const char *run; /* controller of /tracking, or "clip": the clip's own motion; NULL (default): the first of
                        /tracking, else the clip's own */
} RowWriterDef;

RowWriterDef row_writer_default_def(void);

/* *name: "clip", or the controller whose simulated motion is drawn. STATUS_USAGE if the clip has none of that name. */
Status contact_grid_run(const Clip *clip, const RowWriterDef *def, const char **name, Error *err);

/* Draws one clip or two, from skeletons, motions and /tracking. Free with raster_free. */
Status contact_grid_draw(const Clip *const *clip, int clip_count, const RowWriterDef *def, Raster *out, Error *err);

#endif
