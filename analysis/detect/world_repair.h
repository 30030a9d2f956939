/* Repairs of an imported clip whose world leans or is left-handed, or whose names exchange left and right. The motion
 * is in world axes, +Y up. */
#ifndef KANE_DETECT_WORLD_REPAIR_H
#define KANE_DETECT_WORLD_REPAIR_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/vec.h"

/* A world that leans: only reported, or levelled by the angle that its motion shows (analysis/evidence/lean.h). */
typedef enum Level { LEVEL_KEEP = 0, LEVEL_AUTO } Level;

typedef enum Handedness { HANDEDNESS_RIGHT = 0, HANDEDNESS_LEFT } Handedness;

/* Turns the world so that `up`, a unit vector, becomes +Y. */
void world_level(Vec3 up, Motion *motion);

/* Reflects the x axis of the world, that of a file with left-handed axes; names stay. */
void world_reflect(Skeleton *skeleton, Motion *motion);

/* Exchanges names and roles of the joints of both sides. STATUS_BAD_INPUT for a joint of one side without a
 * counterpart. */
Status skeleton_exchange_sides(Skeleton *skeleton, Error *err);

#endif
