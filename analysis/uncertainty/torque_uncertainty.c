/* Standard deviations of torques (torque_uncertainty.h). Long clips are processed in blocks, so that scratch memory
 * does not grow with them. */
#include "analysis/uncertainty/torque_uncertainty.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/vec.h"
#include "analysis/motion/kinematics.h"
#include "analysis/uncertainty/body_terms.h"
#include "analysis/uncertainty/ensemble.h"
#include "analysis/uncertainty/motion_terms.h"
#include "analysis/uncertainty/residual_term.h"

#define BLOCK_FRAMES 2048
#define BLOCK_MARGIN 0.6 /* s on either side: window of the residual, and reach of filters of 8 Hz and above */

UncertaintyDef uncertainty_default_def(SpreadMethod method)
{
    UncertaintyDef def = {.method = method, .ground = GROUND_NONE, .contact = contact_estimate_default_def(),
                          .filter = {.difference = difference_default_def()}};
    spread_terms_sizes(method, def.size);
    return def;
}

/* Without estimated forces there is nothing to re-estimate. */
static int uses_ensemble(const UncertaintyDef *def)
{
    return def->method == SPREAD_FULL && def->ground == GROUND_ESTIMATED;
}

/* Sizes of the linear terms: all but those that the ensemble varies. */
static void linear_sizes(const UncertaintyDef *def, double *size)
{
    for (int i = 0; i < SPREAD_SIZE_COUNT; i++)
        size[i] = uses_ensemble(def) && spread_term_is_varied((SpreadTerm)i) ? 0 : def->size[i];
}

/* Variances at hips, knees and ankles over the valid frames, by source; seen: total so far. */
typedef struct SourceSums {
    double variance[ERROR_SOURCE_COUNT], seen;
} SourceSums;

/* Attributes the variance added since the last call to this source. */
static void sums_add(SourceSums *sums, ErrorSource source, const SpreadCase *c, const TorqueCovariance *out)
{
    static const Role legs[] = {ROLE_LEFT_HIP,  ROLE_LEFT_KNEE,  ROLE_LEFT_ANKLE,
                                ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE};
    double all = 0;
    for (size_t i = 0; i < sizeof legs / sizeof *legs; i++) {
        int joint = skeleton_find_role(c->clip->skeleton, legs[i]);
        for (int f = 0; joint >= 0 && f < out->frame_count; f++) {
            const Sym3 *of = &out->covariance[torque_covariance_index(out, f, joint)];
            all += c->clip->kinematics->valid[f] ? of->xx + of->yy + of->zz : 0;
        }
    }
    sums->variance[source] += all - sums->seen;
    sums->seen = all;
}

static Status add_linear(const SpreadCase *c, const LoadedLimbs *limbs, GroundSource ground, TorqueCovariance *out,
                         SourceSums *sums, Error *err)
{
    ground_terms_add(c, limbs, ground, out);
    Status status = residual_term_add(c, ground, out, err);
    sums_add(sums, ERROR_CONTACT, c, out);
    if (!status)
        status = cutoff_term_add(c, limbs, out, err);
    sums_add(sums, ERROR_FILTER, c, out);
    if (!status)
        status = noise_term_add(c, out, err);
    sums_add(sums, ERROR_RECORDING, c, out);
    if (!status)
        status = body_terms_add(c, out, err);
    sums_add(sums, ERROR_BODY, c, out);
    return status;
}

static Status add_terms(const SpreadCase *c, const UncertaintyDef *def, TorqueCovariance *out, SourceSums *sums,
                        Error *err)
{
    const Loads none = {0};
    double size[SPREAD_SIZE_COUNT];
    SpreadCase linear = *c;
    Arena arena = {0};
    LoadedLimbs limbs;
    linear_sizes(def, size);
    linear.size = size;
    Status status = loaded_limbs_find(c->clip, def->ground_loads ? def->ground_loads : &none, &limbs, &arena, err);
    if (!status)
        status = add_linear(&linear, &limbs, def->ground, out, sums, err);
    if (!status && uses_ensemble(def))
        status = ensemble_add(c, &def->contact, def->ground_height, out, err);
    sums_add(sums, ERROR_CONTACT, c, out);
    arena_free(&arena);
    return status;
}

typedef struct Block {
    int first, last; /* frames of the block */
    int from, count; /* frames with margins */
} Block;

