/* Events of a clip with their times: torque peaks, foot contacts and flights; and the statistics per joint and
 * window. */
#ifndef KANE_STATS_EVENTS_H
#define KANE_STATS_EVENTS_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/stats/joint_series.h"

/* Foot contacts and flights. */

/* Frames first to last, inclusive. */
typedef struct FrameSpan {
    int first, last;
} FrameSpan;

typedef struct ContactPhases {
    int count;
    FrameSpan *span; /* [count] by time; owned */
} ContactPhases;

/* Parts of the body in contact in a frame (state of a point above 0.5): bit k for foot k (FOOT_LEFT, FOOT_RIGHT), bit
 * FOOT_COUNT for the rest of the body. The clip must have /contact. */
unsigned contact_touching(const Clip *clip, int frame);

/* The spans in which a foot is in contact; gaps shorter than least_gap (s) are bridged. Empty if the clip has no
 * contact points. */
Status contact_phases_init(ContactPhases *phases, const Clip *clip, int foot, double least_gap, Error *err);
void contact_phases_free(ContactPhases *phases);

/* s after a flight in which the landing peak is searched */
#define FLIGHT_LANDING_TIME 0.3

/* Height and landing of a flight. */
typedef struct Flight {
    double height_m;        /* rise of the centre of mass from take-off to apex; NaN if either is not in the clip */
    double landing_peak_bw; /* largest total vertical contact force after landing; NaN if the landing is not in the
                               clip */
} Flight;

/* Measures the flight of frames frame0 .. frame1, which have no contact. NaN where required data are missing or a
 * neighbouring frame is not valid. */
Flight flight_measure(const Clip *clip, int frame0, int frame1);

/* Peak, RMS, percentile, work and range of one joint: a row of the table joint_stat.
 *
 * Without a trusted frame every statistic is NaN (the frame -1) except those of all valid frames. The floating base has
 * no torque or power of its own, only the residual. */

/* A number in a struct with its name, from which the index makes its columns, so that names are defined once. */
typedef struct Metric {
    const char *name;
    const char *unit, *meaning; /* for column_doc and docs/formats/index.md; unit "": none, NULL: given by the end of
                                   the name */
    size_t offset;  /* into its struct */
    int is_integer; /* 1: an int (negative: unknown); 0: a double (NaN: unknown) */
} Metric;

typedef struct MetricList {
    const Metric *metric; /* [count] static storage */
    int count;
} MetricList;

typedef struct JointPeaks {
    double torque_peak_nm;    /* Nm, largest |torque| */
    double torque_peak_nm_kg; /* Nm/kg of body mass */
    double torque_peak_sd_nm_kg; /* Nm/kg, standard deviation of the torque's magnitude at the peak; NaN: not
                                    computed */
    double torque_peak_low_nm_kg; /* Nm/kg, torque_low of the peak */
    double torque_peak_t;     /* s, source time */
    int torque_peak_frame;    /* frame of the clip, from 0; -1: none */
    double torque_peak_all_nm_kg; /* Nm/kg, over all valid frames, trusted or not */
    double torque_peak_all_t;     /* s */
    double torque_rms_nm_kg;
    double torque_p95_nm_kg;  /* Nm/kg: 95 % of the frames are at or below it */
    double power_peak_w;      /* W, positive generates */
    double power_min_w;
    double work_pos_j;        /* J, integral of the positive power */
    double work_neg_j;        /* J, <= 0 */
    double speed_peak;        /* rad/s, relative to the parent */
    double accel_peak;        /* rad/s2, relative to the parent */
    double rom_rad;           /* rad, largest angle between two poses of the joint */
    double utilization_peak;          /* largest strength utilization of the joint's coordinates */
    double utilization_peak_t;        /* s, source time */
} JointPeaks;

/* Lower end of the 90 % band of a torque, at least 0; without a standard deviation (NaN, < 0) the torque itself. */
double torque_low(double torque, double sd);

/* Fills the peaks of a joint. scratch: [series->count]. mass <= 0: per-kg statistics are NaN. */
void joint_peaks(const JointSeries *series, int joint, double mass, double *scratch, JointPeaks *out);

/* The statistics of JointPeaks by name. */
MetricList peak_metrics(void);

/* The smallest of count > 0 values that at least the fraction `part` (0..1) of them do not exceed (nearest rank).
 * Reorders value, which must not contain NaN. Linear expected time. */
double percentile(double *value, int count, double part);

/* Half-second windows of a clip and the load of every role in each, for queries by time. */

#define WINDOW_SECONDS 0.5

typedef struct Window {
    double t0, t1;      /* s, source time; t1 is the start of the next window or the end of the clip */
    int frame0, frame1; /* first and last frame */
} Window;

typedef struct WindowStat {
    int window;               /* index of its window */
    Role role;
    double torque_peak_mnm_kg; /* mNm/kg; this and the following are integers, rounded away from zero */
    double torque_rms_mnm_kg;
    double power_peak_mw_kg;   /* mW/kg */
    double power_min_mw_kg;
} WindowStat;

typedef struct Windows {
    int window_count;
    int stat_count;
    Window *window;   /* [window] owned */
    WindowStat *stat; /* [stat] owned, by window, then role; windows without a trusted frame have none */
} Windows;

Status windows_init(Windows *w, const Clip *clip, const JointSeries *series, Error *err);
void windows_free(Windows *w);

/* The statistics of WindowStat by name. */
MetricList window_metrics(void);

typedef enum EventKind { EVENT_TORQUE_PEAK = 0, EVENT_FOOT_CONTACT, EVENT_FLIGHT, EVENT_KIND_COUNT } EventKind;

/* Least torque of a peak, as a fraction of the joint's largest torque. */
#define EVENT_PEAK_PART 0.75
/* s: no larger torque is closer than this to a peak */
#define EVENT_PEAK_DISTANCE 0.25

/* s: shorter intervals without contact are not flights */
#define EVENT_LEAST_FLIGHT 0.05

typedef struct Event {
    EventKind kind;
    int joint;          /* -1: flight */
    Role role;          /* of the joint; feet: left_ankle, right_ankle */
    double t0, t1;      /* s, first and last frame; equal for a torque peak */
    int frame0, frame1;
    int sd_mnm_kg;      /* torque_peak: standard deviation of the value, mNm/kg; -1: unknown or another kind */
    double value;       /* torque_peak: Nm/kg; foot_contact: largest force on the foot in body weights; flight: s */
    Flight flight;      /* height and landing of a flight; NaN otherwise */
} Event;

typedef struct Events {
    int count;
    int capacity;
    Event *event;     /* [count] owned; torque peaks by joint and time, then contacts by foot, then flights */
    double flight_s;  /* s without contact; NaN without contact points */
} Events;

/* Finds torque peaks of ranked joints with a role (of all ranked joints if none has a role), and contacts and flights
 * if the clip has contact points. A foot is in contact while the state of one of its points is above 0.5. */
Status events_init(Events *e, const Clip *clip, const JointSeries *series, Error *err);
void events_free(Events *e);

#endif
