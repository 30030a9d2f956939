/* A clip as six samples per second with a byte a value: small enough for the index, and enough to find half a second
 * of motion again by pose, by torque or by both (motion_features.h).
 *
 * A sample is the mean over a sixth of a second, of frames to trust. Pose: where elbows, wrists, knees and ankles
 * are, seen from between the hips in the axes of the trunk (x to the left hip, y to the neck, z forward), in leg
 * lengths; which way is up, in the same axes, half a leg long; how far the hips come in a sixth of a second. In the
 * trunk's axes, as a heading is not known of somebody who lies or turns a cartwheel. Torque: |torque| per kilogram. */
#ifndef KANE_STATS_MOTION_FEATURES_H
#define KANE_STATS_MOTION_FEATURES_H

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

typedef struct MotionFeatures {
    int count;            /* samples; 0 where the clip has no legs and neck by role, or no kinematics */
    unsigned char *value; /* [count][SKETCH_VALUES] owned: points by x, y, z, up, way, torques */
} MotionFeatures;

/* (MotionFeatures){0} is empty. On failure *sketch is empty. */
Status motion_features_init(MotionFeatures *sketch, const Clip *clip, const JointSeries *series, Error *err);
void motion_features_free(MotionFeatures *sketch);

/* A sample of the mirrored motion: left and right change places. from and to may not overlap. */
void motion_features_mirror(const unsigned char *from, unsigned char *to);

/* Where a clip moves or strains as a window of another does, by their sketches (motion_features.h).
 *
 * The window goes along the clip in twelfths of a second: in between two samples it is compared with the mean of
 * each two of its own. Whole numbers until the square root, so that any machine finds the same. */

typedef enum LikenessOf {
    LIKENESS_BOTH = 0, /* of a pose, in tenths of a leg, and a torque, in quarters of a Nm/kg, as at right angles */
    LIKENESS_POSE,     /* leg lengths */
    LIKENESS_TORQUE,   /* Nm/kg */
    LIKENESS_COUNT
} LikenessOf;

typedef struct SketchWindow SketchWindow;

typedef struct SketchMatch {
    double t;           /* s after the clip's begin, where it begins */
    double distance;    /* of what was asked for */
    double pose;        /* RMS distance, leg lengths; this and the next NaN where not all is known */
    double torque_nm_kg; /* RMS distance */
    double torque_part; /* RMS torque there, as part of the window's; NaN: not known */
    int is_mirrored;
} SketchMatch;

/* Samples of a sketch from one on. */
typedef struct SampleRange {
    int first, count;
} SampleRange;

/* Of two samples or more of a sketch. with_mirror 1: the mirrored window is looked for too.
 * STATUS_BAD_INPUT where a sample holds nothing of what is asked for. The caller frees it. */
Status features_window_new(const MotionFeatures *sketch, SampleRange range, LikenessOf of, int with_mirror,
                           SketchWindow **window, Error *err);
void features_window_free(SketchWindow *window);

/* Half samples that a window goes along a clip of so many samples, so the most matches that it can have; 0: it is too
 * long. */
int features_window_steps(const SketchWindow *window, int samples);

/* Fills match, [features_window_steps], with the places that are nearer than all that overlap them, in the order of
 * time, and returns how many; distance is scratch of as many. value: [samples][SKETCH_VALUES]. */
int features_match(const SketchWindow *window, const unsigned char *value, int samples, SketchMatch *distance,
                   SketchMatch *match);

/* Two whole clips, hundredth by hundredth of their time: match->t is 0 and match->distance the pose's. Samples as
 * above; wanted_count and count > 0. */
void features_compare(const unsigned char *wanted, int wanted_count, const unsigned char *value, int count,
                      SketchMatch *match);

#endif
