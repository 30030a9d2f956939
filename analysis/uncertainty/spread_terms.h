/* Causes of torque errors, with their standard deviations: data/uncertainty.tsv, compiled in, which gives unit and
 * source. */
#ifndef KANE_UNCERTAINTY_SPREAD_TERMS_H
#define KANE_UNCERTAINTY_SPREAD_TERMS_H

/* Terms: each effect is evaluated at one standard deviation. */
typedef enum SpreadTerm {
    SPREAD_JOINT_CENTRE,    /* m, per component, of the joint centre */
    SPREAD_SEGMENT_CENTRE,  /* m, per component, of a segment's centre of mass */
    SPREAD_FOOT_CENTRE,     /* m, the same of feet */
    SPREAD_SEGMENT_MASS,    /* 1, factor of the spread of published tables */
    SPREAD_FOOT_MASS,       /* 1, the same of feet */
    SPREAD_CUTOFF,          /* 1, factor of the change by a second pass of the filter */
    SPREAD_FILTER,          /* 1, the same for the ensemble's motions */
    SPREAD_NOISE,           /* rad, of a joint angle in each frame, white noise */
    SPREAD_PRESSURE_ALONG,  /* m, of the centre of pressure, forward */
    SPREAD_PRESSURE_SIDE,   /* m, sideways */
    SPREAD_STANCE_ALONG,    /* m, of the centre of pressure in addition, if two limbs share the load equally, forward */
    SPREAD_STANCE_SIDE,     /* m, sideways */
    SPREAD_STANCE_TWIST,    /* m, of the free moment, per vertical force, in the same case */
    SPREAD_LEAN_ALONG,      /* 1, of the force forward, per vertical force */
    SPREAD_SHARE,           /* 1, of the load, if two limbs share it equally */
    SPREAD_SHARE_ALONG,     /* 1, of the internal force between them, forward, per load */
    SPREAD_SHARE_SIDE,      /* 1, sideways */
    SPREAD_TIME_SHORT,      /* 1, factor of the change of the force within 10 ms */
    SPREAD_TIME_LONG,       /* 1, within 30 ms */
    SPREAD_FREE_MOMENT,     /* m, of the moment about the vertical, per vertical force */
    SPREAD_RESIDUAL_FORCE,  /* 1, factor of the floating base's force that no limb supports */
    SPREAD_RESIDUAL_MOMENT, /* 1, factor of its moment */
    SPREAD_PLATE_PRESSURE,  /* m, of a measured centre of pressure */
    SPREAD_RESIDUAL_SHARE,  /* 1, per torque and residual moment about the COM (residual_ratio) */
    SPREAD_TERM_COUNT,
    SPREAD_CUTOFF_MAX = SPREAD_TERM_COUNT, /* N m/kg, RMS of a component: upper bound of the cutoff's contribution;
                                               0: none */
    SPREAD_SCALE,                           /* 1, factor on all standard deviations */
    SPREAD_SIZE_COUNT
} SpreadTerm;

/* How effects are computed. */
typedef enum SpreadMethod {
    SPREAD_FAST, /* linearised about the clip's torques */
    SPREAD_FULL, /* ground forces, masses, filter and noise by an ensemble (ensemble.h), the rest
                    linearised */
} SpreadMethod;

/* 1 if SPREAD_FULL varies the term over its ensemble; all other terms are linear under both methods. */
int spread_term_is_varied(SpreadTerm term);

/* A row of data/uncertainty.tsv. */
typedef struct SpreadSize {
    SpreadTerm term;
    double fast, full;
} SpreadSize;

extern const SpreadSize spread_sizes[];
extern const int spread_sizes_count;

/* Standard deviations of all terms under a method, with the bound and the factor: size[SPREAD_SIZE_COUNT]. */
void spread_terms_sizes(SpreadMethod method, double *size);

/* Increases them if the neutral pose of the body is uncertain. trunk: of its segments relative to each other, rad;
 * foot: of the level of the feet, rad. */
void spread_terms_widen(double trunk, double foot, double *size);

/* "joint_centre". */
const char *spread_term_name(SpreadTerm term);

#endif