static Motion motion_rows(const Motion *m, Block b)
{
    Motion rows = *m;
    size_t skip = (size_t)b.from * (size_t)m->joint_count;
    rows.frame_count = b.count;
    rows.time += b.from;
    rows.root_position += b.from;
    rows.rotation += skip;
    rows.translation = m->translation ? m->translation + skip : NULL;
    return rows;
}

static Kinematics kinematics_rows(const Kinematics *k, Block b)
{
    size_t skip = (size_t)b.from * (size_t)k->joint_count;
    return (Kinematics){
        .frame_count = b.count, .joint_count = k->joint_count, .position = k->position + skip,
        .orientation = k->orientation + skip, .angular_velocity = k->angular_velocity + skip,
        .angular_acceleration = k->angular_acceleration + skip, .velocity = k->velocity + skip,
        .acceleration = k->acceleration + skip, .com = k->com ? k->com + b.from : NULL, .valid = k->valid + b.from};
}

static Loads loads_rows(const Loads *l, Block b)
{
    size_t skip = (size_t)b.from * (size_t)l->load_count;
    return (Loads){b.count, l->load_count, l->joint, l->force + skip, l->moment + skip};
}

static Dynamics dynamics_rows(const Dynamics *d, Block b)
{
    size_t skip = (size_t)b.from * (size_t)d->joint_count;
    return (Dynamics){.frame_count = b.count, .joint_count = d->joint_count, .torque = d->torque + skip,
                      .force = d->force + skip, .power = d->power + skip, .residual_force = d->residual_force + b.from,
                      .residual_torque = d->residual_torque + b.from, .torque_sd = d->torque_sd + skip,
                      .torque_correlation = d->torque_correlation + skip};
}

static Status add_block(const ClipView *clip, const Loads *loads, const UncertaintyDef *def, Block b,
                        Dynamics *dynamics, SourceSums *sums, Error *err)
{
    const Loads none = {0};
    Motion motion = motion_rows(clip->motion, b);
    Kinematics kinematics = kinematics_rows(clip->kinematics, b);
    Loads all = loads->load_count ? loads_rows(loads, b) : *loads;
    Loads ground_loads = def->ground_loads && def->ground_loads->load_count ? loads_rows(def->ground_loads, b) : none;
    Dynamics rows = dynamics_rows(dynamics, b);
    ClipView view = {clip->skeleton, clip->body, &motion, &kinematics};
    UncertaintyDef of_rows = *def;
    of_rows.ground_loads = &ground_loads;
    SpreadCase of = {&view, &all, &rows, of_rows.size, of_rows.filter};
    TorqueCovariance spread;
    sums->seen = 0;
    Status status = torque_covariance_init(&spread, rows.frame_count, rows.joint_count, err);
    if (!status)
        status = add_terms(&of, &of_rows, &spread, sums, err);
    if (!status)
        torque_covariance_write(&spread, b.first - b.from, b.last - b.from, def->size[SPREAD_SCALE], &rows);
    torque_covariance_free(&spread);
    return status;
}

Status torque_uncertainty(const ClipView *clip, const Loads *loads, const UncertaintyDef *def, Dynamics *dynamics,
                          Error *err)
{
    int frames = dynamics->frame_count, block = uses_ensemble(def) ? frames : BLOCK_FRAMES;
    double reach = def->filter.cutoff > 0 ? fmax(BLOCK_MARGIN, 8 * BLOCK_MARGIN / def->filter.cutoff) : BLOCK_MARGIN;
    int margin = (int)fmin(frames, ceil(reach / clip->motion->frame_time));
    SourceSums sums = {0};
    double all = 0;
    Status status = dynamics->torque_sd ? STATUS_OK : dynamics_add_spread(dynamics, err);
    for (int f = 0; f < frames && !status; f += block) {
        int last = f + block < frames ? f + block - 1 : frames - 1;
        int from = f > margin ? f - margin : 0, to = last + margin < frames ? last + margin : frames - 1;
        status = add_block(clip, loads, def, (Block){f, last, from, to - from + 1}, dynamics, &sums, err);
    }
    for (int i = 0; i < ERROR_SOURCE_COUNT; i++)
        all += sums.variance[i];
    for (int i = 0; i < ERROR_SOURCE_COUNT; i++)
        dynamics->error_source[i] = all > 0 ? fmax(0, sums.variance[i]) / all : 0;
    return status;
}
