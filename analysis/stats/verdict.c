/* See verdict.h. */
#include "analysis/stats/verdict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/angles/strength.h"
#include "analysis/base/arena.h"
#include "analysis/base/standard_gravity.h"
#include "analysis/body/human_rest.h"
#include "analysis/contact/support.h"
#include "analysis/math/vec.h"
#include "analysis/stats/ground_noise.h"
#include "analysis/stats/joint_curves.h"
#include "analysis/stats/joint_series.h"
#include "analysis/stats/shaking.h"

#define GYRATION 0.5      /* RMS distance of the segments from the centre of mass, over half the stature */
#define YAW_GYRATION 0.2  /* the same from the vertical through it */

const char *const verdict_names[] = {"unknown", "possible", "hard", "impossible", NULL};

typedef struct Finding {
    VerdictCause cause;
    int joint, frame;
    Coordinate coordinate;
    int direction;       /* of a coordinate */
    double factor, band;
    double mean;         /* of a force, body weights */
} Finding;

typedef struct Search {
    const Clip *clip;
    double stature, weight; /* m, N */
    StrengthDef strong;
    Finding worst;          /* largest lower end */
    double largest;         /* largest factor, which another finding may have */
    double average;         /* largest lower end of average utilization */
    double size_error;      /* relative error of lengths */
    uint32_t bad;           /* flags that leave a frame or joint out */
    int has_noise;          /* 0: what smooth measured as noise is a shake */
    FrameVerdict *frame;    /* [frame] NULL: not wanted */
} Search;

/* A wrist over a loaded hand: where on the hand the force acts, from the heel to the fingers, is unknown. */
static int is_loaded_wrist(const Search *s, int frame, int joint)
{
    const Clip *clip = s->clip;
    Role role = clip->skeleton.role[joint];
    Vec3 load = {0, 0, 0};
    if ((role != ROLE_LEFT_WRIST && role != ROLE_RIGHT_WRIST) || !clip->has_contact)
        return 0;
    for (int p = 0; p < clip->contact.point_count; p++)
        if (skeleton_is_below(&clip->skeleton, clip->contact.point_joint[p], joint))
            load = vec3_add(load, clip->contact.force[(size_t)frame * (size_t)clip->contact.point_count + (size_t)p]);
    return vec3_norm(load) > SUPPORT_MIN_LOAD * s->weight;
}

static int counts_joint(const Search *s, int frame, int joint)
{
    const Clip *c = s->clip;
    uint32_t bad = s->bad & ~(uint32_t)TRUST_NO_ROOT_PATH; /* swings of limbs do not need the path */
    return c->kinematics.valid[frame] && !(c->has_trust && (trust_joint_reason(&c->trust, frame, joint) & bad)) &&
           !is_loaded_wrist(s, frame, joint);
}

static double low_end(const Finding *f) { return f->factor - f->band; }

static void consider(Search *s, Finding found)
{
    if (!isfinite(found.factor + found.band))
        return;
    s->largest = fmax(s->largest, found.factor);
    if (!(low_end(&found) <= low_end(&s->worst)))
        s->worst = found;
    FrameVerdict *own = s->frame ? &s->frame[found.frame] : NULL;
    if (own && !(found.factor <= own->largest))
        own->largest = found.factor;
    if (own && (own->joint < 0 || low_end(&found) > own->factor - own->band)) {
        own->joint = found.joint;
        own->factor = found.factor;
        own->band = found.band;
    }
}

static void consider_average(Search *s, int frame, double low)
{
    s->average = fmax(s->average, low);
    if (s->frame && !(low <= s->frame[frame].average))
        s->frame[frame].average = low;
}

/* Angles of the clip with the utilization of other people; free with free_use. */
static Status find_use(const Clip *clip, const StrengthDef *def, double stature, JointAngles *use, Error *err)
{
    *use = clip->angles;
    use->capacity = use->utilization = use->utilization_sd = use->passive = NULL;
    use->axis = NULL;
    return strength_compute(def, clip->body.total_mass, stature, use, err);
}

