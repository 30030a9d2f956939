/* Feet on the ground: takes a copied motion and keeps each foot in one place while it stands there.
 *
 * The hips come down only where a standing foot is out of reach, by a smooth envelope of what is needed; the legs follow
 * by closed-form inverse kinematics; the rest of the body keeps its rotations. */
#ifndef KANE_RETARGET_PLANT_H
#define KANE_RETARGET_PLANT_H

#include "analysis/clip/motion.h"
#include "analysis/retarget/foot_path.h"

typedef struct PlantDef {
    FootPathDef path;
    double straight;   /* of the leg's length: a leg straighter than this, and than the copied one, is avoided */
    double settle;     /* s: width of the smooth envelope by which the hips come down */
} PlantDef;

PlantDef plant_default_def(void);

/* Changes rotations of the legs and the height of the root in *motion, whose world pose is `copied`. */
Status plant_feet(const Skeleton *skeleton, const Sole sole[FOOT_COUNT], const FootContact *contact,
                  const Kinematics *copied, double scale, double leg, const PlantDef *def, Motion *motion, Error *err);

#endif
