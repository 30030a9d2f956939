/* Poses of a reference, frame by frame, and the analytic inverse kinematics of its limbs. */
#ifndef KANE_CONTROL_REFERENCE_IK_H
#define KANE_CONTROL_REFERENCE_IK_H

#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"

/* A motion to be changed, and one frame of it in the world. */
typedef struct ReferencePose {
    const Skeleton *skeleton;
    Motion *motion;
    int frame;
    Vec3 *position;    /* [joint] m; the caller's */
    Quat *orientation; /* [joint]; the caller's */
} ReferencePose;

/* Fills the pose of a frame. */
void reference_pose(ReferencePose *r, int frame);

/* Mean axis about which the limb of an end bends in the motion, in axes of its upper body. The end has two ancestors
 * below the root. */
Vec3 reference_bend_axis(ReferencePose *r, int end);

/* Moves the end of a limb in the present frame to a goal by the two joints above it (two_bone_solve); its
 * orientation is that of the pose. Returns the remaining distance, m. */
double reference_reach(ReferencePose *r, int end, Vec3 axis, Vec3 goal);

#endif