static void free_use(JointAngles *use)
{
    free(use->capacity);
    free(use->utilization);
    free(use->utilization_sd);
}

static void search_torques(Search *s, const JointAngles *use, int frame)
{
    for (int i = 0; i < use->coordinate_count; i++) {
        size_t at = joint_angles_index(use, frame, i);
        if (!counts_joint(s, frame, use->joint[i]))
            continue;
        int direction = use->moment[at] < 0 ? -1 : 1;
        Finding found = {VERDICT_TORQUE, use->joint[i], frame, use->coordinate[i], direction, use->utilization[at],
                         BAND_90 * use->utilization_sd[at], 0};
        consider(s, found);
        double max = verdict_limits.speed * strength_speed_max(use->coordinate[i], use->velocity[at] < 0 ? -1 : 1);
        found.cause = VERDICT_SPEED;
        found.direction = use->velocity[at] < 0 ? -1 : 1;
        found.factor = max > 0 ? fabs(use->velocity[at]) / max : NAN;
        found.band = verdict_limits.speed_error * found.factor;
        consider(s, found);
    }
}

static void search_average(Search *s, const JointAngles *use, int frame)
{
    for (int i = 0; i < use->coordinate_count; i++) {
        size_t at = joint_angles_index(use, frame, i);
        double low = use->utilization[at] - BAND_90 * use->utilization_sd[at];
        if (low > 0 && counts_joint(s, frame, use->joint[i]))
            consider_average(s, frame, low);
    }
}

/* The whole torque of a joint over the largest isometric one about any of its axes. */
static void search_joint(Search *s, int joint, double largest, int frame)
{
    const Dynamics *d = &s->clip->dynamics;
    size_t at = (size_t)frame * (size_t)d->joint_count + (size_t)joint;
    double sd = d->torque_sd ? torque_sd_along(d->torque_sd[at], d->torque_correlation[at],
                                               vec3_normalize(d->torque[at])) : 0;
    if (counts_joint(s, frame, joint))
        consider(s, (Finding){VERDICT_ANY_AXIS, joint, frame, COORDINATE_COUNT, 0,
                              vec3_norm(d->torque[at]) / largest, BAND_90 * sd / largest, 0});
}

static void search_joints(Search *s)
{
    const Clip *clip = s->clip;
    for (int j = 0; j < clip->skeleton.joint_count; j++) {
        double largest = strength_largest(&s->strong, clip->body.total_mass, s->stature, clip->skeleton.role[j]);
        if (!(largest > 0) || joint_carries_residual(clip, j))
            continue;
        for (int f = 0; f < clip->kinematics.frame_count; f++)
            search_joint(s, j, largest, f);
    }
}

/* The ankle that carries more; the root if neither carries. */
static int loaded_ankle(const Clip *clip, int frame)
{
    static const Role ankle[FOOT_COUNT] = {[FOOT_LEFT] = ROLE_LEFT_ANKLE, [FOOT_RIGHT] = ROLE_RIGHT_ANKLE};
    int joint = 0;
    double max_load = 0;
    for (int foot = 0; clip->has_contact && clip->contact.point_count > 0 && foot < FOOT_COUNT; foot++) {
        double load = vec3_norm(clip->contact.foot_force[(size_t)frame * FOOT_COUNT + (size_t)foot]);
        int own = skeleton_find_role(&clip->skeleton, ankle[foot]);
        if (load > max_load && own >= 0) {
            max_load = load;
            joint = own;
        }
    }
    return joint;
}

typedef struct GroundLimit {
    VerdictCause cause;
    const Vec3 *value; /* [frame] N or N m */
    double unit, seconds, limit, error;
    double lever;      /* of the noise of an acceleration, over half the stature */
    int is_vertical;   /* only the component about the vertical, which does not depend on the path */
} GroundLimit;

