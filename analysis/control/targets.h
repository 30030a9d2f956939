/* Targets of hands and feet, which replace parts of the reference. */
#ifndef KANE_CONTROL_TARGETS_H
#define KANE_CONTROL_TARGETS_H

#include "analysis/clip/motion.h"
#include "analysis/control/lumped_body.h"

/* Positions that joints are to reach (thesis figure 1.2): one row per time and joint, in any order; linear between the
 * rows of a joint in order of time. Within TARGET_BLEND of its first and last row the joint leaves the motion and
 * returns to it. */
typedef struct TargetRows {
    int row_count;
    double *time;   /* [row] s */
    int *joint;     /* [row] joint of the clip, with two simulated ancestors below the root */
    Vec3 *position; /* [row] m, world, of the joint's centre */
    Arena memory;   /* owns the arrays */
} TargetRows;

#define TARGET_BLEND 0.5 /* s */

/* The largest miss of a target. */
typedef struct TargetMiss {
    double distance; /* m; 0: all targets were reached */
    double time;
    int joint;       /* joint of the clip */
} TargetMiss;

/* Rotates the two joints above each target's joint by analytic inverse kinematics (two_bone_solve); the joint itself
 * keeps its world orientation. STATUS_BAD_INPUT naming a joint without two such ancestors. */
Status targets_reach(const TargetRows *targets, const LumpedBody *lumped, const char *const *names, Motion *motion,
                     TargetMiss *miss, Error *err);

#endif
