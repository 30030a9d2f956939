/* Strength and its utilization, LANES frames at a time: up to six exponentials and cosines per coordinate.
 *
 * Curves: strength_curve.h. */
#include <math.h>

#include "analysis/angles/strength.h"
#include "analysis/angles/strength_curve_internal.h"
#include "analysis/math/elementary.h"
#include "analysis/math/lanes.h"

typedef struct LaneStrength {
    Lane active, passive;
} LaneStrength;

LANE_INLINE Lane lane_clamp(Lane x, Lane low, Lane high)
{
    return lane_select(lane_less(x, low), low, lane_select(lane_less(high, x), high, x));
}

LANE_INLINE Lane lane_positive(Lane x) { return lane_select(lane_less(lane_set(0), x), x, lane_set(0)); }

/* Hill's hyperbola: 1 at rest, 0 at the maximal velocity and above. u: fraction of it. */
LANE_INLINE Lane lane_hill(Lane u, double bend)
{
    Lane one = lane_set(1);
    return lane_select(lane_less(u, one), (one - u) / (one + lane_set(bend) * u), lane_set(0));
}

/* (a + b s) / (a + d s): torque over isometric torque at the shortening velocity s. */
LANE_INLINE Lane lane_hyperbola(const AverageShape *c, Lane s)
{
    return (lane_set(c->a) + lane_set(c->b) * s) / (lane_set(c->a) + lane_set(c->d) * s);
}

LANE_INLINE Lane lane_average_gain(const AverageShape *c, Lane speed)
{
    Lane back = -speed, slow = back, one = lane_set(1), shortening;
    if (c->b < 0) {
        shortening = lane_positive(lane_hyperbola(c, speed));
        slow = lane_select(lane_less(back, lane_set(c->max_speed)), back, lane_set(c->max_speed));
    } else {
        shortening = lane_hill(speed / lane_set(c->speed_max), c->bend);
    }
    Lane lengthening = lane_hyperbola(c, slow) * (one + lane_set(c->gain) * slow);
    return lane_select(lane_less(speed, lane_set(0)), lane_clamp(lengthening, one, lane_set(STRENGTH_MAX_ECCENTRIC)),
                       shortening);
}

LANE_INLINE LaneStrength lane_average(const AverageShape *c, Lane angle, Lane speed)
{
    Lane max = lane_set(c->isometric), from = lane_set(c->rate) * (angle - lane_set(c->angle));
    Lane active = max * lane_cos(from) * lane_average_gain(c, speed);
    Lane passive = lane_set(c->b1) * lane_exp(lane_set(c->k1) * angle) +
                   lane_set(c->b2) * lane_exp(lane_set(c->k2) * angle);
    return (LaneStrength){lane_select(lane_less(lane_abs(from), lane_set(PI / 2)), active, lane_set(0)),
                          lane_clamp(passive, -max, max)};
}

/* Lengthening rises from 1 at rest, with the slope of Hill's curve, towards the eccentric gain. */
LANE_INLINE LaneStrength lane_person(const PersonShape *c, Lane angle, Lane speed)
{
    Lane max = lane_set(c->isometric), off = (angle - lane_set(c->angle)) / lane_set(c->width), one = lane_set(1);
    Lane u = lane_abs(speed) / lane_set(c->speed_max), lengthening = one, rise = lane_set(c->slope) * u;
    if (c->gain > 0)
        lengthening = one + lane_set(c->gain * c->slope) * u / (lane_set(c->gain) + rise);
    Lane gain = lane_select(lane_less(speed, lane_set(0)), lengthening, lane_hill(u, c->bend));
    Lane stretch = lane_clamp((angle - lane_set(c->passive_zero)) / lane_set(c->passive_range), lane_set(0), one);
    return (LaneStrength){max * lane_exp(lane_set(-0.5) * off * off) * gain, max * stretch * stretch};
}

/* Factors of a curve in its envelope: of the angle, and of the velocity in shortening. */
typedef struct LaneFactors {
    Lane isometric, shortening, passive; /* N m, fraction, N m */
} LaneFactors;

LANE_INLINE Lane lane_max(Lane a, Lane b) { return lane_select(lane_less(a, b), b, a); }

LANE_INLINE LaneFactors lane_average_factors(const AverageShape *c, Lane angle, Lane speed)
{
    Lane max = lane_set(c->isometric), from = lane_set(c->rate) * (angle - lane_set(c->angle));
    Lane quarter = lane_set(PI / 2);
    LaneStrength at = lane_average(c, angle, lane_set(0));
    return (LaneFactors){max * lane_max(lane_cos(lane_clamp(from, -quarter, quarter)), lane_set(STRENGTH_ANGLE_FLOOR)),
                         lane_average_gain(c, speed), at.passive};
}

LANE_INLINE LaneFactors lane_person_factors(const PersonShape *c, Lane angle, Lane speed)
{
    LaneStrength at = lane_person(c, angle, lane_set(0));
    return (LaneFactors){lane_max(at.active, lane_set(c->isometric * STRENGTH_ANGLE_FLOOR)),
                         lane_hill(speed / lane_set(c->speed_max), c->bend), at.passive};
}

/* Passive tissue that resists takes half of the muscles' torque at most. */
LANE_INLINE LaneStrength lane_envelope(const StrengthCurve *c, LaneFactors at, Lane speed)
{
    const StrengthEnvelope *e = &c->envelope;
    Lane back = lane_positive(-speed);
    Lane lengthening = lane_set(1) + lane_set(e->eccentric - 1) * back / (back + lane_set(STRENGTH_HALF_RISE));
    Lane shortening = lane_max(at.shortening, lane_set(e->floor));
    Lane active = lane_set(e->gain * c->level) * at.isometric *
                  lane_select(lane_less(speed, lane_set(0)), lengthening, shortening);
    return (LaneStrength){active, lane_max(at.passive, lane_set(-0.5) * active)};
}

