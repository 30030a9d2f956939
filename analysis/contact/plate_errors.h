/* Errors of force plates, each with a certainty.
 *
 * A measure at least `limit` standard deviations of sound trials from their mean is an error. Mean and deviation are
 * those of the kind of motion; to the deviation of signs and rotations that of the estimate's horizontal forces is
 * added, which hides the sign of smaller forces. The certainty is Chebyshev's bound: in any distribution, at most 1/z^2
 * is z standard deviations away. */
#ifndef KANE_CONTACT_PLATE_ERRORS_H
#define KANE_CONTACT_PLATE_ERRORS_H

#include "analysis/contact/plate_measures.h"

typedef enum PlateErrorKind {
    PLATES_EXCHANGED,      /* each foot has the forces of the other; value: fraction of the load */
    PLATES_APART,          /* plates and feet are loaded at different times; value: fraction of common time */
    PLATES_DOWNWARD,       /* forces point into the ground; value: impulse per required impulse */
    PLATES_ALONG_SIGN,     /* the forward force has the wrong sign; value: cosine */
    PLATES_SIDE_SIGN,      /* the lateral force has the wrong sign; value: cosine */
    PLATES_TURNED,         /* value: rad about the vertical, rotation of the plates' forces relative to those of the
                              motion */
    PLATES_LATE,           /* value: s of delay, negative: ahead */
    PLATES_SCALE,          /* value: vertical impulse per required impulse */
    PLATES_FOOT_SCALE,     /* value: this foot's per the other's */
    PLATES_PRESSURE_ALONG, /* value: m ahead of the estimate */
    PLATES_PRESSURE_SIDE,  /* value: m outward of it */
    PLATES_OFF_SOLE,       /* value: fraction of the load with pressure outside the sole */
    PLATES_OFFSET,         /* value: N under a foot in the air */
    PLATES_UNIT,           /* forces are in kN; value: vertical force per the estimate's */
    PLATES_UPRIGHT,        /* another axis than the vertical has the load; value: vertical fraction of the load */
    PLATE_ERROR_KINDS,
    /* No errors, but rows of the table: the estimate's error of a foot's force, body weights. */
    PLATES_FORCE_ALONG = PLATE_ERROR_KINDS,
    PLATES_FORCE_SIDE,
    PLATE_SOUND_ROWS
} PlateErrorKind;

typedef struct PlateError {
    PlateErrorKind kind;
    int foot;         /* FOOT_COUNT: both */
    double value;
    double certainty; /* 0 to 1 */
} PlateError;

/* s of comparable frames. */
#define PLATES_MIN_TIME 0.2

enum { PLATE_ERRORS_MAX = 16 };

typedef struct PlateErrors {
    int count;
    PlateError error[PLATE_ERRORS_MAX];
} PlateErrors;

/* Distribution of a measure over sound trials, by kind of motion. */
typedef struct PlateSound {
    double limit; /* standard deviations from the mean that make an error */
    double walk, walk_spread, run, run_spread, stand, stand_spread, jump, jump_spread; /* means, standard deviations */
} PlateSound;

/* data/plates.tsv, compiled in. */
extern const PlateSound plate_sound[PLATE_SOUND_ROWS];

/* "plates-late"; valid for the life of the program. */
const char *plate_error_name(PlateErrorKind kind);

/* rad about the vertical, rotation of the plates' horizontal forces relative to the estimate's; NaN: no forces. */
double plates_rotation(const PlateMeasures *m);

/* Vertical fraction of the load that correlates with the estimate's; NaN: the plates have no load. */
double plates_upright(const PlateMeasures *m);

/* s, delay of the plates, of all feet together and of each, weighted by certainty, less that of sound trials; NaN: not
 * measurable. error: its standard deviation, with that of sound trials. */
double plates_delay(const PlateMeasures *m, const PlateSound sound[PLATE_SOUND_ROWS], double *error);

void plate_errors_find(const PlateMeasures *m, const PlateSound sound[PLATE_SOUND_ROWS], PlateErrors *out);

#endif
