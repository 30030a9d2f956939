/* Linear effects of ground-force errors on torques: an error d of a force at the point c changes the torque of every
 * joint J above by -(c - J) x d; an error d of its point changes it by -d x F.
 *
 * The sizes were measured against force plates: data/uncertainty.tsv. */
#ifndef KANE_UNCERTAINTY_GROUND_TERMS_H
#define KANE_UNCERTAINTY_GROUND_TERMS_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/math/vec.h"
#include "analysis/uncertainty/torque_covariance.h"

/* Limbs with ground forces, with one force per limb and frame, whose errors affect the joints above.
 *
 * All loads of one segment belong to one limb, those of the toes to the foot. */
typedef struct LoadedLimb {
    int joint;   /* its uppermost loaded joint */
    Vec3 *force; /* [frame] N, world axes */
    Vec3 *place; /* [frame] m, world: point where the force's line crosses the level of the limb's lowest joint;
                    below the limb's joint without force */
} LoadedLimb;

typedef struct LoadedLimbs {
    int frame_count, count;
    LoadedLimb *limb;  /* [count] ordered by joint */
    double *load;    /* [frame] N, sum of all vertical forces */
    Vec3 *forward;   /* [frame] unit, horizontal, perpendicular to the line of the hips; x without hips */
} LoadedLimbs;

/* The arrays belong to the arena. Reads skeleton and kinematics of the clip. */
Status loaded_limbs_find(const ClipView *clip, const Loads *loads, LoadedLimbs *out, Arena *arena, Error *err);

/* Fraction of the load on a limb in a frame, 0 to 1. */
double loaded_limb_share(const LoadedLimbs *b, int limb, int frame);

/* Source of the ground forces. */
typedef enum GroundSource { GROUND_NONE, GROUND_ESTIMATED, GROUND_MEASURED } GroundSource;

/* Adds the terms of the source for the limbs' forces. */
void ground_terms_add(const SpreadCase *c, const LoadedLimbs *limbs, GroundSource source, TorqueCovariance *out);

/* Change of the torque of a joint above a loaded limb, if each limb supports its fraction of a change of the floating
 * base's force, N, at its point of application. */
Vec3 loaded_limb_takes(const LoadedLimbs *b, int limb, int frame, Vec3 force, Vec3 joint);

#endif
