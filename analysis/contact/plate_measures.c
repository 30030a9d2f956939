/* Measures of the agreement of plates and motion (plate_measures.h). */
#include "analysis/contact/plate_measures.h"

#include "analysis/clip/joint_kinematics.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/base/standard_gravity.h"
#include "analysis/clip/skeleton.h"
#include "analysis/contact/foot_load.h"
#include "analysis/math/quat.h"
#include "analysis/math/sort.h"
#include "analysis/math/vec.h"

#define ALONE 0.9          /* of the load: single support */
#define SUPPORTS 0.3       /* body weights: smallest load of a support */
#define WELL_LOADED 0.2         /* body weights: smallest load for a comparable centre of pressure */
#define MIN_TIME 0.1     /* s of frames that a measure requires */
#define IN_AIR 0.01        /* body weights */
#define AIR_REACH 0.08     /* s: accuracy of the estimate's contact times */
#define SOLE_MARGIN 0.03   /* m */
#define NEAR_FOOT 0.2      /* m: distance of a pressure under the other foot */
#define MIN_FORCE 0.004    /* body weights, RMS: a smaller force has no sign */
#define FLIGHT 0.05        /* fraction of the time: more is a run or a jump */
#define UNEVEN_STAND 0.3   /* unevenness of the loads of both feet: less is standing, */
#define UNEVEN_GAIT 0.6    /* more is gait */

static int signal_frames(const PlateSignals *s, double time)
{
    return (int)(time / s->frame_time + 0.5);
}

/* ---- Loads, on the plates or not: unit and axis ---- */

/* Sums over frames: of the estimate's vertical force, the table's, and their products. */
typedef struct LoadSums {
    double frames, e, ee, p, pp, pe[PLATE_AXES];
} LoadSums;

static void add_load(const PlateSignals *s, Vec3 reading, double up, LoadSums *sum)
{
    sum->frames++;
    sum->e += up;
    sum->ee += up * up;
    sum->p += reading.y;
    sum->pp += reading.y * reading.y;
    sum->pe[PLATE_FORWARD] += vec3_dot(reading, s->forward) * up;
    sum->pe[PLATE_UP] += reading.y * up;
    sum->pe[PLATE_RIGHTWARD] += vec3_dot(reading, s->right) * up;
}

/* From the table, in N, including loads too small for a foot on the ground. */
static Vec3 plate_reading(const PlateCase *c, int frame, int foot)
{
    const Loads *l = c->table;
    Vec3 sum = {0, 0, 0};
    for (int i = 0; i < l->load_count; i++)
        if (foot_of_segment(c->clip->skeleton->segment[l->joint[i]]) == foot)
            sum = vec3_add(sum, l->force[(size_t)frame * (size_t)l->load_count + (size_t)i]);
    return sum;
}

static double correlation(const LoadSums *s)
{
    double spread_p = s->pp - s->p * s->p / s->frames, spread_e = s->ee - s->e * s->e / s->frames;
    double common = s->pe[PLATE_UP] - s->p * s->e / s->frames;
    return spread_p > 0 && spread_e > 0 ? common / sqrt(spread_p * spread_e) : 0;
}

static void find_load(const PlateCase *c, const PlateSignals *s, int foot, PlateMeasures *out)
{
    LoadSums sum = {0};
    for (int f = 0; f < s->frame_count; f++)
        if (c->clip->kinematics->valid[f])
            add_load(s, vec3_scale(plate_reading(c, f, foot), 1 / s->weight),
                     plate_signal(s, f, (PlatePart)(ESTIMATE_LEFT + foot), PLATE_UP), &sum);
    for (int axis = 0; axis < PLATE_AXES; axis++)
        out->load[foot][axis] = sum.ee > 0 ? sum.pe[axis] / sum.ee : 0;
    out->load_match[foot] = correlation(&sum);
}

/* ---- Impulse ---- */

static double plates_up(const PlateSignals *s, int frame)
{
    return plate_signal(s, frame, PLATES_LEFT, PLATE_UP) + plate_signal(s, frame, PLATES_RIGHT, PLATE_UP);
}

/* foot FOOT_COUNT: all frames used. */
static int supports_alone(const PlateSignals *s, int frame, int foot)
{
    if (foot == FOOT_COUNT)
        return 1;
    double own = plate_signal(s, frame, (PlatePart)(ESTIMATE_LEFT + foot), PLATE_UP);
    double other = plate_signal(s, frame, (PlatePart)(ESTIMATE_RIGHT - foot), PLATE_UP);
    return own > SUPPORTS && own > ALONE * (own + other);
}

