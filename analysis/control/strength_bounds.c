/* See strength_bounds.h. */
#include "analysis/control/strength_bounds.h"

#include "analysis/angles/strength.h"
#include "analysis/base/standard_gravity.h"

/* Isometric extension of the neck, about 50 N m of men: fraction of body weight times stature. */
#define NECK_FRACTION 0.04

static double bound_of(const StrengthDef *people, double mass, double stature, Role role)
{
    if (role == ROLE_NECK || role == ROLE_HEAD)
        return NECK_FRACTION * mass * GRAVITY * stature;
    double largest = strength_largest(people, mass, stature, role == ROLE_CHEST ? ROLE_SPINE : role);
    return largest > 0 ? largest : strength_largest(people, mass, stature, ROLE_LEFT_KNEE);
}

void strength_bounds(const LumpedBody *lumped, const Skeleton *clip, double mass, double stature, double share,
                     double *torque_max)
{
    StrengthDef people = strength_default_def();
    people.people = STRENGTH_TRAINED;
    torque_max[0] = 0;
    for (int j = 1; j < lumped->skeleton.joint_count; j++)
        torque_max[j] = share * bound_of(&people, mass, stature, clip->role[lumped->source[j]]);
}
