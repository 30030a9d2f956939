/* Integrators of a mechanical system M x'' = f(x, x') (docs/sources.md, notes 0.9), dense.
 *
 * Symplectic and implicit Euler are first order, the trapezoidal rule and Bridson-Marino second order. The implicit
 * ones linearise the force once per step. */
#ifndef KANE_SIM_INTEGRATOR_H
#define KANE_SIM_INTEGRATOR_H

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
    /* df/dx and df/dv, each [size][size]. Symplectic Euler needs neither, Bridson-Marino df/dv alone. */
    void (*jacobians)(const void *context, const double *x, const double *v, double *by_position, double *by_velocity);
    /* Projects v onto the constraints at x and reports whether any acts; NULL: there are none. A constrained system
     * moves with the velocity at the end of the step alone: a mean with the previous velocity would violate the
     * constraints. */
    int (*constrain)(const void *context, const double *x, double *v);
    /* Moves x by v for h; NULL: x += h v. For coordinates that are not vectors, such as quaternions: x then has its own
     * size, and df/dx is by a small displacement in each of the `size` velocities. */
    void (*move)(const void *context, double h, const double *v, double *x);
    /* Adds to M^ [size][size] and to the right side the terms of a coupled system in an implicit step of h; NULL:
     * none. */
    void (*couple)(const void *context, double h, double theta, double *matrix, double *force);
    const void *context;
} MechanicalSystem;

/* An integrator with its scratch memory. */
typedef struct Integrator {
    IntegratorKind kind;
    int size;
    double *matrix, *by_position, *by_velocity; /* [size][size] */
    double *force, *other;                      /* [size] */
    int *exchange;                              /* [size] */
    Arena memory;                               /* owns all of these */
} Integrator;

/* For systems of up to `size` variables. */
Status integrator_init(Integrator *s, IntegratorKind kind, int size, Error *err);
void integrator_free(Integrator *s);

/* One step of length h: x[size] and v[size] in place. STATUS_NO_RESULT where the matrix of the step is singular: x and
 * v are then as they were. */
Status integrator_step(Integrator *s, const MechanicalSystem *system, double h, double *x, double *v, Error *err);

#endif
