/* Pelvis and arms in the convention of OpenSim's Rajagopal (2016) model: successive rotations about z, x and y.
 * (kane's anatomical coordinates have no pelvis and use the ISB sequence for the shoulder.)
 *
 * Pelvis relative to the world: tilt (positive backwards), list (to the right), rotation (to the left), as in the
 * model if x of the ground is forward. Arm relative to the trunk: flexion, adduction, internal rotation. */
#ifndef KANE_ANGLES_OPENSIM_POSE_H
#define KANE_ANGLES_OPENSIM_POSE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/dynamics.h"
#include "analysis/clip/joint_angles.h"
#include "analysis/math/vec.h"

typedef struct OpensimPose {
    int frame_count;
    int pelvis;          /* joint of the pelvis; -1: none, or left and right are unknown */
    Vec3 *pelvis_angle;  /* [frame] tilt, list, rotation, rad; NaN within 10 degrees of a singular pose */
    Vec3 *pelvis_moment; /* [frame] N m about these axes; of a root pelvis: the residual of the floating base */
    JointAngles arms;    /* flexion, adduction and rotation of each arm, stored as the shoulder's three coordinates */
} OpensimPose;

/* Reads skeleton, motion and kinematics. dynamics NULL: moments are zero. Free with opensim_pose_free. */
Status opensim_pose_init(OpensimPose *pose, const ClipView *clip, const Dynamics *dynamics, Error *err);
void opensim_pose_free(OpensimPose *pose);

#endif
