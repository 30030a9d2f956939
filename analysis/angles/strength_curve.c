/* Maximal joint torque as a function of angle and angular velocity (strength_curve.h). */
#include "analysis/angles/strength_curve.h"

#include <math.h>

#include "analysis/angles/strength_curve_internal.h"
#include "analysis/math/elementary.h"

const char *const strength_motion_names[] = {
    "hip_flexion", "hip_extension", "knee_flexion", "knee_extension", "ankle_dorsiflexion", "ankle_plantarflexion",
    "shoulder_flexion", "shoulder_extension", "elbow_flexion", "elbow_extension", "forearm_pronation",
    "forearm_supination", "wrist_flexion", "wrist_extension", "wrist_ulnar_deviation", "wrist_radial_deviation",
    "lumbar_flexion", "lumbar_extension", NULL,
};
_Static_assert(sizeof strength_motion_names / sizeof *strength_motion_names == STRENGTH_MOTION_COUNT + 1,
               "a name for every StrengthMotion");

double average_passive_literal(const AverageCurve *curve, double angle)
{
    return curve->b1 * elementary_exp(curve->k1 * angle) + curve->b2 * elementary_exp(curve->k2 * angle);
}

/* Velocity at which (a + b s)(1 + c s) / (a + d s) is largest: the root of its derivative b c d s^2 + 2 a b c s + a (b
 * + a c - d), b < 0; 0 if it decreases from the start. */
static double max_speed(const AverageShape *h, double c)
{
    double square = h->b * c * h->d, linear = 2 * h->a * h->b * c, constant = h->a * (h->b + h->a * c - h->d);
    double root = linear * linear - 4 * square * constant;
    return constant <= 0 || root < 0 ? 0 : 2 * constant / (sqrt(root) - linear);
}

/* Hill's hyperbola with this value at half of the maximal velocity. */
static double angle_width_bend(double half) { return 1 / half - 2; }

/* A hyperbola that does not reach zero (plantarflexion) is replaced by Hill's through the same value at half of the
 * velocity that its parameters define. */
AverageShape average_shape(const AverageCurve *c, double weight_height)
{
    AverageShape s = {.isometric = c->c1 * weight_height, .rate = c->c2, .angle = c->c3, .a = 2 * c->c4 * c->c5,
                      .b = c->c5 - 3 * c->c4, .d = 2 * c->c5 - 4 * c->c4, .gain = c->c6,
                      .b1 = c->b1, .k1 = c->k1, .b2 = c->b2, .k2 = c->k2};
    if (s.b < 0) {
        s.max_speed = max_speed(&s, c->c6);
        return s;
    }
    s.speed_max = s.a / s.b;
    double half = s.speed_max / 2;
    s.bend = angle_width_bend((s.a + s.b * half) / (s.a + s.d * half));
    return s;
}

PersonShape person_shape(const PersonCurve *c, double scale)
{
    return (PersonShape){.isometric = c->torque_max * scale, .angle = c->angle, .width = c->width,
                         .speed_max = c->speed_max, .bend = angle_width_bend(c->half), .slope = 1 / c->half - 1,
                         .gain = c->eccentric - 1, .passive_zero = c->passive_zero,
                         .passive_range = c->passive_one - c->passive_zero};
}

StrengthAt average_strength(const AverageCurve *curve, double weight_height, double angle, double speed)
{
    StrengthCurve alone = {.angle_sign = 1, .average_count = 1, .average = {average_shape(curve, weight_height)}};
    alone.isometric = alone.average[0].isometric;
    return strength_at(&alone, angle, speed);
}

StrengthAt person_strength(const PersonCurve *curve, double scale, double angle, double speed)
{
    StrengthCurve alone = {.angle_sign = 1, .is_person = 1, .person = person_shape(curve, scale)};
    alone.isometric = alone.person.isometric;
    return strength_at(&alone, angle, speed);
}
