/* Nonholonomic equalities on the speeds of bodies: an edge that does not slide across, a wheel that rolls without
 * contact.
 *
 *     edge    a . v(point) = 0, a and the point carried by the body: a skate, a keel
 *     wheel   the velocity of the rim's lowest point is zero; the plane under it, normal n, is where it stands at the
 *             start. Along n that keeps the height, which closes within the step as other equalities do.
 *
 * Rows G v = 0 beside those of equalities (docs/sources.md, notes 0.6, 0.10). The step of scene_momentum.c takes the
 * mean of the rows at both ends, which keeps its second order. */
#ifndef KANE_SIM_SCENE_ROLLING_H
#define KANE_SIM_SCENE_ROLLING_H

#include "analysis/sim/scene_state.h"

int scene_rolling_rows(const Scene *s);

/* row[rows][v_count], zeroed before, and target[rows], at the pose of the motion; ahead as for equalities. */
void scene_put_rolling(const Scene *s, double ahead, double *row, double *target);

/* Of these rows the one that keeps a height. */
int scene_rolling_closes(const Scene *s, int row);

/* Adds the impulses lambda of these rows to the forces over the step. */
void scene_note_rolling(Scene *s, const double *lambda);

/* Notes the heights of the wheels' centres over their planes, at the pose of the motion. */
void scene_begin_rolling(Scene *s);

#endif
