/* Errors of force plates (plate_errors.h). */
#include "analysis/contact/plate_errors.h"

#include <math.h>

#include "analysis/clip/contact.h"
#include "analysis/contact/plate_signals.h"
#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"

#define KILO_MIN 0.0005   /* force in kN per force in N */
#define KILO_MAX 0.002
#define KILO_MATCH 0.9      /* correlation: the noise of an empty plate is small, too, but uncorrelated */
#define MIN_MISFIT 0.1    /* body weights: feet with similar loads cannot be distinguished */

static const char *const names[PLATE_ERROR_KINDS] = {
    [PLATES_EXCHANGED] = "plates-exchanged",           [PLATES_APART] = "plates-apart",
    [PLATES_DOWNWARD] = "plates-downward",             [PLATES_ALONG_SIGN] = "plates-along-sign",
    [PLATES_SIDE_SIGN] = "plates-side-sign",           [PLATES_TURNED] = "plates-turned",
    [PLATES_LATE] = "plates-late",                     [PLATES_SCALE] = "plates-scale",
    [PLATES_FOOT_SCALE] = "plates-foot-scale",         [PLATES_PRESSURE_ALONG] = "plates-pressure-along",
    [PLATES_PRESSURE_SIDE] = "plates-pressure-side",   [PLATES_OFF_SOLE] = "plates-off-sole",
    [PLATES_OFFSET] = "plates-offset",                 [PLATES_UNIT] = "plates-unit",
    [PLATES_UPRIGHT] = "plates-upright",
};

const char *plate_error_name(PlateErrorKind kind)
{
    return names[kind];
}

/* Inputs and findings. */
typedef struct Judge {
    const PlateMeasures *m;
    const PlateSound *sound;
    PlateErrors *out;
} Judge;

/* Mean and standard deviation of sound trials of this motion. */
static double sound_spread(const Judge *j, PlateErrorKind kind, double *mean)
{
    const PlateSound *s = &j->sound[kind];
    const double means[PLATE_MOTIONS] = {s->walk, s->run, s->stand, s->jump};
    const double spreads[PLATE_MOTIONS] = {s->walk_spread, s->run_spread, s->stand_spread, s->jump_spread};
    double variance = 0;
    *mean = 0;
    for (int i = 0; i < PLATE_MOTIONS; i++)
        *mean += j->m->motion[i] * means[i];
    for (int i = 0; i < PLATE_MOTIONS; i++)
        variance += j->m->motion[i] * (spreads[i] * spreads[i] + (means[i] - *mean) * (means[i] - *mean));
    return sqrt(variance);
}

/* Standard deviations from the mean, including the measure's own standard error; 0 if it is not measurable. */
static double spreads_off(const Judge *j, PlateErrorKind kind, double value, double error)
{
    double mean, spread = sound_spread(j, kind, &mean);
    return isnan(value) || isnan(error) ? 0 : (value - mean) / sqrt(spread * spread + error * error);
}

static int is_error(const Judge *j, PlateErrorKind kind, double value, double error)
{
    return fabs(spreads_off(j, kind, value, error)) >= j->sound[kind].limit;
}

static void add(const Judge *j, PlateErrorKind kind, int foot, double value, double error)
{
    double z = spreads_off(j, kind, value, error);
    if (j->out->count < PLATE_ERRORS_MAX)
        j->out->error[j->out->count++] = (PlateError){kind, foot, value, 1 - 1 / (z * z)};
}

static int add_if_off(const Judge *j, PlateErrorKind kind, int foot, double value, double error)
{
    int off = is_error(j, kind, value, error);
    if (off)
        add(j, kind, foot, value, error);
    return off;
}

/* ---- Loads in another unit, or along another axis ---- */

static int judge_unit(const Judge *j)
{
    int is_kilo[FOOT_COUNT];
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        double load = j->m->load[foot][PLATE_UP];
        is_kilo[foot] = load > KILO_MIN && load < KILO_MAX && j->m->load_match[foot] > KILO_MATCH;
    }
    if (!is_kilo[FOOT_LEFT] && !is_kilo[FOOT_RIGHT])
        return 0;
    int first = is_kilo[FOOT_LEFT] ? FOOT_LEFT : FOOT_RIGHT;
    int foot = is_kilo[FOOT_LEFT] && is_kilo[FOOT_RIGHT] ? FOOT_COUNT : first;
    return add_if_off(j, PLATES_UNIT, foot, j->m->load[first][PLATE_UP], 0);
}

