/* What is wrong with force plates by what the motion says of them, each with a certainty.
 *
 * A measure (plate_measures.h) that lies `limit` spreads of sound trials from their mean is a fault. Its certainty is
 * Chebyshev's bound: of any distribution at most 1/z^2 lies z standard deviations away. */
#ifndef KANE_CONTACT_PLATE_FAULTS_H
#define KANE_CONTACT_PLATE_FAULTS_H

#include "analysis/contact/plate_measures.h"

typedef enum PlateFaultKind {
    PLATES_EXCHANGED,      /* each foot has the forces of the other; value: part of the load */
    PLATES_APART,          /* plates and feet are loaded at different times; value: part of the time in common */
    PLATES_DOWNWARD,       /* forces point into the ground; value: impulse of what is needed */
    PLATES_ALONG_SIGN,     /* the force forward has the wrong sign; value: cosine */
    PLATES_SIDE_SIGN,      /* the force sideways has the wrong sign; value: cosine */
    PLATES_TURNED,         /* value: rad about the vertical, of the plates' forces against those of the motion */
    PLATES_LATE,           /* value: s behind the motion, negative: ahead */
    PLATES_SCALE,          /* value: vertical impulse of what the motion needs */
    PLATES_FOOT_SCALE,     /* value: this foot's, of the other's */
    PLATES_PRESSURE_ALONG, /* value: m ahead of the estimate */
    PLATES_PRESSURE_SIDE,  /* value: m outward of it */
    PLATES_OFF_SOLE,       /* value: part of the load whose pressure lies outside the sole */
    PLATES_OFFSET,         /* value: N under a foot in the air */
    PLATES_UNIT,           /* forces are in kN; value: vertical force of the estimate's */
    PLATES_UPRIGHT,        /* another axis than the vertical has the load; value: vertical part of the load */
    PLATE_FAULT_KINDS
} PlateFaultKind;

typedef struct PlateFault {
    PlateFaultKind kind;
    int foot;         /* FOOT_COUNT: both */
    double value;
    double certainty; /* 0 to 1 */
} PlateFault;

/* s in common that plates can be judged by. */
#define PLATES_LEAST_TIME 0.2

enum { PLATE_FAULTS_MOST = 16 };

typedef struct PlateFaults {
    int count;
    PlateFault fault[PLATE_FAULTS_MOST];
} PlateFaults;

/* A measure over sound trials. */
typedef struct PlateSound {
    double mean, spread;
    double limit; /* spreads from the mean that are too many */
} PlateSound;

/* Of the 47 trials of docs/accuracy.md "Force plates". */
extern const PlateSound plate_sound[PLATE_FAULT_KINDS];

/* "plates-late"; valid for the life of the program. */
const char *plate_fault_name(PlateFaultKind kind);

/* rad about the vertical by which the plates' horizontal forces are turned against the estimate's; NaN: no forces. */
double plates_turn(const PlateMeasures *m);

/* Vertical part of the load that goes with the estimate's; NaN: the plates have no load. */
double plates_upright(const PlateMeasures *m);

void plate_faults_find(const PlateMeasures *m, const PlateSound sound[PLATE_FAULT_KINDS], PlateFaults *out);

#endif
