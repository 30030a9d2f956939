/* Rows of a floating tree on its accelerations x: the acceleration of the root joint, then the angular acceleration of
 * every body, world axes. A row of a quantity y gives y = row . x + its part from the velocities. */
#ifndef KANE_CONTROL_WHOLE_ROWS_H
#define KANE_CONTROL_WHOLE_ROWS_H

#include "analysis/base/arena.h"
#include "analysis/control/plant.h"

typedef struct WholeRows {
    const ControlPlant *plant;
    int size;          /* of x: 3 + 3 bodies */
    double mass;       /* kg */
    Vec3 com;          /* m, of the whole */
    Vec3 *centre;      /* [body] m, its own centre of mass */
    Vec3 *drift;       /* [body] m/s2, acceleration of its joint at x = 0 */
    double *below;     /* [body] kg, of the body and all beyond */
    Vec3 *moment;      /* [body] kg m, of the same: sum of mass times distance from the whole's centre */
} WholeRows;

/* Allocates in the arena, whose failure the caller checks. */
void whole_rows_init(WholeRows *w, const ControlPlant *plant, Arena *arena);

/* Acceleration of a point of a body at x = 0, m/s2; and at the plant's accelerations. */
Vec3 whole_rows_point_drift(const WholeRows *w, int body, Vec3 position);

/* Writes three rows, row[3][size]: acceleration of the centre of mass; rate of the angular momentum about it, N m; and
 * acceleration of a point of a body. *drift: their parts at x = 0. */
void whole_rows_com(const WholeRows *w, double *row, Vec3 *drift);
void whole_rows_spin(const WholeRows *w, double *row, Vec3 *drift);
void whole_rows_point(const WholeRows *w, int body, Vec3 position, double *row, Vec3 *drift);

#endif
