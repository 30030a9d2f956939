/* A rigid body in maximal coordinates: pose and momentum about its COM, world axes (notes 0.1, 0.2; docs/sources.md).
 *
 * The state keeps the angular momentum, not the angular velocity: what no moment acts on stays what it is, to the last
 * bit, while the inertia turns. */
#ifndef KANE_SIM_RIGID_BODY_H
#define KANE_SIM_RIGID_BODY_H

#include "analysis/base/status.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

typedef struct RigidBody {
    double mass;           /* kg */
    Sym3 inertia;          /* kg m2, about the COM, body axes */
    Sym3 inverse_inertia;  /* of the above */
    Vec3 position;         /* m, of the COM */
    Quat orientation;      /* body to world */
    Vec3 velocity;         /* m/s, of the COM */
    Vec3 angular_momentum; /* kg m2/s, about the COM */
} RigidBody;

/* At rest at the origin. STATUS_BAD_INPUT where mass or inertia is not positive. */
Status rigid_body_init(RigidBody *b, double mass, Sym3 inertia, Error *err);

/* About the COM, world axes. */
Sym3 rigid_body_inertia(const RigidBody *b);

Vec3 rigid_body_angular_velocity(const RigidBody *b);
void rigid_body_set_angular_velocity(RigidBody *b, Vec3 omega);

/* World place and velocity of a point given in body axes from the COM. */
Vec3 rigid_body_point(const RigidBody *b, Vec3 point);
Vec3 rigid_body_point_velocity(const RigidBody *b, Vec3 point);

/* Adds an impulse (Ns) at the COM and an angular one (Nms). */
void rigid_body_push(RigidBody *b, Vec3 impulse, Vec3 angular);

/* Moves the pose by one step with the momentum held: the angular velocity is that of the pose in the middle of the
 * step, so that a step back undoes a step forth and energy does not creep. Error O(h^2) over a fixed time.
 * middle: a guess of that angular velocity, rad/s, replaced by it; or NULL. tolerance: its error, as a share of it;
 * 1e-13 is that of rounding. */
void rigid_body_move(RigidBody *b, double h, Vec3 *middle, double tolerance);

/* J, translation and rotation. */
double rigid_body_kinetic_energy(const RigidBody *b);

/* Spatial inertia: the 6x6 mass matrix of a rigid body about the origin of any frame (docs/sources.md, notes 0.1).
 *
 * Rows and columns are three of linear velocity, then three of angular velocity, all in the axes of com and inertia.
 * The body's frame is where v is taken; with com = 0 that is the COM and M is block diagonal. */
typedef struct SpatialInertia {
    double mass;  /* kg */
    Vec3 com;     /* m, from the frame's origin */
    Sym3 inertia; /* kg m2, about the COM */
} SpatialInertia;

/* M, [6][6] by rows. */
void spatial_inertia_matrix(const SpatialInertia *s, double *m);

/* Adds a point mass at `point`: what an attached particle adds to a body (0.19). */
void spatial_inertia_add_particle(SpatialInertia *s, double mass, Vec3 point);

/* Inverse of a symmetric matrix by its adjugate; 0 where it is not positive definite. */
int sym3_inverse(Sym3 s, Sym3 *inverse);

#endif
