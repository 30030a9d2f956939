/* See torque_uncertainty.h. */
#include "analysis/uncertainty/torque_uncertainty.h"

#include "analysis/motion/smooth.h"

#include <stdint.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/contact/contact_constants.h"
#include "analysis/contact/contact_spread.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "analysis/motion/kinematics.h"
#include "analysis/uncertainty/torque_covariance.h"

/* Recording noise, reproducible. */

#define ROOT_SWING 0.5 /* m */

double noise_cutoff(double cutoff, double frame_time)
{
    return fmin(cutoff > 0 ? cutoff : NOISE_CUTOFF, 0.45 / frame_time);
}

/* Uniform number in [-sqrt 3, sqrt 3), with mean 0 and variance 1: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
static double next_noise(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return 1.7320508075688772 * ((double)(z >> 11) * 0x1p-52 - 1);
}

static Vec3 next_vector(uint64_t *state, double size)
{
    double x = next_noise(state), y = next_noise(state), z = next_noise(state);
    return (Vec3){size * x, size * y, size * z};
}

/* Small rotations, and the path of a root at rest. */
static void fill_noise(double size, uint64_t state, Motion *noise)
{
    size_t count = (size_t)noise->frame_count * (size_t)noise->joint_count;
    for (size_t i = 0; i < count; i++) {
        Vec3 half = next_vector(&state, 0.5 * size);
        noise->rotation[i] = quat_normalize((Quat){1, half.x, half.y, half.z});
    }
    for (int f = 0; f < noise->frame_count; f++)
        noise->root_position[f] = next_vector(&state, ROOT_SWING * size);
}

Status recording_noise_add(double size, double cutoff, int number, Motion *motion, Error *err)
{
    SmoothDef smooth = smooth_default_def();
    Motion noise = {0};
    smooth.cutoff = noise_cutoff(cutoff, motion->frame_time);
    Status status = motion_init(&noise, motion->frame_count, motion->joint_count, motion->frame_time, 0, err);
    if (!status) {
        fill_noise(size, (uint64_t)number + 1, &noise);
        status = smooth_motion(&noise, &smooth, NULL, err);
    }
    for (int f = 0; f < motion->frame_count && !status; f++) {
        motion->root_position[f] = vec3_add(motion->root_position[f], noise.root_position[f]);
        for (int j = 0; j < motion->joint_count; j++) {
            size_t at = motion_index(motion, f, j);
            motion->rotation[at] = quat_mul(motion->rotation[at], noise.rotation[at]);
        }
    }
    motion_free(&noise);
    return status;
}

/* Ground forces re-estimated for an ensemble of people and recordings, and the resulting torques. */

#define GROUND_SPREAD 0.005   /* m: error of the heights of soles and floor */
#define FRICTION_SPREAD 0.2
/* Tolerances of a member's forces; they change standard deviations by 0.05 % RMS (jump repeated 30 times). */
#define MEMBER_TOLERANCE 1e-4 /* body weights */
#define MEMBER_OVERLAP 1.0    /* s */

/* Input that each column changes. */
enum { COLUMN_PASS, COLUMN_ALONG, COLUMN_SIDE, COLUMN_PUSH, COLUMN_PRESSURE, COLUMN_PRESSURE_SIDE, COLUMN_FILTER };

static const struct {
    const char *constant; /* row of data/contact_spread.tsv */
    int column;
} contact_columns[] = {
    {"pass_time", COLUMN_PASS},        {"walk_lean", COLUMN_ALONG},       {"run_lean", COLUMN_ALONG},
    {"walk_side_lean", COLUMN_SIDE},   {"run_side_lean", COLUMN_SIDE},    {"stand_push", COLUMN_PUSH},
    {"pressure_at", COLUMN_PRESSURE},  {"pressure_side", COLUMN_PRESSURE_SIDE},
};

static const int mass_columns[MASS_GROUPS] = {COLUMN_SIDE, COLUMN_ALONG, COLUMN_PUSH, COLUMN_PASS};

int ensemble_level(int member, int column)
{
    int sign = 1;
    for (int bits = member & (column + 1); bits; bits &= bits - 1)
        sign = -sign;
    return sign;
}

