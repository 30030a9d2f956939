/* Mechanical energy and momentum of the whole body: what forces change, and the check of powers. */
#ifndef KANE_DYNAMICS_ENERGY_H
#define KANE_DYNAMICS_ENERGY_H

#include "analysis/clip/body.h"
#include "analysis/clip/kinematics.h"

typedef struct Energy {
    double kinetic;        /* J */
    double potential;      /* J, zero with the COM at the world origin */
    Vec3 momentum;         /* kg m/s */
    Vec3 angular_momentum; /* kg m2/s, about the world origin */
} Energy;

/* Of one frame; gravity in m/s2, world. */
Energy energy_of_frame(const Body *body, const Kinematics *kinematics, Vec3 gravity, int frame);

#endif
