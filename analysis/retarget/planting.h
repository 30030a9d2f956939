/* Feet and hands of a copied motion: goals from what the source's do, one smooth optimisation for hips, legs and arms,
 * toes that bend where they would sink.
 *
 * Before anything else the body is lifted to where its own feet stand on average, so that what is left to the
 * optimisation is small: feet of another length, hips of another width, thigh and shank of another share. */
#ifndef KANE_RETARGET_PLANTING_H
#define KANE_RETARGET_PLANTING_H

#include "analysis/clip/motion.h"
#include "analysis/retarget/feet.h"

typedef struct PlantDef {
    FootGoalDef foot;
    LimbSolveDef solve;
    double strength;  /* 0 .. 1: how far goals lie from the copied motion to the source's; default 1 */
    int free_fall;    /* 1: in flight the body falls with g whatever its size; 0: with g scaled; default 0 */
    double bend_time; /* s: half width of the smooth envelope by which toes bend up; default 0.1 */
} PlantDef;

PlantDef plant_default_def(void);

/* Both bodies in motion, and the poses in which they were compared. */
typedef struct PlantedBody {
    const FootPair *pair;
    const ReferencePose *target, *source;
    int with_hands; /* 1: hands hold what the source's hold (hands.h) */
} PlantedBody;

/* Changes the root's path and the rotations of legs and toes in *motion. */
Status plant_motion(const PlantedBody *body, const PlantDef *def, Motion *motion, Error *err);

/* Raises the root of *motion by a smooth envelope so that no sole is deeper in the ground than the source's: joint
 * limits may have straightened what planting bent. */
Status plant_raise(const PlantedBody *body, Motion *motion, Error *err);

#endif
