/* The mirror image of what was computed from a motion: body, kinematics, contact, torques and anatomy of a clip.
 *
 * Places, velocities and forces are polar: their image is the reflection of the vector. Rates of rotation and torques
 * are axial: their image is the reflection reversed. Each joint takes that of its pair, so that the result is what the
 * stages make of the mirrored motion. Signs are exact: mirrored twice, a clip is what it was. */
#ifndef KANE_MOTION_MIRROR_COMPUTED_H
#define KANE_MOTION_MIRROR_COMPUTED_H

#include "analysis/clip/clip.h"
#include "analysis/motion/mirror.h"

/* Every group that the clip has but /tracking, /simulation and /particles, in place. Where a coordinate of /anatomy has
 * no counterpart on the other side, the group is dropped. */
Status mirror_computed(const Mirror *m, Clip *clip, Error *err);

#endif