static int counts_ground(const Search *s, const GroundLimit *g, int frame)
{
    uint32_t path = g->is_vertical ? TRUST_NO_ROOT_PATH : 0;
    const Clip *c = s->clip;
    return c->kinematics.valid[frame] && !(c->has_trust && (c->trust.reason[frame] & s->bad & ~path));
}

/* Means of a residual over windows of sound frames, in multiples of its limit. */
static void search_ground(Search *s, GroundLimit g)
{
    const Clip *clip = s->clip;
    int span = (int)fmax(1, round(g.seconds / clip->motion.frame_time)), count = 0;
    double noise = s->has_noise ? g.lever * ground_noise_band(clip, g.seconds) / GRAVITY : 0;
    double error = sqrt(g.error * g.error + noise * noise) / g.limit;
    Vec3 sum = {0, 0, 0};
    for (int f = 0; f < clip->dynamics.frame_count; f++) {
        if (!counts_ground(s, &g, f)) {
            count = 0;
            sum = (Vec3){0, 0, 0};
            continue;
        }
        sum = vec3_add(sum, g.value[f]);
        if (count == span)
            sum = vec3_sub(sum, g.value[f - span]);
        else
            count++;
        int middle = f - span / 2;
        double factor = (g.is_vertical ? fabs(sum.y) : vec3_norm(sum)) / span / g.unit / g.limit;
        double of_size = s->size_error * factor, band = sqrt(error * error + of_size * of_size);
        if (count == span)
            consider(s, (Finding){g.cause, g.cause == VERDICT_MOMENT ? loaded_ankle(clip, middle) : 0, middle,
                                  COORDINATE_COUNT, 0, factor, band, factor * g.limit});
    }
}

static void search_residual(Search *s)
{
    const Dynamics *d = &s->clip->dynamics;
    const VerdictLimits *l = &verdict_limits;
    double moment = s->weight * s->stature / 2;
    search_ground(s, (GroundLimit){VERDICT_FORCE, d->residual_force, s->weight, 0.1, l->ground_short,
                                   l->ground_short_error, 1, 0});
    search_ground(s, (GroundLimit){VERDICT_FORCE, d->residual_force, s->weight, 0.3, l->ground_long,
                                   l->ground_long_error, 1, 0});
    search_ground(s, (GroundLimit){VERDICT_MOMENT, d->residual_torque, moment, 0.3, l->moment_long,
                                   l->moment_long_error, GYRATION, 0});
    search_ground(s, (GroundLimit){VERDICT_MOMENT, d->residual_torque, moment, 0.1, l->yaw, l->yaw_error,
                                   YAW_GYRATION, 1});
}

/* A hand that would have to hold something to keep the body from falling. */
static Status search_rail(Search *s, Error *err)
{
    const Clip *clip = s->clip;
    int frames = clip->dynamics.frame_count;
    if (!clip->has_contact || clip->contact.point_count == 0)
        return STATUS_OK;
    Vec3 *load = array_new((size_t)frames, 1, sizeof *load);
    if (!load)
        return error_no_memory(err);
    ClipView view = clip_view(clip);
    for (int f = 0; f < frames; f++)
        load[f] = (Vec3){support_load(&view, &clip->contact, f, SUPPORT_OF_HANDS), 0, 0};
    search_ground(s, (GroundLimit){VERDICT_MOMENT, load, 1, 0.3, verdict_limits.rail, verdict_limits.rail_error, 1, 0});
    free(load);
    return STATUS_OK;
}

