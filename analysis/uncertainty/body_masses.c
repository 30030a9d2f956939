#include "analysis/uncertainty/body_masses.h"

#include "analysis/contact/mass_fit.h"
#include "analysis/uncertainty/spread_terms.h"

static const BodyPart mass_groups[MASS_GROUPS][2] = {
    {PART_THIGH, PART_HAND}, {PART_SHANK, PART_FOREARM}, {PART_FOOT, PART_UPPER_ARM}, {PART_HEAD, PART_HEAD}};

static double mass_spread(BodyPart part, const double *size)
{
    for (int i = 0; i < part_spreads_count; i++)
        if (part_spreads[i].part == part)
            return part_spreads[i].spread * size[part == PART_FOOT ? SPREAD_FOOT_MASS : SPREAD_SEGMENT_MASS];
    return 0;
}

void body_masses_change(const Skeleton *skeleton, int group, double deviations, const double *size, Body *body)
{
    double added = 0, trunk = 0;
    MassFit change = {0};
    for (int i = 0; i < 2; i++)
        change.change[mass_groups[group][i]] = deviations * mass_spread(mass_groups[group][i], size);
    for (int j = 0; j < body->joint_count; j++) {
        BodyPart part = body_part_of(skeleton->segment[j]);
        added += part == PART_NONE ? 0 : change.change[part] * body->mass[j];
        trunk += part == PART_TRUNK ? body->mass[j] : 0;
    }
    if (trunk > 0)
        change.change[PART_TRUNK] = -added / trunk;
    mass_fit_apply(&change, skeleton, body);
}