static double plate_impulse(const PlateSignals *s, int foot)
{
    double plates = 0, needed = 0;
    int frames = 0;
    for (int f = 0; f < s->frame_count; f++) {
        if (!s->is_used[f] || !supports_alone(s, f, foot))
            continue;
        plates += plates_up(s, f);
        needed += plate_signal(s, f, NEEDED, PLATE_UP);
        frames++;
    }
    return frames * s->frame_time < MIN_TIME || !(needed > 0) ? NAN : plates / needed;
}

/* ---- Signs and rotation of horizontal forces ---- */

static const PlateAxis horizontal[2] = {PLATE_FORWARD, PLATE_RIGHTWARD};

static void plate_products(const PlateSignals *s, int foot, PlateProducts *out)
{
    *out = (PlateProducts){0};
    for (int f = 0; f < s->frame_count; f++) {
        double p[2], e[2];
        for (int i = 0; i < 2 && s->is_used[f]; i++) {
            p[i] = plate_signal(s, f, (PlatePart)(PLATES_LEFT + foot), horizontal[i]);
            e[i] = plate_signal(s, f, (PlatePart)(ESTIMATE_LEFT + foot), horizontal[i]);
            out->pp[i] += p[i] * p[i];
            out->ee[i] += e[i] * e[i];
            out->pe[i] += p[i] * e[i];
        }
        if (s->is_used[f])
            out->cross += p[0] * e[1] - p[1] * e[0];
        out->loaded += s->is_used[f] &&
                       plate_signal(s, f, (PlatePart)(ESTIMATE_LEFT + foot), PLATE_UP) > PLATES_MIN_LOAD;
    }
}

