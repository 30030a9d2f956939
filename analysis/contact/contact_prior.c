/* The prior of the contact forces (contact_prior.h). */
#include "analysis/clip/joint_kinematics.h"
#include "analysis/contact/contact_prior.h"

#include <math.h>
#include <string.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/contact/contact_constants.h"
#include "analysis/contact/contact_penalty.h"
#include "analysis/contact/required_wrench.h"
#include "analysis/contact/roll_over.h"
#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"

#define MOSTLY 0.98 /* of the load: a foot with this fraction counts as the only support */

#define GAIT_TIME 0.5      /* s: time before and after over which similarity to gait is judged */

#define RESTS 2             /* in rest penalties: a point that touches and is at rest, or nearly so */
#define MIN_HEIGHT 0.1   /* L: of a COM over the ground that forces lean towards */
#define MIN_SWING 0.1       /* s: time off the ground before a foot takes over, or after it has handed over */
#define LONGEST_PASS 0.5   /* s */
#define STEP_HEIGHT 0.1    /* L: difference between the levels of two feet */
#define LEAN_TIME 0.4      /* s: the impulse of the motion counts over so long before and after */

/* Vector from the joint to the midpoint of two of its points, the first given; m, world axes. */
static Vec3 point_middle(const ContactProblem *p, int point, size_t frame)
{
    const ContactPoint *c = &p->points.point[point];
    const Kinematics *k = p->clip->kinematics;
    Vec3 middle = vec3_scale(vec3_add(c[0].probe, c[1].probe), 0.5);
    return quat_rotate(k->orientation[frame * (size_t)k->joint_count + (size_t)c->joint], middle);
}

static FootPressure find_foot_pressure(const ContactProblem *p, int first, int side, size_t frame)
{
    const ContactConstants *c = p->points.constants;
    const Vec3 *lever = p->lever + frame * (size_t)p->points.count;
    FootPressure out = {.ball = vec3_scale(vec3_add(lever[first + 2], lever[first + 3]), 0.5)};
    Vec3 heel = vec3_scale(vec3_add(lever[first], lever[first + 1]), 0.5);
    Vec3 forward = vec3_sub(out.ball, heel), com = vec3_sub(p->wrench.com[frame], out.ball);
    Vec3 sole = vec3_sub(point_middle(p, first + 2, frame), point_middle(p, first, frame));
    double up = vec3_dot(sole, p->ground.normal), length = vec3_norm(sole);
    forward = vec3_normalize(vec3(forward.x, 0, forward.z));
    out.axis[0] = forward;
    out.axis[1] = vec3_scale(vec3(-forward.z, 0, forward.x), side == FOOT_LEFT ? -1 : 1);
    RollOverPose pose = {.com = vec3_dot(com, forward), .length = length / p->points.leg_length, .run = p->run[frame],
                         .pitch = elementary_atan2(-up, sqrt(fmax(0, length * length - up * up)))};
    out.at[0] = c->pressure_at + (1 - pose.run) * c->pressure_walk_at + roll_over_position(p->roll_over, pose);
    out.at[1] = c->pressure_side + c->pressure_side_com * vec3_dot(com, out.axis[1]);
    return out;
}

/* Mean offset of the required pressure from that position in this clip, weighted by the load in single support. */
static void find_offset(const ContactProblem *p, const double *sum, ContactPrior *prior)
{
    double load = 0, off[2] = {0, 0}, run = 0;
    for (int t = 0; t < p->wrench.frame_count; t++) {
        double fraction = prior->left_fraction[t];
        int alone = fraction <= 1 - MOSTLY || fraction >= MOSTLY;
        if (!(sum[t] > CONTACT_MIN_SUM) || !alone || !(p->wrench.force[t].y > CONTACT_MIN_SUM))
            continue;
        if (p->bridged && p->bridged[t])
            continue;
        int foot = fraction > 0.5 ? FOOT_LEFT : FOOT_RIGHT;
        const FootPressure *pressure = &prior->pressure[FOOT_COUNT * t + foot];
        Vec3 offset = vec3_sub(required_wrench_pressure(&p->wrench, t, pressure->ball.y), pressure->ball);
        load += p->wrench.force[t].y;
        run += p->wrench.force[t].y * p->run[t];
        for (int axis = 0; axis < 2; axis++)
            off[axis] += p->wrench.force[t].y * (vec3_dot(offset, pressure->axis[axis]) - pressure->at[axis]);
    }
    if (!(load > 0))
        return;
    const ContactConstants *c = p->points.constants;
    double time = load * p->frame_time, own = (1 - run / load) * time / (time + c->pressure_own_time);
    for (int axis = 0; axis < 2; axis++)
        prior->offset[axis] = (axis ? c->pressure_side_own : own) * off[axis] / load;
}

