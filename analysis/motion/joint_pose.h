/* World pose of one joint in one frame of a motion. m, world axes. */
#ifndef KANE_MOTION_JOINT_POSE_H
#define KANE_MOTION_JOINT_POSE_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"

typedef struct JointPose {
    Vec3 position;
    Quat orientation; /* joint to world */
} JointPose;

JointPose joint_pose(const Skeleton *s, const Motion *m, int frame, int joint);

/* The pose of a joint in that of another. */
JointPose joint_pose_in(JointPose frame, JointPose pose);

/* The reverse: a pose given in another. */
JointPose joint_pose_from(JointPose frame, JointPose local);

/* Gives the motion translations, those of the skeleton's offsets, if it has none. */
Status joint_pose_add_translations(const Skeleton *s, Motion *m, Error *err);

/* Moves a joint, and with it what is below, to a pose in the world. The motion must have translations. */
void joint_pose_set(const Skeleton *s, Motion *m, int frame, int joint, JointPose world);

#endif
