/* What is compared of two poses before one motion continues as another: places and velocities of the joints, seen from
 * the body, and which feet are in contact.
 *
 * Reference: L. Kovar, M. Gleicher, F. Pighin, Motion Graphs (2002), whose clouds of points are compared after a
 * rotation about the vertical and a shift along the ground. */
#ifndef KANE_TRANSITION_POSE_FEATURES_H
#define KANE_TRANSITION_POSE_FEATURES_H

#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/math/quat.h"
#include "analysis/retarget/foot_contact.h"

typedef struct PoseFeatures {
    int frame_count;
    int point_count;        /* joints that are compared: those with roles or, if there are none, all */
    Vec3 *place, *velocity; /* [frame][point] m and m/s; x and z from the hips, in axes that turn with them, y world */
    const uint8_t *contact; /* [frame][foot] not owned; NULL: unknown */
    Quat north;             /* world orientation of the hips at heading 0: of the first frame of the first clip */
} PoseFeatures;

/* Reads skeleton and motion. first: the features that these are to be compared with; NULL: none. contact: not owned,
 * NULL: unknown. Allocates in the arena. */
Status pose_features_init(PoseFeatures *out, const ClipView *clip, const PoseFeatures *first,
                          const FootContact *contact, Arena *arena, Error *err);

/* RMS distance of the joints, m, in which 1 m/s counts as 0.1 m and a foot whose contact differs as 5 cm. Both have the
 * same skeleton. */
double pose_features_distance(const PoseFeatures *a, int frame, const PoseFeatures *b, int other);

#endif
