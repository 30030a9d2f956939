/* Effects of errors in the motion on torques (motion_terms.h). */
#include "analysis/clip/dynamics.h"
#include "analysis/uncertainty/motion_terms.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"
#include "analysis/motion/smooth.h"
#include "analysis/signal/smoothing.h"
#include "analysis/uncertainty/recording_noise.h"
#include "analysis/uncertainty/spread_terms.h"

/* Standard deviation of the angular acceleration, rad/s2, of white noise of an angle with unit standard deviation:
 * its density over frequency is 2 dt, and (2 pi f)^4 of it passes up to the cutoff. */
static double noise_acceleration(double frame_time, double cutoff)
{
    double turn = 2 * PI;
    return turn * turn * sqrt(2 * frame_time * cutoff / 5) * cutoff * cutoff;
}

/* Inertia of the limb beyond each joint about that joint, limb straight, kg m2. */
static void stretched_inertia(const ClipView *clip, double *inertia)
{
    const Skeleton *s = clip->skeleton;
    const Body *body = clip->body;
    for (int j = 1; j < s->joint_count; j++) {
        double reach = vec3_norm(body->com[j]);
        const Sym3 *own = &body->inertia[j];
        for (int up = j; up > 0; up = s->parent[up]) {
            inertia[up] += body->mass[j] * reach * reach + fmax(own->xx, fmax(own->yy, own->zz));
            reach += vec3_norm(s->offset[up]);
        }
    }
}

/* Recording noise: white noise of every joint angle passes the filter and becomes an acceleration of the straight limb
 * beyond the joint. */
Status noise_term_add(const SpreadCase *c, TorqueCovariance *out, Error *err)
{
    const ClipView *clip = c->clip;
    int joints = out->joint_count;
    double passes = noise_cutoff(c->filter.cutoff, clip->motion->frame_time);
    double acceleration = c->size[SPREAD_NOISE] * noise_acceleration(clip->motion->frame_time, passes);
    double *variance = array_new((size_t)joints, 1, sizeof *variance);
    if (!variance)
        return error_no_memory(err);
    stretched_inertia(clip, variance);
    for (int j = 1; j < joints; j++)
        variance[j] *= acceleration * variance[j] * acceleration;
    for (int j = joints - 1; j > 0; j--)
        if (clip->skeleton->parent[j] > 0)
            variance[clip->skeleton->parent[j]] += variance[j];
    for (int f = 0; f < out->frame_count; f++)
        for (int j = 1; j < joints; j++) {
            Sym3 *sum = &out->covariance[torque_covariance_index(out, f, j)];
            sum->xx += variance[j];
            sum->yy += variance[j];
            sum->zz += variance[j];
        }
    free(variance);
    return STATUS_OK;
}

/* The change of the root's residual under another motion is applied to the loaded limbs; the torques above them change
 * by it. */
static void load_difference(const ClipView *clip, const LoadedLimbs *limbs, const Dynamics *from, Dynamics *to)
{
    for (int f = 0; f < to->frame_count; f++) {
        Vec3 lacking = vec3_sub(to->residual_force[f], from->residual_force[f]);
        for (int b = 0; b < limbs->count; b++) {
            int first = loaded_limb_share(limbs, b, f) > 0 ? limbs->limb[b].joint : 0;
            for (int j = first; j > 0; j = clip->skeleton->parent[j]) {
                size_t at = (size_t)f * (size_t)to->joint_count + (size_t)j;
                Vec3 takes = loaded_limb_takes(limbs, b, f, lacking, clip->kinematics->position[at]);
                to->torque[at] = vec3_add(to->torque[at], takes);
            }
        }
    }
}

/* Filter: the change of the accelerations, and of the ground forces with them, by a second pass. */
Status cutoff_term_add(const SpreadCase *c, const LoadedLimbs *limbs, TorqueCovariance *out, Error *err)
{
    const ClipView *clip = c->clip;
    InverseDynamicsDef def = inverse_dynamics_default_def();
    SmoothDef smooth = smooth_default_def();
    Motion motion = {0};
    Kinematics kinematics = {0};
    Dynamics again = {0};
    ClipView view = {clip->skeleton, clip->body, &motion, &kinematics};
    if (!(c->filter.cutoff > 0))
        return STATUS_OK;
    def.lanes = c->filter.difference.lanes;
    smooth.cutoff = c->filter.cutoff;
    Status status = motion_copy(&motion, clip->motion, err);
    if (!status)
        status = smooth_motion(&motion, &smooth, NULL, err);
    if (!status)
        status = differentiate(&view, &c->filter.difference, &kinematics, err);
    if (!status)
        status = inverse_dynamics(&view, c->loads, &def, &again, err);
    if (!status) {
        load_difference(clip, limbs, c->dynamics, &again);
        double max = c->size[SPREAD_CUTOFF_MAX] * clip->body->total_mass;
        torque_covariance_add_difference(out, c->size[SPREAD_CUTOFF], max, again.torque, c->dynamics->torque);
    }
    dynamics_free(&again);
    kinematics_free(&kinematics);
    motion_free(&motion);
    return status;
}