static void search_pace(Search *s)
{
    const Clip *clip = s->clip;
    const Vec3 *com = clip->kinematics.com;
    double dt = clip->motion.frame_time;
    uint32_t bad = s->bad & ~(uint32_t)(TRUST_DRIFT | TRUST_SLIDING); /* slower than any limit here */
    for (int f = 1; com && f + 1 < clip->kinematics.frame_count; f++) {
        Vec3 v = vec3_scale(vec3_sub(com[f + 1], com[f - 1]), 0.5 / dt);
        double rise = v.y / verdict_limits.rise_speed, run = sqrt(v.x * v.x + v.z * v.z) / verdict_limits.run_speed;
        double factor = fmax(rise, run);
        double band = (verdict_limits.speed_error + s->size_error) * factor;
        if (clip->kinematics.valid[f] && !(clip->has_trust && (clip->trust.reason[f] & bad)))
            consider(s, (Finding){VERDICT_PACE, 0, f, COORDINATE_COUNT, 0, factor, band, 0});
    }
}

static Status search_use(Search *s, Error *err)
{
    JointAngles strong, average;
    StrengthDef mean = strength_default_def();
    Status status = find_use(s->clip, &s->strong, s->stature, &strong, err);
    for (int f = 0; !status && f < strong.frame_count; f++)
        search_torques(s, &strong, f);
    free_use(&strong);
    if (status)
        return status;
    status = find_use(s->clip, &mean, s->stature, &average, err);
    for (int f = 0; !status && f < average.frame_count; f++)
        search_average(s, &average, f);
    free_use(&average);
    return status;
}

static double left_out(const Search *s)
{
    const Clip *clip = s->clip;
    uint32_t bad = s->bad & ~(uint32_t)TRUST_NO_ROOT_PATH;
    int count = 0, frames = clip->kinematics.frame_count;
    for (int f = 0; f < frames; f++)
        count += !clip->kinematics.valid[f] || (clip->has_trust && (clip->trust.reason[f] & bad));
    return frames > 0 ? (double)count / frames : 1;
}

static const char *missing(const Clip *clip)
{
    if (!clip->has_dynamics || !clip->has_kinematics || !clip->has_body || !(clip->body.total_mass > 0))
        return "no torques: run kane torque first";
    if (!clip->has_angles || clip->angles.coordinate_count == 0 || !(clip_stature(clip) > 0))
        return "no joint has a known strength";
    return NULL;
}

/* Chooses the flags that leave frames out. A pose held, a rise, or a shake of few joints for most of a clip is its
 * motion, not an artifact. Returns 0 if most frames are bad. */
static int choose_frames(Search *s)
{
    s->bad = TRUST_RECORDING;
    if (left_out(s) <= verdict_limits.left_out)
        return 1;
    s->bad &= ~(uint32_t)(TRUST_FROZEN | TRUST_INTERPOLATED | TRUST_DRIFT | TRUST_EDGE);
    if (!s->has_noise)
        s->bad &= ~(uint32_t)TRUST_FLICKER;
    return left_out(s) <= verdict_limits.left_out;
}

static void describe(const Search *s, ClipVerdict *v)
{
    const Finding *f = &s->worst;
    const char *joint = s->clip->skeleton.name[f->joint];
    char name[64] = "", size[32];
    snprintf(size, sizeof size, "%.2g ± %.1g times", f->factor, f->band);
    if (f->coordinate < COORDINATE_COUNT)
        strength_motion_name(f->coordinate, f->direction, name, sizeof name);
    switch (f->cause) {
    case VERDICT_TORQUE:
        snprintf(v->why, sizeof v->why, "%.40s %s a strong person's at %.2f s", name, size, v->t);
        break;
    case VERDICT_ANY_AXIS:
        snprintf(v->why, sizeof v->why, "torque of %.40s %s a strong person's at %.2f s", joint, size, v->t);
        break;
    case VERDICT_SPEED:
        snprintf(v->why, sizeof v->why, "speed of %.40s %s the fastest people's at %.2f s", *name ? name : joint, size,
                 v->t);
        break;
    case VERDICT_FORCE:
        snprintf(v->why, sizeof v->why, "the body accelerates by %.2g g without contact at %.2f s", f->mean, v->t);
        break;
    case VERDICT_MOMENT:
        snprintf(v->why, sizeof v->why, "no force of the ground keeps the body's balance at %.2f s", v->t);
        break;
    case VERDICT_PACE:
        snprintf(v->why, sizeof v->why, "the body moves %s the fastest people's speed at %.2f s", size, v->t);
        break;
    default:
        break;
    }
}

