/* What errors of ground forces do to torques, linearly: a force that is off by d at the place c changes the torque of
 * every joint J above by -(c - J) x d, one whose place is off by d by -d x F.
 *
 * Sizes were measured against force plates: data/uncertainty.tsv. */
#ifndef KANE_UNCERTAINTY_GROUND_TERMS_H
#define KANE_UNCERTAINTY_GROUND_TERMS_H

#include "analysis/base/arena.h"
#include "analysis/clip/motion.h"
#include "analysis/dynamics/loads.h"
#include "analysis/uncertainty/torque_covariance.h"

/* The limbs that bear ground forces, each with one force a frame: what errors of those forces do to the joints above.
 *
 * The loads of one segment are one bearer, those of the toes are the foot's. */

typedef struct LoadedLimb {
    int joint;   /* the uppermost of its loaded joints */
    Vec3 *force; /* [frame] N, world axes */
    Vec3 *place; /* [frame] m, world: where its line passes the level of the limb's lowest joint; under its own joint
                    where it bears nothing */
} LoadedLimb;

typedef struct LoadedLimbs {
    int frame_count, count;
    LoadedLimb *limb;  /* [count] in the order of their joints */
    double *load;    /* [frame] N, sum of the vertical forces of all */
    Vec3 *forward;   /* [frame] unit, horizontal, from the line of the hips; x without hips */
} LoadedLimbs;

/* The arrays are the arena's. Reads skeleton and kinematics of the clip. */
Status loaded_limbs_find(const ClipView *clip, const Loads *loads, LoadedLimbs *out, Arena *arena, Error *err);

/* The part of the load that a bearer has in a frame, 0 to 1. */
double loaded_limb_share(const LoadedLimbs *b, int limb, int frame);

/* Where the forces come from. */
typedef enum GroundSource { GROUND_NONE, GROUND_ESTIMATED, GROUND_MEASURED } GroundSource;

/* Adds the terms of the source for forces as the bearers have them. */
void ground_terms_add(const SpreadCase *c, const LoadedLimbs *limbs, GroundSource source, TorqueCovariance *out);

/* The torque that a change of the floating base's force, N, asks of a joint above a bearer, where every bearer takes
 * its share of it at its place. */
Vec3 loaded_limb_takes(const LoadedLimbs *b, int limb, int frame, Vec3 force, Vec3 joint);

#endif
