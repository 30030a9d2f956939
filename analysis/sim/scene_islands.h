/* Limits and contacts of a scene by islands: trees of bodies that contacts and equalities join, each solved apart. Of
 * an island that contacts alone act on the speeds are the unknowns, whose matrix has the pattern of the contacts
 * (block_lu.h); of another one the impulses, through the mobility of the base (scene_rows.h). */
#ifndef KANE_SIM_SCENE_ISLANDS_H
#define KANE_SIM_SCENE_ISLANDS_H

#include "analysis/sim/scene_system.h"

typedef struct SceneIslands {
    int dense_count;   /* islands, or limits, that need the base */
    int *of_contact;   /* [contact] island */
    char *is_dense;    /* [island] */
    char *leave_out;   /* [body] 1: the base does without */
    int *tree;         /* [body] which tree it is of; -1: it does not move */
    int tree_count;
    int *start, *size; /* [tree] of its speeds */
    int *island;       /* [tree] */
} SceneIslands;

/* In scratch memory; contacts are found. */
Status scene_find_islands(Scene *s, const SceneSystem *y, SceneIslands *out, Error *err);

/* Speeds without limits and contacts, and the impulses of these. */
typedef struct IslandImpulses {
    const double *v;    /* [v_count] */
    const double *free; /* [base] */
    double *push;       /* [base] out: of islands that need it */
    double *apart;      /* [v_count] out: of the others, on the speeds */
} IslandImpulses;

/* STATUS_NO_RESULT where some island has no solution. */
Status scene_solve_islands(Scene *s, const SceneSystem *y, const SceneIslands *islands, const IslandImpulses *to,
                           Error *err);

#endif
