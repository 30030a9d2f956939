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
#define SKETCH_NM_KG (1.0 / 32) /* Nm/kg per unit of a torque value; code 1 is 0 Nm/kg */

typedef struct MotionFeatures {
    int count;            /* samples; 0 without kinematics or without legs and trunk by role */
    unsigned char *value; /* [count][SKETCH_VALUES] owned: points by x, y, z, up, displacement, torques */
} MotionFeatures;

/* (MotionFeatures){0} is empty. On failure *sketch is empty. */
Status motion_features_init(MotionFeatures *sketch, const Clip *clip, const JointSeries *series, Error *err);
void motion_features_free(MotionFeatures *sketch);

/* Mirrors a sample: exchanges left and right. from and to must not overlap. */
void motion_features_mirror(const unsigned char *from, unsigned char *to);

/* Search for a window of motion in another clip by pose, torque or both.
 *
 * The window moves along the clip in twelfths of a second; between two samples, means of adjacent samples of the window
 * are compared. Integer arithmetic up to the square root gives the same matches on every machine. */

typedef enum LikenessOf {
    LIKENESS_BOTH = 0, /* root of the sum of squares of the pose distance in tenths of a leg and the torque distance
                          in quarters of a Nm/kg */
    LIKENESS_POSE,     /* leg lengths */
    LIKENESS_TORQUE,   /* Nm/kg */
    LIKENESS_COUNT
} LikenessOf;

typedef struct SketchWindow SketchWindow;

typedef struct SketchMatch {
    double t;           /* s from the start of the clip to the start of the match */
    double distance;    /* distance of the requested kind */
    double pose;        /* RMS distance, leg lengths; this and the next are NaN if less than three quarters of the
                           values are known */
    double torque_nm_kg; /* RMS distance */
    double torque_part; /* RMS torque as a fraction of the window's; NaN: unknown */
    int is_mirrored;
} SketchMatch;

/* A range of samples. */
typedef struct SampleRange {
    int first, count;
} SampleRange;

/* Makes a window of at least two samples. with_mirror 1: also searches for the mirrored window. STATUS_BAD_INPUT if a
 * sample has no known value of the requested kind. The caller frees it. */
Status features_window_new(const MotionFeatures *sketch, SampleRange range, LikenessOf of, int with_mirror,
                           SketchWindow **window, Error *err);
void features_window_free(SketchWindow *window);

/* Number of half-sample positions of a window in a clip of `samples` samples, the upper bound of matches; 0: the window
 * is too long. */
int features_window_steps(const SketchWindow *window, int samples);

/* Fills match[features_window_steps] with the positions that are nearer than all that overlap them, by time, and
 * returns their number. distance: scratch of the same size. value: [samples][SKETCH_VALUES]. */
int features_match(const SketchWindow *window, const unsigned char *value, int samples, SketchMatch *distance,
                   SketchMatch *match);

/* Compares two whole clips at each hundredth of their time: match->t is 0 and match->distance is that of the pose.
 * Samples as above; wanted_count and count > 0. */
void features_compare(const unsigned char *wanted, int wanted_count, const unsigned char *value, int count,
                      SketchMatch *match);

#endif
