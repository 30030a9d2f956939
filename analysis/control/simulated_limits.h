/* Joint limits of a clip's roles as limits between its simulated bodies (docs/sources.md, notes 0.4). */
#ifndef KANE_CONTROL_SIMULATED_LIMITS_H
#define KANE_CONTROL_SIMULATED_LIMITS_H

#include "analysis/control/lumped_body.h"
#include "analysis/retarget/joint_limits.h"
#include "analysis/sim/joint_rows.h"

typedef struct SimulatedLimits {
    int count;
    int *joint;         /* [count] joint of the lumped skeleton */
    AngleLimits *limit; /* [count] */
    Arena memory;       /* owns both */
} SimulatedLimits;

/* Limits apply to rotations from the reference pose in the body's own axes (reference_pose.h). A role that the clip
 * lacks, the root's role, and a role with a frozen joint have no limits; neither has a bound at the end of an angle's
 * range. Reads skeleton and motion of the clip. */
Status simulated_limits_init(SimulatedLimits *out, const JointLimits *limits, const LumpedBody *lumped,
                             const ClipView *clip, Error *err);
void simulated_limits_free(SimulatedLimits *limits);

#endif
