/* See gains.h. */
#include "analysis/control/gains.h"

Gains gains_default(void) { return (Gains){.stiffness = 300, .integral_max = 1}; }

static double gain_or_default(double of_joint, double of_all) { return isnan(of_joint) ? of_all : of_joint; }

JointGains gains_of_joint(const Gains *g, int joint)
{
    JointGains of = {g->stiffness, g->damping, g->integral, 0};
    if (g->joint) {
        const JointGains *j = &g->joint[joint];
        of = (JointGains){gain_or_default(j->stiffness, of.stiffness), gain_or_default(j->damping, of.damping),
                          gain_or_default(j->integral, of.integral),
                          gain_or_default(j->torque_max, of.torque_max)};
    }
    of.stiffness *= 1 + g->change;
    of.damping *= sqrt(1 + g->change);
    of.integral *= 1 + g->change;
    return of;
}

int gains_integrate(const Gains *g, int joints)
{
    int any = g->integral > 0;
    for (int j = 0; g->joint && j < joints; j++)
        any |= g->joint[j].integral > 0;
    return any;
}