/* One member, and the data shared by all. */
typedef struct Member {
    int number;
    Motion filtered;      /* the clip's motion after a second pass of the filter */
    Motion motion;
    Body body;
    Kinematics kinematics;
    ContactConstants constants;
    Contact contact;
    Loads loads;
    Dynamics dynamics;
    Vec3 *sum;            /* [frame][joint] of the differences from the clip's torques */
} Member;

static void vary_constants(int member, const ContactConstants *from, ContactConstants *out)
{
    double deviate[sizeof(ContactSpread) / sizeof(double)] = {0};
    for (int i = 0; i < contact_spread_count; i++)
        for (size_t k = 0; k < sizeof contact_columns / sizeof *contact_columns; k++)
            if (!strcmp(contact_spread_list[i].name, contact_columns[k].constant))
                deviate[i] = ensemble_level(member, contact_columns[k].column);
    contact_constants_vary(from, deviate, out);
}

/* Extrapolates away from the filtered motion or towards it: x + part (x - filtered x). */
static void vary_filter(double part, const Motion *filtered, Motion *motion)
{
    size_t frames = (size_t)motion->frame_count, count = frames * (size_t)motion->joint_count;
    for (size_t f = 0; f < frames; f++) {
        Vec3 *p = &motion->root_position[f];
        *p = vec3_mad(*p, part, vec3_sub(*p, filtered->root_position[f]));
    }
    for (size_t i = 0; i < count; i++) {
        Quat q = motion->rotation[i], s = quat_nearest(filtered->rotation[i], q);
        Quat away = {q.w + part * (q.w - s.w), q.x + part * (q.x - s.x), q.y + part * (q.y - s.y),
                     q.z + part * (q.z - s.z)};
        motion->rotation[i] = quat_normalize(away);
    }
}

static Status make_motion(const SpreadCase *c, Member *m, Error *err)
{
    Status status = motion_copy(&m->motion, c->clip->motion, err);
    if (!status && c->filter.cutoff > 0)
        vary_filter(ensemble_level(m->number, COLUMN_FILTER) * c->size[SPREAD_FILTER], &m->filtered, &m->motion);
    if (!status)
        status = recording_noise_add(c->size[SPREAD_NOISE], c->filter.cutoff, m->number, &m->motion, err);
    return status;
}

static Status make_body(const SpreadCase *c, Member *m, Error *err)
{
    Status status = body_copy(&m->body, c->clip->body, err);
    for (int i = 0; i < MASS_GROUPS && !status; i++)
        body_masses_change(c->clip->skeleton, i, ensemble_level(m->number, mass_columns[i]), c->size, &m->body);
    return status;
}

static Status find_torques(const SpreadCase *c, const ContactEstimateDef *contact, double ground, Member *m, Error *err)
{
    ClipView view = {c->clip->skeleton, &m->body, &m->motion, NULL};
    ContactEstimateDef def = *contact;
    InverseDynamicsDef inverse = inverse_dynamics_default_def();
    vary_constants(m->number, contact->constants, &m->constants);
    def.constants = &m->constants;
    def.tolerance = MEMBER_TOLERANCE;
    def.overlap = MEMBER_OVERLAP;
    def.friction = fmax(0.1, def.friction + ensemble_level(m->number, COLUMN_PASS) * FRICTION_SPREAD);
    def.ground.has_height = 1;
    def.ground.height = ground + ensemble_level(m->number, COLUMN_PRESSURE_SIDE) * GROUND_SPREAD;
    inverse.lanes = c->filter.difference.lanes;
    Status status = differentiate(&view, &c->filter.difference, &m->kinematics, err);
    view.kinematics = &m->kinematics;
    if (!status)
        status = contact_estimate(&view, &def, &m->contact, err);
    if (!status)
        status = loads_from_contact(&m->contact, &m->kinematics, &m->loads, err);
    return status ? status : inverse_dynamics(&view, &m->loads, &inverse, &m->dynamics, err);
}

