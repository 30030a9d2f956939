/* The rows of a motion file (ChannelRows of analysis/math/quat.h), repaired: gaps filled, flips of angles taken out.
 * What is missing is NaN. */
#ifndef KANE_REPAIR_CHANNEL_ROWS_H
#define KANE_REPAIR_CHANNEL_ROWS_H

#include "analysis/base/status.h"
#include "analysis/math/quat.h"

static inline double *channel_row(const ChannelRows *rows, int frame)
{
    return rows->value + (size_t)frame * (size_t)rows->row_size;
}

/* Three turns about three different axes: the rotation has two triples of angles, and slerp applies. */
static inline int turns_are_triple(const EulerTurns *t)
{
    return t->count == 3 && t->axis[0] != t->axis[1] && t->axis[1] != t->axis[2] && t->axis[0] != t->axis[2];
}

/* Fills what is missing in the rows of a motion file: on rotations, never on their angles.
 *
 * One or two rows lie on a straight line between those beside them; a longer gap is Hermite's cubic with the speeds on
 * either side, which tire over a long one: no recording goes straight, to the last digit, for long. A joint with three
 * different turns goes along rotation vectors on the shortest arc and gets the angles nearest to the frame before;
 * other angles go the shorter way round. Before the first whole frame and behind the last one, that frame holds.
 *
 * Replaces every NaN; a rotation of which one angle is missing is replaced as a whole. STATUS_BAD_INPUT where a column
 * has no number in any frame. */
Status row_gaps_fill(const ChannelRows *rows, Error *err);

/* Flips: jumps of Euler angles where the rotation does not jump.
 *
 * Three turns about different axes reach every rotation by two triples, (a, b, c) and (a + 180, 180 - b, c + 180), each
 * up to whole turns. Recorders switch between them. The pose is the same, but what filters or interpolates channels
 * passes through poses that never were.
 *
 * Number of frames at which a joint's angles jump although another writing of the same rotation lies near the frame
 * before; *first is the first of them. */
int euler_flips_count(const ChannelRows *rows, int joint, int *first);

/* Rewrites every frame by the angles nearest to the frame before. Exact: only 180 and 360 deg are added. */
void euler_flips_remove(const ChannelRows *rows, int joint);

/* Rows that a recorder wrote twice or lost, seen from the steps of the pose between frames.
 *
 * Over a few frames a step hardly changes. What an artifact makes of it is a relation between a step and its neighbours
 * that the noise of the recording does not explain, while the same relation for another number of frames explains it:
 * a step of n times the mean of its neighbours lacks n - 1 rows. A body that starts or stops at once has a step like
 * that behind or before it, a pose that is held has small ones; both are left alone, and so is what lies within seven
 * frames of an end. Where little moves beside the noise, nothing is found; nothing is harmed there either. */

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
