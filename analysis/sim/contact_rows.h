/* Contacts with friction as rows of a mixed complementarity problem on the velocities of bodies (notes 0.10).
 *
 * A row of bodies' velocities has six columns a body, (v, omega), world axes. The complementary part of a contact is
 * written into the rows N, the added matrix C and the right side n of solve/mixed_lcp.h. */
#ifndef KANE_SIM_CONTACT_ROWS_H
#define KANE_SIM_CONTACT_ROWS_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/math/vec.h"

typedef struct ContactPair {
    int first, second;           /* bodies; -1: the ground, which does not move */
    Vec3 first_arm, second_arm;  /* m, world axes, from the body's frame to the point */
    Vec3 normal;                 /* unit, from first to second */
    double least_speed;          /* m/s, of separation along the normal after the step */
    double friction;             /* mu */
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

/* Two unit tangents that complete the normal. */
void contact_tangents(Vec3 normal, Vec3 tangent[2]);

/* Writes the row of relative speed along a direction, second minus first. */
void contact_speed_row(const ContactPair *c, Vec3 direction, double *row);

/* Anitescu-Stewart cone: CONE_CONTACT_ROWS rows from `at` on, z = (theta, phi_k, xi):
 * N v >= n, D v + E xi >= 0, mu theta - E' phi >= 0. */
void contact_cone_rows(UnilateralRows *u, int at, const ContactPair *c);

/* Box: BOX_CONTACT_ROWS rows from `at` on, z = (theta, phi_1 + most, sigma_1, ...), |phi_i| <= most. The impulse that
 * z leaves out, -most along each tangent, is the caller's to add (row_add_impulse). */
void contact_box_rows(UnilateralRows *u, int at, const ContactPair *c, double most);

/* Adds scale times the row's impulse to the right side b of the bodies. */
void row_add_impulse(const double *row, int size, double scale, double *b);

#endif
