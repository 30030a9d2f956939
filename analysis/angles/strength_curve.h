/* Maximal joint torque as a function of angle and angular velocity, from two forms of measured curves.
 *
 * Angles in rad, with the sign of the table's row; velocities in rad/s, positive when muscles shorten. Outside the
 * measured range the curves are bounded: docs/validation/angles_strength.md "Strength curves". */
#ifndef KANE_ANGLES_STRENGTH_CURVE_H
#define KANE_ANGLES_STRENGTH_CURVE_H

#include "analysis/body/segment_table.h"

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
    double b1, k1, b2, k2;         /* N m, 1/rad */
} AverageCurve;

extern const AverageCurve strength_average[];
extern const int strength_average_count;

/* A row of data/strength_athlete.tsv or of a table of one person. */
typedef struct PersonCurve {
    StrengthMotion motion;
    double torque_max, speed_max;      /* N m, rad/s */
    double angle, width;               /* rad */
    double eccentric, half;            /* largest gain in lengthening; torque fraction at half of speed_max */
    double passive_zero, passive_one;  /* rad */
} PersonCurve;

extern const PersonCurve strength_athlete[];
extern const int strength_athlete_count;

/* A row of data/strength_envelope.tsv: factors that fit a curve to what people show in motion. */
typedef struct StrengthEnvelope {
    double gain;      /* on the isometric torque */
    double eccentric; /* torque of lengthening over the isometric one, 1 or more */
    double stretch;   /* speed of the joint over that of the fibres */
    double floor;     /* least torque of shortening over the isometric one */
    double spread;    /* standard deviation of the logarithm of strength among people */
    double trained;   /* trained people over the average */
    double female;    /* women over men, of curves without a sex */
} StrengthEnvelope;

extern const StrengthEnvelope strength_envelope[]; /* [STRENGTH_MOTION_COUNT], by motion */

/* Of an envelope: least isometric torque over the largest, at any angle. */
#define STRENGTH_ANGLE_FLOOR 0.5

/* Of an envelope: rad/s of lengthening at which half of the eccentric excess is reached. */
#define STRENGTH_HALF_RISE 0.5

/* Subject of strength_athlete: kg, m. */
#define ATHLETE_MASS 69.6
#define ATHLETE_STATURE 1.732

/* The paper's passive formula as printed, N m. */
double average_passive_literal(const AverageCurve *curve, double angle);

/* A curve at one angle and speed. */
typedef struct StrengthAt {
    double active, passive; /* N m, in the direction of the row; active >= 0 */
    double isometric;       /* N m, largest isometric torque at any angle */
} StrengthAt;

/* Bounded values of a curve: torque does not become negative in shortening; in lengthening the gain stays at its
 * maximum, 1 to 1.4; the passive torque does not exceed the largest isometric one. weight_height: N m, body weight
 * times stature. */
StrengthAt average_strength(const AverageCurve *curve, double weight_height, double angle, double speed);

/* A Gaussian in the angle, Hill's hyperbola in the velocity, and a passive torque that grows with the square of the
 * distance from passive_zero, reaching torque_max at passive_one. Torques are multiplied by scale. */
StrengthAt person_strength(const PersonCurve *curve, double scale, double angle, double speed);

#endif
