/* Strength of a person about each anatomical axis, and the utilization of it in a motion. */
#ifndef KANE_ANATOMY_STRENGTH_H
#define KANE_ANATOMY_STRENGTH_H

#include <stddef.h>

#include "analysis/body/segment_table.h"
#include "analysis/clip/anatomy.h"
#include "analysis/math/lane_width.h"

/* Maximal joint torque as a function of angle and angular velocity, from two forms of measured curves.
 *
 * Angles in rad, with the sign of the table's row; velocities in rad/s, positive when muscles shorten. Outside the
 * measured range the curves are bounded: docs/validation/angles_strength.md "Strength curves". */

/* Directions in which muscles act. */
typedef enum StrengthMotion {
    STRENGTH_HIP_FLEXION,
    STRENGTH_HIP_EXTENSION,
    STRENGTH_KNEE_FLEXION,
    STRENGTH_KNEE_EXTENSION,
    STRENGTH_ANKLE_DORSIFLEXION,
    STRENGTH_ANKLE_PLANTARFLEXION,
    STRENGTH_SHOULDER_FLEXION,
    STRENGTH_SHOULDER_EXTENSION,
    STRENGTH_ELBOW_FLEXION,
    STRENGTH_ELBOW_EXTENSION,
    STRENGTH_FOREARM_PRONATION,
    STRENGTH_FOREARM_SUPINATION,
    STRENGTH_WRIST_FLEXION,
    STRENGTH_WRIST_EXTENSION,
    STRENGTH_WRIST_ULNAR_DEVIATION,
    STRENGTH_WRIST_RADIAL_DEVIATION,
    STRENGTH_LUMBAR_FLEXION,
    STRENGTH_LUMBAR_EXTENSION,
    STRENGTH_MOTION_COUNT
} StrengthMotion;

/* "hip_flexion" and so on; ends with NULL. */
extern const char *const strength_motion_names[];

/* A row of data/strength.tsv: Anderson, Madigan and Nussbaum (2007), table 3. */
typedef struct AverageCurve {
    StrengthMotion motion;
    Sex sex;
    double age;                    /* years, youngest of the group */
    double c1, c2, c3, c4, c5, c6; /* c1 is a fraction of body weight times stature */
    double b1, k1, b2, k2;         /* Nm, 1/rad */
} AverageCurve;

extern const AverageCurve strength_average[];
extern const int strength_average_count;

/* A row of data/strength_athlete.tsv or of a table of one person. */
typedef struct PersonCurve {
    StrengthMotion motion;
    double torque_max, speed_max;      /* Nm, rad/s */
    double angle, width;               /* rad */
    double eccentric, half;            /* largest gain in lengthening; torque fraction at half of speed_max */
    double passive_zero, passive_one;  /* rad */
} PersonCurve;

extern const PersonCurve strength_athlete[];
extern const int strength_athlete_count;

/* Subject of strength_athlete: kg, m. */
#define ATHLETE_MASS 69.6
#define ATHLETE_STATURE 1.732

/* The paper's passive formula as printed, Nm. */
double average_passive_literal(const AverageCurve *curve, double angle);

/* A curve at one angle and speed. */
typedef struct StrengthAt {
    double active, passive; /* Nm, in the direction of the row; active >= 0 */
    double isometric;       /* Nm, largest isometric torque at any angle */
} StrengthAt;

/* The constants of a curve as the lane kernel reads them, with those that the formulas derive from a row. */
typedef struct AverageShape {
    double isometric;             /* Nm */
    double rate, angle;           /* active torque: isometric cos(rate (x - angle)) within a quarter turn */
    double a, b, d;               /* (a + b s) / (a + d s): torque over isometric torque at the shortening velocity s */
    double speed_max, bend;       /* b >= 0: Hill's hyperbola instead, (1 - u) / (1 + bend u), u = s / speed_max */
    double gain, speed_of_most;   /* of lengthening; b < 0: velocity of its maximum */
    double b1, k1, b2, k2;        /* passive torque */
} AverageShape;

typedef struct PersonShape {
    double isometric, angle, width;
    double speed_max, bend;       /* shortening, as above */
    double slope, gain;           /* lengthening: 1 + gain slope u / (gain + slope u) */
    double passive_zero, passive_range;
} PersonShape;

/* Mean of average curves, or the curve of a person, about one coordinate in one direction. */
typedef struct StrengthCurve {
    double isometric;             /* Nm; 0: no curve */
    double angle_sign;            /* sign of the table's angles */
    int is_person, average_count; /* at most 2: one per sex */
    AverageShape average[2];
    PersonShape person;
} StrengthCurve;

StrengthAt strength_at(const StrengthCurve *curve, double angle, double speed);

/* A coordinate with curves, by the sign of the moment: 0 negative, 1 positive. */
typedef struct StrengthColumn {
    size_t index;     /* index of the coordinate in the clip */
    int is_elevation; /* 1: shoulder elevation, in the plane given by the coordinate before it */
    StrengthCurve direction[2];
} StrengthColumn;

/* Input and output of the lane kernel: views, not owned; arrays [frame][columns]. */
typedef struct StrengthView {
    size_t frame_count, columns, count;
    const StrengthColumn *column; /* [count]; the other coordinates become NaN */
    const double *angle, *velocity, *moment;
    double *capacity, *utilization, *passive; /* passive NULL: not computed */
} StrengthView;

/* Processes all frames; frame_count must be at least the number of lanes. */
typedef void StrengthFrames(const StrengthView *view);
LANE_TWINS(StrengthFrames, strength_frames);

/* Bounded values of a curve: torque does not become negative in shortening; in lengthening the gain stays at its
 * maximum, 1 to 1.4; the passive torque does not exceed the largest isometric one. weight_height: N m, body weight
 * times stature. */
StrengthAt average_strength(const AverageCurve *curve, double weight_height, double angle, double speed);

/* A Gaussian in the angle, Hill's hyperbola in the velocity, and a passive torque that grows with the square of the
 * distance from passive_zero, reaching torque_max at passive_one. Torques are multiplied by scale. */
StrengthAt person_strength(const PersonCurve *curve, double scale, double angle, double speed);

typedef enum StrengthPeople {
    STRENGTH_AVERAGE, /* population averages of a sex and age; the athlete's curves where there are none */
    STRENGTH_ATHLETE, /* the athlete's curves at every joint */
    STRENGTH_PERSON,  /* curves of this person only */
} StrengthPeople;

typedef struct StrengthDef {
    StrengthPeople people;     /* default STRENGTH_AVERAGE */
    Sex sex;                   /* default SEX_MEAN: the mean torque of men and women */
    double age;                /* years, default 25; selects the nearest group, without interpolation */
    const PersonCurve *person; /* [person_count] for STRENGTH_PERSON, Nm, not scaled */
    int person_count;
    LaneWidth lanes;           /* every width gives bitwise equal results */
} StrengthDef;

StrengthDef strength_default_def(void);

/* Utilization is not stored if the capacity is below this fraction of the largest isometric torque. */
#define STRENGTH_LEAST 0.2

/* Largest gain in lengthening of an average curve. */
#define STRENGTH_MOST_ECCENTRIC 1.4

/* Fills capacity, utilization and strength, and passive if axes are kept, for a body with this mass (kg) and stature
 * (m), both positive. NaN without curves or angles. Shoulders have values only if the arm is raised within 45 degrees
 * of straight forward or backward. */
Status strength_compute(const StrengthDef *def, double mass, double stature, Anatomy *anatomy, Error *err);

#endif
