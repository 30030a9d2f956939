/* Jacobians of spring wrenches, joint by joint. */
#ifndef KANE_SPRINGS_SPRING_BLOCKS_H
#define KANE_SPRINGS_SPRING_BLOCKS_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/math/vec.h"

#define SPRING_WORLD (-1) /* instead of a joint: the end is fixed in the world */

/* Jacobians of spring wrenches (force, and moment about the origin of the joint's frame) by displacements and rotations
 * (dx, dtheta) of the joints at constant velocities, and by their velocities (v, omega). World axes, summed over
 * springs, one block [6][6] per pair of joints that a spring joins (0.12 to 0.14, 0.22.1 to 0.22.3). */
typedef struct SpringBlocks {
    int joint_count, pair_count;
    int *pair;                         /* [joint][joint] index of the pair; -1: none */
    int *row, *column;                 /* [pair] joint of the wrench, joint of the motion */
    double *by_position, *by_velocity; /* [pair][6][6] */
    Arena memory;                      /* owns all of these */
} SpringBlocks;

/* Registers the joints that a group of springs joins, after spring_blocks_init (springs.h). */
void spring_blocks_join(SpringBlocks *b, const int *joint, int count);
Status spring_blocks_room(SpringBlocks *b, Error *err);
void spring_blocks_free(SpringBlocks *b);

/* Points of joints (SPRING_WORLD: of the world), the forces on them, and the Jacobians of these. */
typedef struct SpringPoints {
    int count;
    const int *joint;  /* [count] */
    const Vec3 *arm;   /* [count] m, from the joint's origin, world axes */
    const Vec3 *omega; /* [count] rad/s, of the joint */
    const Vec3 *force; /* [count] N */
    const double *by_position, *by_velocity; /* [3 count][3 count] by rows */
} SpringPoints;
void spring_blocks_add_points(SpringBlocks *b, const SpringPoints *p);

/* Adds Jacobians [12][12] of the wrenches on two joints, laid out as those of a frame spring in world axes. */
void spring_blocks_add_frames(SpringBlocks *b, const int joint[2], const double *by_position,
                              const double *by_velocity);

#endif