double plates_upright(const PlateMeasures *m)
{
    double load[PLATE_AXES];
    for (int axis = 0; axis < PLATE_AXES; axis++)
        load[axis] = m->load[FOOT_LEFT][axis] + m->load[FOOT_RIGHT][axis];
    double all = vec3_norm(vec3_load(load));
    return all > PLATES_MIN_LOAD ? fabs(load[PLATE_UP]) / all : NAN;
}

static int judge_upright(const Judge *j)
{
    return add_if_off(j, PLATES_UPRIGHT, FOOT_COUNT, plates_upright(j->m), 0);
}

/* ---- Forces of the other foot, or of no ground ---- */

static int judge_exchanged(const Judge *j)
{
    const PlateMeasures *m = j->m;
    if (m->crossed_misfit > MIN_MISFIT && is_error(j, PLATES_EXCHANGED, m->crossed_force, 0) &&
        m->crossed_force > 0.8)
        return add_if_off(j, PLATES_EXCHANGED, FOOT_COUNT, m->crossed_force, 0);
    return m->crossed_pressure > 0.5 && add_if_off(j, PLATES_EXCHANGED, FOOT_COUNT, m->crossed_pressure, 0);
}

static int judge_apart(const Judge *j)
{
    const PlateMeasures *m = j->m;
    return m->loaded_time > PLATES_MIN_TIME && add_if_off(j, PLATES_APART, FOOT_COUNT, m->time / m->loaded_time, 0);
}

static int judge_downward(const Judge *j)
{
    return j->m->impulse < 0 && add_if_off(j, PLATES_DOWNWARD, FOOT_COUNT, j->m->impulse, 0);
}

/* ---- Horizontal forces ---- */

/* Statistics of the horizontal forces of plates and estimate, both feet. */
static void sum_products(const PlateMeasures *m, double *dot, double *cross)
{
    *dot = *cross = 0;
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        *dot += m->product[foot].pe[0] + m->product[foot].pe[1];
        *cross += m->product[foot].cross;
    }
}

double plates_rotation(const PlateMeasures *m)
{
    double dot, cross;
    sum_products(m, &dot, &cross);
    return dot == 0 && cross == 0 ? NAN : elementary_atan2(cross, dot);
}

/* Standard error that the estimate's error of the forces along both axes gives a quotient with the squares of the
 * plates' forces, pp: of the cosine along one axis, or of the rotation by both, whose errors lie across the forces. */
static double quotient_error(const Judge *j, const double pp[2], const double spread[2])
{
    double sum = spread[0] * spread[0] * pp[0] + spread[1] * spread[1] * pp[1];
    return sqrt(sum * PLATES_CORRELATED / j->m->frame_time) / (pp[0] + pp[1]);
}

static void sum_squares(const PlateMeasures *m, int foot, double pp[2])
{
    pp[0] = pp[1] = 0;
    for (int k = 0; k < FOOT_COUNT; k++)
        for (int axis = 0; axis < 2; axis++)
            pp[axis] += foot == k || foot == FOOT_COUNT ? m->product[k].pp[axis] : 0;
}

static double sign_error(const Judge *j, int axis, int foot)
{
    double mean, pp[2];
    const double spread[2] = {sound_spread(j, PLATES_FORCE_ALONG, &mean), sound_spread(j, PLATES_FORCE_SIDE, &mean)};
    sum_squares(j->m, foot, pp);
    pp[1 - axis] = 0;
    return quotient_error(j, pp, spread);
}

static double rotation_error(const Judge *j)
{
    double mean, pp[2];
    const double across[2] = {sound_spread(j, PLATES_FORCE_SIDE, &mean), sound_spread(j, PLATES_FORCE_ALONG, &mean)};
    sum_squares(j->m, FOOT_COUNT, pp);
    return quotient_error(j, pp, across);
}

