/* How high a flight goes and how hard it lands. */
#ifndef KANE_STATS_FLIGHT_H
#define KANE_STATS_FLIGHT_H

#include "analysis/clip/clip.h"

/* The landing peak is sought this long after the flight, s. */
#define FLIGHT_LANDING_TIME 0.3

typedef struct Flight {
    double height_m;        /* rise of the centre of mass from take-off to apex; NaN where one is not seen */
    double landing_peak_bw; /* largest total vertical contact force after landing; NaN where no landing is seen */
} Flight;

/* Frames frame0 .. frame1 carry nothing. NaN where the clip lacks what a figure needs, and from a neighbouring frame
 * that is not valid. */
Flight flight_measure(const Clip *clip, int frame0, int frame1);

#endif