static double cosine(double ab, double aa, double bb)
{
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

/* Against the required force of this foot, given the plate's force on the other; FOOT_COUNT: of both. */
static double sign_by_force(const PlateSignals *s, int foot, PlateAxis axis)
{
    double pp = 0, nn = 0, pn = 0;
    for (int f = 0; f < s->frame_count; f++) {
        if (!s->is_used[f])
            continue;
        double left = plate_signal(s, f, PLATES_LEFT, axis), right = plate_signal(s, f, PLATES_RIGHT, axis);
        double other = foot == FOOT_LEFT ? right : foot == FOOT_RIGHT ? left : 0;
        double p = left + right - other, n = plate_signal(s, f, NEEDED, axis) - other;
        pp += p * p;
        nn += n * n;
        pn += p * n;
    }
    return cosine(pn, pp, nn);
}

/* Two parts estimate, which distinguishes the feet, and one part required force, which is exact. */
static double plate_sign(const PlateSignals *s, const PlateProducts *p, int foot, int axis, double frames)
{
    double sign = sign_by_force(s, foot, horizontal[axis]);
    int shows = p->pp[axis] > MIN_FORCE * MIN_FORCE * frames;
    return shows ? (2 * cosine(p->pe[axis], p->pp[axis], p->ee[axis]) + sign) / 3 : NAN;
}

static void find_signs(const PlateSignals *s, PlateMeasures *out)
{
    PlateProducts both = {0};
    double frames = out->time / s->frame_time;
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        plate_products(s, foot, &out->product[foot]);
    for (int i = 0; i < 2; i++) {
        for (int foot = 0; foot < FOOT_COUNT; foot++) {
            const PlateProducts *p = &out->product[foot];
            both.pp[i] += p->pp[i];
            both.ee[i] += p->ee[i];
            both.pe[i] += p->pe[i];
            out->sign[i][foot] = plate_sign(s, p, foot, i, frames);
        }
        out->sign[i][FOOT_COUNT] = plate_sign(s, &both, FOOT_COUNT, i, frames);
    }
}

/* ---- Delay of vertical forces ---- */

/* a = (1 + scale) b(t - lag), least squares: sums of the normal equations. */
typedef struct LagSums {
    double dd, bb, db, rd, rb, rr;
    int frames;
} LagSums;

static double pair_value(const PlateSignals *s, int frame, int foot, int is_plate)
{
    if (foot == FOOT_COUNT)
        return is_plate ? plates_up(s, frame) : plate_signal(s, frame, NEEDED, PLATE_UP);
    return plate_signal(s, frame, (PlatePart)((is_plate ? PLATES_LEFT : ESTIMATE_LEFT) + foot), PLATE_UP);
}

/* The plates are delayed by so many frames. */
static double shifted(const PlateSignals *s, int frame, int foot, double by)
{
    double at = fmin(fmax(frame + by, 0), s->frame_count - 1);
    int first = (int)fmin(floor(at), s->frame_count - 2);
    double a = pair_value(s, first, foot, 1);
    return a + (at - first) * (pair_value(s, first + 1, foot, 1) - a);
}

static void add_frame(const PlateSignals *s, int frame, int foot, double by, LagSums *sum)
{
    double b = pair_value(s, frame, foot, 0), r = shifted(s, frame, foot, by) - b;
    double d = -(pair_value(s, frame + 1, foot, 0) - pair_value(s, frame - 1, foot, 0)) / (2 * s->frame_time);
    sum->dd += d * d;
    sum->bb += b * b;
    sum->db += d * b;
    sum->rd += r * d;
    sum->rb += r * b;
    sum->rr += r * r;
    sum->frames++;
}

/* One Gauss-Newton step for the delay; the standard error counts correlated frames once. */
static double lag_step(const PlateSignals *s, int foot, double from, double *error)
{
    LagSums sum = {0};
    for (int f = 1; f + 1 < s->frame_count; f++)
        if (s->is_used[f] && s->is_used[f - 1] && s->is_used[f + 1])
            add_frame(s, f, foot, from / s->frame_time, &sum);
    double det = sum.dd * sum.bb - sum.db * sum.db;
    if (sum.frames * s->frame_time < MIN_TIME || !(det > 1e-9 * sum.dd * sum.bb))
        return *error = NAN;
    double lag = (sum.rd * sum.bb - sum.rb * sum.db) / det, scale = (sum.rb * sum.dd - sum.rd * sum.db) / det;
    double left = fmax(0, sum.rr - lag * sum.rd - scale * sum.rb) / sum.frames;
    double count = fmax(1, sum.frames * s->frame_time / PLATES_CORRELATED);
    *error = sqrt(left / count * sum.bb / det * sum.frames);
    return from + lag;
}

static double plate_lag(const PlateSignals *s, int foot, double *error)
{
    double lag = lag_step(s, foot, 0, error);
    for (int i = 0; i < 2 && !isnan(lag) && fabs(lag) < 0.2; i++)
        lag = lag_step(s, foot, lag, error);
    return lag;
}

/* ---- Pressure ---- */

/* Sole of a foot in a frame: positions of its contact points along and across it. */
typedef struct Sole {
    Vec3 ankle, along, outward;
    double low[2], high[2]; /* m from the ankle: along, outward */
} Sole;

static Vec3 foot_direction(const PlateCase *c, const PlateSignals *s, int frame, int foot, Vec3 ankle)
{
    int toe = skeleton_find_role(c->clip->skeleton, foot == FOOT_LEFT ? ROLE_LEFT_TOE : ROLE_RIGHT_TOE);
    const Kinematics *k = c->clip->kinematics;
    if (toe < 0)
        return s->forward;
    Vec3 along = vec3_sub(k->position[(size_t)frame * (size_t)k->joint_count + (size_t)toe], ankle);
    along.y = 0;
    return vec3_norm(along) > 0.02 ? vec3_normalize(along) : s->forward;
}

static int find_sole(const PlateCase *c, const PlateSignals *s, int frame, int foot, Sole *out)
{
    const Kinematics *k = c->clip->kinematics;
    const Contact *e = c->estimate;
    int joint = skeleton_find_role(c->clip->skeleton, foot == FOOT_LEFT ? ROLE_LEFT_ANKLE : ROLE_RIGHT_ANKLE);
    if (joint < 0)
        return 0;
    size_t row = (size_t)frame * (size_t)k->joint_count;
    out->ankle = k->position[row + (size_t)joint];
    out->along = foot_direction(c, s, frame, foot, out->ankle);
    out->outward = vec3_scale(vec3_cross(out->along, vec3(0, 1, 0)), foot == FOOT_RIGHT ? 1 : -1);
    out->low[0] = out->low[1] = INFINITY;
    out->high[0] = out->high[1] = -INFINITY;
    for (int p = 0; p < e->point_count; p++) {
        size_t body = row + (size_t)e->point_joint[p];
        if (foot_of_segment(c->clip->skeleton->segment[e->point_joint[p]]) != foot)
            continue;
        Vec3 at = vec3_add(k->position[body], quat_rotate(k->orientation[body], e->point_position[p]));
        const double position[2] = {vec3_dot(vec3_sub(at, out->ankle), out->along),
                                    vec3_dot(vec3_sub(at, out->ankle), out->outward)};
        for (int i = 0; i < 2; i++) {
            out->low[i] = fmin(out->low[i], position[i]);
            out->high[i] = fmax(out->high[i], position[i]);
        }
    }
    return out->high[0] > out->low[0];
}

static int is_off(const Sole *sole, Vec3 position)
{
    Vec3 from = vec3_sub(position, sole->ankle);
    const double at[2] = {vec3_dot(from, sole->along), vec3_dot(from, sole->outward)};
    for (int i = 0; i < 2; i++)
        if (at[i] < sole->low[i] - SOLE_MARGIN || at[i] > sole->high[i] + SOLE_MARGIN)
            return 1;
    return 0;
}

static double flat_distance(Vec3 a, Vec3 b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.z - b.z) * (a.z - b.z));
}

