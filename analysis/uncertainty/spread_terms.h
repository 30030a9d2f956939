/* What a torque is uncertain by, each with its size: data/uncertainty.tsv, compiled in, which tells unit and source. */
#ifndef KANE_UNCERTAINTY_SPREAD_TERMS_H
#define KANE_UNCERTAINTY_SPREAD_TERMS_H

/* Effects of a term are taken at one standard deviation. */
typedef enum SpreadTerm {
    SPREAD_JOINT_CENTRE,    /* m, each component of where a joint turns */
    SPREAD_SEGMENT_CENTRE,  /* m, each component of a segment's centre of mass */
    SPREAD_FOOT_CENTRE,     /* m, the same of feet */
    SPREAD_SEGMENT_MASS,    /* 1, times the spread of published tables */
    SPREAD_FOOT_MASS,       /* 1, the same of feet */
    SPREAD_CUTOFF,          /* 1, times what a second pass of the filter changes */
    SPREAD_FILTER,          /* 1, the same of the ensemble's motions */
    SPREAD_NOISE,           /* rad, of a joint's angle in every frame, white */
    SPREAD_PRESSURE_ALONG,  /* m, of the centre of pressure, forward */
    SPREAD_PRESSURE_SIDE,   /* m, sideways */
    SPREAD_STANCE_ALONG,    /* m, of the centre of pressure besides, where two limbs share the load alike, forward */
    SPREAD_STANCE_SIDE,     /* m, sideways */
    SPREAD_STANCE_TWIST,    /* m, of the free moment there, of the vertical force */
    SPREAD_LEAN_ALONG,      /* 1, of the force forward, of its vertical part */
    SPREAD_SHARE,           /* 1, of the load, where two limbs share it alike */
    SPREAD_SHARE_ALONG,     /* 1, of the force between them, forward, of the load */
    SPREAD_SHARE_SIDE,      /* 1, sideways */
    SPREAD_TIME_SHORT,      /* 1, of the change of the force within 10 ms */
    SPREAD_TIME_LONG,       /* 1, within 30 ms */
    SPREAD_FREE_MOMENT,     /* m, about the vertical, of the vertical force */
    SPREAD_RESIDUAL_FORCE,  /* 1, of the force of the floating base that no limb bears */
    SPREAD_RESIDUAL_MOMENT, /* 1, of its moment */
    SPREAD_PLATE_PRESSURE,  /* m, of a measured centre of pressure */
    SPREAD_TERM_COUNT
} SpreadTerm;

/* How the effects are found. */
typedef enum SpreadMethod {
    SPREAD_FAST, /* by linearisation about the torques that are there */
    SPREAD_FULL, /* ground forces, masses, filter and noise by an ensemble (ensemble.h), the rest as before */
} SpreadMethod;

/* 1 where SPREAD_FULL varies the term over its ensemble; all others are linear under either method. */
int spread_term_is_varied(SpreadTerm term);

/* A row of data/uncertainty.tsv. */
typedef struct SpreadSize {
    SpreadTerm term;
    double fast, full;
} SpreadSize;

extern const SpreadSize spread_sizes[];
extern const int spread_sizes_count;

/* The standard deviations of all terms under a method: size[SPREAD_TERM_COUNT]. */
void spread_terms_sizes(SpreadMethod method, double *size);

/* Widens them where the neutral pose of the body is doubted: trunk, of its segments against each other, and foot, of
 * the level of the feet, rad. */
void spread_terms_widen(double trunk, double foot, double *size);

/* "joint_centre". */
const char *spread_term_name(SpreadTerm term);

#endif
