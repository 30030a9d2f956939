/* Compliant constraints as springs and dampers (docs/sources.md, notes 0.11): alpha and beta of each row, from
 * SceneDef.compliance or from solref and solimp of MJCF.
 *
 * A MuJoCo row produces a force f from its error r and rate v by R f = -b v - k d r - a, R = A (1 - d) / d, with the
 * impedance d(r) of solimp, A the inverse inertia along the row, and a its acceleration. At rest and at constant speed
 * that is a spring and damper, lambda = -(r + beta v) / alpha with
 *
 *     alpha = A (1 - d) / (k d^2)    beta = b / (k d)
 *     k = 1 / (dmax timeconst dampratio)^2, b = 2 / (dmax timeconst); or k = stiffness / dmax^2, b = damping / dmax
 *
 * so that a load settles at the same depth in the same mean time. In addition a MuJoCo row resists acceleration, as
 * added mass would. A is evaluated in the file's configuration, as in MuJoCo. */
#ifndef KANE_SIM_SCENE_SOFTNESS_H
#define KANE_SIM_SCENE_SOFTNESS_H

#include "analysis/sim/scene_def.h"
#include "analysis/sim/scene_state.h"

/* lambda = -(phi + beta phi') / alpha (0.7); alpha 0: rigid. */
typedef struct SoftLaw {
    double alpha, beta; /* m/N or rad/(N m); s */
} SoftLaw;

/* Computes A of bodies and speeds if the file has soft constraints; s->mass must be factorised in the file's
 * configuration. */
Status scene_softness_init(Scene *s, Error *err);

/* size: error of all rows of the equality as MuJoCo measures it, m. */
SoftLaw scene_soft_equality(const Scene *s, int equality, int row, double size);

double scene_equality_size(const Scene *s, int equality, const double *phi, int count);

/* axis: roll, pitch or yaw of a ball, else 0; depth beyond the limit, rad or m. */
SoftLaw scene_soft_limit(const Scene *s, int joint, int axis, double depth);

/* Of a contact of two geoms: by SceneDef.compliance, else SceneDef.softness, else the file. */
SoftLaw scene_soft_contact(const Scene *s, int first_geom, int second_geom);

/* Whether an equality is soft at all, whether it is in axes of its first body, and whether some limit is. */
int scene_equality_is_soft(const Scene *s, int equality);
int scene_equality_has_axes(const Scene *s, int equality);
int scene_limits_are_soft(const Scene *s);

#endif
