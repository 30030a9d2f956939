/* Follower of a rotation: a damped spring (docs/sources.md "The springs") that turns jumps and coarse keys into a
 * smooth reference.
 *
 * The spring acts on the rotation vector from the target, in the target's frame. It is exact for any time step: while
 * the target is at rest, n steps of dt equal one of n dt. */
#ifndef KANE_CONTROL_FOLLOWER_H
#define KANE_CONTROL_FOLLOWER_H

#include "analysis/clip/motion.h"
#include "analysis/signal/spring.h"

typedef struct Follower {
    Quat orientation;
    Vec3 angular_velocity; /* rad/s, in the axes that orientation maps to */
} Follower;

/* One step towards a target at rest. */
void follower_advance(Follower *f, const SpringStep *step, Quat target);

/* Replaces all rotations and the root position of a motion by damped followers of natural frequency `frequency`, Hz,
 * which start with the first frame at rest. Each frame is one step towards its own target. */
void follower_apply(Motion *motion, double frequency, double damping_ratio);

#endif
