/* Contacts: the point where two shapes meet; the rows that a contact with friction adds to a mixed complementarity
 * problem on the velocities of bodies (docs/sources.md, notes 0.10); and the same problem over states.
 *
 * A row on the velocities of bodies has six columns per body, (v, omega), world axes. The complementarity part of a
 * contact is written into the rows N, the added matrix C and the right side n of solve/mixed_lcp.h. */
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

/* How a step treats contacts. */
typedef struct ContactRule {
    double ahead;             /* s, look-ahead time; 0: the pose is that at the end of the step */
    int bounce;               /* whether fast impacts bounce */
    double restitution;       /* of impacts faster than restitution_speed */
    double restitution_speed; /* m/s */
    double gravity;           /* m/s2 */
} ContactRule;

/* Overlap, m, that is not pushed out. */
#define CONTACT_SLOP 5e-4

/* Returns 1 if a contact may close within the step, given its `gap`, m, and its separation speed, m/s. *min_speed is
 * then the smallest separation speed it must have: the rebound speed, the speed that closes exactly the gap, or the
 * slow speed that pushes an overlap out. */
int contact_closes(const ContactRule *rule, double gap, double speed, double *min_speed);

typedef struct ContactPair {
    int first, second;           /* bodies; -1: the ground, which is fixed */
    Vec3 first_arm, second_arm;  /* m, world axes, from the body's frame to the point */
    Vec3 normal;                 /* unit, from first to second */
    double min_speed;            /* m/s, separation speed along the normal after the step */
    double friction;             /* mu */
    Vec3 slip;                   /* direction in which the contact would slide, in the tangent plane; the first
                                    friction direction follows it, so that a polygonal cone does not deflect the
                                    slip; zero: any */
} ContactPair;

enum {
    CONE_DIRECTIONS = 8,
    CONE_CONTACT_ROWS = 2 + CONE_DIRECTIONS, /* normal, friction along each direction, slip */
    BOX_CONTACT_ROWS = 5,                    /* normal, and two per tangent */
    SWEEP_CONTACT_ROWS = 3,                  /* normal, two tangents: for Gauss-Seidel */
};

/* N, C and n of `count` rows. */
typedef struct UnilateralRows {
    int count, size;
    double *rows;  /* [count][size] N */
    double *added; /* [count][count] C */
    double *n;     /* [count] */
    size_t room;   /* allocated numbers */
    double *memory;
} UnilateralRows;

/* Sets the rows to zero; memory is reused from one call to the next. */
Status unilateral_rows_reset(UnilateralRows *u, int count, int size, Error *err);
void unilateral_rows_free(UnilateralRows *u);

/* Two unit tangents that complete the normal; the first follows the slip. */
void contact_tangents(const ContactPair *c, Vec3 tangent[2]);

/* Writes the row of the relative velocity along a direction, second body minus first. */
void contact_speed_row(const ContactPair *c, Vec3 direction, double *row);

/* Anitescu-Stewart cone: CONE_CONTACT_ROWS rows from `at` on, z = (theta, phi_k, xi):
 * N v >= n, D v + E xi >= 0, mu theta - E' phi >= 0. */
void contact_cone_rows(UnilateralRows *u, int at, const ContactPair *c);

/* Box friction: BOX_CONTACT_ROWS rows from `at` on, z = (theta, phi_1 + max, sigma_1, ...), |phi_i| <= max. The
 * caller adds the impulse -max along each tangent, which z leaves out. */
void contact_box_rows(UnilateralRows *u, int at, const ContactPair *c, double max);

#endif
