/* A contact sheet (thumbnails): frames of one clip side by side, or of two clips in alternating rows.
 *
 * Bodies are mannequins, which show the way they face, or bones as lines: red on the left side of the body, blue on the
 * right, grey in the middle. Joints above the hips are no part of the body. All frames have the same
 * viewing direction, slightly from above, with the hips centred over the ground and the time in seconds below. Two
 * clips are sampled at the same fractions of their length; each is drawn to its own height, or smaller if it would
 * leave its frames. A simulated scene is drawn with its shapes, springs, tendons, particles and contact forces from a
 * fixed camera, which follows only if they travel far. A clip with /tracking is drawn in its simulated motion, with the
 * ball where all of it is inside the frame. */
#ifndef KANE_PICTURE_CONTACT_GRID_H
#define KANE_PICTURE_CONTACT_GRID_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/picture/raster.h"

typedef enum FigureStyle { FIGURE_MANNEQUIN = 0, FIGURE_LINES } FigureStyle;

typedef struct RowWriterDef {
    int frames;   /* per clip; default 12 */
    int columns;  /* default 6 */
    int size;     /* pixels, width and height of a frame; default 200 */
    double angle; /* degrees, viewing direction about the vertical: 0 from +z, 90 from +x; default 35 */
    int style;    /* FigureStyle; default FIGURE_MANNEQUIN */
    const char *run; /* controller of /tracking, or "clip": the clip's own motion; NULL (default): the first of
                        /tracking, else the clip's own */
} RowWriterDef;

RowWriterDef row_writer_default_def(void);

/* *name: "clip", or the controller whose simulated motion is drawn. STATUS_USAGE if the clip has none of that name. */
Status contact_grid_run(const Clip *clip, const RowWriterDef *def, const char **name, Error *err);

/* Draws one clip or two, from skeletons, motions and /tracking. Free with raster_free. */
Status contact_grid_draw(const Clip *const *clip, int clip_count, const RowWriterDef *def, Raster *out, Error *err);

#endif
