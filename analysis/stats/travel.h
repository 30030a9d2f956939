/* Travel of a clip, and foot contact of its source. */
#ifndef KANE_STATS_TRAVEL_H
#define KANE_STATS_TRAVEL_H

#include "analysis/clip/clip.h"
#include "analysis/stats/joint_series.h"

/* Over the chosen frames; NaN where unknown. The ground is that of /contact. */
typedef struct Travel {
    double distance_m;          /* path length of the centre of mass (without a body: of the root) along the ground */
    double speed_mean_m_s, speed_peak_m_s; /* along that path */
    double foot_slide_cm_s;     /* mean speed along the ground of contact points whose state is above 0.5 */
    double foot_penetration_cm; /* largest depth of these points below the ground; 0: none is below */
} Travel;

Travel travel_measure(const Clip *clip, const JointSeries *series);

#endif
