/* Feet on the ground: takes a copied motion and keeps each foot in one place while it stands there.
 *
 * The hips come down only where a standing foot is out of reach, by a smooth envelope of what is needed; the legs
 * follow by closed-form inverse kinematics; the rest of the body keeps its rotations. */
#ifndef KANE_RETARGET_FOOT_PLANT_H
#define KANE_RETARGET_FOOT_PLANT_H

#include "analysis/clip/motion.h"
#include "analysis/retarget/foot_path.h"

typedef struct FootPlantDef {
    FootPathDef path;
    double knee;       /* of what the copied joints usually accelerate by: what straightening may add to a knee; default
                          0.45 */
    double straight;   /* of the leg's length: a limit on straightness is never below; default 0.96 */
    double straighten; /* 1/s: how fast that limit grows away from a stance; default 0.15 */
    double room;       /* of the leg's length: so far below the limit a leg in the air begins to be slowed, and it never
                          gets farther than this beyond it; default 0.01 */
    double settle;     /* s: half width of the smooth envelope by which the hips come down or rise; default 0.1 */
    double bend_time;  /* s: half width of the smooth envelope by which toes bend up; default 0.1 */
    double near;       /* s before and after a stance in which the leg goes over to reaching exactly; default 0.08 */
} FootPlantDef;

FootPlantDef foot_plant_default_def(void);

/* Changes rotations of the legs and the height of the root in *motion, whose pose is that of the feet. */
Status foot_plant(const TargetFeet *feet, const FootPlantDef *def, Motion *motion, Error *err);

/* Raises the root of *motion, whose pose is that of the feet, by a smooth envelope so that no sole is below the ground:
 * joint limits may have straightened what planting bent. */
Status foot_plant_raise(const TargetFeet *feet, const FootPlantDef *def, Motion *motion, Error *err);

#endif
