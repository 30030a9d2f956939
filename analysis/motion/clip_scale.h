/* Scaling of a clip to a body of another size: geometric similarity, and dynamic similarity if time is scaled as well.
 * Lengths scale by L, masses by m, times by T, and thus accelerations of the path by L / T^2. With T = sqrt(L) this
 * factor is 1, as for gravity: all forces scale by m and all torques by m L (Froude's law; R. McN. Alexander, "The
 * gaits of bipedal and quadrupedal animals", Int. J. Robotics Research 3(2), 1984). m = L^3 gives torques that scale by
 * L^4. */
#ifndef KANE_MOTION_CLIP_SCALE_H
#define KANE_MOTION_CLIP_SCALE_H

#include "analysis/clip/clip.h"

typedef struct ClipScale {
    double length; /* L, > 0 */
    double mass;   /* m, > 0 */
    double time;   /* T, > 0 */
} ClipScale;

/* Scales offsets and end sites of the skeleton, root path and translations, the time axis, degrees of freedom, and
 * masses, COMs and inertias of the body, as far as present. Computed groups become stale and are not changed. */
void clip_scale(const ClipScale *scale, Clip *clip);

/* Scales measured external forces by the mass, positions by the length, and moments by both. */
void contact_scale(const ClipScale *scale, Contact *contact);

#endif
