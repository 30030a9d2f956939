#include "analysis/uncertainty/torque_spread.h"

#include "analysis/base/memory.h"

Status torque_spread_init(TorqueSpread *s, int frame_count, int joint_count, Error *err)
{
    *s = (TorqueSpread){.frame_count = frame_count, .joint_count = joint_count};
    s->covariance = array_new((size_t)frame_count, (size_t)joint_count, sizeof *s->covariance);
    return s->covariance ? STATUS_OK : error_no_memory(err);
}

void torque_spread_free(TorqueSpread *s)
{
    free(s->covariance);
    *s = (TorqueSpread){0};
}

void torque_spread_add_difference(TorqueSpread *s, double scale, const Vec3 *a, const Vec3 *b)
{
    size_t count = (size_t)s->frame_count * (size_t)s->joint_count;
    for (size_t i = 0; i < count; i++)
        torque_spread_add(s, i, vec3_scale(vec3_sub(a[i], b[i]), scale));
}

/* 0 where one of them does not vary. */
static double correlation(double covariance, double a, double b)
{
    return a > 0 && b > 0 ? fmax(-1, fmin(1, covariance / (a * b))) : 0;
}

Status torque_spread_write(const TorqueSpread *s, Dynamics *out, Error *err)
{
    Status status = out->torque_sd ? STATUS_OK : dynamics_add_spread(out, err);
    if (status != STATUS_OK)
        return status;
    for (int f = 0; f < s->frame_count; f++)
        for (int j = 1; j < s->joint_count; j++) {
            size_t at = torque_spread_index(s, f, j);
            const Sym3 *c = &s->covariance[at];
            Vec3 sd = {sqrt(fmax(0, c->xx)), sqrt(fmax(0, c->yy)), sqrt(fmax(0, c->zz))}; /* rounding */
            out->torque_sd[at] = sd;
            out->torque_correlation[at] = (Vec3){correlation(c->xy, sd.x, sd.y), correlation(c->xz, sd.x, sd.z),
                                                 correlation(c->yz, sd.y, sd.z)};
        }
    return STATUS_OK;
}
