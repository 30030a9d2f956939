/* Solves limits and contacts of a scene island by island. An island is a set of kinematic trees joined by contacts and
 * equalities. If contacts alone act on an island, the unknowns are its speeds, with a matrix of the sparsity of the
 * contacts (dense_factor.h); otherwise they are the impulses, through the mobility of the base (scene_rows.h). */
#ifndef KANE_SIM_SCENE_ISLANDS_H
#define KANE_SIM_SCENE_ISLANDS_H

#include "analysis/sim/scene_def.h"
#include "analysis/sim/scene_system.h"

typedef struct SceneIslands {
    int dense_count;   /* number of islands or limits that need the base */
    int *of_contact;   /* [contact] island */
    char *is_dense;    /* [island] */
    char *leave_out;   /* [body] 1: does not need the base */
    int *tree;         /* [body] its tree; -1: fixed */
    int tree_count;
    int *start, *size; /* [tree] first and number of its speeds */
    int *island;       /* [tree] its island */
} SceneIslands;

/* Builds the islands in scratch memory; contacts must be found already. */
Status scene_find_islands(Scene *s, const SceneSystem *y, SceneIslands *out, Error *err);

/* Speeds without limits and contacts (in), and impulses of these (out). */
typedef struct IslandImpulses {
    const double *v;    /* [v_count] */
    const double *free; /* [base] */
    double *push;       /* [base] out: of islands that need the base */
    double *apart;      /* [v_count] out: of the other islands, on the speeds */
} IslandImpulses;

/* Solves all islands. STATUS_NO_RESULT if one has no solution. */
Status scene_solve_islands(Scene *s, const SceneSystem *y, const SceneIslands *islands, const IslandImpulses *to,
                           Error *err);

#endif