/* Runners push off with the tip of the shoe. */
static void extend_toes(ContactProblem *p, const ContactPrior *prior)
{
    const double reach = p->points.constants->run_toe_reach;
    for (int t = 0; t < p->wrench.frame_count; t++)
        for (int foot = 0; foot < FOOT_COUNT; foot++) {
            Vec3 *lever = p->lever + (size_t)t * (size_t)p->points.count + prior->first[foot];
            Vec3 ahead = vec3_sub(lever[4], vec3_scale(vec3_add(lever[2], lever[3]), 0.5));
            ahead.y = 0;
            double distance = vec3_norm(ahead);
            if (distance > 0)
                lever[4] = vec3_mad(lever[4], p->run[t] * p->gait[t] * reach / distance, ahead);
        }
}

/* Sets position and offset of a prior whose load fractions and similarity to running are known. sum[frame]: body
 * weights on both feet. The toes of a runner press further forward (lever). */
static void contact_pressure_find(ContactProblem *p, const double *sum, ContactPrior *prior)
{
    for (int t = 0; t < p->wrench.frame_count; t++)
        for (int foot = 0; foot < FOOT_COUNT; foot++)
            prior->pressure[FOOT_COUNT * t + foot] = find_foot_pressure(p, prior->first[foot], foot, (size_t)t);
    extend_toes(p, prior);
    find_offset(p, sum, prior);
}

static double foot_load(const ContactProblem *p, const Vec3 *force, int first, int frame)
{
    double sum = 0;
    for (int i = first; i < first + FOOT_POINTS; i++)
        sum += force[(size_t)frame * (size_t)p->points.count + (size_t)i].y;
    return sum;
}

/* Similarity to gait: how unevenly the feet are loaded, averaged over the surrounding loaded frames. Similarity to
 * running: how often neither is loaded. */
static void find_gait(ContactProblem *p, const ContactPrior *prior, const double *sum)
{
    const ContactConstants *c = p->points.constants;
    int frames = p->wrench.frame_count, span = (int)(GAIT_TIME / p->frame_time) + 1;
    double load = 0, uneven = 0, vigour = 0, flight = 0;
    int count = 0;
    for (int t = -span; t < frames; t++) { /* t is the middle of a sliding window */
        for (int end = 0; end < 2; end++) {
            int at = end ? t - span - 1 : t + span, sign = end ? -1 : 1;
            if (at < 0 || at >= frames)
                continue;
            load += sign * fmin(1, sum[at]);
            uneven += sign * fmin(1, sum[at]) * fabs(2 * prior->left_fraction[at] - 1);
            vigour += sign * fabs(p->wrench.force[at].y - 1);
            count += sign;
            flight += sign * fmax(0, 1 - sum[at] / CONTACT_MIN_SUM);
        }
        if (t < 0)
            continue;
        double mean = load > 1e-9 ? uneven / load : 0;
        p->gait[t] = fmax(0, fmin(1, (mean - c->stand_uneven) / (c->gait_uneven - c->stand_uneven)));
        p->still[t] = fmax(0, 1 - vigour / (c->still_vigour * count));
        p->run[t] = fmin(1, flight / (c->run_flight * count));
    }
}

/* Horizontal speed of the COM over the ground at a frame, averaged over a load transfer, sqrt(g L). */
static double speed_at(const ContactProblem *p, int frame)
{
    int span = (int)(0.5 * LONGEST_PASS / p->frame_time) + 1;
    int before = frame > span ? frame - span : 0;
    int after = frame + span < p->wrench.frame_count ? frame + span : p->wrench.frame_count - 1;
    double time = (after - before) * p->frame_time, length = p->points.leg_length;
    if (!(time > 0))
        return 0;
    Vec3 travel = vec3_scale(vec3_sub(p->wrench.com[after], p->wrench.com[before]), length);
    travel = vec3_mad(travel, -time, mat3_mul(p->axes, p->ground.belt));
    return sqrt(travel.x * travel.x + travel.z * travel.z) / (time * sqrt(GRAVITY * length));
}

