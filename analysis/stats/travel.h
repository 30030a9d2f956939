/* Where a clip goes, and how well the feet of its source stand on the ground. */
#ifndef KANE_STATS_TRAVEL_H
#define KANE_STATS_TRAVEL_H

#include "analysis/clip/clip.h"
#include "analysis/stats/joint_series.h"

/* NaN where it cannot be known. Of the frames to trust; the ground is that of /contact. */
typedef struct Travel {
    double distance_m;          /* way of the centre of mass (without a body: of the root) along the ground */
    double speed_mean_m_s, speed_peak_m_s; /* of that way */
    double foot_slide_cm_s;     /* mean speed along the ground of contact points whose state is above one half */
    double foot_penetration_cm; /* deepest of these points below the ground; 0: none lies below */
} Travel;

Travel travel_measure(const Clip *clip, const JointSeries *series);

#endif
