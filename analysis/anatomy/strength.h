/* What a person could exert about each anatomical axis, and the share of it that a motion uses. */
#ifndef KANE_ANATOMY_STRENGTH_H
#define KANE_ANATOMY_STRENGTH_H

#include "analysis/anatomy/strength_curve.h"
#include "analysis/clip/anatomy.h"

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

/* A share is not told where the capacity is below this part of the largest isometric one. */
#define STRENGTH_LEAST 0.2

/* Fills capacity, use and strength, and passive where axes are kept, of the anatomy of a body of this mass (kg) and
 * stature (m), both above 0. NaN where there are no curves, or no angles; shoulders have theirs where the arm is raised
 * to the front or back, within 45 degrees. */
Status strength_compute(const StrengthDef *def, double mass, double stature, Anatomy *anatomy, Error *err);

#endif