/* A foot that has handed over is no candidate, unless it rests on the ground. */
static void close_foot(ContactProblem *p, Vec3 *force, int first, int frame)
{
    const double *penalty = p->penalty + (size_t)frame * (size_t)p->points.count;
    for (int i = first; i < first + FOOT_POINTS; i++)
        if (penalty[i] < RESTS * contact_rest_penalty(&p->points, i))
            return;
    for (int i = first; i < first + FOOT_POINTS; i++) {
        size_t at = (size_t)frame * (size_t)p->points.count + (size_t)i;
        p->penalty[at] = CONTACT_PENALTY_MAX;
        force[at] = vec3(0, 0, 0);
    }
}

/* A transfer of the load from one foot to the other. */
typedef struct Pass {
    int begin, end; /* first and last frame in which both are loaded in the first estimate */
    double middle;  /* frame in which both have half of the load */
    int to;         /* foot that takes over, FOOT_LEFT or FOOT_RIGHT */
} Pass;

/* Vertical velocity of a foot's ball (two points) or toe (one) in a frame, m/s. */
static double point_rise(const ContactProblem *p, int point, int count, int frame)
{
    double sum = 0;
    for (int i = point; i < point + count; i++)
        sum += p->ground.rise[(size_t)frame * (size_t)p->points.count + (size_t)i];
    return sum / count;
}

/* Frame within `reach` of `around` in which the ball of a landing foot descends fastest: after heel strike, when the
 * foot slaps down. */
static double landing(const ContactProblem *p, int first, double around, double reach)
{
    double min = INFINITY, at = around;
    for (int t = (int)fmax(1, ceil(around - reach)); t <= around + reach && t + 1 < p->wrench.frame_count; t++) {
        double before = point_rise(p, first + 2, 2, t - 1), here = point_rise(p, first + 2, 2, t);
        double after = point_rise(p, first + 2, 2, t + 1);
        if (here <= before && here < after && here < min) {
            min = here;
            at = t + 0.5 * (before - after) / (before - 2 * here + after);
        }
    }
    return at;
}

/* Frame in which the toe of a leaving foot accelerates upwards most, just before toe-off. */
static double leaving(const ContactProblem *p, int first, double around, double reach)
{
    double max = 0, at = around;
    for (int t = (int)fmax(1, ceil(around - reach)); t <= around + reach && t + 2 < p->wrench.frame_count; t++) {
        double pull = point_rise(p, first + 4, 1, t + 1) - point_rise(p, first + 4, 1, t - 1);
        if (t > 1 && pull > max && pull >= point_rise(p, first + 4, 1, t) - point_rise(p, first + 4, 1, t - 2) &&
            pull > point_rise(p, first + 4, 1, t + 2) - point_rise(p, first + 4, 1, t)) {
            max = pull;
            at = t;
        }
    }
    return at;
}

/* The load is transferred linearly around the middle, within a time that shrinks with speed and is zero in running;
 * its ends are corrected by the landing and leaving of the feet. Before it one foot has the whole load, after it the
 * other. */
static void set_pass(ContactProblem *p, Vec3 *force, ContactPrior *prior, const Pass *pass)
{
    int to = pass->to;
    double middle = pass->middle;
    const ContactConstants *c = p->points.constants;
    double unit = sqrt(p->points.leg_length / GRAVITY) / p->frame_time; /* frames */
    double half = 0.5 * unit * fmax(0, c->pass_time * (c->pass_speed - speed_at(p, (int)middle)));
    double on = middle - half, off = middle + half, reach = c->pass_reach * unit;
    double slap = on + c->pass_landing * unit, pull = off - c->pass_leaving * unit;
    on += c->pass_feet * (landing(p, prior->first[to], slap, reach) - slap);
    off += c->pass_feet * (leaving(p, prior->first[!to], pull, reach) - pull);
    for (int t = pass->begin; t <= pass->end; t++) {
        double u = off > on ? (t - on) / (off - on) : t < middle ? 0 : 1;
        double part = fmax(0, fmin(1, u));
        prior->left_fraction[t] = to == FOOT_LEFT ? part : 1 - part;
        prior->sure[t] = 1;
        if (u <= 0)
            close_foot(p, force, prior->first[to], t);
        else if (u >= 1)
            close_foot(p, force, prior->first[!to], t);
    }
}

/* First frame, from `from` in steps of `step`, in which one foot alone is loaded: left_fraction is 0 or 1 for the time
 * of a swing. -1 if there is none within a transfer, or nothing is loaded. */