static Verdict verdict_of(double largest, double low, double average)
{
    int is_hard = average > 1 || largest > 1;
    return low > 1 ? VERDICT_IMPOSSIBLE : is_hard ? VERDICT_HARD : VERDICT_POSSIBLE;
}

static void judge_frames(Search *s)
{
    for (int f = 0; s->frame && f < s->clip->kinematics.frame_count; f++)
        if (s->frame[f].joint >= 0)
            s->frame[f].verdict = verdict_of(s->frame[f].largest, s->frame[f].factor - s->frame[f].band,
                                             s->frame[f].average);
}

static void judge(const Search *s, ClipVerdict *v)
{
    const Finding *f = &s->worst;
    v->cause = f->cause;
    v->joint = f->joint;
    v->frame = f->frame;
    v->t = s->clip->motion.time[f->frame];
    v->factor = f->factor;
    v->band = f->band;
    v->average = s->average;
    v->verdict = verdict_of(s->largest, low_end(f), s->average);
    describe(s, v);
}

/* Where a recording is mostly noise, that is no finding about the body. */
static void doubt(FrameVerdict *frames, int count, ClipVerdict *v)
{
    for (int f = 0; frames && f < count; f++)
        if (frames[f].verdict == VERDICT_IMPOSSIBLE)
            frames[f].verdict = VERDICT_UNKNOWN;
    if (v->verdict != VERDICT_IMPOSSIBLE)
        return;
    v->verdict = VERDICT_UNKNOWN;
    snprintf(v->why, sizeof v->why, "the recording is noise: most joints jitter from frame to frame");
}

static void forget_frames(const Clip *clip, FrameVerdict *frames)
{
    for (int f = 0; frames && clip->has_kinematics && f < clip->kinematics.frame_count; f++)
        frames[f] = (FrameVerdict){.joint = -1, .factor = NAN, .band = NAN, .largest = NAN, .average = NAN};
}

Status clip_verdict_find(const Clip *clip, const RawSpeed *raw, FrameVerdict *frames, ClipVerdict *out, Error *err)
{
    const char *lacks = missing(clip);
    forget_frames(clip, frames);
    *out = (ClipVerdict){.joint = -1, .frame = -1, .t = NAN, .factor = NAN, .band = NAN, .average = NAN};
    snprintf(out->why, sizeof out->why, "%s", lacks ? lacks : "");
    if (lacks)
        return STATUS_OK;
    Search s = {.clip = clip, .stature = clip_stature(clip), .weight = clip->body.total_mass * GRAVITY,
                .strong = {.people = STRENGTH_STRONG, .sex = SEX_MALE, .age = strength_default_def().age},
                .size_error = clip->provenance.confidence.unit < DECISION_UNSURE ? verdict_limits.size_error : 0,
                .worst = {.factor = -INFINITY, .joint = -1}, .frame = frames, .has_noise = !shaking_is_motion(clip)};
    if (!choose_frames(&s)) {
        snprintf(out->why, sizeof out->why, "most frames of the recording are bad");
        return STATUS_OK;
    }
    Status status = search_use(&s, err);
    if (!status)
        status = search_rail(&s, err);
    if (status)
        return status;
    search_joints(&s);
    search_residual(&s);
    search_pace(&s);
    if (raw && raw->joint >= 0 && raw->frame < clip->dynamics.frame_count)
        consider(&s, (Finding){VERDICT_SPEED, raw->joint, raw->frame, COORDINATE_COUNT, 0, raw->factor,
                               verdict_limits.speed_error * raw->factor, 0});
    judge_frames(&s);
    if (s.worst.joint >= 0)
        judge(&s, out);
    if (raw && raw->is_noise)
        doubt(frames, clip->kinematics.frame_count, out);
    return STATUS_OK;
}
