/* Toes of a simulated body: they move with the foot, whose rigid sole carries them, and bend where the ground is. */
#ifndef KANE_CONTROL_TOE_HINGE_H
#define KANE_CONTROL_TOE_HINGE_H

#include "analysis/control/footing.h"
#include "analysis/control/lumped_body.h"

/* A toe joint without weight of its own. */
typedef struct ToeHinge {
    int joint, last; /* of the clip, and the last one beyond it; joints of a toe follow each other */
    int foot;      /* simulated body that carries it */
    Vec3 tip;      /* m, the farthest point beyond it, in axes of the foot */
    double radius; /* m, of that point from the joint */
} ToeHinge;

typedef struct ToeHinges {
    int count;
    ToeHinge toe[2];
} ToeHinges;

/* The toes of a clip's skeleton whose joints are carried by a foot. */
ToeHinges toe_hinges(const LumpedBody *lumped, const Skeleton *clip);

/* Rotation in the world, about its joint, that lifts the tip of a toe onto the ground; none for a tip that is above. */
Quat toe_bend(const ToeHinge *toe, const LumpedBody *lumped, const Footing *ground, const Kinematics *state);

#endif
