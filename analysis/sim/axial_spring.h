/* Springs along the line between two points, with Jacobians (docs/sources.md, notes 0.12 and 0.13).
 *
 * f1 acts on the first point, towards the second where the spring pulls; f2 = -f1. The Jacobians of f1 by x1 and v1
 * say all: those of f2 are the same, the mixed ones their negatives. World axes, SI. */
#ifndef KANE_SIM_AXIAL_SPRING_H
#define KANE_SIM_AXIAL_SPRING_H

#include "analysis/math/vec.h"

/* F = k (l - r) + d l' (0.12.1). */
typedef struct AxialSpring {
    double stiffness; /* k, N/m */
    double damping;   /* d, Ns/m */
    double rest;      /* r, m */
    int pulls_only;   /* 1: never pushes (a ligament): no force where F would be negative */
} AxialSpring;

/* Tension and its derivatives by length and by rate of length. */
typedef struct Tension {
    double force, by_length, by_rate;
} Tension;

Tension axial_spring_tension(const AxialSpring *s, double length, double rate);

/* f1. Points that coincide have no direction: no force. */
Vec3 axial_spring_force(const AxialSpring *s, Vec3 x1, Vec3 v1, Vec3 x2, Vec3 v2);

/* df1/dx1 and df1/dv1. */
void axial_spring_jacobians(const AxialSpring *s, Vec3 x1, Vec3 v1, Vec3 x2, Vec3 v2, Mat3 *by_position,
                            Mat3 *by_velocity);

/* The stress form (0.13): f1 = sigma (x2 - x1). Linear: sigma = k (l - r) / l, the same spring without damping.
 * Quadratic strain: sigma = k (l^2 - r^2) / (2 r^2), k in N/m, r > 0. */
typedef enum StressLaw { STRESS_LINEAR, STRESS_QUADRATIC } StressLaw;

typedef struct StressSpring {
    StressLaw law;
    double stiffness, rest;
} StressSpring;

Vec3 stress_spring_force(const StressSpring *s, Vec3 x1, Vec3 x2);

/* df1/dx1: material and geometric stiffness. */
Mat3 stress_spring_jacobian(const StressSpring *s, Vec3 x1, Vec3 x2);

#endif
