/* Fits a reference to the ground that it will be simulated on: feet that support stand on it, feet in the air pass over
 * it, and the body is raised and lowered with its feet. Legs follow by inverse kinematics; all else stays. */
#ifndef KANE_CONTROL_GROUND_FIT_H
#define KANE_CONTROL_GROUND_FIT_H

#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/control/footing.h"

typedef struct GroundFitDef {
    const Skeleton *skeleton; /* of the simulated bodies */
    Footing recorded;         /* the level ground of the recording, and the points of the soles */
    const Terrain *terrain;   /* the ground to stand on */
    const char *loaded;        /* [step][point] 1: supports (bearing.h) */
} GroundFitDef;

typedef struct GroundMiss {
    double distance; /* m, largest distance of an ankle from its position in the fit */
    double time;     /* s */
    int joint;       /* simulated; -1: none */
} GroundMiss;

/* Whether a skeleton has two feet on legs of two bones, which can be fitted. */
int ground_fit_has_feet(const Skeleton *skeleton);

/* Foot of a side: the joint with the role of the ankle; -1: none. */
int ground_fit_foot(const Skeleton *skeleton, int side);

Status ground_fit(const GroundFitDef *def, Motion *motion, GroundMiss *miss, Error *err);

#endif
