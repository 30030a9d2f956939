/* A damped spring (docs/sources.md "The springs") that follows a rotation: makes a smooth desired motion of jumps and
 * coarse keys.
 *
 * The spring acts on the rotation vector from the target, in the target's frame of reference, and is exact for any time
 * step: as long as the target rests, n steps of dt are one of n dt. */
#ifndef KANE_CONTROL_FOLLOWER_H
#define KANE_CONTROL_FOLLOWER_H

#include "analysis/clip/motion.h"
#include "analysis/math/spring.h"

typedef struct Follower {
    Quat orientation;
    Vec3 angular_velocity; /* rad/s, in the axes that orientation leads to */
} Follower;

/* One step towards a resting target. */
void follower_advance(Follower *f, const SpringStep *step, Quat target);

/* Replaces every rotation of a motion, and the root's place, by that of a critically damped follower of `frequency` Hz
 * (undamped), which begins with the first frame at rest. Each frame takes one step towards its own target. */
void follower_apply(Motion *motion, double frequency);

#endif