static void take_member(const SpreadCase *c, Member *m, TorqueCovariance *out)
{
    size_t count = (size_t)out->frame_count * (size_t)out->joint_count;
    double weight = sqrt(1.0 / ENSEMBLE_MEMBERS);
    torque_covariance_add_difference(out, weight, 0, m->dynamics.torque, c->dynamics->torque);
    for (size_t i = 0; i < count; i++)
        m->sum[i] = vec3_add(m->sum[i], vec3_sub(m->dynamics.torque[i], c->dynamics->torque[i]));
}

static void member_free(Member *m)
{
    motion_free(&m->motion);
    body_free(&m->body);
    contact_free(&m->contact);
    loads_free(&m->loads);
}

static Status add_members(const SpreadCase *c, const ContactEstimateDef *contact, double ground, Member *m,
                          TorqueCovariance *out, Error *err)
{
    Status status = STATUS_OK;
    for (m->number = 0; m->number < ENSEMBLE_MEMBERS && !status; m->number++) {
        status = make_motion(c, m, err);
        if (!status)
            status = make_body(c, m, err);
        if (!status)
            status = find_torques(c, contact, ground, m, err);
        if (!status)
            take_member(c, m, out);
        member_free(m);
    }
    return status;
}

/* Converts the mean square about the clip's torques into that about the members' mean. */
static void take_off_mean(const Member *m, TorqueCovariance *out)
{
    size_t count = (size_t)out->frame_count * (size_t)out->joint_count;
    for (size_t i = 0; i < count; i++) {
        Vec3 mean = vec3_scale(m->sum[i], 1.0 / ENSEMBLE_MEMBERS);
        Sym3 square = {mean.x * mean.x, mean.y * mean.y, mean.z * mean.z, mean.x * mean.y, mean.x * mean.z,
                       mean.y * mean.z};
        out->covariance[i] = sym3_add(out->covariance[i], sym3_scale(square, -1));
    }
}

Status ensemble_add(const SpreadCase *c, const ContactEstimateDef *contact, double ground, TorqueCovariance *out,
                    Error *err)
{
    Member member = {0};
    SmoothDef smooth = smooth_default_def();
    smooth.cutoff = c->filter.cutoff;
    Status status = motion_copy(&member.filtered, c->clip->motion, err);
    member.sum = array_new((size_t)out->frame_count, (size_t)out->joint_count, sizeof *member.sum);
    if (!status && !member.sum)
        status = error_no_memory(err);
    if (!status && c->filter.cutoff > 0)
        status = smooth_motion(&member.filtered, &smooth, NULL, err);
    if (!status)
        status = add_members(c, contact, ground, &member, out, err);
    if (!status)
        take_off_mean(&member, out);
    free(member.sum);
    motion_free(&member.filtered);
    kinematics_free(&member.kinematics);
    dynamics_free(&member.dynamics);
    return status;
}

/* Effects of errors in the motion on torques, at constant ground forces. */

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
static Status noise_term_add(const SpreadCase *c, TorqueCovariance *out, Error *err)
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
static void bear_difference(const ClipView *clip, const LoadedLimbs *limbs, const Dynamics *from, Dynamics *to)
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
static Status cutoff_term_add(const SpreadCase *c, const LoadedLimbs *limbs, TorqueCovariance *out, Error *err)
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
        bear_difference(clip, limbs, c->dynamics, &again);
        double most = c->size[SPREAD_CUTOFF_MOST] * clip->body->total_mass;
        torque_covariance_add_difference(out, c->size[SPREAD_CUTOFF], most, again.torque, c->dynamics->torque);
    }
    dynamics_free(&again);
    kinematics_free(&kinematics);
    motion_free(&motion);
    return status;
}

/* Residual: a fraction of every torque. */

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

static Status residual_term_add(const SpreadCase *c, GroundSource ground, TorqueCovariance *out, Error *err)
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

/* Long clips are processed in blocks, so that scratch memory does not grow with them. */

#define BLOCK_FRAMES 2048
#define BLOCK_MARGIN 0.6 /* s on either side: window of the residual, and reach of filters of 8 Hz and above */

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
    return (Kinematics){b.count, k->joint_count, k->position + skip, k->orientation + skip, k->angular_velocity + skip,
                        k->angular_acceleration + skip, k->velocity + skip, k->acceleration + skip,
                        k->com ? k->com + b.from : NULL, k->valid + b.from};
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
