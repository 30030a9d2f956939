/* A contact sheet: so many frames of a clip side by side, or of two clips in rows one above the other.
 *
 * Bones are lines, the left side of the body red, the right one blue, the rest grey. Each frame is seen from the same
 * side of the world, a little from above, its hips in the middle over the ground; under it stands its time in seconds.
 * Clips of two are taken at the same parts of their length, and each is drawn to its own height, or smaller where it
 * would leave its frames. Of a clip with /tracking a simulated motion is drawn, with its ball where all of it is in the
 * frame. */
#ifndef KANE_FORMATS_CONTACT_SHEET_H
#define KANE_FORMATS_CONTACT_SHEET_H

#include "analysis/clip/clip.h"
#include "formats/picture/raster.h"

typedef struct SheetDef {
    int frames;   /* of each clip; default 12 */
    int columns;  /* default 6 */
    int size;     /* pixels of a frame's width and height; default 200 */
    double angle; /* degrees from which it is seen, about the vertical: 0 from +z, 90 from +x; default 35 */
    const char *run; /* controller of /tracking whose motion is drawn, or "clip": the clip's own; NULL (default): the
                        first of /tracking, the clip's own without one */
} SheetDef;

SheetDef sheet_default_def(void);

/* "clip", or the controller whose simulated motion is drawn. STATUS_USAGE where the clip has none of that name. */
Status contact_sheet_run(const Clip *clip, const SheetDef *def, const char **name, Error *err);

/* One clip or two; reads skeletons, motions and /tracking. Free with raster_free. */
Status contact_sheet_draw(const Clip *const *clip, int clip_count, const SheetDef *def, Raster *out, Error *err);

#endif
