/* Principal pivoting on the faces of cones along a chain of frames: the minimum of a convex quadratic program whose
 * Hessian is block tridiagonal, with the forces of each frame in cones of their own (tridiagonal_qp.h, limb_qp.h).
 *
 * On the present faces the program is linear and one block factorization along the chain solves it. The step there is
 * projected and shortened until the objective falls. The gradient then names the next faces. After a few steps only
 * windows around the frames that have not settled are solved again. The minimum is exact when the faces stay. */
#ifndef KANE_SOLVE_FACE_PIVOTING_H
#define KANE_SOLVE_FACE_PIVOTING_H

#include "analysis/base/status.h"

/* Frames [begin, end), solved with the forces outside held. */
typedef struct FrameWindow {
    int begin, end;
} FrameWindow;

/* A program with its forces, their gradient, a target and faces; each function concerns the frames of a window. */
typedef struct FaceProgram {
    int frame_count;
    int held_count; /* leading frames whose forces are given */
    char *changed;  /* [frame] a face differs from the one that was solved for last; not owned */
    void *program;
    /* Target: the minimum on the faces. 0: not positive definite. */
    int (*minimize)(void *program, FrameWindow window);
    /* Target: one projected step along the gradient. */
    void (*descend)(void *program, FrameWindow window);
    /* Moves the forces towards the target, projected on the cones, as far as the objective falls; keeps the gradient.
     * 0: no step of more than `least` of the distance helps. */
    int (*step)(void *program, FrameWindow window, double least);
    /* Gives up the directions in which the target leaves the cones. 0: there are none. */
    int (*shrink)(void *program, FrameWindow window);
    void (*measure_gradient)(void *program, FrameWindow window);
    /* Names the next faces and marks the frames where one changed; returns the residual of the optimality conditions,
     * largest |f - project(f - gradient / scale)|. */
    double (*choose)(void *program, FrameWindow window);
    /* Frames without a start leave all cones aside in the first step: most forces end inside theirs. */
    void (*open)(void *program, FrameWindow window);
} FaceProgram;

typedef struct FacePivotingResult {
    long frames_solved; /* frames, each as often as it was in a factorization */
    int rounds;
    double residual;
} FacePivotingResult;

/* Pivots until the residual is at most `tolerance`, or for max_rounds. STATUS_NO_RESULT where a Hessian is not positive
 * definite; the caller judges the residual. */
Status face_pivoting(const FaceProgram *f, double tolerance, int max_rounds, FacePivotingResult *result, Error *err);

#endif
