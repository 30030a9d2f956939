/* Springs along the line between two points, or over several of them, with Jacobians (docs/sources.md, notes 0.12 to
 * 0.14).
 *
 * f1 acts on the first point, towards the second if the spring pulls; f2 = -f1. The Jacobians of f1 by x1 and v1
 * suffice: those of f2 by x2 and v2 are equal, the mixed ones are their negatives. World axes, SI units. */
#ifndef KANE_SPRINGS_AXIAL_SPRING_H
#define KANE_SPRINGS_AXIAL_SPRING_H

#include "analysis/base/arena.h"
#include "analysis/math/vec.h"

/* Any F(l, l') (0.12) as a table: bilinear between its nodes, extrapolated from the outermost cells. */
typedef struct SpringLaw {
    char *name;
    int length_count, rate_count; /* 2 or more; 1 or more */
    double *length, *rate;        /* m, m/s, increasing */
    double *force;                /* [length][rate] N, positive where it pulls */
    Arena memory;                 /* owns all of these */
} SpringLaw;

/* F = k (l - r) + d l' (0.12.1), or F of a law at (l - r, l'). */
typedef struct AxialSpring {
    double stiffness; /* k, N/m */
    double damping;   /* d, Ns/m */
    double rest;      /* r, m */
    int pulls_only;   /* 1: tension only (a ligament): no force where F would be negative */
    const SpringLaw *law; /* replaces k and d; NULL: none */
} AxialSpring;

/* Tension and its derivatives by length and by its rate. */
typedef struct Tension {
    double force, by_length, by_rate;
} Tension;

Tension axial_spring_tension(const AxialSpring *s, double length, double rate);

/* Stored energy, J. For a law, the integral of F(l, 0) from its first length without force, or from its shortest length
 * if there is none. */
double axial_spring_energy(const AxialSpring *s, double length);

/* f1. Coincident points have no direction: the force is zero. */
Vec3 axial_spring_force(const AxialSpring *s, Vec3 x1, Vec3 v1, Vec3 x2, Vec3 v2);

/* df1/dx1 and df1/dv1. */
typedef struct SpringJacobians {
    Mat3 by_position, by_velocity;
} SpringJacobians;
SpringJacobians axial_spring_jacobians(const AxialSpring *s, Vec3 x1, Vec3 v1, Vec3 x2, Vec3 v2);

/* The stress form (0.13): f1 = sigma (x2 - x1). Linear: sigma = k (l - r) / l, the same spring without damping.
 * Quadratic strain: sigma = k (l^2 - r^2) / (2 r^2), k in N/m, r > 0. */
typedef enum StressLaw { STRESS_LINEAR, STRESS_QUADRATIC } StressLaw;

typedef struct StressSpring {
    StressLaw law;
    double stiffness, rest;
} StressSpring;

Vec3 stress_spring_force(const StressSpring *s, Vec3 x1, Vec3 x2);

double stress_spring_energy(const StressSpring *s, double length);

/* df1/dx1: material plus geometric stiffness. */
Mat3 stress_spring_jacobian(const StressSpring *s, Vec3 x1, Vec3 x2);

/* A spring over via points as over pulleys (docs/sources.md, notes 0.14).
 *
 * Its tension depends on the total length of its active segments. Passive segments transmit the tension without adding
 * length (a tendon in a sheath). Segment i runs from point i to point i + 1. */
typedef struct MultipointSpring {
    AxialSpring law;    /* of the whole length */
    int point_count;    /* 2 or more */
    const char *active; /* [point_count - 1]; NULL: all segments are active */
} MultipointSpring;

/* Length and rate of the active segments. */
void multipoint_spring_length(const MultipointSpring *s, const Vec3 *x, const Vec3 *v, double *length, double *rate);

/* force[point], N. */
void multipoint_spring_forces(const MultipointSpring *s, const Vec3 *x, const Vec3 *v, Vec3 *force);

/* df/dx and df/dv, each [3 points][3 points] by rows. */
void multipoint_spring_jacobians(const MultipointSpring *s, const Vec3 *x, const Vec3 *v, double *by_position,
                                 double *by_velocity);

#endif
