/* See torque_covariance.h. */
#include "analysis/uncertainty/torque_covariance.h"

#include <math.h>

#include "analysis/base/arena.h"

/* What a torque is uncertain by, each with its size. */

#define TRUNK_ARM 0.15 /* m, from a joint of the trunk to the centre of what it carries */
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

Status torque_covariance_init(TorqueCovariance *s, int frame_count, int joint_count, Error *err)
{
    *s = (TorqueCovariance){.frame_count = frame_count, .joint_count = joint_count};
    s->covariance = array_new((size_t)frame_count, (size_t)joint_count, sizeof *s->covariance);
    return s->covariance ? STATUS_OK : error_no_memory(err);
}

void torque_covariance_free(TorqueCovariance *s)
{
    free(s->covariance);
    *s = (TorqueCovariance){0};
}

void torque_covariance_add_difference(TorqueCovariance *s, double scale, const Vec3 *a, const Vec3 *b)
{
    size_t count = (size_t)s->frame_count * (size_t)s->joint_count;
    for (size_t i = 0; i < count; i++)
        torque_covariance_add(s, i, vec3_scale(vec3_sub(a[i], b[i]), scale));
}

/* 0 where one of them does not vary. */
static double correlation(double covariance, double a, double b)
{
    return a > 0 && b > 0 ? fmax(-1, fmin(1, covariance / (a * b))) : 0;
}

Status torque_covariance_write(const TorqueCovariance *s, Dynamics *out, Error *err)
{
    Status status = out->torque_sd ? STATUS_OK : dynamics_add_spread(out, err);
    if (status)
        return status;
    for (int f = 0; f < s->frame_count; f++)
        for (int j = 1; j < s->joint_count; j++) {
            size_t at = torque_covariance_index(s, f, j);
            const Sym3 *c = &s->covariance[at];
            Vec3 sd = {sqrt(fmax(0, c->xx)), sqrt(fmax(0, c->yy)), sqrt(fmax(0, c->zz))}; /* rounding */
            out->torque_sd[at] = sd;
            out->torque_correlation[at] = (Vec3){correlation(c->xy, sd.x, sd.y), correlation(c->xz, sd.x, sd.z),
                                                 correlation(c->yz, sd.y, sd.z)};
        }
    return STATUS_OK;
}
