/* Where a clip moves or strains as a window of another does, by their sketches (motion_sketch.h).
 *
 * The window goes along the clip in twelfths of a second: in between two samples it is compared with the mean of
 * each two of its own. Whole numbers until the square root, so that any machine finds the same. */
#ifndef KANE_STATS_SKETCH_MATCH_H
#define KANE_STATS_SKETCH_MATCH_H

#include "analysis/base/status.h"
#include "analysis/stats/motion_sketch.h"

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
Status sketch_window_new(const MotionSketch *sketch, SampleRange range, LikenessOf of, int with_mirror,
                         SketchWindow **window, Error *err);
void sketch_window_free(SketchWindow *window);

/* Half samples that a window goes along a clip of so many samples, so the most matches that it can have; 0: it is too
 * long. */
int sketch_window_steps(const SketchWindow *window, int samples);

/* Fills match, [sketch_window_steps], with the places that are nearer than all that overlap them, in the order of time,
 * and returns how many; distance is scratch of as many. value: [samples][SKETCH_VALUES]. */
int sketch_match(const SketchWindow *window, const unsigned char *value, int samples, SketchMatch *distance,
                 SketchMatch *match);

/* Two whole clips, hundredth by hundredth of their time: match->t is 0 and match->distance the pose's. Samples as
 * above; wanted_count and count > 0. */
void sketch_compare(const unsigned char *wanted, int wanted_count, const unsigned char *value, int count,
                    SketchMatch *match);

#endif