/* speed: rad/s, positive in shortening. */
LANE_INLINE LaneStrength lane_strength(const StrengthCurve *c, Lane angle, Lane speed)
{
    LaneStrength sum = {lane_set(0), lane_set(0)};
    angle = angle * lane_set(c->angle_sign);
    Lane slow = c->has_envelope ? lane_positive(speed) / lane_set(c->envelope.stretch) : speed;
    if (c->is_person)
        return c->has_envelope ? lane_envelope(c, lane_person_factors(&c->person, angle, slow), speed)
                           : lane_person(&c->person, angle, speed);
    Lane count = lane_set(c->average_count);
    if (c->has_envelope) {
        LaneFactors mean = {lane_set(0), lane_set(0), lane_set(0)};
        for (int i = 0; i < c->average_count; i++) {
            LaneFactors at = lane_average_factors(&c->average[i], angle, slow);
            mean.isometric += at.isometric / count;
            mean.shortening += at.shortening / count;
            mean.passive += at.passive / count;
        }
        return lane_envelope(c, mean, speed);
    }
    for (int i = 0; i < c->average_count; i++) {
        LaneStrength at = lane_average(&c->average[i], angle, speed);
        sum.active += at.active / count;
        sum.passive += at.passive / count;
    }
    return sum;
}

#if LANES == 1
StrengthAt strength_at(const StrengthCurve *curve, double angle, double speed)
{
    LaneStrength at = lane_strength(curve, angle, speed);
    return (StrengthAt){at.active, at.passive, curve->isometric};
}
#endif

/* Net passive moment of both directions, each bounded by its curve. */
LANE_INLINE Lane lane_passive_moment(const StrengthColumn *column, Lane angle)
{
    LaneStrength up = lane_strength(&column->direction[1], angle, lane_set(0));
    LaneStrength down = lane_strength(&column->direction[0], angle, lane_set(0));
    return lane_positive(up.passive) - lane_positive(down.passive);
}

/* Frames with an angle and a velocity of one coordinate, turned so that its curves apply. */
typedef struct LaneState {
    Lane angle, velocity, moment;
    Lane back; /* -1: an arm raised backwards, which extends the shoulder */
    LaneMask known;
} LaneState;

LANE_INLINE LaneState lane_state(const StrengthView *v, const StrengthColumn *column, size_t at)
{
    Lane one = lane_set(1), max = lane_set(INFINITY);
    Lane angle = lane_load(v->angle + at, v->columns), velocity = lane_load(v->velocity + at, v->columns);
    LaneState s = {angle, velocity, lane_load(v->moment + at, v->columns), one,
                   lane_less(lane_abs(angle), max) & lane_less(lane_abs(velocity), max)};
    if (column->is_elevation) {
        Lane forward = lane_sin(lane_load(v->angle + at - 1, v->columns));
        s.known &= ~lane_less(forward * forward, lane_set(0.5));
        s.back = lane_select(lane_less(forward, lane_set(0)), -one, one);
        s.angle *= s.back;
        s.velocity *= s.back;
        s.moment *= s.back;
    }
    return s;
}

LANE_INLINE void visit_column(const StrengthView *v, const StrengthColumn *column, size_t at)
{
    LaneState s = lane_state(v, column, at);
    Lane gap = lane_set(NAN), capacity = gap, utilization = gap, spread = gap;
    Lane moment_sd = v->moment_sd ? lane_load(v->moment_sd + at, v->columns) : lane_set(0);
    LaneMask negative = lane_less(s.moment, lane_set(0));
    if (v->passive)
        lane_store(v->passive + at, v->columns,
                   lane_select(s.known, s.back * lane_passive_moment(column, s.angle), gap));
    for (int positive = 0; positive < 2; positive++) {
        const StrengthCurve *curve = &column->direction[positive];
        LaneMask here = s.known & (positive ? ~negative : negative);
        if (!(curve->isometric > 0) || !lane_any(here))
            continue;
        LaneStrength strength = lane_strength(curve, s.angle, positive ? s.velocity : -s.velocity);
        Lane max = lane_positive(strength.active + strength.passive);
        Lane part = lane_abs(s.moment) / max, of_moment = moment_sd / max, of_people = lane_set(curve->spread) * part;
        capacity = lane_select(here, max, capacity);
        utilization = lane_select(here, part, utilization);
        spread = lane_select(here, lane_sqrt(of_moment * of_moment + of_people * of_people), spread);
    }
    lane_store(v->capacity + at, v->columns, capacity);
    lane_store(v->utilization + at, v->columns, utilization);
    lane_store(v->utilization_sd + at, v->columns, spread);
}

/* Sets the rows of a block to NaN, for coordinates without curves. */
LANE_INLINE void clear_rows(double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = NAN;
}

void LANE_NAME(strength_frames)(const StrengthView *v)
{
    for (size_t f = 0; f < v->frame_count; f += LANES) {
        size_t row = lane_block(f, v->frame_count) * v->columns, count = LANES * v->columns;
        clear_rows(v->capacity + row, count);
        clear_rows(v->utilization + row, count);
        clear_rows(v->utilization_sd + row, count);
        if (v->passive)
            clear_rows(v->passive + row, count);
        for (size_t i = 0; i < v->count; i++)
            visit_column(v, &v->column[i], row + v->column[i].index);
    }
}
