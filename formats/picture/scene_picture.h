/* Draws frames of a simulated scene. */
#ifndef KANE_PICTURE_SCENE_PICTURE_H
#define KANE_PICTURE_SCENE_PICTURE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/picture/raster.h"

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

#endif
