/* Rows that a recorder wrote twice or lost, seen from the steps of the pose between frames.
 *
 * Over a few frames a step hardly changes. What a fault makes of it is a relation between a step and its neighbours
 * that the noise of the recording does not explain, while the same relation for another number of frames explains it:
 * a step of n times the mean of its neighbours lacks n - 1 rows. A body that starts or stops at once has a step like
 * that behind or before it, a pose that is held has small ones; both are left alone, and so is what lies within seven
 * frames of an end. Where little moves beside the noise, nothing is found; nothing is harmed there either. */
#ifndef KANE_MEND_ROW_STEPS_H
#define KANE_MEND_ROW_STEPS_H

#include "analysis/mend/channel_rows.h"

typedef enum RowStep {
    ROW_STEP_PLAIN,
    ROW_STEP_SURPLUS, /* the frame repeats the one before and belongs out */
    ROW_STEP_HELD,    /* the frame repeats the one before in place of a lost one */
    ROW_STEP_MISSING, /* rows are missing before the frame */
} RowStep;

/* step[frame] and missing[frame], the number of rows missing before each. Frames with a NaN are plain. length is a
 * typical bone in file units: it weighs positions against turns. */
Status row_steps_find(const ChannelRows *rows, double length, RowStep *step, int *missing, Error *err);

/* Steps of the pose from row to row of a motion file, and how surprising each is beside its neighbours.
 *
 * A step holds every joint's turn, 2 log(q_b q_a*) in parent axes (rad), and every position over a typical length.
 * Rows that repeat the one before make no step of their own. A relation r = own s_k + before s_(k-1) + after s_(k+1)
 * would be zero were the motion so; its surprise is -2 log likelihood under Cauchy's distribution, sum log(1 + (r /
 * chance)^2), which lets every component vote and none outvote the rest (Lange, Little, Taylor 1989). `chance` comes
 * from the clip itself: what the mean of its neighbours leaves of the steps around, component by component. */
typedef struct PoseSteps {
    int count;
    int size;       /* components of a step */
    int moving;     /* of them change in the clip at all */
    int *frame;     /* [count + 1]: step k leads from frame[k] to frame[k + 1] and the frames between repeat frame[k] */
    double *value;  /* [step][size]; NaN where a row has one */
    double *chance; /* [size] of the step that pose_steps_weigh was asked about */
} PoseSteps;

/* length is a typical bone in file units: it weighs positions against turns. Freed also after failure. */
Status pose_steps_init(PoseSteps *steps, const ChannelRows *rows, double length, Error *err);
void pose_steps_free(PoseSteps *steps);

/* Fills chance for step k; 0 where there are too few steps on either side of it. */
int pose_steps_weigh(PoseSteps *steps, int k);

typedef struct StepRelation {
    double own, before, after;
} StepRelation;

/* Surprise of the relation at step k, over the square root of the number of components that move: chance makes it
 * differ between two relations by numbers of the order of one. A component without a number has no vote. */
double pose_steps_surprise(const PoseSteps *steps, int k, StepRelation relation);

#endif
