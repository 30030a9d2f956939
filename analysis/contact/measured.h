/* Measured forces as contact, group /contact from a table of external forces, and the check of force plates against
 * the motion.
 *
 * One point per loaded joint, at its centre, with the whole force and the couple about that centre. The load on a
 * foot is reduced to the ground plane: centre of pressure and free moment, as a force plate reports them. */
#ifndef KANE_CONTACT_MEASURED_H
#define KANE_CONTACT_MEASURED_H

#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/lane_width.h"

/* Load on a foot as a force plate reports it: force, centre of pressure and free moment.
 *
 * The forces and couples of all points of the foot are reduced to the ground plane. With M the moment about a point O
 * of the plane, COP = O + n x M / (n . F); the remainder is the free moment about the normal n. */

/* FOOT_LEFT or FOOT_RIGHT for ankle and toe, FOOT_COUNT for a segment elsewhere on the body. */
int foot_of_segment(Role segment);

/* Whether a force is large enough for a meaningful centre of pressure; otherwise foot_cop and foot_free_moment are
 * zero. */
int foot_has_pressure_centre(Vec3 force, Vec3 normal);

/* Fills foot_force, foot_cop and foot_free_moment from force, moment and the ground plane of c. Points of any joint
 * whose segment is an ankle or a toe count for that foot. */
void foot_summarize(const Skeleton *skeleton, const Kinematics *kinematics, Contact *c);

typedef struct MeasuredDef {
    double ground;    /* world y of the ground, m; default 0 */
    double threshold; /* N; default 20; 0: no threshold. A plate has noise: a foot is in contact if the vertical or
                         the horizontal part of the sum of its rows reaches the threshold. Otherwise its force is
                         zero, except in the tail of a step. 20 N is the usual threshold of gait laboratories. Other
                         joints (a hand on a rail, a rope at the trunk) are not on a plate: their forces are kept
                         whatever their size. */
} MeasuredDef;

MeasuredDef measured_default_def(void);

/* Fills *out. Rows of any joint whose segment is an ankle or a toe count for that foot. state is 1 where a point is in
 * contact; confidence is 1. STATUS_USAGE for a threshold below 0. */
Status contact_from_external(const ExternalRows *rows, const ClipView *clip, const MeasuredDef *def, Contact *out,
                             Error *err);

/* 1 if the forces were measured: their points are then joint centres, not points of a sole. */
int contact_is_measured(const Contact *c);

/* Compares force plates with the motion: errors of the plates, and the frames in which they are not trusted. */

/* Measured forces and estimated forces as comparable time series.
 *
 * Body weights, in axes of the person: forward, up, right (mean heading of the hips). Plates contain more of an impact
 * than a smoothed motion does, so all series pass the same low-pass filter. */

/* Inputs. Nothing is owned. */
typedef struct PlateCase {
    const ClipView *clip;    /* whole clip, with the path of the COM */
    const Contact *plates;   /* contact_from_external of the table */
    const Loads *table;      /* loads_from_external of the table, complete */
    const Contact *estimate; /* contact_estimate of the same clip */
    LaneWidth lanes;
    int mass_is_given;       /* 0: the body's mass is the default, which another weight on the plates does not
                                contradict */
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
    double *rows;       /* [frame][PLATE_CHANNELS] body weights; NEEDED: the force that the motion requires of the
                           feet */
    uint8_t *is_unseen; /* [frame] 1: something outside the plates supports the body */
    uint8_t *is_used;   /* [frame] 1: on the plates, with valid derivatives, and not next to frames off the plates */
} PlateSignals;

/* The arrays belong to the arena. */
Status plate_signals_find(const PlateCase *c, PlateSignals *out, Arena *arena, Error *err);

static inline double plate_signal(const PlateSignals *s, int frame, PlatePart part, PlateAxis axis)
{
    return s->rows[(size_t)frame * PLATE_CHANNELS + (size_t)part * PLATE_AXES + (size_t)axis];
}

static inline Vec3 plate_foot_force(const Contact *c, int frame, int foot)
{
    return c->foot_force[(size_t)frame * FOOT_COUNT + (size_t)foot];
}

/* Agreement of plates and motion: by the laws of motion for the sum of all forces, by the estimate for each foot. NaN:
 * not measurable in this trial. */

/* Horizontal forces of one foot: sums over frames of products of plates (p) and estimate (e), BW^2. */
typedef struct PlateProducts {
    double pp[2], ee[2], pe[2]; /* forward, rightward */
    double cross;               /* p forward e right - p right e forward */
} PlateProducts;

typedef struct PlateMeasures {
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

/* Errors of force plates, each with a certainty.
 *
 * A measure at least `limit` standard deviations of sound trials from their mean is an error. Its certainty is
 * Chebyshev's bound: in any distribution, at most 1/z^2 is z standard deviations away. */

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
    PLATE_ERROR_KINDS
} PlateErrorKind;

typedef struct PlateError {
    PlateErrorKind kind;
    int foot;         /* FOOT_COUNT: both */
    double value;
    double certainty; /* 0 to 1 */
} PlateError;

/* s of comparable frames. */
#define PLATES_LEAST_TIME 0.2

enum { PLATE_ERRORS_MOST = 16 };

typedef struct PlateErrors {
    int count;
    PlateError error[PLATE_ERRORS_MOST];
} PlateErrors;

/* Distribution of a measure over sound trials. */
typedef struct PlateSound {
    double mean, spread;
    double limit; /* standard deviations from the mean that make an error */
} PlateSound;

/* data/plates.tsv, compiled in. */
extern const PlateSound plate_sound[PLATE_ERROR_KINDS];

/* "plates-late"; valid for the life of the program. */
const char *plate_error_name(PlateErrorKind kind);

/* rad about the vertical, rotation of the plates' horizontal forces relative to the estimate's; NaN: no forces. */
double plates_rotation(const PlateMeasures *m);

/* Vertical fraction of the load that correlates with the estimate's; NaN: the plates have no load. */
double plates_upright(const PlateMeasures *m);

void plate_errors_find(const PlateMeasures *m, const PlateSound sound[PLATE_ERROR_KINDS], PlateErrors *out);

/* Body weights, as plate_distance: 95th percentile of the distance between estimate and plates in sound trials. Per
 * kind it is 0.27 in runs, 0.25 in drop jumps, 0.24 on stairs, 0.18 in walks, 0.14 in squats, 0.13 in fast walks: 47
 * trials, docs/validation/force_plates.md. Beyond it plates and estimate cannot both be right. */
#define PLATE_SPREAD 0.30

/* m: a pressure error that counts as one body weight of force: the length of a foot. */
#define PLATE_PRESSURE_LENGTH 0.25

/* Distance in a frame, the larger of both feet: difference of force and pressure between plates and estimate, body
 * weights. */
double plate_distance(const PlateCase *c, const PlateSignals *s, int frame);

typedef struct PlateReport {
    PlateMeasures measures;
    PlateErrors errors;
    const uint8_t *is_unseen;  /* [frame] 1: something outside the plates supports the body */
    const uint8_t *is_doubted; /* [frame] 1: plates and estimate differ by more than PLATE_SPREAD, or the plates are
                                  loaded and have an error */
} PlateReport;

/* The arrays belong to the arena. The clip must have two feet, masses and the path of its COM. */
Status plate_check(const PlateCase *c, PlateReport *out, Arena *arena, Error *err);

#endif
