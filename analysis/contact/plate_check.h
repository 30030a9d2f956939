/* Force plates compared with the motion: what is wrong with them, and in which frames they cannot be trusted. */
#ifndef KANE_CONTACT_PLATE_CHECK_H
#define KANE_CONTACT_PLATE_CHECK_H

#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/lane_width.h"

/* Forces of plates beside those that kane estimates from the motion, as time series that can be compared.
 *
 * Body weights, in axes of the person: forward, up, to the right (the mean heading of the hips). Plates pass more of an
 * impact than a smoothed motion does, so all series pass one low-pass filter. */

/* What is compared. Nothing is owned. */
typedef struct PlateCase {
    const ClipView *clip;    /* all of it, with the path of the COM */
    const Contact *plates;   /* contact_from_external of the table */
    const Loads *table;      /* loads_from_external of the table: nothing dropped */
    const Contact *estimate; /* contact_estimate of the same clip */
    LaneWidth lanes;
    int mass_is_given;       /* 0: that of the body is a guess, which plates that weigh another do not contradict */
} PlateCase;

/* Series of three components each. */
typedef enum PlatePart { PLATES_LEFT, PLATES_RIGHT, ESTIMATE_LEFT, ESTIMATE_RIGHT, NEEDED, PLATE_PARTS } PlatePart;
typedef enum PlateAxis { PLATE_FORWARD, PLATE_UP, PLATE_RIGHTWARD, PLATE_AXES } PlateAxis;
enum { PLATE_CHANNELS = PLATE_PARTS * PLATE_AXES };

typedef struct PlateSignals {
    int frame_count;
    double frame_time; /* s */
    double weight;     /* N, of the body */
    Vec3 forward, right;
    double *rows;       /* [frame][PLATE_CHANNELS] body weights; NEEDED: the force that the motion needs of the feet */
    uint8_t *is_unseen; /* [frame] 1: something supports the body that no plate sees */
    uint8_t *is_used;   /* [frame] 1: seen, derivatives valid, and not next to frames that are unseen */
} PlateSignals;

/* The arrays are the arena's. */
Status plate_signals_find(const PlateCase *c, PlateSignals *out, Arena *arena, Error *err);

static inline double plate_signal(const PlateSignals *s, int frame, PlatePart part, PlateAxis axis)
{
    return s->rows[(size_t)frame * PLATE_CHANNELS + (size_t)part * PLATE_AXES + (size_t)axis];
}

static inline Vec3 plate_foot_force(const Contact *c, int frame, int foot)
{
    return c->foot_force[(size_t)frame * FOOT_COUNT + (size_t)foot];
}

/* How plates and motion agree, in numbers: what the laws of motion give of all forces together, and what the estimate
 * gives of each foot. NaN: the trial does not show it. */

/* Horizontal forces of one foot: sums over frames of products of plates (p) and estimate (e), BW^2. */
typedef struct PlateProducts {
    double pp[2], ee[2], pe[2]; /* forward, rightward */
    double cross;               /* p forward e right - p right e forward */
} PlateProducts;

typedef struct PlateMeasures {
    double time;                    /* s, of the frames that are compared and loaded */
    double loaded_time;             /* s, of all frames in which plates are loaded */
    double load[FOOT_COUNT][3];     /* 1: forward, up, rightward force of the table, of the estimate's vertical force:
                                       least squares over all valid frames */
    double load_match[FOOT_COUNT];  /* 1: correlation of both vertical forces over these frames */
    double impulse;                 /* 1: vertical impulse of the plates, of what the motion needs */
    double foot_impulse[FOOT_COUNT]; /* 1: the same while this foot alone supports the body */
    double sign[2][FOOT_COUNT + 1]; /* 1: cosine between plates and motion of the force forward, to the right, of each
                                       foot and of both */
    PlateProducts product[FOOT_COUNT];
    double lag, lag_error;          /* s, of the plates behind the motion, and its standard error */
    double foot_lag[FOOT_COUNT], foot_lag_error[FOOT_COUNT];
    double along[FOOT_COUNT];       /* m, pressure of the plates ahead of the estimate's, along the foot */
    double outward[FOOT_COUNT];     /* m, outward of it */
    double off_sole[FOOT_COUNT];    /* 1: load whose pressure lies outside the sole */
    double offset[FOOT_COUNT];      /* N, median reading under a foot in the air */
    double crossed_force;           /* 1: misfit of the vertical forces over that and the one with feet exchanged */
    double crossed_misfit;          /* body weights, RMS of it */
    double crossed_pressure;        /* 1: load whose pressure lies under the other foot */
} PlateMeasures;

Status plate_measures_find(const PlateCase *c, const PlateSignals *s, PlateMeasures *out, Error *err);

/* What is wrong with force plates by what the motion states of them, each with a certainty.
 *
 * A measure (plate_check.h) that lies `limit` spreads of sound trials from their mean is a fault. Its certainty is
 * Chebyshev's bound: of any distribution at most 1/z^2 lies z standard deviations away. */

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

/* data/plates.tsv, compiled in. */
extern const PlateSound plate_sound[PLATE_FAULT_KINDS];

/* "plates-late"; valid for the life of the program. */
const char *plate_fault_name(PlateFaultKind kind);

/* rad about the vertical by which the plates' horizontal forces are turned against the estimate's; NaN: no forces. */
double plates_turn(const PlateMeasures *m);

/* Vertical part of the load that goes with the estimate's; NaN: the plates have no load. */
double plates_upright(const PlateMeasures *m);

void plate_faults_find(const PlateMeasures *m, const PlateSound sound[PLATE_FAULT_KINDS], PlateFaults *out);

/* Body weights: how far the estimate lies from the plates of sound trials, as plate_distance has it. The 95th
 * percentile of the seen frames is 0.27 in runs, 0.25 in drop jumps, 0.24 on stairs, 0.18 in walks, 0.14 in squats,
 * 0.13 in fast walks: 47 trials, docs/validation/force_plates.md. Beyond it plates and estimate do not both hold. */
#define PLATE_SPREAD 0.30

/* m: a pressure centre that is off by this much counts as a body weight of force: the length of a foot. */
#define PLATE_PRESSURE_LENGTH 0.25

/* Of a frame, the larger of both feet: force and pressure of the plates against those of the estimate, body weights. */
double plate_distance(const PlateCase *c, const PlateSignals *s, int frame);

typedef struct PlateReport {
    PlateMeasures measures;
    PlateFaults faults;
    const uint8_t *is_unseen;  /* [frame] 1: something supports the body that no plate sees */
    const uint8_t *is_doubted; /* [frame] 1: plates and estimate differ by more than PLATE_SPREAD, or a fault of the
                                  plates was found and they are loaded */
} PlateReport;

/* The arrays are the arena's. The clip needs two feet, masses and the path of its COM. */
Status plate_check(const PlateCase *c, PlateReport *out, Arena *arena, Error *err);

#endif
