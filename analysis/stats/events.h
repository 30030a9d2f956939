/* Events of a clip: peaks of torque, steps and flights, with their time. */
#ifndef KANE_STATS_EVENTS_H
#define KANE_STATS_EVENTS_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/stats/joint_series.h"

/* When a foot is on the ground, and when nothing is: phases of contact, and flights. */

/* Frames first to last. */
typedef struct FrameSpan {
    int first, last;
} FrameSpan;

typedef struct ContactPhases {
    int count;
    FrameSpan *span; /* [count] in order; owned */
} ContactPhases;

/* What touches the ground at a frame, a contact being the state of a point above one half: bit k for foot k
 * (FOOT_LEFT, FOOT_RIGHT), bit FOOT_COUNT for the rest of the body. The clip must have /contact. */
unsigned contact_touching(const Clip *clip, int frame);

/* The spans in which a foot is down; a gap shorter than least_gap (s) does not end one. None where the clip has no
 * contact points. */
Status contact_phases_init(ContactPhases *phases, const Clip *clip, int foot, double least_gap, Error *err);
void contact_phases_free(ContactPhases *phases);

/* The landing peak is sought this long after the flight, s. */
#define FLIGHT_LANDING_TIME 0.3

/* How high a flight goes and how hard it lands. */
typedef struct Flight {
    double height_m;        /* rise of the centre of mass from take-off to apex; NaN where one is not seen */
    double landing_peak_bw; /* largest total vertical contact force after landing; NaN where no landing is seen */
} Flight;

/* Frames frame0 .. frame1 carry nothing. NaN where the clip lacks what a statistic needs, and from a neighbouring frame
 * that is not valid. */
Flight flight_measure(const Clip *clip, int frame0, int frame1);

/* Peak, RMS, percentile, work and range of one joint over a clip: a row of the table joint_stat.
 *
 * Every statistic is NaN (the frame -1) where the clip has no frame to trust, but for those of all frames. The floating
 * base has no torque and no power of its own: what stands there is the residual. */

/* A number of a struct by name: what the index makes columns of, so that a statistic's name stands in one place. */
typedef struct Figure {
    const char *name;
    const char *unit, *meaning; /* for column_doc and docs/formats/index.md; unit "": none, NULL: as the name ends */
    size_t offset;  /* into its struct */
    int is_integer; /* an int (negative: unknown), else a double (NaN: unknown) */
} Figure;

typedef struct FigureList {
    const Figure *figure; /* [count], of static storage */
    int count;
} FigureList;

typedef struct JointPeaks {
    double torque_peak_nm;    /* Nm, largest |torque| */
    double torque_peak_nm_kg; /* Nm/kg of body mass */
    double torque_peak_sd_nm_kg; /* Nm/kg, standard deviation of the torque's size at the peak; NaN: nobody asked */
    double torque_peak_low_nm_kg; /* Nm/kg, torque_low of the peak */
    double torque_peak_t;     /* s, source time */
    int torque_peak_frame;    /* frame of the clip, from 0; -1: none */
    double torque_peak_all_nm_kg; /* Nm/kg, of all valid frames, trusted or not */
    double torque_peak_all_t;     /* s */
    double torque_rms_nm_kg;
    double torque_p95_nm_kg;  /* Nm/kg: 95 % of the frames stay at or below it */
    double power_peak_w;      /* W, positive generates */
    double power_min_w;
    double work_pos_j;        /* J, integral of the positive power */
    double work_neg_j;        /* J, <= 0 */
    double speed_peak;        /* rad/s, of the joint relative to its parent */
    double accel_peak;        /* rad/s2, seen from the parent */
    double rom_rad;           /* rad, largest angle between two poses of the joint */
    double utilization_peak;          /* largest utilization of strength, of the coordinates that have one */
    double utilization_peak_t;        /* s, source time */
} JointPeaks;

/* The lower end of the 90 % band of a torque, at least 0; without a standard deviation (NaN, < 0) the torque itself. */
double torque_low(double torque, double sd);

/* Fills the peaks of joint j. scratch holds series->count doubles. mass <= 0: per-kg statistics are NaN. */
void joint_peaks(const JointSeries *series, int joint, double mass, double *scratch, JointPeaks *out);

/* The statistics of JointPeaks by name. */
FigureList peak_figures(void);

/* The smallest of count > 0 values that at least part (0..1) of them do not exceed (nearest rank). Reorders value, in
 * which no NaN may be. Linear expected time. */
double percentile(double *value, int count, double part);

/* Half-second windows of a clip, and the load of every role in each: "when?". */

#define WINDOW_SECONDS 0.5

typedef struct Window {
    double t0, t1;      /* s, source time; t1 is where the next one begins, or the end of the clip */
    int frame0, frame1; /* first and last frame */
} Window;

typedef struct WindowStat {
    int window;               /* index of its window */
    Role role;
    double torque_peak_mnm_kg; /* mNm/kg; this and the next: whole numbers, rounded away from zero */
    double torque_rms_mnm_kg;
    double power_peak_mw_kg;   /* mW/kg */
    double power_min_mw_kg;
} WindowStat;

typedef struct Windows {
    int window_count;
    int stat_count;
    Window *window;   /* [window] owned */
    WindowStat *stat; /* [stat] owned, by window, then role; windows without a frame to trust have none */
} Windows;

Status windows_init(Windows *w, const Clip *clip, const JointSeries *series, Error *err);
void windows_free(Windows *w);

/* The statistics of WindowStat by name. */
FigureList window_figures(void);

typedef enum EventKind { EVENT_TORQUE_PEAK = 0, EVENT_FOOT_CONTACT, EVENT_FLIGHT, EVENT_KIND_COUNT } EventKind;

/* A torque peak counts from this part of the joint's largest torque on, */
#define EVENT_PEAK_PART 0.75
/* and where no larger one lies nearer than this, s. */
#define EVENT_PEAK_DISTANCE 0.25

/* A shorter time without contact is no flight, s. */
#define EVENT_LEAST_FLIGHT 0.05

typedef struct Event {
    EventKind kind;
    int joint;          /* -1: flight */
    Role role;          /* of the joint; feet: left_ankle, right_ankle */
    double t0, t1;      /* s, first and last frame; equal for a torque peak */
    int frame0, frame1;
    int sd_mnm_kg;      /* torque_peak: standard deviation of the value, mNm/kg; -1 otherwise, and where unknown */
    double value;       /* torque_peak: Nm/kg; foot_contact: largest force on the foot in body weights; flight: s */
    Flight flight;      /* height and landing of a flight; NaN otherwise */
} Event;

typedef struct Events {
    int count;
    int capacity;
    Event *event;     /* [count] owned; torque peaks by joint and time, then contacts by foot, then flights */
    double flight_s;  /* s without contact; NaN where the clip has no contact points */
} Events;

/* Torque peaks of the joints with a role (of all joints where none has one) that carry more than the residual; contacts
 * where the clip has contact points: a foot is down while the state of one of its points is above one half. */
Status events_init(Events *e, const Clip *clip, const JointSeries *series, Error *err);
void events_free(Events *e);

#endif
