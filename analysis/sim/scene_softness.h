/* Constraints that give way as springs and dampers do (docs/sources.md, notes 0.11): alpha and beta of each row, by
 * SceneDef.compliance, or as the file says in MJCF's solref and solimp.
 *
 * MuJoCo's row makes a force f of its error r and rate v by R f = -b v - k d r - a, R = A (1 - d) / d, with the
 * impedance d(r) of solimp, A the inverse inertia along the row, a its acceleration. At rest and at constant speed that
 * is a spring and damper, lambda = -(r + beta v) / alpha with
 *
 *     alpha = A (1 - d) / (k d^2)    beta = b / (k d)
 *     k = 1 / (dmax timeconst dampratio)^2, b = 2 / (dmax timeconst); or k = stiffness / dmax^2, b = damping / dmax
 *
 * so that a load sinks in as far and settles in the same mean time. What it has beyond it is that the row also resists
 * acceleration, as if there was more mass. A is taken in the file's configuration, as MuJoCo does. */
#ifndef KANE_SIM_SCENE_SOFTNESS_H
#define KANE_SIM_SCENE_SOFTNESS_H

#include "analysis/sim/scene_state.h"

/* lambda = -(phi + beta phi') / alpha (0.7); alpha 0: rigid. */
typedef struct SoftLaw {
    double alpha, beta; /* m/N or rad/(Nm); s */
} SoftLaw;

/* A of bodies and speeds, where the file has soft constraints; s->mass is factored in the file's configuration. */
Status scene_softness_init(Scene *s, Error *err);

/* size: of all rows of the equality, as MuJoCo measures it, m. */
SoftLaw scene_soft_equality(const Scene *s, int equality, int row, double size);

double scene_equality_size(const Scene *s, int equality, const double *phi, int count);

/* axis: of a ball roll, pitch or yaw, else 0; depth beyond the limit, rad or m. */
SoftLaw scene_soft_limit(const Scene *s, int joint, int axis, double depth);

SoftLaw scene_soft_contact(const Scene *s, int first_geom, int second_geom);

/* Whether an equality gives way at all, whether by axes of its first body, and whether some limit does. */
int scene_equality_is_soft(const Scene *s, int equality);
int scene_equality_has_axes(const Scene *s, int equality);
int scene_limits_are_soft(const Scene *s);

#endif
