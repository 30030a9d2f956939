/* Agreement of plates and motion: by the laws of motion for the sum of all forces, by the estimate for each foot. NaN:
 * not measurable in this trial. */
#ifndef KANE_CONTACT_PLATE_MEASURES_H
#define KANE_CONTACT_PLATE_MEASURES_H

#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/contact/plate_signals.h"

/* body weights: a foot with less is not loaded. */
#define PLATES_MIN_LOAD 0.05

/* s: correlation time of the errors of the estimate. */
#define PLATES_CORRELATED 0.08

/* Horizontal forces of one foot: sums over frames of products of plates (p) and estimate (e), BW^2. */
typedef struct PlateProducts {
    double pp[2], ee[2], pe[2]; /* forward, rightward */
    double cross;               /* p forward e right - p right e forward */
    double loaded;              /* frames in which the foot is loaded */
} PlateProducts;

/* Kinds of motion, by the loads of the estimate: one foot after the other without and with flight, both feet together
 * without and with flight. */
typedef enum PlateMotion { PLATE_WALK, PLATE_RUN, PLATE_STAND, PLATE_JUMP, PLATE_MOTIONS } PlateMotion;

typedef struct PlateMeasures {
    double motion[PLATE_MOTIONS];   /* 1: parts of the kinds of motion, together 1 */
    double frame_time;              /* s */
    double time;                    /* s, of the compared and loaded frames */
    double loaded_time;             /* s, of all frames with loaded plates */
    double load[FOOT_COUNT][3];     /* 1: forward, up, right force of the table per vertical force of the estimate,
                                       least squares over all valid frames */
    double load_match[FOOT_COUNT];  /* 1: correlation of both vertical forces over these frames */
    double impulse;                 /* 1: vertical impulse of the plates per required impulse */
    double foot_impulse[FOOT_COUNT]; /* 1: the same while this foot alone supports the body */
    double sign[2][FOOT_COUNT + 1]; /* 1: cosine between plates and motion of the forward and the right force, of
                                       each foot and of both */
    PlateProducts product[FOOT_COUNT];
    double lag, lag_error;          /* s, delay of the plates relative to the motion, and its standard error */
    double foot_lag[FOOT_COUNT], foot_lag_error[FOOT_COUNT];
    double along[FOOT_COUNT];       /* m, pressure of the plates ahead of the estimate's, along the foot */
    double outward[FOOT_COUNT];     /* m, outward of the estimate's */
    double off_sole[FOOT_COUNT];    /* 1: fraction of the load with pressure outside the sole */
    double offset[FOOT_COUNT];      /* N, median reading under a foot in the air */
    double crossed_force;           /* 1: misfit of the vertical forces divided by that with feet exchanged */
    double crossed_misfit;          /* body weights, RMS of the misfit */
    double crossed_pressure;        /* 1: fraction of the load with pressure under the other foot */
} PlateMeasures;

Status plate_measures_find(const PlateCase *c, const PlateSignals *s, PlateMeasures *out, Error *err);

#endif
