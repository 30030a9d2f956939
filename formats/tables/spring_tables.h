/* Tables of springs: `name kind joint_a ax ay az joint_b bx by bz stiffness damping rest`, SI, points in m in joint
 * axes. Joints by name or role, or "world". Rest `start` is the length at the start. Optional columns: `law`, the name
 * of a law with rows `law length rate force` in a second table, and the rotation vectors of frames, `rotation_ax` to
 * `rotation_bz`. Kinds: analysis/springs/springs.h. */
#ifndef KANE_TABLES_SPRING_TABLES_H
#define KANE_TABLES_SPRING_TABLES_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/springs/particle_grid.h"
#include "analysis/springs/springs.h"

typedef struct SpringFiles {
    const char *springs, *laws; /* paths; laws NULL: none */
    const ParticleGrid *grid;   /* [grid_count] grids whose particles can be spring ends; NULL: none */
    int grid_count;
} SpringFiles;

/* STATUS_BAD_INPUT with file, line and column for an unknown kind, joint or law, an invalid number or an invalid
 * spring; STATUS_USAGE if laws are given and no spring uses one. */
Status springs_read(const SpringFiles *files, const Skeleton *skeleton, Springs *out, Error *err);

#endif
