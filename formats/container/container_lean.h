/* A lean clip file: what it leaves out and how it stores the rest.
 *
 * It leaves out the datasets with SCHEMA_DERIVED, which the reader computes again (container_restore.h): kinematics,
 * joint forces and powers, angles. Motion stays in float64, because second differences of rotations in
 * float32 lose five digits (docs/performance.md); other trajectories are float32, those of mostly zeros deflated. The
 * root attribute `left_out` lists the paths, a line each; each group with one has an attribute `note`. */
#ifndef KANE_CONTAINER_CONTAINER_LEAN_H
#define KANE_CONTAINER_CONTAINER_LEAN_H

#include <stddef.h>

#include "analysis/angles/angles_compute.h"
#include "analysis/clip/clip_schema.h"
#include "analysis/motion/kinematics.h"
#include "formats/container/container.h"

/* What the history states of the stages that are computed again. */
typedef struct LeanRecipe {
    DifferenceDef kinematics;
    AnglesDef angles;
} LeanRecipe;

/* Reads the recipe; returns 0 if the derived datasets depend on more than the clip: a table that a stage read, reduced
 * residuals, or a stage that has changed them since. */
int lean_recipe_read(const Clip *clip, LeanRecipe *recipe);

/* Storage of one dataset of a clip. */
typedef struct LeanStorage {
    int is_left_out, is_float32, level;
} LeanStorage;

/* Fills storage[SCHEMA_DATASET_COUNT] for a clip that is stored with def, which need not be lean. Datasets that the
 * clip lacks are zero. */
void lean_storage(const Clip *clip, const ContainerDef *def, LeanStorage *storage);

/* Writes the value of `left_out`; the caller frees it. NULL: nothing is left out, or memory ran out (*is_short 1). */
char *lean_list(const LeanStorage *storage, int *is_short);

#endif
