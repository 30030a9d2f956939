/* Pelvis and arms as OpenSim's Rajagopal (2016) model has them: rotations about z, x and y one after the other, where
 * kane's anatomy has no pelvis and takes the shoulder in the ISB's sequence.
 *
 * The pelvis turns against the world's axes: tilt (positive: backwards), list (to the right), rotation (to the left),
 * like the model's where the ground's x is forward. An arm against the trunk: flexion, adduction, internal rotation. */
#ifndef KANE_ANATOMY_OPENSIM_POSE_H
#define KANE_ANATOMY_OPENSIM_POSE_H

#include "analysis/clip/anatomy.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/dynamics.h"

typedef struct OpensimPose {
    int frame_count;
    int pelvis;          /* its joint; -1: none, or no left and right */
    Vec3 *pelvis_angle;  /* [frame] tilt, list, rotation, rad; NaN within 10 degrees of a singular pose */
    Vec3 *pelvis_moment; /* [frame] Nm about their axes: the floating base's residual, where the pelvis is the root */
    Anatomy arms;        /* flexion, adduction and rotation of each arm, under the shoulder's coordinates in turn */
} OpensimPose;

/* Reads skeleton, motion and kinematics. dynamics may be NULL, then moments are zero. */
Status opensim_pose_init(OpensimPose *pose, const ClipView *clip, const Dynamics *dynamics, Error *err);
void opensim_pose_free(OpensimPose *pose);

#endif
