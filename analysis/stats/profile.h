/* Torque profile of a joint: 100 points of |torque| / mass over the clip, so that clips of any length compare. */
#ifndef KANE_STATS_PROFILE_H
#define KANE_STATS_PROFILE_H

#include "analysis/clip/role.h"
#include "analysis/stats/joint_series.h"

#define PROFILE_POINTS 100

typedef struct Profile {
    Role role;
    float nm_kg[PROFILE_POINTS]; /* Nm/kg, mean over each hundredth of the time from the first to the last frame used */
} Profile;

/* series->count must be above 0, mass too. */
void profile_compute(const JointSeries *series, int joint, double mass, float *nm_kg);

/* RMS difference over the roles that both have, Nm/kg; NaN where they share none. Both in the order of roles. */
double profile_distance(const Profile *a, int a_count, const Profile *b, int b_count);

#endif
