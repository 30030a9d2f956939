/* Causes of torque errors, with their standard deviations (spread_terms.h). */
#include "analysis/uncertainty/spread_terms.h"

#include <math.h>

#define TRUNK_ARM 0.15 /* m, from a joint of the trunk to the centre of mass beyond it */
#define FOOT_ARM 0.08  /* m, from the ankle down to the sole */

static const char *const names[SPREAD_TERM_COUNT] = {
    [SPREAD_JOINT_CENTRE] = "joint_centre",       [SPREAD_SEGMENT_CENTRE] = "segment_centre",
    [SPREAD_FOOT_CENTRE] = "foot_centre",
    [SPREAD_SEGMENT_MASS] = "segment_mass",       [SPREAD_FOOT_MASS] = "foot_mass",
    [SPREAD_CUTOFF] = "cutoff",                   [SPREAD_FILTER] = "filter",
    [SPREAD_NOISE] = "noise",
    [SPREAD_PRESSURE_ALONG] = "pressure_along",   [SPREAD_PRESSURE_SIDE] = "pressure_side",
    [SPREAD_STANCE_ALONG] = "stance_along",       [SPREAD_STANCE_SIDE] = "stance_side",
    [SPREAD_STANCE_TWIST] = "stance_twist",
    [SPREAD_LEAN_ALONG] = "lean_along",           [SPREAD_SHARE] = "share",
    [SPREAD_SHARE_ALONG] = "share_along",         [SPREAD_SHARE_SIDE] = "share_side",
    [SPREAD_TIME_SHORT] = "time_short",           [SPREAD_TIME_LONG] = "time_long",
    [SPREAD_FREE_MOMENT] = "free_moment",         [SPREAD_RESIDUAL_FORCE] = "residual_force",
    [SPREAD_RESIDUAL_MOMENT] = "residual_moment", [SPREAD_PLATE_PRESSURE] = "plate_pressure",
    [SPREAD_RESIDUAL_SHARE] = "residual_share",
};

void spread_terms_sizes(SpreadMethod method, double *size)
{
    for (int i = 0; i < spread_sizes_count; i++)
        size[spread_sizes[i].term] = method == SPREAD_FULL ? spread_sizes[i].full : spread_sizes[i].fast;
}

int spread_term_is_varied(SpreadTerm term)
{
    return term == SPREAD_SEGMENT_MASS || term == SPREAD_FOOT_MASS || term == SPREAD_NOISE || term == SPREAD_FILTER;
}

static void widen(double *size, double by) { *size = sqrt(*size * *size + by * by); }

void spread_terms_widen(double trunk, double foot, double *size)
{
    widen(&size[SPREAD_SEGMENT_CENTRE], trunk * TRUNK_ARM);
    widen(&size[SPREAD_FOOT_CENTRE], foot * FOOT_ARM);
    widen(&size[SPREAD_PRESSURE_ALONG], foot * FOOT_ARM);
    widen(&size[SPREAD_PRESSURE_SIDE], foot * FOOT_ARM);
}

const char *spread_term_name(SpreadTerm term)
{
    return names[term];
}