static int alone_from(const ContactProblem *p, const ContactPrior *prior, int from, int step, double left_fraction)
{
    int span = (int)(LONGEST_PASS / p->frame_time), swing = (int)(MIN_SWING / p->frame_time);
    int frames = p->wrench.frame_count, t = from;
    for (int n = 0; t >= 0 && t < frames && prior->left_fraction[t] != left_fraction; n++, t += step)
        if (n > span || !(prior->load[t] > CONTACT_MIN_SUM))
            return -1;
    for (int n = 0; n < swing && t + n * step >= 0 && t + n * step < frames; n++)
        if (prior->left_fraction[t + n * step] != left_fraction)
            return -1;
    return t;
}

/* Finds all transfers from one foot to another that swings before or after. */
static void find_passes(ContactProblem *p, Vec3 *force, ContactPrior *prior)
{
    for (int t = 0; t + 1 < p->wrench.frame_count; t++) {
        double a = prior->left_fraction[t] - 0.5, b = prior->left_fraction[t + 1] - 0.5;
        if (prior->sure[t] > 0 || !((a < 0) != (b < 0)))
            continue;
        int begin = alone_from(p, prior, t, -1, b < a), end = alone_from(p, prior, t + 1, 1, b > a);
        if (begin >= 0 && end >= 0 && end < p->wrench.frame_count)
            set_pass(p, force, prior, &(Pass){begin + 1, end - 1, t + a / (a - b), b > a ? FOOT_LEFT : FOOT_RIGHT});
    }
}

/* Along `axis` the force is inclined by `lean` times the line to the COM, plus `beside` times its vertical part. */
typedef struct Lean {
    Vec3 axis;
    double lean, beside;
} Lean;

/* 1 if both feet are on one level .. 0 if one is a step above the other. */
static double levelness(const ContactPrior *prior, const ContactProblem *p, size_t frame)
{
    const Vec3 *lever = p->lever + frame * (size_t)p->points.count;
    double step = lever[prior->first[FOOT_LEFT] + 2].y - lever[prior->first[FOOT_RIGHT] + 2].y;
    return fmax(0, 1 - fabs(step) / STEP_HEIGHT);
}

/* Forward in gait: less than the line to the COM in walking, where the body pivots over the foot, more for a foot that
 * shares the load on one level. */
static Lean forward_lean(const ContactPrior *prior, const ContactProblem *p, size_t frame, int foot)
{
    const ContactConstants *c = p->points.constants;
    Vec3 side = p->wrench.side[frame];
    double run = p->run[frame], fraction = prior->left_fraction[frame];
    double other = (1 - run) * levelness(prior, p, frame) * (foot == FOOT_LEFT ? 1 - fraction : fraction);
    return (Lean){{side.z, 0, -side.x}, lerp(c->walk_lean, c->run_lean, run),
                  c->shared_lean * other + prior->lean[frame]};
}

/* Fore-aft force that the motion needs beyond that of forces which lean so from where the pressure lies, body weights,
 * as far as the frame is one of gait. */
static double missing_force(const ContactPrior *prior, const ContactProblem *p, size_t frame)
{
    Vec3 force = p->wrench.force[frame];
    double found = 0;
    Lean lean = {{0}, 0, 0};
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        double part = foot == FOOT_LEFT ? prior->left_fraction[frame] : 1 - prior->left_fraction[frame];
        if (!(part > 0))
            continue;
        const FootPressure *pressure = &prior->pressure[FOOT_COUNT * frame + (size_t)foot];
        Vec3 at = vec3_mad(pressure->ball, pressure->at[0] + prior->offset[0], pressure->axis[0]);
        Vec3 ahead = vec3_sub(p->wrench.com[frame], at);
        lean = forward_lean(prior, p, frame, foot);
        found += part * (lean.lean * vec3_dot(ahead, lean.axis) / fmax(ahead.y, MIN_HEIGHT) + lean.beside);
    }
    return p->gait[frame] * (vec3_dot(force, lean.axis) - force.y * found);
}

/* The mean of the fore-aft force over some steps is the change of momentum, which the motion shows well: what the lean
 * towards the COM misses of it is spread over the load, frames before and after weighted by e^(-time / LEAN_TIME). */