/* Sums over the loaded frames of a foot, weighted by its load. */
typedef struct PressureSums {
    double compared, along, outward, load, off;
    int frames;
} PressureSums;

static void add_pressure(const PlateCase *c, const Sole *sole, int frame, int foot, PressureSums *sum)
{
    size_t at = (size_t)frame * FOOT_COUNT + (size_t)foot;
    double load = c->plates->foot_force[at].y, weight = WELL_LOADED * c->clip->body->total_mass * GRAVITY;
    Vec3 apart = vec3_sub(c->plates->foot_cop[at], c->estimate->foot_cop[at]);
    if (!(load > weight))
        return;
    sum->load += load;
    sum->off += is_off(sole, c->plates->foot_cop[at]) ? load : 0;
    if (!(c->estimate->foot_force[at].y > weight))
        return;
    sum->compared += load;
    sum->along += load * vec3_dot(apart, sole->along);
    sum->outward += load * vec3_dot(apart, sole->outward);
    sum->frames++;
}

static void find_pressure(const PlateCase *c, const PlateSignals *s, int foot, PlateMeasures *out)
{
    PressureSums sum = {0};
    Sole sole;
    for (int f = 0; f < s->frame_count; f++)
        if (s->is_used[f] && find_sole(c, s, f, foot, &sole))
            add_pressure(c, &sole, f, foot, &sum);
    int shows = sum.frames * s->frame_time >= MIN_TIME;
    out->along[foot] = shows ? sum.along / sum.compared : NAN;
    out->outward[foot] = shows ? sum.outward / sum.compared : NAN;
    out->off_sole[foot] = shows ? sum.off / sum.load : NAN;
}

/* ---- Feet exchanged ---- */

static void find_crossed_force(const PlateSignals *s, const uint8_t *valid, PlateMeasures *out)
{
    double own = 0, crossed = 0;
    int frames = 0;
    for (int f = 0; f < s->frame_count; f++) {
        if (!valid[f] || !(plates_up(s, f) > SUPPORTS))
            continue;
        for (int foot = 0; foot < FOOT_COUNT; foot++) {
            double p = plate_signal(s, f, (PlatePart)(PLATES_LEFT + foot), PLATE_UP);
            double e = plate_signal(s, f, (PlatePart)(ESTIMATE_LEFT + foot), PLATE_UP);
            double other = plate_signal(s, f, (PlatePart)(ESTIMATE_RIGHT - foot), PLATE_UP);
            own += (p - e) * (p - e);
            crossed += (p - other) * (p - other);
        }
        frames++;
    }
    int shows = frames * s->frame_time >= MIN_TIME;
    out->crossed_force = shows ? own / (own + crossed) : NAN;
    out->crossed_misfit = shows ? sqrt(own / frames) : NAN;
}

