#include "analysis/evidence/frames.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Frame rate ---- */

/* In order of how often they are met. */
static const double common_rates[] = {
    30, 60, 120, 24, 25, 50, 100, 240, 200, 125, 90, 150, 72, 48, 180, 250, 300, 360, 480, 500, 1000, 40, 20, 15, 10,
    30000.0 / 1001, 24000.0 / 1001, 60000.0 / 1001, 120000.0 / 1001, 48000.0 / 1001, 240000.0 / 1001,
};

/* Value of the last decimal that was written. */
static double last_digit(double frame_time)
{
    char text[64];
    double unit = 1;
    for (int decimals = 0; decimals < 17; decimals++, unit /= 10) {
        snprintf(text, sizeof text, "%.*f", decimals, frame_time);
        if (strtod(text, NULL) == frame_time)
            break;
    }
    return unit;
}

/* The first rate of the list, then the nearest whole one, whose reciprocal lies within tolerance; 0 for none. */
static double rate_within(double frame_time, double tolerance)
{
    for (size_t i = 0; i < sizeof common_rates / sizeof *common_rates; i++)
        if (fabs(1 / common_rates[i] - frame_time) <= tolerance)
            return common_rates[i];
    double whole = rint(1 / frame_time);
    return whole >= 1 && fabs(1 / whole - frame_time) <= tolerance ? whole : 0;
}

/* Programs write television's rates as 23.976, 29.97, 59.94 or as the fractions they stand for, a millionth apart; the
 * fraction is meant. 0 for none. */
static double television_rate(double frame_time)
{
    static const double thousands[] = {24, 30, 48, 60, 120, 240};
    for (size_t i = 0; i < sizeof thousands / sizeof *thousands; i++) {
        double rate = thousands[i] * 1000 / 1001;
        if (fabs(1 / rate - frame_time) <= 1.2e-6 * frame_time)
            return rate;
    }
    return 0;
}

double frame_rate_from_time(double frame_time, double *confidence)
{
    *confidence = 0;
    if (!(frame_time > 0) || !isfinite(frame_time) || !isfinite(1 / frame_time))
        return 30;
    double raw = 1 / frame_time, digit = last_digit(frame_time), plausible = raw >= 5 && raw <= 2000 ? 1 : 0.3;
    double exact = rint(raw);
    if (exact >= 1 && fabs(raw - exact) <= 1e-9 * raw) {
        *confidence = plausible;
        return exact;
    }
    if (television_rate(frame_time) > 0) {
        *confidence = plausible * 0.99;
        return television_rate(frame_time);
    }
    /* Half a last digit: rounded. A relative 1e-7: computed in single precision. A whole last digit: cut, or careless;
     * only where that many digits do not make neighbours of different rates. */
    double rounded = fmax(0.5 * digit * (1 + 1e-6), 1.2e-7 * frame_time);
    double rate = rate_within(frame_time, rounded);
    *confidence = plausible * (rounded < 1e-3 * frame_time ? 0.99 : 0.8);
    if (rate > 0)
        return rate;
    rate = digit < 1e-2 * frame_time ? rate_within(frame_time, digit * (1 + 1e-6)) : 0;
    *confidence = plausible * 0.8;
    return rate > 0 ? rate : raw;
}

/* ---- Fake first frame ---- */

enum { STEPS_COMPARED = 24 };

/* What changes from one frame to the next. */
typedef struct Step {
    double joints; /* rad, mean over the joints */
    double turn;   /* rad, of the root */
    double travel; /* of the root, in lengths of the body */
} Step;

/* Steps below these are taken as still: a body that holds its pose after the start. */
static const Step still = {0.01, 0.05, 0.01};

/* Angle between two rotations: twice the angle between the quaternions as four-vectors, whose chord is
 * 2 sin(angle / 4). */
static double angle_between(Quat a, Quat b) { return 2 * sqrt(2 * fmax(0, 1 - fabs(quat_dot(a, b)))); }

static Step step_at(const Motion *m, int frame, double body_length)
{
    const Quat *a = m->rotation + motion_index(m, frame, 0), *b = a + m->joint_count;
    Step step = {0, angle_between(a[0], b[0]),
                 vec3_distance(m->root_position[frame], m->root_position[frame + 1]) / body_length};
    for (int j = 0; j < m->joint_count; j++)
        step.joints += angle_between(a[j], b[j]) / m->joint_count;
    return step;
}

/* Mean angle of the joints of a frame from the rest pose, rad. */
static double angle_from_rest(const Motion *m, int frame)
{
    double sum = 0;
    for (int j = 0; j < m->joint_count; j++)
        sum += angle_between(m->rotation[motion_index(m, frame, j)], QUAT_IDENTITY);
    return sum / m->joint_count;
}

/* A real movement rarely doubles its step from one frame to the next, and does not begin in the rest pose. */
int first_frame_is_fake(const Skeleton *skeleton, const Motion *motion, double *confidence)
{
    *confidence = 0.5;
    if (motion->frame_count < 5 || motion->joint_count < 1)
        return 0;
    double length = skeleton_longest_chain(skeleton);
    length = length > 0 ? length : 1;
    Step first = step_at(motion, 0, length), largest = still;
    for (int f = 1; f < motion->frame_count - 1 && f <= STEPS_COMPARED; f++) {
        Step step = step_at(motion, f, length);
        largest.joints = fmax(largest.joints, step.joints);
        largest.turn = fmax(largest.turn, step.turn);
        largest.travel = fmax(largest.travel, step.travel);
    }
    double ratio = fmax(fmax(first.joints / largest.joints, first.turn / largest.turn), first.travel / largest.travel);
    int from_rest = angle_from_rest(motion, 0) < 0.3 * angle_from_rest(motion, 1);
    double even = from_rest ? 2 : 4, odds = (ratio / even) * (ratio / even) * (ratio / even);
    *confidence = fmax(odds, 1) / (1 + odds);
    return odds > 1;
}
