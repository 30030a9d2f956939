/* Where the pressure lies along a foot that rolls over in gait: a smooth function of how far the body has passed over
 * the foot and how far its heel has risen. data/roll_over.tsv, compiled in, fitted by research/roll_over.py. */
#ifndef KANE_CONTACT_ROLL_OVER_H
#define KANE_CONTACT_ROLL_OVER_H

#include "analysis/contact/contact_constants.h"

/* Coefficients of a polynomial, L; com in leg lengths L, pitch in radians. */
typedef struct RollOverTerms {
    double at, com, com2, com3, pitch, pitch2, pitch_com;
} RollOverTerms;

typedef struct RollOver {
    RollOverTerms walk, run;
    double foot_length; /* per L of foot length: the pressure is anchored nearer to the ankle than to the toe joint */
} RollOver;

extern const RollOver roll_over;
extern const ConstantName roll_over_list[]; /* members of RollOver, by name */
extern const int roll_over_count;

typedef struct RollOverPose {
    double com;    /* L: COM ahead of the toe joint, along the foot */
    double pitch;  /* rad: heel above the ball, 0 on a flat foot */
    double length; /* L: heel to ball */
    double run;    /* likeness to running, 0 .. 1 */
} RollOverPose;

/* L ahead of the toe joint. Poses beyond those that were fitted give the value at their edge. */
double roll_over_place(const RollOver *table, RollOverPose pose);

#endif
