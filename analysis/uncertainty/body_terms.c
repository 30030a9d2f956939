#include "analysis/uncertainty/body_terms.h"

#include "analysis/base/memory.h"
#include "analysis/contact/mass_equations.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "analysis/motion/smooth.h"
#include "analysis/uncertainty/body_masses.h"
#include "analysis/uncertainty/ground_terms.h"
#include "analysis/uncertainty/recording_noise.h"
#include "analysis/uncertainty/spread_terms.h"

/* m (a - g) of every segment in a frame: what its joint hands it, less what it hands on, and the loads on it. */
static void segment_demands(const SpreadCase *c, int frame, Vec3 *demand)
{
    const Dynamics *d = c->dynamics;
    const Loads *loads = c->loads;
    size_t row = (size_t)frame * (size_t)d->joint_count;
    for (int j = 0; j < d->joint_count; j++)
        demand[j] = d->force[row + (size_t)j];
    for (int j = 1; j < d->joint_count; j++) {
        Vec3 *parent = &demand[c->clip->skeleton->parent[j]];
        *parent = vec3_sub(*parent, d->force[row + (size_t)j]);
    }
    for (int l = 0; l < loads->load_count; l++) {
        Vec3 *loaded = &demand[loads->joint[l]];
        *loaded = vec3_add(*loaded, loads->force[(size_t)frame * (size_t)loads->load_count + (size_t)l]);
    }
}

/* A joint that turns elsewhere by d changes its torque by -d x F; a segment whose centre lies elsewhere by d changes
 * its own torque and those above by d x m (a - g), whose covariances add up from the tips inward. */
Status place_terms_add(const SpreadCase *c, TorqueSpread *out, Error *err)
{
    const Dynamics *dynamics = c->dynamics;
    const double *size = c->size;
    int joints = dynamics->joint_count;
    Arena arena = {0};
    Vec3 *demand = arena_array(&arena, (size_t)joints, 1, sizeof *demand);
    Sym3 *beyond = arena_array(&arena, (size_t)joints, 1, sizeof *beyond);
    if (arena.failed) {
        arena_free(&arena);
        return error_no_memory(err);
    }
    for (int f = 0; f < dynamics->frame_count; f++) {
        segment_demands(c, f, demand);
        for (int j = 0; j < joints; j++) {
            int is_foot = body_part_of(c->clip->skeleton->segment[j]) == PART_FOOT;
            double off = size[is_foot ? SPREAD_FOOT_CENTRE : SPREAD_SEGMENT_CENTRE];
            beyond[j] = sym3_point_inertia(off * off, demand[j]);
        }
        for (int j = joints - 1; j > 0; j--) {
            size_t at = torque_spread_index(out, f, j);
            Sym3 *above = &beyond[c->clip->skeleton->parent[j]];
            torque_spread_add_place(out, at, size[SPREAD_JOINT_CENTRE], dynamics->force[at]);
            out->covariance[at] = sym3_add(out->covariance[at], beyond[j]);
            *above = sym3_add(*above, beyond[j]);
        }
    }
    arena_free(&arena);
    return STATUS_OK;
}

/* Standard deviation of the angular acceleration, rad/s2, of white noise of an angle with unit standard deviation:
 * its density over frequency is 2 dt, and (2 pi f)^4 of it passes up to the cutoff. */
static double noise_acceleration(double frame_time, double cutoff)
{
    double turn = 2 * PI;
    return turn * turn * sqrt(2 * frame_time * cutoff / 5) * cutoff * cutoff;
}

/* Inertia about each joint of the limb beyond it, stretched out, kg m2. */
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

Status noise_term_add(const SpreadCase *c, TorqueSpread *out, Error *err)
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
            size_t at = torque_spread_index(out, f, j);
            out->covariance[at] =
                sym3_add(out->covariance[at], (Sym3){variance[j], variance[j], variance[j], 0, 0, 0});
        }
    free(variance);
    return STATUS_OK;
}

Status mass_terms_add(const SpreadCase *c, TorqueSpread *out, Error *err)
{
    InverseDynamicsDef def = inverse_dynamics_default_def();
    Dynamics changed = {0};
    Status status = STATUS_OK;
    if (!(c->size[SPREAD_SEGMENT_MASS] > 0 || c->size[SPREAD_FOOT_MASS] > 0))
        return STATUS_OK;
    def.lanes = c->filter.difference.lanes;
    for (int i = 0; i < MASS_GROUPS && status == STATUS_OK; i++) {
        Body body = {0};
        ClipView view = *c->clip;
        view.body = &body;
        status = body_copy(&body, c->clip->body, err);
        if (status == STATUS_OK) {
            body_masses_change(c->clip->skeleton, i, 1, c->size, &body);
            status = inverse_dynamics(&view, c->loads, &def, &changed, err);
        }
        if (status == STATUS_OK)
            torque_spread_add_difference(out, 1, changed.torque, c->dynamics->torque);
        body_free(&body);
    }
    dynamics_free(&changed);
    return status;
}

/* What the root lacks under another motion is borne by who bears: the torques above them change by it. */
static void bear_difference(const ClipView *clip, const Bearers *bearers, const Dynamics *from, Dynamics *to)
{
    for (int f = 0; f < to->frame_count; f++) {
        Vec3 lacking = vec3_sub(to->residual_force[f], from->residual_force[f]);
        for (int b = 0; b < bearers->count; b++)
            for (int j = bearers->bearer[b].joint; j > 0; j = clip->skeleton->parent[j]) {
                size_t at = (size_t)f * (size_t)to->joint_count + (size_t)j;
                Vec3 takes = bearer_takes(bearers, b, f, lacking, clip->kinematics->position[at]);
                to->torque[at] = vec3_add(to->torque[at], takes);
            }
    }
}

Status cutoff_term_add(const SpreadCase *c, const Bearers *bearers, TorqueSpread *out, Error *err)
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
    if (status == STATUS_OK)
        status = smooth_motion(&motion, &smooth, NULL, err);
    if (status == STATUS_OK)
        status = differentiate(&view, &c->filter.difference, &kinematics, err);
    if (status == STATUS_OK)
        status = inverse_dynamics(&view, c->loads, &def, &again, err);
    if (status == STATUS_OK) {
        bear_difference(clip, bearers, c->dynamics, &again);
        torque_spread_add_difference(out, c->size[SPREAD_CUTOFF], again.torque, c->dynamics->torque);
    }
    dynamics_free(&again);
    kinematics_free(&kinematics);
    motion_free(&motion);
    return status;
}
