/* Covariance of every joint torque (torque_covariance.h). */
#include "analysis/clip/dynamics.h"
#include "analysis/uncertainty/torque_covariance.h"

#include <stdlib.h>

#include "analysis/base/arena.h"

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

void torque_covariance_add_difference(TorqueCovariance *s, double scale, double max, const Vec3 *a, const Vec3 *b)
{
    size_t count = (size_t)s->frame_count * (size_t)s->joint_count;
    CovarianceDifferences *add = LANE_TWIN(covariance_differences, lane_width_choose(LANES_AUTO));
    size_t left = add(scale, max, a, b, count, s->covariance);
    covariance_differences_scalar(scale, max, a + left, b + left, count - left, s->covariance + left);
}

void torque_covariance_write(const TorqueCovariance *s, int first, int last, double scale, Dynamics *out)
{
    int joints = s->joint_count - 1;
    CovarianceSpreads *write = LANE_TWIN(covariance_spreads, lane_width_for_frames(LANES_AUTO, joints));
    for (int f = first; f <= last && joints > 0; f++) {
        size_t at = torque_covariance_index(s, f, 1);
        write(&s->covariance[at], scale, (size_t)joints, &out->torque_sd[at], &out->torque_correlation[at]);
    }
}
