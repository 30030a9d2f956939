/* Principal pivoting on the faces of cones along a chain of frames. Minimizes a convex quadratic program whose Hessian
 * is block tridiagonal, with the forces of each frame in their own cones: the programs above and of limb_qp.h.
 *
 * On fixed faces the optimality conditions are linear, and one block factorization along the chain solves them. The
 * step to this minimum is projected onto the cones and shortened until the objective falls. The gradient then gives the
 * next faces. After each step on the whole chain, only windows around frames whose faces changed are solved again. The
 * minimum is exact once no face changes. */
#ifndef KANE_SOLVE_FACE_PIVOTING_H
#define KANE_SOLVE_FACE_PIVOTING_H

#include "analysis/base/status.h"

/* Frames [begin, end), solved with the forces outside fixed. */
typedef struct FrameWindow {
    int begin, end;
} FrameWindow;

/* A program with forces, their gradient, a target and faces. Each function applies to the frames of a window. */
typedef struct FaceProgram {
    int frame_count;
    int held_count; /* leading frames whose forces are given */
    char *changed;  /* [frame] 1: a face differs from that of the last solve; not owned */
    void *program;
    /* Sets the target to the minimum on the faces. 0: not positive definite. */
    int (*minimize)(void *program, FrameWindow window);
    /* Sets the target to one projected gradient step. */
    void (*descend)(void *program, FrameWindow window);
    /* Moves the forces towards the target, projected onto the cones, as far as the objective falls; updates the
     * gradient. Returns 0 if no step longer than the fraction `min` decreases the objective. */
    int (*step)(void *program, FrameWindow window, double min);
    /* Restricts the faces to those the target lies nearest to. 0: no face changed. */
    int (*shrink)(void *program, FrameWindow window);
    void (*measure_gradient)(void *program, FrameWindow window);
    /* Chooses the next faces and marks the frames where one changed. Returns the residual of the optimality conditions,
     * the largest |f - project(f - gradient / scale)|. */
    double (*choose)(void *program, FrameWindow window);
    /* Frees all forces from their cones in frames without a start: most forces end inside their cones. */
    void (*open)(void *program, FrameWindow window);
} FaceProgram;

typedef struct FacePivotingResult {
    long frames_solved; /* frames factorized, counted once per factorization */
    int rounds;
    double residual;
} FacePivotingResult;

/* Pivots until the residual is at most `tolerance`, for at most max_rounds. STATUS_NO_RESULT if a Hessian is not
 * positive definite. The caller must check the residual. */
Status face_pivoting(const FaceProgram *f, double tolerance, int max_rounds, FacePivotingResult *result, Error *err);

#endif
