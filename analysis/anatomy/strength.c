/* See strength.h. */
#include "analysis/anatomy/strength.h"

#include <stdio.h>

#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"

/* Maximal joint torque as a function of angle and angular velocity. */

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

/* (a + b s) / (a + d s): torque over isometric torque at the shortening velocity s. */
typedef struct Hyperbola {
    double a, b, d;
} Hyperbola;

static Hyperbola hyperbola_of(const AverageCurve *c)
{
    return (Hyperbola){2 * c->c4 * c->c5, c->c5 - 3 * c->c4, 2 * c->c5 - 4 * c->c4};
}

static double hyperbola_at(Hyperbola h, double s) { return (h.a + h.b * s) / (h.a + h.d * s); }

/* Hill's hyperbola: 1 at rest, `half` at half of the maximal velocity, 0 at it. u: fraction of the maximal velocity. */
static double hill(double u, double half)
{
    return u >= 1 ? 0 : (1 - u) / (1 + (1 / half - 2) * u);
}

double average_passive_literal(const AverageCurve *curve, double angle)
{
    return curve->b1 * elementary_exp(curve->k1 * angle) + curve->b2 * elementary_exp(curve->k2 * angle);
}

/* A hyperbola that does not reach zero (plantarflexion) is replaced by Hill's through the same value at half of the
 * velocity that its parameters define. */
static double shortening(Hyperbola h, double s)
{
    if (h.b < 0)
        return fmax(0, hyperbola_at(h, s));
    double fastest = h.a / h.b;
    return hill(s / fastest, hyperbola_at(h, fastest / 2));
}

/* Velocity at which (a + b s)(1 + c s) / (a + d s) is largest: the root of its derivative b c d s^2 + 2 a b c s + a (b
 * + a c - d), b < 0; 0 if it decreases from the start. */
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

/* Rises from 1 at rest, with the slope of Hill's curve, towards the eccentric gain. */
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

/* Coordinate of each motion, on the left side. */
static const struct {
    Role role;
    int place;      /* index among the joint's coordinates */
    int direction;  /* sign of its moment */
    int angle_sign; /* sign of the table's angles */
} motions[] = {
    [STRENGTH_HIP_FLEXION] = {ROLE_LEFT_HIP, 0, 1, 1},
    [STRENGTH_HIP_EXTENSION] = {ROLE_LEFT_HIP, 0, -1, 1},
    [STRENGTH_KNEE_FLEXION] = {ROLE_LEFT_KNEE, 0, 1, 1},
    [STRENGTH_KNEE_EXTENSION] = {ROLE_LEFT_KNEE, 0, -1, 1},
    [STRENGTH_ANKLE_DORSIFLEXION] = {ROLE_LEFT_ANKLE, 0, 1, 1},
    [STRENGTH_ANKLE_PLANTARFLEXION] = {ROLE_LEFT_ANKLE, 0, -1, 1},
    [STRENGTH_SHOULDER_FLEXION] = {ROLE_LEFT_SHOULDER, 1, 1, 1},
    [STRENGTH_SHOULDER_EXTENSION] = {ROLE_LEFT_SHOULDER, 1, -1, 1},
    [STRENGTH_ELBOW_FLEXION] = {ROLE_LEFT_ELBOW, 0, 1, 1},
    [STRENGTH_ELBOW_EXTENSION] = {ROLE_LEFT_ELBOW, 0, -1, 1},
    [STRENGTH_FOREARM_PRONATION] = {ROLE_LEFT_ELBOW, 2, 1, -1},
    [STRENGTH_FOREARM_SUPINATION] = {ROLE_LEFT_ELBOW, 2, -1, -1},
    [STRENGTH_WRIST_FLEXION] = {ROLE_LEFT_WRIST, 0, 1, 1},
    [STRENGTH_WRIST_EXTENSION] = {ROLE_LEFT_WRIST, 0, -1, 1},
    [STRENGTH_WRIST_ULNAR_DEVIATION] = {ROLE_LEFT_WRIST, 1, 1, 1},
    [STRENGTH_WRIST_RADIAL_DEVIATION] = {ROLE_LEFT_WRIST, 1, -1, 1},
    [STRENGTH_LUMBAR_FLEXION] = {ROLE_SPINE, 0, 1, 1},
    [STRENGTH_LUMBAR_EXTENSION] = {ROLE_SPINE, 0, -1, 1},
};
_Static_assert(sizeof motions / sizeof *motions == STRENGTH_MOTION_COUNT, "a row for every StrengthMotion");

/* Curves of one coordinate in one direction: averages of a population (one per sex), or those of a person. */
typedef struct Capability {
    const AverageCurve *average[2];
    int average_count;
    const PersonCurve *person;
    int angle_sign;
} Capability;

/* Curves of a coordinate by the sign of the moment: 0 negative, 1 positive. */
typedef struct Capabilities {
    Capability direction[2];
    int is_elevation; /* 1: shoulder elevation, in the plane given by the coordinate before it */
} Capabilities;

typedef struct Strength {
    const StrengthDef *def;
    double weight_height, athlete_scale;
    Capabilities of[COORDINATE_COUNT]; /* [coordinate of the clip] */
} Strength;

StrengthDef strength_default_def(void) { return (StrengthDef){.people = STRENGTH_AVERAGE, .sex = SEX_MEAN, .age = 25}; }

/* Youngest age of the group nearest to an age: 18 to 25, 55 to 65, over 65. */
static double group_of(double age) { return age < 40 ? 18 : age <= 65 ? 55 : 66; }

