/* Steps of a mechanical system M x'' = f(x, x') (docs/sources.md, notes 0.9), dense.
 *
 * Symplectic and implicit Euler are of first order, the trapezoidal rule and Bridson-Marino of second. The implicit
 * ones linearise the force once a step. */
#ifndef KANE_SIM_SCENE_STEP_H
#define KANE_SIM_SCENE_STEP_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"

typedef enum IntegratorKind {
    SYMPLECTIC_EULER, /* 0.9.1 */
    IMPLICIT_EULER,   /* 0.9.2 */
    TRAPEZOIDAL,      /* 0.9.3, f^ with h/4 before df/dx x' (docs/sources.md "Errata of the notes") */
    BRIDSON_MARINO,   /* 0.9.4 */
    INTEGRATOR_KIND_COUNT
} IntegratorKind;

typedef struct MechanicalSystem {
    int size;
    const double *mass; /* [size][size]; NULL: the identity, f is an acceleration */
    /* f[size] */
    void (*force)(const void *context, const double *x, const double *v, double *f);
    /* df/dx and df/dv, each [size][size]; symplectic Euler does not ask for them, Bridson-Marino for df/dv alone. */
    void (*jacobians)(const void *context, const double *x, const double *v, double *by_position, double *by_velocity);
    /* Moves v into what constraints allow at x, and says whether any held it; NULL: there are none. What is held moves
     * with the velocity at the end of the step alone: a mean with the one before would go into what it meets. */
    int (*constrain)(const void *context, const double *x, double *v);
    /* Moves x with v for h; NULL: x += h v. For coordinates that are no vectors, such as quaternions: x has its own
     * size then, and df/dx is by a small move in each of the `size` velocities. */
    void (*move)(const void *context, double h, const double *v, double *x);
    /* Adds to M^ [size][size] and to the force on its right side what is solved for elsewhere, in an implicit step of
     * h; NULL: nothing. */
    void (*couple)(const void *context, double h, double theta, double *matrix, double *force);
    const void *context;
} MechanicalSystem;

/* A kind with its scratch memory. */
typedef struct Integrator {
    IntegratorKind kind;
    int size;
    double *matrix, *by_position, *by_velocity; /* [size][size] */
    double *force, *other;                      /* [size] */
    int *exchange;                              /* [size] */
    Arena memory;                               /* of these */
} Integrator;

/* For systems of up to `size` variables. */
Status integrator_init(Integrator *s, IntegratorKind kind, int size, Error *err);
void integrator_free(Integrator *s);

/* One step of length h: x[size] and v[size] in place. STATUS_NO_RESULT where the matrix of the step is singular: x and
 * v are then as they were. */
Status integrator_step(Integrator *s, const MechanicalSystem *system, double h, double *x, double *v, Error *err);

#endif
