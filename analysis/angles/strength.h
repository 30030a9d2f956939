/* Strength of a person about each anatomical axis, and the utilization of it in a motion. */
#ifndef KANE_ANGLES_STRENGTH_H
#define KANE_ANGLES_STRENGTH_H

#include "analysis/angles/strength_curve.h"
#include "analysis/base/status.h"
#include "analysis/body/segment_table.h"
#include "analysis/clip/coordinate.h"
#include "analysis/clip/joint_angles.h"
#include "analysis/math/lane_width.h"

typedef enum StrengthPeople {
    STRENGTH_AVERAGE, /* mean of a sex and age; beyond the legs from the athlete's curves */
    STRENGTH_TRAINED, /* mean of trained people of a sex and age */
    STRENGTH_STRONG,  /* 99th percentile of trained people of a sex and age */
    STRENGTH_ATHLETE, /* the athlete's curves at every joint */
    STRENGTH_PERSON,  /* curves of this person only */
} StrengthPeople;

extern const char *const strength_people_names[]; /* "average" and so on; ends with NULL */

typedef struct StrengthDef {
    StrengthPeople people;     /* default STRENGTH_AVERAGE */
    Sex sex;                   /* default SEX_MEAN: the mean torque of men and women */
    double age;                /* years, default 25; selects the nearest group, without interpolation */
    const PersonCurve *person; /* [person_count] for STRENGTH_PERSON, N m, not scaled */
    int person_count;
    LaneWidth lanes;           /* every width gives bitwise equal results */
} StrengthDef;

StrengthDef strength_default_def(void);

/* Standard deviation of a person's measured curve over its value: test and retest on a dynamometer. */
#define STRENGTH_RETEST 0.08

/* Normal quantile of the 99th percentile. */
#define QUANTILE_99 2.326

/* Largest gain in lengthening of an average curve. */
#define STRENGTH_MAX_ECCENTRIC 1.4

/* Fills capacity, utilization, utilization_sd and strength, and passive if axes are kept, for a body with this mass
 * (kg) and stature (m), both positive. The capacity is the curve in its envelope (strength_curve.h), which has a floor:
 * no moment is divided by a vanishing torque. NaN without curves or angles. Shoulders have values only if the arm is
 * raised within 45 degrees of straight forward or backward. */
Status strength_compute(const StrengthDef *def, double mass, double stature, JointAngles *angles, Error *err);

/* Largest torque at rest of these people about any axis of the role's joint, N m; 0 without curves. */
double strength_largest(const StrengthDef *def, double mass, double stature, Role role);

/* Fastest shortening without load of the athlete's muscles, rad/s, that turn a coordinate in a direction (1 or -1); 0:
 * unknown, and at shoulders, whose coordinates are singular with the arm hanging. */
double strength_speed_max(Coordinate coordinate, int direction);

/* "left knee extension", or the coordinate's name where no muscle group is named. direction: sign of its moment. */
void strength_motion_name(Coordinate coordinate, int direction, char *text, size_t size);

#endif
