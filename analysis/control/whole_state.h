/* A body as a whole: its centre of mass, momenta and energy. World axes, SI units. */
#ifndef KANE_CONTROL_WHOLE_STATE_H
#define KANE_CONTROL_WHOLE_STATE_H

#include "analysis/clip/body.h"
#include "analysis/clip/joint_kinematics.h"

typedef struct WholeState {
    double mass;             /* kg */
    Vec3 com, velocity;      /* m, m/s */
    Vec3 spin;               /* kg m2/s, angular momentum about the centre of mass */
    double kinetic;          /* J */
} WholeState;

/* State in a frame of the kinematics of this body. */
WholeState whole_state(const Body *body, const Kinematics *k, int frame);

#endif
