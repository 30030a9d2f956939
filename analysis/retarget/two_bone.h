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

/* Axis about which the lower bone bends: normal to both bones, helped by the known hinge where they are nearly in line;
 * unit, normal to the upper bone. */
Vec3 two_bone_axis(Vec3 upper, Vec3 lower, Vec3 hinge);

/* Ratio of distance to length at which a limb is held that should reach `ratio`: the ratio itself up to `straight`,
 * then ever less, never more than straight + room, so that the limb does not snap straight. */
double two_bone_soft_ratio(double ratio, double straight, double room);

/* The turns that bring the end into the direction of target, `reach` away from the root or as near to that as the bones
 * allow. */
TwoBoneTurn two_bone_solve(const TwoBone *limb, Vec3 target, double reach);

#endif
