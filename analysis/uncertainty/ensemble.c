/* Ground forces re-estimated for an ensemble (ensemble.h). */
#include "analysis/clip/dynamics.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/uncertainty/ensemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/contact/contact_spread.h"
#include "analysis/math/quat.h"
#include "analysis/motion/smooth.h"
#include "analysis/signal/smoothing.h"
#include "analysis/uncertainty/body_terms.h"
#include "analysis/uncertainty/recording_noise.h"
#include "analysis/uncertainty/spread_terms.h"

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
