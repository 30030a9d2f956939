/* Foot contacts and flights: the phases of a clip by what touches the ground. */
#ifndef KANE_STATS_CONTACT_PHASES_H
#define KANE_STATS_CONTACT_PHASES_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* Whether a frame is valid without flags other than TRUST_UNCERTAIN; the uncertainty of torques affects neither paths
 * nor times. */
int contact_frame_counts(const Clip *clip, int frame);

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

/* The spans in which a foot is in contact; gaps shorter than min_gap (s) are bridged. Empty if the clip has no
 * contact points. */
Status contact_phases_init(ContactPhases *phases, const Clip *clip, int foot, double min_gap, Error *err);
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

#endif