static void find_average(const StrengthDef *def, StrengthMotion motion, Capability *out)
{
    for (int i = 0; i < strength_average_count; i++) {
        const AverageCurve *curve = &strength_average[i];
        if (curve->motion == motion && curve->age == group_of(def->age) &&
            (def->sex == SEX_MEAN || curve->sex == def->sex) && out->average_count < 2)
            out->average[out->average_count++] = curve;
    }
}

static const PersonCurve *find_person(const PersonCurve *curves, int count, StrengthMotion motion)
{
    for (int i = 0; i < count; i++)
        if (curves[i].motion == motion)
            return &curves[i];
    return NULL;
}

static Capability find(const StrengthDef *def, StrengthMotion motion)
{
    Capability found = {.angle_sign = motions[motion].angle_sign};
    if (def->people == STRENGTH_AVERAGE)
        find_average(def, motion, &found);
    if (def->people == STRENGTH_PERSON)
        found.person = find_person(def->person, def->person_count, motion);
    else if (found.average_count == 0)
        found.person = find_person(strength_athlete, strength_athlete_count, motion);
    return found;
}

static void find_all(Strength *s, const Anatomy *anatomy)
{
    for (int i = 0; i < anatomy->coordinate_count; i++) {
        Role role = coordinate_role(anatomy->coordinate[i]);
        Role left = role >= ROLE_RIGHT_CLAVICLE ? role_mirror(role) : role;
        int place = i % COORDINATES_PER_JOINT;
        s->of[i].is_elevation = left == ROLE_LEFT_SHOULDER && place == 1;
        for (int m = 0; m < STRENGTH_MOTION_COUNT; m++)
            if (motions[m].role == left && motions[m].place == place)
                s->of[i].direction[motions[m].direction > 0] = find(s->def, (StrengthMotion)m);
    }
}

/* Mean of the curves; isometric 0 if there are none. speed: rad/s, positive in shortening. */
static StrengthAt evaluate(const Strength *s, const Capability *c, double angle, double speed)
{
    StrengthAt sum = {0, 0, 0};
    if (c->person)
        return person_strength(c->person, s->def->people == STRENGTH_PERSON ? 1 : s->athlete_scale,
                               angle * c->angle_sign, speed);
    for (int i = 0; i < c->average_count; i++) {
        StrengthAt at = average_strength(c->average[i], s->weight_height, angle * c->angle_sign, speed);
        sum.active += at.active / c->average_count;
        sum.passive += at.passive / c->average_count;
        sum.isometric += at.isometric / c->average_count;
    }
    return sum;
}

/* Net passive moment of both directions, each bounded by its curve. NaN without curves. */
static double passive_moment(const Strength *s, const Capabilities *c, double angle)
{
    StrengthAt up = evaluate(s, &c->direction[1], angle, 0), down = evaluate(s, &c->direction[0], angle, 0);
    return up.isometric > 0 || down.isometric > 0 ? fmax(0, up.passive) - fmax(0, down.passive) : NAN;
}

/* Fills one coordinate in one frame. An arm raised backwards extends the shoulder. */
static void rate(const Strength *s, Anatomy *a, size_t at, int place)
{
    double angle = a->angle[at], velocity = a->velocity[at], moment = a->moment[at];
    const Capabilities *capabilities = &s->of[place];
    double back = 1;
    a->capacity[at] = a->utilization[at] = NAN;
    if (a->passive)
        a->passive[at] = NAN;
    if (!isfinite(angle) || !isfinite(velocity))
        return;
    if (capabilities->is_elevation) {
        double forward = elementary_sin(a->angle[at - 1]);
        if (forward * forward < 0.5)
            return;
        back = forward < 0 ? -1 : 1;
        angle *= back;
        velocity *= back;
        moment *= back;
    }
    if (a->passive)
        a->passive[at] = back * passive_moment(s, capabilities, angle);
    int is_positive = moment >= 0;
    StrengthAt found =
        evaluate(s, &capabilities->direction[is_positive], angle, is_positive ? velocity : -velocity);
    double capacity = fmax(0, found.active + found.passive);
    if (!(found.isometric > 0))
        return;
    a->capacity[at] = capacity;
    if (capacity >= STRENGTH_LEAST * found.isometric)
        a->utilization[at] = fabs(moment) / capacity;
}

static void describe(const StrengthDef *def, char *text, size_t size)
{
    static const char *const groups[] = {"18 to 25", "55 to 65", "over 65"};
    double group = group_of(def->age);
    if (def->people == STRENGTH_AVERAGE)
        snprintf(text, size, "average, %s, %s years; an athlete's beyond the legs", sex_names[def->sex],
                 groups[group == 18 ? 0 : group == 55 ? 1 : 2]);
    else
        snprintf(text, size, def->people == STRENGTH_ATHLETE ? "athlete" : "person");
}

Status strength_compute(const StrengthDef *def, double mass, double stature, Anatomy *anatomy, Error *err)
{
    size_t columns = (size_t)anatomy->coordinate_count, frames = (size_t)anatomy->frame_count;
    Strength strength = {.def = def, .weight_height = mass * GRAVITY * stature,
                         .athlete_scale = mass * stature / (ATHLETE_MASS * ATHLETE_STATURE)};
    Status status;
    if ((status = anatomy_add_strength(anatomy, err)) ||
        (anatomy->axis && (status = anatomy_add_passive(anatomy, err))))
        return status;
    find_all(&strength, anatomy);
    for (size_t at = 0; at < frames * columns; at++)
        rate(&strength, anatomy, at, (int)(at % columns));
    describe(def, anatomy->strength, sizeof anatomy->strength);
    return STATUS_OK;
}
