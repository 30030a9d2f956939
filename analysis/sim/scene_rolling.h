/* Nonholonomic equalities on body velocities: an edge that does not slide sideways, a wheel that rolls without a
 * contact.
 *
 *     edge    a . v(point) = 0, with a and the point fixed in the body: a skate, a keel
 *     wheel   the velocity of the rim's lowest point is zero. The plane below it, with normal n, is fixed at the
 *             start; the component along n keeps the wheel's height and closes within the step like other equalities.
 *
 * Rows G v = 0 beside those of equalities (docs/sources.md, notes 0.6, 0.10). The step of scene_momentum.c uses the
 * mean of the rows at both ends, which keeps it second order. */
#ifndef KANE_SIM_SCENE_ROLLING_H
#define KANE_SIM_SCENE_ROLLING_H

#include "analysis/sim/scene_def.h"
#include "analysis/sim/scene_state.h"

/* Number of rows of the edges and wheels of the scene. */
int scene_rolling_rows(const Scene *s);

/* Writes row[rows][v_count], zeroed by the caller, and target[rows] at the pose of the motion; `ahead` as for
 * equalities. */
void scene_put_rolling(const Scene *s, double ahead, double *row, double *target);

/* Whether row k keeps the height of a wheel. */
int scene_rolling_closes(const Scene *s, int row);

/* Adds the impulses lambda of these rows to the forces over the step. */
void scene_note_rolling(Scene *s, const double *lambda);

/* Stores the heights of the wheels' centres above their planes, at the pose of the motion. */
void scene_begin_rolling(Scene *s);

#endif