static void find_lean(const ContactProblem *p, const double *sum, ContactPrior *prior, double *miss, double *load)
{
    int frames = p->wrench.frame_count;
    double fade = elementary_exp(-p->frame_time / LEAN_TIME), force = 0, weight = 0;
    for (int t = 0; t < frames; t++) {
        if (sum[t] > CONTACT_MIN_SUM && p->wrench.force[t].y > CONTACT_MIN_SUM && !(p->bridged && p->bridged[t])) {
            miss[t] = missing_force(prior, p, (size_t)t);
            load[t] = p->gait[t] * p->wrench.force[t].y;
        }
        miss[t] += t > 0 ? fade * miss[t - 1] : 0; /* of this frame and all before */
        load[t] += t > 0 ? fade * load[t - 1] : 0;
    }
    for (int t = frames - 1; t >= 0; t--) { /* and of those after */
        double all = load[t] + weight;
        prior->lean[t] = all > 0 ? (miss[t] + force) / all : 0;
        force = fade * (force + miss[t] - (t > 0 ? fade * miss[t - 1] : 0));
        weight = fade * (weight + load[t] - (t > 0 ? fade * load[t - 1] : 0));
    }
}

Status contact_prior_find(ContactProblem *p, Vec3 *force, Arena *arena, ContactPrior **out)
{
    size_t frames = (size_t)p->wrench.frame_count;
    ContactPrior *prior = arena_array(arena, 1, 1, sizeof *prior);
    double *fraction = arena_array(arena, frames, 1, sizeof *fraction);
    double *sum = arena_array(arena, frames, 1, sizeof *sum);
    double *load = arena_array(arena, frames, 1, sizeof *load);
    double *sure = arena_array(arena, frames, 1, sizeof *sure);
    Vec3 *row = arena_array(arena, (size_t)p->points.count, 1, sizeof *row);
    FootPressure *pressure = arena_array(arena, frames, FOOT_COUNT, sizeof *pressure);
    double *lean = arena_array(arena, 3 * frames, 1, sizeof *lean);
    *out = NULL;
    if (arena->failed)
        return STATUS_NO_MEMORY;
    *prior = (ContactPrior){
        .left_fraction = fraction, .sure = sure, .load = load, .lean = lean, .pressure = pressure, .row = row};
    if (!p->points.has_feet)
        return STATUS_OK;
    contact_points_feet(&p->points, prior->first);
    for (int t = 0; t < p->wrench.frame_count; t++) {
        double left = foot_load(p, force, prior->first[FOOT_LEFT], t);
        double right = foot_load(p, force, prior->first[FOOT_RIGHT], t);
        sum[t] = left + right;
        load[t] = fmin(1, sum[t]);
        fraction[t] = sum[t] > 1e-6 ? left / sum[t] : 0.5;
    }
    find_gait(p, prior, sum);
    find_passes(p, force, prior);
    contact_pressure_find(p, sum, prior);
    find_lean(p, sum, prior, lean + frames, lean + 2 * frames);
    *out = prior;
    return STATUS_OK;
}

/* Adds weight (sum row[point] . f - target)^2 / 2 over the points of a foot, or of both feet (FOOT_COUNT). */
static void add_row(const ContactPrior *prior, const PriorSink *sink, int foot, double weight, double target)
{
    PriorRow row = {.foot = foot, .weight = weight, .target = target};
    if (!(weight > 0))
        return;
    for (int side = 0; side < FOOT_COUNT; side++)
        if (foot == side || foot == FOOT_COUNT)
            memcpy(row.coefficient[side], prior->row + prior->first[side], sizeof row.coefficient[side]);
    sink->add(sink->to, &row);
}

/* Load fraction of the left foot. */
static void add_fraction(const ContactPrior *prior, const ContactProblem *p, size_t frame, const PriorSink *sink)
{
    double fraction = prior->left_fraction[frame], weight = p->points.constants->share_weight * prior->sure[frame];
    if (!(weight > 0) || fraction <= 0 || fraction >= 1)
        return;
    for (int i = 0; i < FOOT_POINTS; i++) {
        prior->row[prior->first[FOOT_LEFT] + i] = vec3(0, 1 - fraction, 0);
        prior->row[prior->first[FOOT_RIGHT] + i] = vec3(0, -fraction, 0);
    }
    add_row(prior, sink, FOOT_COUNT, weight, 0);
}

