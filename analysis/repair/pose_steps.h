/* Steps of the pose between the rows of a recording, and how surprising each is given those beside it.
 *
 * A step contains every joint's rotation, 2 log(q_b q_a*) in parent axes (rad), and every position over a typical
 * length. Rows that repeat the one before make no step of their own.
 *
 * A relation is a sum of five steps s_(k-2) .. s_(k+2) with weights. It is zero for a motion that satisfies it: a
 * narrow one (three steps) for positions along a parabola, a wide one (five) for those along a quartic. Over the scale
 * of the noise, estimated for each component from the relations of steps around it that are of one frame each, its
 * surprise is -2 log likelihood under a Cauchy distribution, sum log(1 + (r / scale)^2), so that no component dominates
 * the others (Lange, Little, Taylor 1989). */
#ifndef KANE_REPAIR_POSE_STEPS_H
#define KANE_REPAIR_POSE_STEPS_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/math/euler.h"

enum { RELATION_STEPS = 5 }; /* of a relation, at most */

/* Which steps beside one a relation contains. */
typedef enum StepReach {
    STEP_REACH_NARROW, /* one on each side */
    STEP_REACH_WIDE,   /* two */
    STEP_REACHES
} StepReach;

typedef struct PoseSteps {
    int count;
    int size;       /* components per step */
    int moving;     /* components that change in the clip */
    int *frame;     /* [count + 1]: step k is from frame[k] to frame[k + 1]; the frames between repeat frame[k] */
    double *value;  /* [step][size]; NaN if a row contains one */
    double *chance[STEP_REACHES]; /* [size] noise scales of the step last weighed */
    int has_wide;   /* 0: too few wide relations around that step */
    double *sum;    /* [size] scratch */
    int sound_of;   /* step whose surprise without lost rows is known; -1: none */
    double sound[STEP_REACHES], sound_squares[STEP_REACHES]; /* that surprise, and its squares */
    char *is_odd;   /* [count] 1: the step lasts several frames and says nothing of the noise around it */
} PoseSteps;

/* length: a typical bone in file units, which weights positions against rotations. Call pose_steps_free even after
 * failure. */
Status pose_steps_init(PoseSteps *steps, const ChannelRows *rows, double length, Error *err);
Status pose_steps_of_motion(PoseSteps *steps, const Motion *m, double length, Error *err);
void pose_steps_free(PoseSteps *steps);

/* Components of step k. */
static inline const double *pose_step_at(const PoseSteps *s, int k) { return s->value + (size_t)k * (size_t)s->size; }

/* Fills chance for step k, and has_wide. min_relations: those required on each side, or, if 0, on one; returns 0 if
 * there are fewer narrow ones. */
int pose_steps_weigh(PoseSteps *steps, int k, int min_relations);

typedef struct StepRelation {
    double weight[RELATION_STEPS]; /* of s_(k-2) .. s_(k+2) */
    StepReach reach;
} StepRelation;

/* own s_k + before s_(k-1) + after s_(k+1). */
StepRelation step_relation(double before, double own, double after);

/* That of a step which lasts n frames between steps of one: zero for positions along a parabola or a quartic. */
StepRelation step_relation_lasting(int n, StepReach reach);

/* Surprise of the relation at step k, over the square root of the number of moving components; by chance the surprise
 * of two relations then differs by the order of one. *squares (or NULL): sum of the squares over those of the scale.
 * Components that are not finite are ignored. */
double pose_steps_surprise(const PoseSteps *steps, int k, StepRelation relation, double *squares);

/* Evidence that `lost` rows are missing in step k, against a step of one frame or a body that starts or stops there:
 * decrease of surprise, and twice that of the logarithm of the squares, summed over both reaches. The latter compares
 * the motion in whole: an impact makes every relation large, a lost row only that of one frame. */
double pose_steps_evidence(PoseSteps *steps, int k, int lost);

#endif
