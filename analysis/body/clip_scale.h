/* The same clip of a body of another size: geometric similarity, and dynamic similarity where time is scaled as well.
 *
 * Lengths scale by L, masses by m, times by T. Accelerations of the path then scale by L / T^2, and where T is the root
 * of L that is 1, as for gravity: all forces scale by m and all torques by m L (Froude's law; R. McN. Alexander, "The
 * gaits of bipedal and quadrupedal animals", Int. J. Robotics Research 3(2), 1984). m = L^3 gives torques of L^4. */
#ifndef KANE_BODY_CLIP_SCALE_H
#define KANE_BODY_CLIP_SCALE_H

#include "analysis/clip/clip.h"

typedef struct ClipScale {
    double length; /* L, above 0 */
    double mass;   /* m, above 0 */
    double time;   /* T, above 0 */
} ClipScale;

/* Offsets and end sites of the skeleton, path and translations, the time axis; masses, centres of mass and inertias of
 * the segments where there is a body. What is computed from them is stale then, and not touched. */
void clip_scale(const ClipScale *scale, Clip *clip);

/* Measured forces of the surroundings grow with the weight, their points and couples with the body. */
void contact_scale(const ClipScale *scale, Contact *contact);

#endif
