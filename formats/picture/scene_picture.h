/* Draws frames of a simulated scene, or of a body as a mannequin. */
#ifndef KANE_PICTURE_SCENE_PICTURE_H
#define KANE_PICTURE_SCENE_PICTURE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/picture/raster.h"

/* Directions of the view: right and up in the image, per m in the world. */
typedef struct GridView {
    Vec3 right, up;
} GridView;

/* Where each figure of a body is in its image, and how large. */
typedef struct FigurePlace {
    const Vec3 *base; /* [shown_count] m, world: a point in the middle of the image ... */
    double below;     /* ... at this fraction of the image's side from the top */
    double scale;     /* pixels per m */
    const Vec3 *tint; /* [joint] colour of its segment: red, green, blue, 0 to 1 */
} FigurePlace;

/* Frames to draw of a clip: with /shapes, or as a mannequin (figure). */
typedef struct ScenePose {
    const Clip *clip;
    const Vec3 *position;    /* [frame][joint] m, world */
    const Quat *orientation; /* [frame][joint] joint to world */
    const int *shown;        /* [shown_count] frame indices */
    int shown_count;
    Vec3 paper;              /* background: red, green, blue, 0 to 1 */
    const FigurePlace *figure; /* NULL: a scene with its shapes */
} ScenePose;

/* Draws shapes, springs, tendons, particles and contact forces of each frame, or the mannequin, into a square of
 * `pixels` with the upper left corner [shown_count]; all at the same scale. Pixels without any stay as they are. */
Status scene_picture(const ScenePose *pose, const GridView *view, int pixels, const Spot *corner, Raster *out,
                     Error *err);

#endif
