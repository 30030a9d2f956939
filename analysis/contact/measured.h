/* Measured forces as contact: what group /contact holds of a table of external forces.
 *
 * One point a loaded joint, at its centre, with the whole force and the couple about that centre. What a foot carries
 * is reduced to the ground plane: centre of pressure and free moment (as a force plate states them). */
#ifndef KANE_CONTACT_MEASURED_H
#define KANE_CONTACT_MEASURED_H

#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/dynamics/inverse_dynamics.h"

/* What a foot carries, as a force plate states it: force, centre of pressure and free moment.
 *
 * The forces and couples of all points of the foot are reduced to the ground plane. With M the moment about a point O
 * of the plane: COP = O + n x M / (n . F), and what stays is the free moment about the normal n. */

/* FOOT_LEFT or FOOT_RIGHT for ankle and toe, FOOT_COUNT for a segment elsewhere on the body. */
int foot_of_segment(Role segment);

/* Whether a force leaves a centre of pressure that means anything: foot_cop and foot_free_moment are zero without. */
int foot_has_pressure_centre(Vec3 force, Vec3 normal);

/* Fills foot_force, foot_cop and foot_free_moment from force, moment and the ground plane of c. Points of any joint
 * whose segment is an ankle or a toe count for that foot. */
void foot_summarize(const Skeleton *skeleton, const Kinematics *kinematics, Contact *c);

typedef struct MeasuredDef {
    double ground;    /* world y of the ground, m; default 0 */
    double threshold; /* N; default 20, 0: all counts. A plate is never quite still: where neither the vertical nor the
                         horizontal part of what a foot's rows sum to reaches this, the foot is not in contact, and but
                         for the tail of a step it carries nothing. 20 N is what gait laboratories take for the edge of
                         a step. Other joints (a hand on a rail, a rope at the trunk) stand on no plate: what is
                         measured there is kept whatever its size. */
} MeasuredDef;

MeasuredDef measured_default_def(void);

/* Fills *out. Rows of any joint whose segment is an ankle or a toe count for that foot. state is 1 where a point is in
 * contact; confidence is 1. STATUS_USAGE for a threshold below 0. */
Status contact_from_external(const ExternalRows *rows, const ClipView *clip, const MeasuredDef *def, Contact *out,
                             Error *err);

/* 1 where the forces were measured: their points are joint centres, where no sole is. */
int contact_is_measured(const Contact *c);

#endif
