/* Legs and arms by one least-squares problem over all frames: how the hips shift, how far each limb turns and bends
 * from the copied motion, so that its end does what it should.
 *
 * Unknowns of a frame: the shift of the whole body, and of each limb the turn of its root joint (rotation vector) and
 * the bend of its middle joint. Angles and not places of the ends are sought, so that a straight limb is like any
 * other: what cannot be reached stays as an error and nothing snaps. Weighed against each other are
 *   the distance of the unknowns from wanted values, and the acceleration of that distance,
 *   the velocity of the ends along the ground, and their height,
 *   vectors between an end and another place,
 *   bounds: ends above a floor, middle joints not bent backwards, lower parts clear of other parts of the body.
 * All are deviations from what the source does, so that a motion put on its own skeleton is its own solution. Solved by
 * Gauss-Newton; frames are coupled with the next two, so that the matrix is a band (analysis/retarget/limb_solve.h).
 *
 * Reference: J. Lee, S. Y. Shin, A Hierarchical Approach to Interactive Motion Editing for Human-like Figures (1999),
 * and M. Gleicher, Retargetting Motion to New Characters (1998), for constraints met by smooth displacements. */
#ifndef KANE_RETARGET_LIMB_SOLVE_H
#define KANE_RETARGET_LIMB_SOLVE_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/math/quat.h"

/* Symmetric positive definite band matrices: Cholesky in place and the solution of A x = b.
 *
 * Row i holds A[i][i] ... A[i][i + width], zeros past the last column. Right-looking: each row, once it is scaled, is
 * taken from the rows below it, so that the inner loop runs along memory and nothing is summed across lanes. Cost:
 * size * width^2 / 2 multiplications. */

typedef struct BandMatrix {
    size_t size;
    size_t width;  /* of the band beside the diagonal */
    double *value; /* [size][width + 1] */
} BandMatrix;

/* Zeroed; the array is taken from the arena (arena.failed tells). */
BandMatrix band_matrix(size_t size, size_t width, Arena *arena);

void band_matrix_clear(BandMatrix *a);

/* A[row][column]; column lies from row to row + width. */
static inline double *band_matrix_at(const BandMatrix *a, size_t row, size_t column)
{
    return a->value + row * (a->width + 1) + (column - row);
}

/* Replaces A by its factor and b by the solution; 0 where A is not positive definite, with both spoilt. */
int band_matrix_solve(BandMatrix *a, double *b);

enum { LIMB_LEFT_LEG = 0, LIMB_RIGHT_LEG, LIMB_LEFT_ARM, LIMB_RIGHT_ARM, LIMB_COUNT };

/* A limb in one frame of the copied motion, world axes. */
typedef struct LimbShape {
    Vec3 root;         /* m: hip or shoulder */
    Vec3 upper, lower; /* m: to knee or elbow, from there to ankle or wrist */
    Vec3 hinge;        /* unit: the axis about which the middle joint bends */
} LimbShape;

/* What is sought of a limb in one frame. */
typedef struct LimbState {
    Vec3 turn;   /* rotation vector, rad, world axes: of the whole limb about its root */
    double bend; /* rad, of the lower part about the hinge, before the turn */
} LimbState;

/* What the end of a limb should do in one frame. Weights 0: free. */
typedef struct LimbGoal {
    Vec3 velocity;          /* m/s, until the next frame; only its part along the ground counts */
    double velocity_weight; /* 0 .. 1 */
    double height;          /* m along the normal */
    double height_weight;   /* 0 .. 1 */
    double floor;           /* m along the normal: not below; -INFINITY: none */
} LimbGoal;

/* An end that should keep a vector to a place of the body, or to the end of another limb. */
typedef struct LimbTie {
    int limb, other; /* other -1: a place that moves with the body's shift */
    int frame;
    Vec3 place;      /* m, world, before the shift; of other -1 */
    Vec3 vector;     /* m, from there to the end */
    double weight;   /* 0 .. 1 */
} LimbTie;

/* A part of the body that the lower part of a limb stays clear of. */
typedef struct LimbGuard {
    int limb, frame;
    Vec3 part[2]; /* m: its line, world, before the shift, with which it moves */
    Vec3 side;    /* where the limb lies of it */
    double least; /* m, between both lines */
} LimbGuard;

typedef struct LimbProblem {
    int frame_count;
    double frame_time;
    Vec3 normal;                   /* unit, of the ground */
    double length;                 /* m, that lengths are measured by: a leg */
    int used[LIMB_COUNT];          /* 0: the limb stays as it is copied */
    LimbShape *shape[LIMB_COUNT];  /* [frame] */
    LimbState *wanted[LIMB_COUNT]; /* [frame] */
    LimbGoal *goal[LIMB_COUNT];    /* [frame] */
    Vec3 *wanted_shift;            /* [frame] m */
    double *fall;                  /* [frame] m/s2 along the normal: of the shift, where falls */
    uint8_t *falls;                /* [frame] */
    int tie_count;
    LimbTie *tie;                  /* [tie] in the order of frames */
    int guard_count;
    LimbGuard *guard;              /* [guard] in the order of frames */
} LimbProblem;

/* Weights: of a radian, and of a leg length, squared. Times: below 1 / time (rad/s) the distance counts, above it its
 * acceleration. */
typedef struct LimbSolveDef {
    double shift;                   /* default 2 */
    double turn, bend;              /* default 20, 20 */
    double shift_time, turn_time, bend_time; /* s; default 0.75, 0.06, 0.1 */
    double velocity;                /* of leg lengths a second; default 2000 */
    double height;                  /* default 3000 */
    double floor, straight;         /* default 12000, 3000 */
    double fall;                    /* of leg lengths a second squared; default 10 */
    double tie, guard;              /* default 6000, 3000 */
    double least_bend;              /* rad: a limb that is bent less stays as straight as it is; default 0.03 */
    int rounds;                     /* default 3 */
} LimbSolveDef;

LimbSolveDef limb_solve_default_def(void);

/* shift[frame], state[limb][frame] are filled. */
Status limb_solve(const LimbProblem *problem, const LimbSolveDef *def, Vec3 *shift, LimbState *state[LIMB_COUNT],
                  Error *err);

/* From the root to the end as turned and bent. */
Vec3 limb_reach(const LimbShape *shape, const LimbState *state);

/* Bend of the copied limb about its hinge, rad. */
double limb_bend(const LimbShape *shape);

/* The world turns of upper and lower part. */
Quat limb_upper_turn(const LimbState *state);
Quat limb_lower_turn(const LimbShape *shape, const LimbState *state);

#endif
