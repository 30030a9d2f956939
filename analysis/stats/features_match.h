/* Search for a window of motion in another clip by pose, torque or both.
 *
 * The window moves along the clip in twelfths of a second; between two samples, means of adjacent samples of the
 * window are compared. Integer arithmetic up to the square root gives the same matches on every machine. */
#ifndef KANE_STATS_FEATURES_MATCH_H
#define KANE_STATS_FEATURES_MATCH_H

#include "analysis/base/status.h"
#include "analysis/stats/motion_features.h"

typedef enum LikenessOf {
    LIKENESS_BOTH = 0, /* root of the sum of squares of the pose distance in tenths of a leg and the torque distance
                          in quarters of a N m/kg */
    LIKENESS_POSE,     /* leg lengths */
    LIKENESS_TORQUE,   /* N m/kg */
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
    Role changed_role;  /* whose RMS torque is farthest below the window's, above if torque_part is; ROLE_NONE: none */
    double changed_from_nm_kg, changed_to_nm_kg; /* its RMS torque in the window and here */
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
