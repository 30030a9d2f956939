/* A clip as six samples per second with one byte per value: small enough for the index, and sufficient to find half a
 * second of motion again by pose, by torque or by both.
 *
 * A sample is the mean over a sixth of a second of trusted frames. Pose: positions of elbows, wrists, knees and ankles
 * relative to the middle of the hips in axes of the trunk (x to the left hip, y to the neck, z forward), in leg
 * lengths; the world's up vector in the same axes, half a leg long; and the displacement of the hips in a sixth of a
 * second. Trunk axes are used because a heading is undefined for somebody who lies or turns a cartwheel. Torque:
 * |torque| per body mass. */
#ifndef KANE_STATS_MOTION_FEATURES_H
#define KANE_STATS_MOTION_FEATURES_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/stats/joint_series.h"

#define SKETCH_SECONDS (1.0 / 6) /* s, length of a sample; the first begins with the clip */

enum {
    SKETCH_LIMBS = 8,                           /* points */
    SKETCH_POSE_VALUES = 3 * SKETCH_LIMBS + 6,  /* points, up, displacement */
    SKETCH_TORQUE_VALUES = 11,
    SKETCH_VALUES = SKETCH_POSE_VALUES + SKETCH_TORQUE_VALUES,
    SKETCH_UNKNOWN = 0,                         /* an unknown pose or torque value */
    SKETCH_ORIGIN = 128                         /* code of a pose value of 0 */
};

/* Indices of the points of a sample, left and right alternating, and of up and displacement after them. */
enum {
    SKETCH_ELBOW = 0,
    SKETCH_WRIST = 2,
    SKETCH_KNEE = 4,
    SKETCH_ANKLE = 6,
    SKETCH_UP = 3 * SKETCH_LIMBS,
    SKETCH_TRAVEL = SKETCH_UP + 3
};

#define SKETCH_LEGS (1.0 / 64)  /* leg lengths per unit of a pose value */
#define SKETCH_NM_KG (1.0 / 32) /* N m/kg per unit of a torque value; code 1 is 0 N m/kg */

typedef struct MotionFeatures {
    int count;            /* samples; 0 without kinematics or without legs and trunk by role */
    unsigned char *value; /* [count][SKETCH_VALUES] owned: points by x, y, z, up, displacement, torques */
} MotionFeatures;

/* (MotionFeatures){0} is empty. On failure *sketch is empty. */
Status motion_features_init(MotionFeatures *sketch, const Clip *clip, const JointSeries *series, Error *err);
void motion_features_free(MotionFeatures *sketch);

/* Role of a torque value, 0 .. SKETCH_TORQUE_VALUES - 1. */
Role motion_features_torque_role(int index);

/* Mirrors a sample: exchanges left and right. from and to must not overlap. */
void motion_features_mirror(const unsigned char *from, unsigned char *to);

#endif