/* Feet with the wrong sign: FOOT_LEFT, FOOT_RIGHT, FOOT_COUNT for both, -1 for none. */
static int foot_of_sign(const Judge *j, PlateErrorKind kind, int axis)
{
    const double *sign = j->m->sign[axis];
    int wrong[FOOT_COUNT + 1];
    for (int foot = 0; foot <= FOOT_COUNT; foot++)
        wrong[foot] = sign[foot] < 0 && is_error(j, kind, sign[foot], sign_error(j, axis, foot));
    if (wrong[FOOT_COUNT] || (wrong[FOOT_LEFT] && wrong[FOOT_RIGHT]))
        return FOOT_COUNT;
    return wrong[FOOT_LEFT] ? FOOT_LEFT : wrong[FOOT_RIGHT] ? FOOT_RIGHT : -1;
}

/* Agreement with the estimate after these signs are changed; larger is better. */
static double agreement_with(const PlateMeasures *m, const int foot_of[2])
{
    double sum = 0;
    for (int i = 0; i < 2; i++)
        for (int foot = 0; foot < FOOT_COUNT; foot++)
            sum += m->product[foot].pe[i] * (foot_of[i] == foot || foot_of[i] == FOOT_COUNT ? -1 : 1);
    return sum;
}

static double agreement_turned(const PlateMeasures *m)
{
    double dot, cross;
    sum_products(m, &dot, &cross);
    return sqrt(dot * dot + cross * cross);
}

/* Feet whose force along an axis agrees better with the opposite sign; -1 for none. */
static int better_reversed(const PlateMeasures *m, int axis)
{
    int left = m->product[FOOT_LEFT].pe[axis] < 0, right = m->product[FOOT_RIGHT].pe[axis] < 0;
    return left && right ? FOOT_COUNT : left ? FOOT_LEFT : right ? FOOT_RIGHT : -1;
}

/* Signs that explain more than any rotation does, although no single cosine is sufficient. Returns whether there are
 * any. */
static int complete_signs(const Judge *j, int foot[2])
{
    const int better[2] = {better_reversed(j->m, 0), better_reversed(j->m, 1)};
    if (!(agreement_with(j->m, better) > agreement_turned(j->m)))
        return 0;
    for (int i = 0; i < 2; i++)
        foot[i] = foot[i] < 0 ? better[i] : foot[i];
    return 1;
}

/* Signs that explain a rotation are at least as certain as that it is one. */
static void add_signs(const Judge *j, const int foot[2], double certainty)
{
    static const PlateErrorKind kind[2] = {PLATES_ALONG_SIGN, PLATES_SIDE_SIGN};
    for (int i = 0; i < 2; i++) {
        if (foot[i] < 0)
            continue;
        add(j, kind[i], foot[i], j->m->sign[i][foot[i]], sign_error(j, i, foot[i]));
        PlateError *last = &j->out->error[j->out->count - 1];
        last->certainty = fmax(last->certainty, certainty);
    }
}

static void judge_horizontal(const Judge *j)
{
    static const PlateErrorKind kind[2] = {PLATES_ALONG_SIGN, PLATES_SIDE_SIGN};
    const PlateMeasures *m = j->m;
    int foot[2];
    double rotation = plates_rotation(m), error = rotation_error(j);
    for (int i = 0; i < 2; i++)
        foot[i] = foot_of_sign(j, kind[i], i);
    int all = foot[0] == FOOT_COUNT && foot[1] == FOOT_COUNT, turned = is_error(j, PLATES_TURNED, rotation, error);
    double z = spreads_off(j, PLATES_TURNED, rotation, error);
    if (turned && (all || !complete_signs(j, foot)))
        add(j, PLATES_TURNED, FOOT_COUNT, rotation, error);
    else
        add_signs(j, foot, turned ? 1 - 1 / (z * z) : 0);
}

/* ---- Time ---- */