/* Coefficients of f - (lean (com - p) / h + beside) f_y along the axis of the forces on a foot. */
static void set_lean(const ContactPrior *prior, const ContactProblem *p, size_t frame, int foot, Lean lean)
{
    const Vec3 *lever = p->lever + frame * (size_t)p->points.count;
    for (int i = prior->first[foot]; i < prior->first[foot] + FOOT_POINTS; i++) {
        Vec3 ahead = vec3_sub(p->wrench.com[frame], lever[i]);
        prior->row[i] = lean.axis;
        prior->row[i].y = -lean.lean * vec3_dot(ahead, lean.axis) / fmax(ahead.y, MIN_HEIGHT) - lean.beside;
    }
}

/* In gait the force of each foot leans towards the COM: forward as above, from side to side less in running than in
 * walking, where a foot that shares the load on one level leans more outward. */
static void add_gait_lean(const ContactPrior *prior, const ContactProblem *p, size_t frame, const PriorSink *sink)
{
    const ContactConstants *c = p->points.constants;
    double run = p->run[frame], trust = p->gait[frame] * p->wrench.noise;
    if (!(trust > 0))
        return;
    double weight = lerp(c->walk_lean_weight, c->run_lean_weight, run);
    double shared = (1 - run) * levelness(prior, p, frame);
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        double fraction = prior->left_fraction[frame], other = shared * (foot == FOOT_LEFT ? 1 - fraction : fraction);
        Lean across = {p->wrench.side[frame], lerp(c->walk_side_lean, c->run_side_lean, run),
                       (foot == FOOT_LEFT ? -1 : 1) * c->shared_side_lean * other};
        set_lean(prior, p, frame, foot, forward_lean(prior, p, frame, foot));
        add_row(prior, sink, foot, trust * weight, 0);
        set_lean(prior, p, frame, foot, across);
        add_row(prior, sink, foot, trust * c->side_lean_weight, 0);
    }
}

/* Two feet that stand push against each other from side to side, less where they stand close together, hardly more the
 * wider they stand or the more they carry: what differs between them, each weighted with the load of the other. */
static void add_push(const ContactPrior *prior, const ContactProblem *p, size_t frame, const PriorSink *sink)
{
    const ContactConstants *c = p->points.constants;
    const Vec3 *lever = p->lever + frame * (size_t)p->points.count;
    double fraction = prior->left_fraction[frame], width = 0, weight = (1 - p->gait[frame]) * c->stand_push_weight;
    if (!(weight > 0))
        return;
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        for (int i = prior->first[foot]; i < prior->first[foot] + FOOT_POINTS - 1; i++) { /* heel and ball */
            double across = vec3_dot(lever[i], p->wrench.side[frame]) / (FOOT_POINTS - 1);
            width += foot == FOOT_LEFT ? -across : across;
        }
    for (int i = 0; i < FOOT_POINTS; i++) {
        prior->row[prior->first[FOOT_LEFT] + i] = vec3_scale(p->wrench.side[frame], 1 - fraction);
        prior->row[prior->first[FOOT_RIGHT] + i] = vec3_scale(p->wrench.side[frame], -fraction);
    }
    add_row(prior, sink, FOOT_COUNT, weight,
            c->stand_push * width / (c->stand_push_width + fabs(width)) * prior->load[frame]);
}

/* Adds the prior position of the pressure under each foot to the program. */
static void add_pressure(const ContactPrior *prior, const ContactProblem *p, size_t frame, const PriorSink *sink)
{
    const ContactConstants *c = p->points.constants;
    const Vec3 *lever = p->lever + frame * (size_t)p->points.count;
    double run = p->run[frame];
    if (!(p->gait[frame] > 0))
        return;
    const double weight[2] = {lerp(c->pressure_weight, c->pressure_run_weight, run), c->pressure_side_weight};
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        const FootPressure *pressure = &prior->pressure[FOOT_COUNT * frame + (size_t)foot];
        for (int axis = 0; axis < 2; axis++) {
            for (int i = prior->first[foot]; i < prior->first[foot] + FOOT_POINTS; i++)
                prior->row[i] = vec3(0, vec3_dot(vec3_sub(lever[i], pressure->ball), pressure->axis[axis]) -
                                            pressure->at[axis] - prior->offset[axis], 0);
            add_row(prior, sink, foot, p->gait[frame] * weight[axis], 0);
        }
    }
}

void contact_prior_rows(const ContactPrior *prior, const ContactProblem *p, size_t frame, const PriorSink *sink)
{
    if (!prior)
        return;
    add_fraction(prior, p, frame, sink);
    add_gait_lean(prior, p, frame, sink);
    add_push(prior, p, frame, sink);
    add_pressure(prior, p, frame, sink);
}
