/* A clip as six samples a second with a byte a value: small enough for the index, and enough to find half a second
 * of motion again by pose, by torque or by both (sketch_match.h).
 *
 * A sample is the mean over a sixth of a second, of frames to trust. Pose: where elbows, wrists, knees and ankles
 * are, seen from between the hips in the axes of the trunk (x to the left hip, y to the neck, z forward), in leg
 * lengths; which way is up, in the same axes, half a leg long; how far the hips come in a sixth of a second. In the
 * trunk's axes, as a heading is not known of somebody who lies or turns a cartwheel. Torque: |torque| per kilogram. */
#ifndef KANE_STATS_MOTION_SKETCH_H
#define KANE_STATS_MOTION_SKETCH_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/stats/joint_series.h"

#define SKETCH_SECONDS (1.0 / 6) /* the length of a sample; the first begins with the clip */

enum {
    SKETCH_LIMBS = 8,                           /* points */
    SKETCH_POSE_VALUES = 3 * SKETCH_LIMBS + 6,  /* points, up, way */
    SKETCH_TORQUE_VALUES = 11,
    SKETCH_VALUES = SKETCH_POSE_VALUES + SKETCH_TORQUE_VALUES,
    SKETCH_UNKNOWN = 0,                         /* a value that is not known, of a pose or a torque */
    SKETCH_ORIGIN = 128                         /* a pose value of 0 */
};

/* The points of a sample, left and right in turn, and where up and way begin behind them. */
enum {
    SKETCH_ELBOW = 0,
    SKETCH_WRIST = 2,
    SKETCH_KNEE = 4,
    SKETCH_ANKLE = 6,
    SKETCH_UP = 3 * SKETCH_LIMBS,
    SKETCH_WAY = SKETCH_UP + 3
};

#define SKETCH_LEGS (1.0 / 64)  /* leg lengths: what 1 of a pose value stands for */
#define SKETCH_NM_KG (1.0 / 32) /* Nm/kg: what 1 of a torque value stands for, which is 1 at 0 Nm/kg */

typedef struct MotionSketch {
    int count;            /* samples; 0 where the clip has no legs and neck by role, or no kinematics */
    unsigned char *value; /* [count][SKETCH_VALUES] owned: points by x, y, z, up, way, torques */
} MotionSketch;

/* (MotionSketch){0} is empty. On failure *sketch is empty. */
Status motion_sketch_init(MotionSketch *sketch, const Clip *clip, const JointSeries *series, Error *err);
void motion_sketch_free(MotionSketch *sketch);

/* A sample of the mirrored motion: left and right change places. from and to may not overlap. */
void motion_sketch_mirror(const unsigned char *from, unsigned char *to);

#endif
