/* Position of the pressure along a foot during roll-over in gait: a smooth function of the distance by which the body
 * has passed the foot and of the heel's rise. data/roll_over.tsv, compiled in, fitted by research/roll_over.py. */
#ifndef KANE_CONTACT_ROLL_OVER_H
#define KANE_CONTACT_ROLL_OVER_H

#include "analysis/contact/contact_constants.h"

/* Coefficients of a polynomial, L; com in leg lengths L, pitch in radians. */
typedef struct RollOverTerms {
    double at, com, com2, com3, pitch, pitch2, pitch_com;
} RollOverTerms;

typedef struct RollOver {
    RollOverTerms walk, run;
    double foot_length; /* per L of foot length: the pressure is tied more to the ankle than to the toe joint */
} RollOver;

extern const RollOver roll_over;
extern const ConstantName roll_over_list[]; /* members of RollOver, by name */
extern const int roll_over_count;

typedef struct RollOverPose {
    double com;    /* L: COM ahead of the toe joint, along the foot */
    double pitch;  /* rad: inclination from ball to heel, 0 on a flat foot */
    double length; /* L: heel to ball */
    double run;    /* similarity to running, 0 .. 1 */
} RollOverPose;

/* L ahead of the toe joint. Poses outside the fitted range give the value at its edge. */
double roll_over_position(const RollOver *table, RollOverPose pose);

#endif
