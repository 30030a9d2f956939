/* What a person could exert about each anatomical axis, and the fraction of it that a motion uses. */
#ifndef KANE_ANATOMY_STRENGTH_H
#define KANE_ANATOMY_STRENGTH_H

#include "analysis/body/anthropometry.h"
#include "analysis/clip/anatomy.h"

/* Torque that a person can exert at a joint at most, against its angle and speed: two forms of measured curves.
 *
 * Angles in rad, positive as the row of the table states; speeds in rad/s, positive where the muscles shorten. The
 * curves are bounded outside the measured range: docs/validation/angles_strength.md "Strength curves". */

/* What muscles do. */
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

/* "hip_flexion"; NULL at the end. */
extern const char *const strength_motion_names[];

/* A row of data/strength.tsv: Anderson, Madigan and Nussbaum (2007), table 3. */
typedef struct AverageCurve {
    StrengthMotion motion;
    Sex sex;
    double age;                    /* years, of the group's youngest */
    double c1, c2, c3, c4, c5, c6; /* c1 is a fraction of body weight times stature */
    double b1, k1, b2, k2;         /* Nm, 1/rad */
} AverageCurve;

extern const AverageCurve strength_average[];
extern const int strength_average_count;

/* A row of data/strength_athlete.tsv, or of a table of one person. */
typedef struct PersonCurve {
    StrengthMotion motion;
    double torque_max, speed_max;      /* Nm, rad/s */
    double angle, width;               /* rad */
    double eccentric, half;            /* gain of lengthening; share at half of speed_max */
    double passive_zero, passive_one;  /* rad */
} PersonCurve;

extern const PersonCurve strength_athlete[];
extern const int strength_athlete_count;

/* Whom strength_athlete was measured on: kg, m. */
#define ATHLETE_MASS 69.6
#define ATHLETE_STATURE 1.732

/* The passive formula of the paper as it is printed, Nm. */
double average_passive_literal(const AverageCurve *curve, double angle);

/* A curve at one angle and speed. */
typedef struct StrengthAt {
    double active, passive; /* Nm, in the direction of the row; active >= 0 */
    double isometric;       /* Nm, the largest at rest at any angle */
} StrengthAt;

/* Bounded: shortening ends at no torque; lengthening holds its greatest gain, 1 to 1.4; the passive torque is at most
 * as large as the largest isometric one. weight_height: N m, body weight times stature. */
StrengthAt average_strength(const AverageCurve *curve, double weight_height, double angle, double speed);

/* A Gaussian in the angle, Hill's hyperbola in the speed, and a passive torque that grows with the square of the way
 * from passive_zero to passive_one, to torque_max. Torques are times scale. */
StrengthAt person_strength(const PersonCurve *curve, double scale, double angle, double speed);

typedef enum StrengthPeople {
    STRENGTH_AVERAGE, /* people of a sex and an age; an athlete's curves where there are none of theirs */
    STRENGTH_ATHLETE, /* the athlete's at every joint */
    STRENGTH_PERSON,  /* curves of this person alone */
} StrengthPeople;

typedef struct StrengthDef {
    StrengthPeople people;     /* default STRENGTH_AVERAGE */
    Sex sex;                   /* default SEX_MEAN: the mean of men's and women's torque */
    double age;                /* years, default 25: the group of the age is taken, not a curve between groups */
    const PersonCurve *person; /* [person_count] of STRENGTH_PERSON, Nm as they are */
    int person_count;
} StrengthDef;

StrengthDef strength_default_def(void);

/* No utilization is stored where the capacity is below this part of the largest isometric one. */
#define STRENGTH_LEAST 0.2

/* Fills capacity, use and strength, and passive where axes are kept, of the anatomy of a body of this mass (kg) and
 * stature (m), both above 0. NaN where there are no curves, or no angles; shoulders have theirs where the arm is raised
 * to the front or back, within 45 degrees. */
Status strength_compute(const StrengthDef *def, double mass, double stature, Anatomy *anatomy, Error *err);

#endif
