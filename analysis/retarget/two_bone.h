/* Inverse kinematics of two bones in closed form: bend the middle joint until the end is as far as it should be, then
 * swing the whole towards it. */
#ifndef KANE_RETARGET_TWO_BONE_H
#define KANE_RETARGET_TWO_BONE_H

#include "analysis/math/quat.h"

typedef struct TwoBone {
    Vec3 root, middle, end; /* m, world: hip, knee, ankle or shoulder, elbow, wrist */
    Vec3 hinge;             /* world, about: the axis about which the middle joint bends, for a straight limb */
} TwoBone;

typedef struct TwoBoneTurn {
    Quat root, middle; /* world turns of the upper bone, and of the lower one (root's included) */
} TwoBoneTurn;

/* Distance at which a limb of this length is held that should reach `distance`: the distance itself up to `straight`
 * (of the length, below 1), then ever less, so that the limb never snaps straight. */
double two_bone_soft_reach(double distance, double length, double straight);

/* The turns that bring the end to target, as far as the bones reach. */
TwoBoneTurn two_bone_solve(const TwoBone *limb, Vec3 target, double straight);

#endif
