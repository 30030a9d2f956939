/* Effect of the residual on torques (residual_term.h). */
#include "analysis/uncertainty/residual_term.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/base/standard_gravity.h"
#include "analysis/math/vec.h"
#include "analysis/uncertainty/spread_terms.h"

#define RESIDUAL_TIME 0.5 /* s, on either side of a frame */
#define STATURE 1.7       /* m, used if the stature is unknown */

/* Square of the ratio of the residual moment about the COM to m g stature / 2. */
static double residual_square(const ClipView *clip, const Dynamics *d, int frame)
{
    double stature = clip->body->stature > 0 ? clip->body->stature : STATURE;
    double unit = 0.5 * stature * clip->body->total_mass * GRAVITY;
    Vec3 moment = d->residual_torque[frame];
    return unit > 0 ? vec3_dot(moment, moment) / (unit * unit) : 0;
}

Status residual_ratio(const ClipView *clip, const Dynamics *d, double *ratio, Error *err)
{
    int frames = d->frame_count, reach = (int)(RESIDUAL_TIME / clip->motion->frame_time);
    double *sum = array_new((size_t)frames + 1, 2, sizeof *sum);
    if (!sum)
        return error_no_memory(err);
    double *count = sum + frames + 1;
    for (int f = 0; f < frames; f++) {
        int valid = clip->kinematics->valid[f] != 0;
        sum[f + 1] = sum[f] + (valid ? residual_square(clip, d, f) : 0);
        count[f + 1] = count[f] + valid;
    }
    for (int f = 0; f < frames; f++) {
        int from = f > reach ? f - reach : 0, to = f + reach + 1 < frames ? f + reach + 1 : frames;
        double seen = count[to] - count[from];
        ratio[f] = seen > 0 ? sqrt(fmin(1, (sum[to] - sum[from]) / seen)) : 0;
    }
    free(sum);
    return STATUS_OK;
}

Status residual_term_add(const SpreadCase *c, GroundSource ground, TorqueCovariance *out, Error *err)
{
    if (ground != GROUND_ESTIMATED || !(c->size[SPREAD_RESIDUAL_SHARE] > 0))
        return STATUS_OK;
    double *ratio = array_new((size_t)out->frame_count, 1, sizeof *ratio);
    Status status = ratio ? residual_ratio(c->clip, c->dynamics, ratio, err) : error_no_memory(err);
    for (int f = 0; f < out->frame_count && !status; f++)
        for (int j = 1; j < out->joint_count; j++) {
            size_t at = torque_covariance_index(out, f, j);
            double size = c->size[SPREAD_RESIDUAL_SHARE] * ratio[f];
            double variance = size * size * vec3_dot(c->dynamics->torque[at], c->dynamics->torque[at]);
            out->covariance[at] = sym3_add(out->covariance[at], (Sym3){variance, variance, variance, 0, 0, 0});
        }
    free(ratio);
    return status;
}
