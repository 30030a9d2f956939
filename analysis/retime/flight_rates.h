/* Flights of a clip, and the rate at which gravity alone moves the body through each.
 *
 * A flight is an interval in which every contact point is clear of the level at which the body stands, none of them
 * rests, and the height of the centre of mass follows a parabola that falls. Its rate is 1 if the body falls with g
 * within the error of the parabola, and at most 1: sqrt(g / acceleration). Flights that agree share their mean. */
#ifndef KANE_RETIME_FLIGHT_RATES_H
#define KANE_RETIME_FLIGHT_RATES_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

typedef struct Flight {
    int first, last;     /* frames */
    double acceleration; /* m/s2, downward, of the clip that is asked about */
    double error;        /* of the acceleration, as a fraction */
    double rate;
} Flight;

typedef struct FlightRates {
    int count;
    Flight *flight; /* [count] owned, in order */
} FlightRates;

/* Requires body, kinematics with a centre of mass, and contact; without contact points there are no flights. slowed:
 * rate at which this clip shows the one that is asked about; slow motion leaves its flights to the filter of a noisy
 * recording. On failure *out is empty. */
Status flight_rates_find(const Clip *clip, double slowed, FlightRates *out, Error *err);
void flight_rates_free(FlightRates *rates);

#endif
