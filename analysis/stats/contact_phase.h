/* When a foot is on the ground, and when nothing is: phases of contact, and flights. */
#ifndef KANE_STATS_CONTACT_PHASE_H
#define KANE_STATS_CONTACT_PHASE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

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

/* Frames frame0 .. frame1 carry nothing. NaN where the clip lacks what a figure needs, and from a neighbouring frame
 * that is not valid. */
Flight flight_measure(const Clip *clip, int frame0, int frame1);

#endif
