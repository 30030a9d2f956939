/* Fits legs and arms to goals of their ends by one least-squares problem over all frames.
 *
 * The unknowns of a frame are the shift of the whole body and, per limb, the rotation vector of its root joint and the
 * bend of its middle joint, relative to the copied motion. Angles rather than end positions are unknowns, so that
 * straight limbs need no special case: an unreachable goal leaves an error and no limb snaps. The terms are
 *  the distance of the unknowns from wanted values, and the acceleration of that distance,
 *  the velocity of the ends along the ground, and their height,
 *  vectors from an end to another point,
 *  bounds: ends above a floor, middle joints not bent backwards, lower parts clear of other parts of the body.
 *
 * All terms measure deviations from the source, so that a motion retargeted to its own skeleton is unchanged. Solved by
 * Gauss-Newton; each frame is coupled to the next two, so the matrix is banded.
 *
 * Reference: J. Lee, S. Y. Shin, A Hierarchical Approach to Interactive Motion Editing for Human-like Figures (1999),
 * and M. Gleicher, Retargetting Motion to New Characters (1998), for constraints met by smooth displacements. */
#ifndef KANE_RETARGET_LIMB_SOLVE_H
#define KANE_RETARGET_LIMB_SOLVE_H

#include <stdint.h>

#include "analysis/base/status.h"
#include "analysis/math/quat.h"

enum { LIMB_LEFT_LEG = 0, LIMB_RIGHT_LEG, LIMB_LEFT_ARM, LIMB_RIGHT_ARM, LIMB_COUNT };

/* A limb in one frame of the copied motion, world axes. */
typedef struct LimbShape {
    Vec3 root;         /* m: hip or shoulder */
    Vec3 upper, lower; /* m: root to knee or elbow; from there to ankle or wrist */
    Vec3 hinge;        /* unit axis about which the middle joint bends */
} LimbShape;

/* The unknowns of a limb in one frame. */
typedef struct LimbState {
    Vec3 rotation; /* rotation vector, rad, world axes: rotation of the whole limb about its root */
    double bend;   /* rad, rotation of the lower part about the hinge, applied before the turn */
} LimbState;

/* Goals of the end of a limb in one frame. Weight 0: no goal. */
typedef struct LimbGoal {
    Vec3 velocity;          /* m/s, to the next frame; only its component along the ground counts */
    double velocity_weight; /* 0 .. 1 */
    double height;          /* m along the normal */
    double height_weight;   /* 0 .. 1 */
    double floor;           /* lower bound, m along the normal; -INFINITY: none */
} LimbGoal;

/* An end that keeps a given vector to a point of the body or of another limb. */
typedef struct LimbTie {
    int limb, other; /* other -1: `position`, which moves with the body's shift */
    double at;       /* point of the other limb: 0 root, 1 middle joint, 2 end; straight between them */
    int frame;
    Vec3 position;   /* m, world, before the shift; used if other is -1 */
    Vec3 vector;     /* m, from the other point to the end */
    double weight;   /* 0 .. 1 */
} LimbTie;

/* A part of the body from which the lower part of a limb keeps a distance. */
typedef struct LimbGuard {
    int limb, frame;
    Vec3 part[2]; /* m, world: ends of its axis before the shift; it moves with the shift */
    Vec3 side;    /* direction from the part to the limb in the source */
    double min;   /* m, least distance between both axes */
} LimbGuard;

typedef struct LimbProblem {
    int frame_count;
    double frame_time;
    Vec3 normal;                   /* unit, of the ground */
    double length;                 /* m, unit of lengths: the leg */
    int used[LIMB_COUNT];          /* 0: the limb stays as copied */
    LimbShape *shape[LIMB_COUNT];  /* [frame] */
    LimbState *wanted[LIMB_COUNT]; /* [frame] */
    LimbGoal *goal[LIMB_COUNT];    /* [frame] */
    Vec3 *wanted_shift;            /* [frame] m */
    const double *hold;            /* [frame] factor on the weight of the distance from wanted values, in addition to 1:
                                      large in frames that stay; NULL: none */
    double *fall;                  /* [frame] m/s2 along the normal: of the shift, where falls */
    uint8_t *falls;                /* [frame] m/s2 along the normal: acceleration of the shift where falls is 1 */
    int tie_count;
    LimbTie *tie;                  /* [tie] ordered by frame */
    int guard_count;
    LimbGuard *guard;              /* [guard] ordered by frame */
} LimbProblem;

/* Weights apply to squared radians or squared leg lengths. In slow changes, below 1 / time (rad/s), the distance term
 * dominates; in fast ones its acceleration term. */
typedef struct LimbSolveDef {
    double shift;                   /* default 2 */
    double rotation, bend;          /* default 20, 20 */
    double shift_time, rotation_time, bend_time; /* s; default 0.75, 0.06, 0.1 */
    double velocity;                /* per squared leg lengths per second; default 2000 */
    double height;                  /* default 3000 */
    double floor, straight;         /* default 30000, 3000 */
    double fall;                    /* per squared leg lengths per second squared; default 10 */
    double tie, guard;              /* default 6000, 3000 */
    double min_bend;                /* rad: a limb bent less than this is not straightened further; default 0.03 */
    int rounds;                     /* Gauss-Newton iterations; default 3 */
} LimbSolveDef;

LimbSolveDef limb_solve_default_def(void);

/* Fills shift[frame] and state[limb][frame] of the used limbs. Errors: no memory, or a singular system
 * (STATUS_INTERNAL). */
Status limb_solve(const LimbProblem *problem, const LimbSolveDef *def, Vec3 *shift, LimbState *state[LIMB_COUNT],
                  Error *err);

/* Vector from root to end after turn and bend, m. */
Vec3 limb_reach(const LimbShape *shape, const LimbState *state);

/* Bend of the copied limb about its hinge, rad. */
double limb_bend(const LimbShape *shape);

/* World rotations of the upper and of the lower part. */
Quat limb_upper_rotation(const LimbState *state);
Quat limb_lower_rotation(const LimbShape *shape, const LimbState *state);

#endif
