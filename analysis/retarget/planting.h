/* Plants feet and hands of a copied motion: goals from the source's feet and hands, one smooth optimization of hips,
 * legs and arms, and toes that bend where they would sink. A foot with bent toes rolls over another point, so that feet
 * are planted again after the bend that the first solution requires.
 *
 * The body is first shifted to the mean height of its own feet, so that the optimization only corrects small
 * differences in foot length, hip width and thigh to shank ratio. */
#ifndef KANE_RETARGET_PLANTING_H
#define KANE_RETARGET_PLANTING_H

#include "analysis/clip/motion.h"
#include "analysis/retarget/foot_goal.h"
#include "analysis/retarget/limb_solve.h"
#include "analysis/retarget/props.h"
#include "analysis/retarget/reference_pose.h"

typedef struct PlantDef {
    FootGoalDef foot;
    LimbSolveDef solve;
    double strength;  /* 0 .. 1: goals interpolate from the copied motion (0) to the source's (1); default 1 */
    int free_fall;    /* 1: in flight the body falls with g at any size; 0: with g scaled; default 0 */
    double bend_time; /* s: half width of the smooth envelope of toe bend; default 0.1 */
    const double *hold; /* [frame] as in LimbProblem: the frames around an interval of a clip, whose body is not shifted
                           as a whole; NULL: default */
} PlantDef;

PlantDef plant_default_def(void);

/* Both bodies in motion and the poses in which they are compared. */
typedef struct PlantedBody {
    const FootPair *pair;
    const ReferencePose *target, *source;
    int with_hands; /* 1: hands hold the same parts as the source's (hands.h) */
    const Props *props; /* NULL: none */
} PlantedBody;

/* Changes the root's path and the rotations of legs, toes and arms in *motion. */
Status plant_motion(const PlantedBody *body, const PlantDef *def, Motion *motion, Error *err);

/* Raises the root of *motion by a smooth envelope so that no sole is deeper in the ground than the source's: joint
 * limits may straighten legs after planting. */
Status plant_raise(const PlantedBody *body, Motion *motion, Error *err);

#endif
