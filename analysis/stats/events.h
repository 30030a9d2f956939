/* Events of a clip with their times: torque peaks, foot contacts and flights. */
#ifndef KANE_STATS_EVENTS_H
#define KANE_STATS_EVENTS_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/clip/skeleton.h"
#include "analysis/stats/contact_phases.h"
#include "analysis/stats/joint_series.h"

typedef enum EventKind { EVENT_TORQUE_PEAK = 0, EVENT_FOOT_CONTACT, EVENT_FLIGHT, EVENT_KIND_COUNT } EventKind;

/* Least torque of a peak, as a fraction of the joint's largest torque. */
#define EVENT_PEAK_PART 0.75
/* s: no larger torque is closer than this to a peak */
#define EVENT_PEAK_DISTANCE 0.25

/* s: shorter intervals without contact are not flights */
#define EVENT_MIN_FLIGHT 0.05

typedef struct Event {
    EventKind kind;
    int joint;          /* -1: flight */
    Role role;          /* of the joint; feet: left_ankle, right_ankle */
    double t0, t1;      /* s, first and last frame; equal for a torque peak */
    int frame0, frame1;
    int sd_mnm_kg;      /* torque_peak: standard deviation of the value, mN m/kg; -1: unknown or another kind */
    double value;       /* torque_peak: N m/kg; foot_contact: largest force on the foot in body weights; flight: s */
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
