/* The thesis's test body (figure 3.3): two cylinders in series on hinges about Z, with its references. Joint angles are
 * hinge angles; at zero both links lie along +X. */
#ifndef KANE_CONTROL_TWO_LINKS_H
#define KANE_CONTROL_TWO_LINKS_H

#include "analysis/clip/clip.h"

typedef enum TwoLinksScene { TWO_LINKS_STEADY, TWO_LINKS_MOVING, TWO_LINKS_SCENE_COUNT } TwoLinksScene;

#define TWO_LINKS_LENGTH 0.3    /* m */
#define TWO_LINKS_DIAMETER 0.07 /* m */
#define TWO_LINKS_MASS 1.54     /* kg, of each */
#define TWO_LINKS_HEIGHT 1.0    /* m, of the first hinge */

/* Creates skeleton, body and motion of `duration` s in steps of dt. The caller frees the clip. */
Status two_links_clip(TwoLinksScene scene, double duration, double dt, Clip *out, Error *err);

#endif
