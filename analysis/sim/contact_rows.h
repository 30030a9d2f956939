/* Contacts: where two shapes meet, and what a contact with friction adds to a mixed complementarity problem on the
 * velocities of bodies (docs/sources.md, notes 0.10).
 *
 * A row of bodies' velocities has six columns a body, (v, omega), world axes. The complementary part of a contact is
 * written into the rows N, the added matrix C and the right side n of solve/mixed_lcp.h. */
#ifndef KANE_SIM_CONTACT_ROWS_H
#define KANE_SIM_CONTACT_ROWS_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/math/vec.h"

/* The nearest points of two shapes, the gap between them, the normal. */
typedef struct Collision {
    Vec3 point;  /* m, world, halfway between the surfaces */
    Vec3 normal; /* unit, from the first shape to the second */
    double gap;  /* m, negative where they overlap */
} Collision;

Collision collide_spheres(Vec3 first, double first_radius, Vec3 second, double second_radius);

/* A capsule around the segment from a to b, and a sphere. */
Collision collide_capsule_sphere(Vec3 a, Vec3 b, double capsule_radius, Vec3 centre, double radius);

/* What a step does about contacts. */
typedef struct ContactRule {
    double ahead;             /* s, how far it looks; 0: the pose is that of the step's end */
    int bounce;               /* whether fast ones bounce */
    double restitution;       /* of impacts faster than restitution_speed */
    double restitution_speed; /* m/s */
    double gravity;           /* m/s2 */
} ContactRule;

/* Overlap, m, that is left alone. */
#define CONTACT_SLOP 5e-4

/* 1 where a contact may close within the step: `gap` m, separating at `speed` m/s. *least_speed is then what it must
 * separate with: it bounces, or must not close further than its gap, or is pushed out slowly. */
int contact_closes(const ContactRule *rule, double gap, double speed, double *least_speed);

typedef struct ContactPair {
    int first, second;           /* bodies; -1: the ground, which does not move */
    Vec3 first_arm, second_arm;  /* m, world axes, from the body's frame to the point */
    Vec3 normal;                 /* unit, from first to second */
    double least_speed;          /* m/s, of separation along the normal after the step */
    double friction;             /* mu */
    Vec3 slip;                   /* where the contact would slide, across the normal: the directions of friction begin
                                    there, so that a cone with corners slides straight; zero: anywhere */
} ContactPair;

enum {
    CONE_DIRECTIONS = 8,
    CONE_CONTACT_ROWS = 2 + CONE_DIRECTIONS, /* normal, friction along each direction, slip */
    BOX_CONTACT_ROWS = 5,                    /* normal, and two a tangent */
    SWEEP_CONTACT_ROWS = 3,                  /* normal, two tangents: for Gauss-Seidel */
};

/* N, C and n of `count` rows. */
typedef struct UnilateralRows {
    int count, size;
    double *rows;  /* [count][size] N */
    double *added; /* [count][count] C */
    double *n;     /* [count] */
    size_t room;   /* numbers that memory holds */
    double *memory;
} UnilateralRows;

/* Zeroed rows; memory is kept from one call to the next. */
Status unilateral_rows_reset(UnilateralRows *u, int count, int size, Error *err);
void unilateral_rows_free(UnilateralRows *u);

/* Two unit tangents that complete the normal, the first along the slip. */
void contact_tangents(const ContactPair *c, Vec3 tangent[2]);

/* Writes the row of relative speed along a direction, second minus first. */
void contact_speed_row(const ContactPair *c, Vec3 direction, double *row);

/* Anitescu-Stewart cone: CONE_CONTACT_ROWS rows from `at` on, z = (theta, phi_k, xi):
 * N v >= n, D v + E xi >= 0, mu theta - E' phi >= 0. */
void contact_cone_rows(UnilateralRows *u, int at, const ContactPair *c);

/* Box: BOX_CONTACT_ROWS rows from `at` on, z = (theta, phi_1 + most, sigma_1, ...), |phi_i| <= most. The impulse that
 * z leaves out, -most along each tangent, is the caller's to add. */
void contact_box_rows(UnilateralRows *u, int at, const ContactPair *c, double most);

#endif
