/* Closed-form inverse kinematics of two bones: bends the middle joint until the end has the required distance, then
 * rotates the whole limb towards the target. */
#ifndef KANE_RETARGET_TWO_BONE_H
#define KANE_RETARGET_TWO_BONE_H

#include "analysis/math/quat.h"

typedef struct TwoBone {
    Vec3 root, middle, end; /* m, world: hip, knee, ankle or shoulder, elbow, wrist */
    Vec3 hinge;             /* world: approximate bend axis of the middle joint, used for a straight limb */
} TwoBone;

typedef struct TwoBoneRotation {
    Quat root, middle; /* world rotations of the upper bone and of the lower bone (including root) */
} TwoBoneRotation;

/* Axis about which the lower bone bends, unit and normal to the upper bone: the normal of both bones, blended with the
 * given hinge where the bones are nearly in line. */
Vec3 two_bone_axis(Vec3 upper, Vec3 lower, Vec3 hinge);

/* Ratio of distance to length for a limb whose target is at `ratio`: the ratio itself up to `straight`, then compressed
 * below straight + room, so that the limb does not snap straight. */
double two_bone_soft_ratio(double ratio, double straight, double room);

/* Returns the rotations that bring the end into the direction of target, at the distance `reach` from the root or as
 * near to it as the bones permit. */
TwoBoneRotation two_bone_solve(const TwoBone *limb, Vec3 target, double reach);

#endif
