/* The limbs that bear ground forces, each with one force a frame: what errors of those forces do to the joints above.
 *
 * The loads of one segment are one bearer, those of the toes are the foot's. */
#ifndef KANE_UNCERTAINTY_BEARERS_H
#define KANE_UNCERTAINTY_BEARERS_H

#include "analysis/base/arena.h"
#include "analysis/clip/clip_view.h"
#include "analysis/dynamics/loads.h"

typedef struct Bearer {
    int joint;   /* the uppermost of its loaded joints */
    Vec3 *force; /* [frame] N, world axes */
    Vec3 *place; /* [frame] m, world: where its line passes the level of the limb's lowest joint; under its own joint
                    where it bears nothing */
} Bearer;

typedef struct Bearers {
    int frame_count, count;
    Bearer *bearer;  /* [count] in the order of their joints */
    double *load;    /* [frame] N, sum of the vertical forces of all */
    Vec3 *forward;   /* [frame] unit, horizontal, from the line of the hips; x without hips */
} Bearers;

/* The arrays are the arena's. Reads skeleton and kinematics of the clip. */
Status bearers_find(const ClipView *clip, const Loads *loads, Bearers *out, Arena *arena, Error *err);

/* The part of the load that a bearer has in a frame, 0 to 1. */
double bearer_share(const Bearers *b, int bearer, int frame);

#endif
