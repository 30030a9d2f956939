#include "analysis/anatomy/strength_curve.h"

#include "analysis/math/elementary.h"

#define MOST_ECCENTRIC 1.4

const char *const strength_motion_names[] = {
    "hip_flexion", "hip_extension", "knee_flexion", "knee_extension", "ankle_dorsiflexion", "ankle_plantarflexion",
    "shoulder_flexion", "shoulder_extension", "elbow_flexion", "elbow_extension", "forearm_pronation",
    "forearm_supination", "wrist_flexion", "wrist_extension", "wrist_ulnar_deviation", "wrist_radial_deviation",
    "lumbar_flexion", "lumbar_extension", NULL,
};
_Static_assert(sizeof strength_motion_names / sizeof *strength_motion_names == STRENGTH_MOTION_COUNT + 1,
               "a name for every StrengthMotion");

static double clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

/* (a + b s) / (a + d s): the share of the isometric torque at speed s of shortening. */
typedef struct Hyperbola {
    double a, b, d;
} Hyperbola;

static Hyperbola hyperbola_of(const AverageCurve *c)
{
    return (Hyperbola){2 * c->c4 * c->c5, c->c5 - 3 * c->c4, 2 * c->c5 - 4 * c->c4};
}

static double hyperbola_at(Hyperbola h, double s) { return (h.a + h.b * s) / (h.a + h.d * s); }

/* Hill's hyperbola that is 1 at rest, `half` at half of the fastest speed and nothing at it. u: part of that speed. */
static double hill(double u, double half)
{
    return u >= 1 ? 0 : (1 - u) / (1 + (1 / half - 2) * u);
}

double average_passive_literal(const AverageCurve *curve, double angle)
{
    return curve->b1 * elementary_exp(curve->k1 * angle) + curve->b2 * elementary_exp(curve->k2 * angle);
}

/* Where the hyperbola does not come down to nothing (plantarflexion) Hill's does, through the same value at half of the
 * speed that the numbers speak of. */
static double shortening(Hyperbola h, double s)
{
    if (h.b < 0)
        return fmax(0, hyperbola_at(h, s));
    double fastest = h.a / h.b;
    return hill(s / fastest, hyperbola_at(h, fastest / 2));
}

/* Speed at which (a + b s)(1 + c s) / (a + d s) is greatest, by the root of its derivative b c d s^2 + 2 a b c s +
 * a (b + a c - d), b < 0; 0 where it falls from the beginning. */
static double speed_of_most(Hyperbola h, double c)
{
    double square = h.b * c * h.d, linear = 2 * h.a * h.b * c, constant = h.a * (h.b + h.a * c - h.d);
    double root = linear * linear - 4 * square * constant;
    return constant <= 0 || root < 0 ? 0 : 2 * constant / (sqrt(root) - linear);
}

static double lengthening(Hyperbola h, double c, double s)
{
    if (h.b < 0)
        s = fmin(s, speed_of_most(h, c));
    return clamp(hyperbola_at(h, s) * (1 + c * s), 1, MOST_ECCENTRIC);
}

StrengthAt average_strength(const AverageCurve *curve, double weight_height, double angle, double speed)
{
    Hyperbola h = hyperbola_of(curve);
    double isometric = curve->c1 * weight_height, from = curve->c2 * (angle - curve->c3);
    double share = speed >= 0 ? shortening(h, speed) : lengthening(h, curve->c6, -speed);
    double active = fabs(from) < PI / 2 ? isometric * elementary_cos(from) * share : 0;
    return (StrengthAt){active, clamp(average_passive_literal(curve, angle), -isometric, isometric), isometric};
}

/* From 1 at rest, with Hill's slope, towards the gain. */
static double person_lengthening(const PersonCurve *c, double u)
{
    double slope = 1 / c->half - 1, gain = c->eccentric - 1;
    return gain > 0 ? 1 + gain * slope * u / (gain + slope * u) : 1;
}

StrengthAt person_strength(const PersonCurve *curve, double scale, double angle, double speed)
{
    double isometric = curve->torque_max * scale, off = (angle - curve->angle) / curve->width;
    double u = fabs(speed) / curve->speed_max;
    double share = speed >= 0 ? hill(u, curve->half) : person_lengthening(curve, u);
    double stretch = clamp((angle - curve->passive_zero) / (curve->passive_one - curve->passive_zero), 0, 1);
    return (StrengthAt){isometric * elementary_exp(-0.5 * off * off) * share, isometric * stretch * stretch, isometric};
}
