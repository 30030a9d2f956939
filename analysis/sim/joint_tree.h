/* The system of bodies that joints bind into trees, solved in time linear in their number (docs/sources.md, notes 0.6):
 *
 *     M v - G' lambda = b,   G v + R lambda = g,
 *
 * by block elimination from the leaves to the roots: a joint and its child leave behind only an addition to the
 * parent's 6x6 block, so that nothing fills in (D. Baraff, Linear-Time Dynamics Using Lagrange Multipliers, 1996).
 *
 * A body is moved by its equations, or it is driven: its velocity is given in place of its right side (0.21). */
#ifndef KANE_SIM_JOINT_TREE_H
#define KANE_SIM_JOINT_TREE_H

#include "analysis/base/status.h"
#include "analysis/sim/joint.h"

typedef struct TreeBody {
    int parent;             /* < own index; -1: none */
    int driven;             /* 1: v is given */
    int row_count;          /* of the joint to the parent */
    int row_start;          /* first of them in lambda */
    double mass[36];        /* in: M of the body; out of factor: L of what elimination made of it,
                               with the reciprocals of its diagonal */
    double parent_rows[36]; /* [row][6] */
    double child_rows[36];  /* [row][6] */
    double compliance[6];   /* [row] R */
    double response[36];    /* [row][6] M^-1 G_c' */
    double schur[36];       /* [row][row] L of G_c M^-1 G_c' + R, the same */
} TreeBody;

typedef struct JointTree {
    int body_count;
    int row_count;  /* of all joints */
    TreeBody *body; /* [body] */
} JointTree;

Status joint_tree_init(JointTree *t, int body_count, Error *err);
void joint_tree_free(JointTree *t);

/* Numbers the rows after parent, driven and row_count of every body are set: sets row_start and row_count. */
Status joint_tree_arrange(JointTree *t, Error *err);

/* STATUS_NO_RESULT naming the body whose block is singular or whose joint is held twice. */
Status joint_tree_factor(JointTree *t, Error *err);

/* (v, lambda) in place of y[6 bodies + rows] = (b, g); a driven body has its v in b. `tree` is a JointTree: the shape
 * that MixedLcp asks for. */
void joint_tree_solve(const void *tree, double *y);

/* The same for some bodies: part[body] marks those that b is not zero of, those that are asked, and all that these hang
 * on; g is zero. The rest of y is left as it is. NULL: all bodies, any g. */
void joint_tree_solve_part(const JointTree *t, const char *part, double *y);

#endif
