/* Rows that a recorder repeated or lost, detected from the steps of the pose between frames.
 *
 * Over a few frames a step hardly changes. An artifact causes a relation between a step and its neighbours that the
 * noise of the recording does not explain but a different number of frames does: a step of n times the mean of its
 * neighbours lacks n - 1 rows. A body that starts or stops abruptly has such a step at one end, and a held pose has
 * small steps; neither is flagged, nor is anything within seven frames of an end. If the motion is not larger than the
 * noise, nothing is detected; artifacts are harmless there.
 *
 * Steps found are left out of the noise around others, and the search repeated. If rows are lost at a regular interval,
 * as by a recorder that drops every tenth, less certainty suffices where the interval expects a loss, also near the
 * ends. Where rows are lost in three places or more, less certainty suffices for others: with 5 % of the rows of seven
 * clips lost at random, 127 of 203 gaps are found and none invented (109 without). */
#ifndef KANE_REPAIR_ROW_STEPS_H
#define KANE_REPAIR_ROW_STEPS_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/math/euler.h"

typedef enum RowStep {
    ROW_STEP_PLAIN,
    ROW_STEP_SURPLUS, /* the frame repeats the one before and should be deleted */
    ROW_STEP_HELD,    /* the frame repeats the one before and replaces a lost one */
    ROW_STEP_MISSING, /* rows are missing before the frame */
} RowStep;

/* Fills step[frame] and missing[frame], the number of rows missing before each. Frames with NaN are plain. length: a
 * typical bone in file units, which weights positions against rotations. Errors: no memory. */
Status row_steps_find(const ChannelRows *rows, double length, RowStep *step, int *missing, Error *err);

/* The same for the frames of a motion. */
Status motion_steps_find(const Motion *m, double length, RowStep *step, int *missing, Error *err);

/* Steps of the pose between the rows of a motion file, and the surprise of each given its neighbours.
 *
 * A step contains every joint's rotation, 2 log(q_b q_a*) in parent axes (rad), and every position over a typical
 * length. Rows that repeat the one before make no step of their own. A relation r = own s_k + before s_(k-1) + after
 * s_(k+1) is zero for a motion that satisfies it. Its surprise is -2 log likelihood under a Cauchy distribution, sum
 * log(1 + (r / chance)^2), so that no component dominates the others (Lange, Little, Taylor 1989). `chance` is the
 * noise scale of each component, estimated from how much the surrounding steps of the clip deviate from the mean of
 * their neighbours. */
typedef struct PoseSteps {
    int count;
    int size;       /* components per step */
    int moving;     /* components that change in the clip */
    int *frame;     /* [count + 1]: step k is from frame[k] to frame[k + 1]; the frames between repeat frame[k] */
    double *value;  /* [step][size]; NaN if a row contains one */
    double *chance; /* [size] noise scale of the step last passed to pose_steps_weigh */
    char *is_odd;   /* [count] 1: the step lasts several frames and says nothing of the noise around it */
} PoseSteps;

/* length: a typical bone in file units, which weights positions against rotations. Call pose_steps_free even after
 * failure. */
Status pose_steps_init(PoseSteps *steps, const ChannelRows *rows, double length, Error *err);
void pose_steps_free(PoseSteps *steps);

/* Fills chance for step k. min_bends: bends required on each side, or, if 0, on one; returns 0 if there are fewer. */
int pose_steps_weigh(PoseSteps *steps, int k, int min_bends);

typedef struct StepRelation {
    double own, before, after;
} StepRelation;

/* Surprise of the relation at step k, over the square root of the number of moving components; by chance the surprise
 * of two relations then differs by the order of one. Components that are not finite are ignored. */
double pose_steps_surprise(const PoseSteps *steps, int k, StepRelation relation);

#endif