/* Of all feet together and of each, weighted by certainty. */
static double pooled_lag(const Judge *j, double *error)
{
    const PlateMeasures *m = j->m;
    const double lag[3] = {m->lag, m->foot_lag[FOOT_LEFT], m->foot_lag[FOOT_RIGHT]};
    const double of[3] = {m->lag_error, m->foot_lag_error[FOOT_LEFT], m->foot_lag_error[FOOT_RIGHT]};
    double mean, sum = 0, weights = 0, spread = sound_spread(j, PLATES_LATE, &mean);
    *error = NAN;
    for (int i = 0; i < 3; i++) {
        if (isnan(lag[i]) || isnan(of[i]))
            continue;
        double weight = 1 / (spread * spread + of[i] * of[i]);
        sum += weight * lag[i];
        weights += weight;
        *error = isnan(*error) ? of[i] : fmin(*error, of[i]);
    }
    return weights > 0 ? sum / weights : NAN;
}

double plates_delay(const PlateMeasures *m, const PlateSound sound[PLATE_SOUND_ROWS], double *error)
{
    Judge judge = {m, sound, NULL};
    double mean, own, spread = sound_spread(&judge, PLATES_LATE, &mean), lag = pooled_lag(&judge, &own);
    *error = sqrt(spread * spread + own * own);
    return lag - mean;
}

static void judge_late(const Judge *j)
{
    const PlateMeasures *m = j->m;
    double error, lag = pooled_lag(j, &error);
    int late[FOOT_COUNT];
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        late[foot] = is_error(j, PLATES_LATE, m->foot_lag[foot], m->foot_lag_error[foot]);
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        if (late[foot] && !late[1 - foot] && !isnan(m->foot_lag[1 - foot])) {
            add(j, PLATES_LATE, foot, m->foot_lag[foot], m->foot_lag_error[foot]);
            return;
        }
    add_if_off(j, PLATES_LATE, FOOT_COUNT, lag, error);
}

/* ---- Size, pressure, offset ---- */

static void judge_scale(const Judge *j)
{
    const double *own = j->m->foot_impulse;
    double ratio = own[FOOT_LEFT] / own[FOOT_RIGHT];
    int worse = fabs(own[FOOT_LEFT] - 1) > fabs(own[FOOT_RIGHT] - 1) ? FOOT_LEFT : FOOT_RIGHT;
    if (!add_if_off(j, PLATES_FOOT_SCALE, worse, worse == FOOT_LEFT ? ratio : 1 / ratio, 0))
        add_if_off(j, PLATES_SCALE, FOOT_COUNT, j->m->impulse, 0);
}

/* Both feet if their mean is off, else the one that is, or that differs from the other. */
static void judge_pressure(const Judge *j, PlateErrorKind kind, const double value[FOOT_COUNT])
{
    double mean, left = value[FOOT_LEFT], right = value[FOOT_RIGHT];
    (void)sound_spread(j, kind, &mean);
    int worse = fabs(left - mean) > fabs(right - mean) ? FOOT_LEFT : FOOT_RIGHT, count = j->out->count;
    if (add_if_off(j, kind, FOOT_COUNT, 0.5 * (left + right), 0))
        return;
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        add_if_off(j, kind, foot, value[foot], 0);
    if (j->out->count == count)
        add_if_off(j, kind, worse, mean + value[worse] - value[1 - worse], 0);
}

static void judge_pressures(const Judge *j)
{
    const PlateMeasures *m = j->m;
    int off = 0;
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        off |= add_if_off(j, PLATES_OFF_SOLE, foot, m->off_sole[foot], 0);
    if (off)
        return;
    judge_pressure(j, PLATES_PRESSURE_ALONG, m->along);
    judge_pressure(j, PLATES_PRESSURE_SIDE, m->outward);
}

void plate_errors_find(const PlateMeasures *m, const PlateSound sound[PLATE_SOUND_ROWS], PlateErrors *out)
{
    Judge judge = {m, sound, out};
    *out = (PlateErrors){0};
    if (judge_unit(&judge) || judge_upright(&judge) || judge_exchanged(&judge) || judge_apart(&judge))
        return;
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        add_if_off(&judge, PLATES_OFFSET, foot, m->offset[foot], 0);
    if (!(m->time > PLATES_MIN_TIME) || judge_downward(&judge))
        return;
    judge_horizontal(&judge);
    judge_late(&judge);
    judge_scale(&judge);
    judge_pressures(&judge);
}
