/* Events of a clip: peaks of torque, steps and flights, with their time. */
#ifndef KANE_STATS_EVENTS_H
#define KANE_STATS_EVENTS_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/stats/contact_phase.h"
#include "analysis/stats/joint_series.h"

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