static double find_crossed_pressure(const PlateCase *c, const PlateSignals *s)
{
    double load = 0, crossed = 0;
    Sole sole[FOOT_COUNT];
    for (int f = 0; f < s->frame_count; f++) {
        if (!find_sole(c, s, f, FOOT_LEFT, &sole[FOOT_LEFT]) || !find_sole(c, s, f, FOOT_RIGHT, &sole[FOOT_RIGHT]))
            return NAN;
        for (int foot = 0; foot < FOOT_COUNT; foot++) {
            size_t at = (size_t)f * FOOT_COUNT + (size_t)foot;
            Vec3 position = c->plates->foot_cop[at];
            double force = c->plates->foot_force[at].y, other = flat_distance(position, sole[1 - foot].ankle);
            if (!(force > WELL_LOADED * s->weight))
                continue;
            load += force;
            crossed += other < NEAR_FOOT && other < flat_distance(position, sole[foot].ankle) ? force : 0;
        }
    }
    return load > 0 ? crossed / load : NAN;
}

/* ---- Offset ---- */

static int is_in_air(const PlateCase *c, const PlateSignals *s, int frame, int foot)
{
    int reach = signal_frames(s, AIR_REACH);
    for (int f = frame > reach ? frame - reach : 0; f <= frame + reach && f < s->frame_count; f++)
        if (vec3_norm(plate_foot_force(c->estimate, f, foot)) > IN_AIR * s->weight)
            return 0;
    return 1;
}

static double plate_offset(const PlateCase *c, const PlateSignals *s, int foot, double *scratch)
{
    size_t count = 0;
    for (int f = 0; f < s->frame_count; f++)
        if (is_in_air(c, s, f, foot))
            scratch[count++] = vec3_norm(plate_reading(c, f, foot));
    return (double)count * s->frame_time < MIN_TIME ? NAN : select_double(scratch, count, count / 2);
}

/* ---- Kind of motion ---- */

static void find_motion(const PlateCase *c, const PlateSignals *s, PlateMeasures *out)
{
    double frames = 0, flying = 0, uneven = 0, load = 0;
    for (int f = 0; f < s->frame_count; f++) {
        if (!s->is_used[f])
            continue;
        double left = plate_foot_force(c->estimate, f, FOOT_LEFT).y / s->weight;
        double right = plate_foot_force(c->estimate, f, FOOT_RIGHT).y / s->weight;
        frames++;
        flying += left + right < PLATES_MIN_LOAD;
        load += left + right;
        uneven += fabs(left - right);
    }
    double flight = frames > 0 ? fmin(1, flying / frames / FLIGHT) : 0;
    double level = load > 0 ? (uneven / load - UNEVEN_STAND) / (UNEVEN_GAIT - UNEVEN_STAND) : 1;
    double gait = fmin(fmax(level, 0), 1);
    out->motion[PLATE_WALK] = gait * (1 - flight);
    out->motion[PLATE_RUN] = gait * flight;
    out->motion[PLATE_STAND] = (1 - gait) * (1 - flight);
    out->motion[PLATE_JUMP] = (1 - gait) * flight;
}

/* ---- All ---- */

static void find_times(const PlateCase *c, const PlateSignals *s, PlateMeasures *out)
{
    for (int f = 0; f < s->frame_count; f++) {
        if (!(fabs(plates_up(s, f)) > WELL_LOADED))
            continue;
        out->time += s->is_used[f] ? s->frame_time : 0;
        out->loaded_time += c->clip->kinematics->valid[f] ? s->frame_time : 0;
    }
}

static void find_of_foot(const PlateCase *c, const PlateSignals *s, int foot, double *scratch, PlateMeasures *out)
{
    find_load(c, s, foot, out);
    out->foot_impulse[foot] = plate_impulse(s, foot);
    out->foot_lag[foot] = plate_lag(s, foot, &out->foot_lag_error[foot]);
    out->offset[foot] = plate_offset(c, s, foot, scratch);
    find_pressure(c, s, foot, out);
}

Status plate_measures_find(const PlateCase *c, const PlateSignals *s, PlateMeasures *out, Error *err)
{
    Arena arena = {0};
    double *scratch = arena_array(&arena, (size_t)s->frame_count, 1, sizeof *scratch);
    *out = (PlateMeasures){.frame_time = s->frame_time};
    if (arena.failed)
        return error_no_memory(err);
    find_motion(c, s, out);
    find_times(c, s, out);
    out->impulse = plate_impulse(s, FOOT_COUNT);
    out->lag = plate_lag(s, FOOT_COUNT, &out->lag_error);
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        find_of_foot(c, s, foot, scratch, out);
    find_signs(s, out);
    find_crossed_force(s, c->clip->kinematics->valid, out);
    out->crossed_pressure = find_crossed_pressure(c, s);
    arena_free(&arena);
    return STATUS_OK;
}
