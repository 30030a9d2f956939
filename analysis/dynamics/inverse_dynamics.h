/* Joint torques from motion: the thesis's two-pass recursion (3.41, 3.46) for a floating base, with the gyroscopic
 * moment and external couples that it leaves out (docs/sources.md "Errata"). */
#ifndef KANE_DYNAMICS_INVERSE_DYNAMICS_H
#define KANE_DYNAMICS_INVERSE_DYNAMICS_H

#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/dynamics.h"
#include "analysis/dynamics/loads.h"
#include "analysis/math/lane_width.h"

/* Standard gravity, m/s2, along -Y of the world. */
#define GRAVITY 9.80665

typedef struct InverseDynamicsDef {
    Vec3 gravity;    /* m/s2, world; default (0, -GRAVITY, 0) */
    LaneWidth lanes; /* default LANES_AUTO; every width gives the same bits */
} InverseDynamicsDef;

InverseDynamicsDef inverse_dynamics_default_def(void);

/* Fills *out, which is empty or holds the result of an earlier call: arrays of the right size are used again.
 * Reads all of the clip: rotation, root_position and translation of the motion and angular velocity, angular
 * acceleration and the root's velocity and acceleration of the kinematics; poses in between are never stored. The
 * residual's moment is about their COM, or that of their poses where they have none. Where
 * joints translate, the acceleration and velocity of every joint come from the kinematics too. loads may be NULL or
 * empty. */
Status inverse_dynamics(const ClipView *clip, const Loads *loads, const InverseDynamicsDef *def, Dynamics *out,
                        Error *err);

#endif
