/* Markers of a laboratory, in the world of the clip and at its frames: group /markers of a clip file. */
#ifndef KANE_CLIP_MARKERS_H
#define KANE_CLIP_MARKERS_H

#include "analysis/base/status.h"
#include "analysis/math/vec.h"

typedef struct Markers {
    int frame_count, marker_count;
    char **name;    /* [marker] owned */
    Vec3 *position; /* [frame][marker] m, world axes; NaN: not seen */
} Markers;

/* Allocates zeroed arrays; the caller sets the names. */
Status markers_init(Markers *m, int frame_count, int marker_count, Error *err);
void markers_free(Markers *m);

#endif
