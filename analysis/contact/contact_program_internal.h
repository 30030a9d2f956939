/* What the two formulations of the program share: equations of a frame that couple all candidates, and the program by
 * limbs. */
#ifndef KANE_CONTACT_CONTACT_PROGRAM_INTERNAL_H
#define KANE_CONTACT_CONTACT_PROGRAM_INTERNAL_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/contact/contact_points.h"
#include "analysis/contact/contact_problem.h"
#include "analysis/contact/contact_program.h"
#include "analysis/math/vec.h"
#include "analysis/solve/tridiagonal_qp.h"

/* The forces on some points should make a moment about a centre: all points of the body, or those of a limb. */
typedef struct MomentEquation {
    int limb;     /* -1: all */
    Vec3 centre;  /* L, contact axes, world origin */
    Vec3 needed;  /* body weights times L */
    Vec3 side;    /* unit, along the ground */
    Vec3 weight;  /* about the axis ahead of it, the vertical and the side; by points the first stands for the last */
} MomentEquation;

/* Newton and Euler for the whole body: the force that it needs, with its weights, and the moment. */
typedef struct WholeEquations {
    Vec3 force, force_weight;
    MomentEquation moment;
} WholeEquations;

/* Least torque in the joints that carry the limb of a point, proximal (joint 0) and distal (1). 0: there is none. */
int contact_effort_equation(const ContactProblem *p, size_t frame, const ContactPoint *point, int joint,
                                   MomentEquation *out);

/* Weighted by the reliability of the accelerations. Flight shows it, except that of a landing on both feet: its impact
 * shakes the soft tissue. */
WholeEquations contact_whole_equations(const ContactProblem *p, size_t frame);

/* Weights of the change of a force from frame to frame of the span, horizontal and vertical. */
void contact_smoothing(const ContactProblem *p, ContactSpan span, double *horizontal, double *vertical);

TridiagonalQpDef contact_solver_def(const ContactProgramDef *def);

/* Memory of the program by limbs. destroy accepts NULL. */
typedef struct LimbProgram LimbProgram;
Status limb_program_create(LimbProgram **program, Error *err);
void limb_program_destroy(LimbProgram *program);

/* As contact_program_solve, for a body with feet. */
Status limb_program_solve(LimbProgram *program, const ContactProblem *p, ContactSpan span,
                                 const ContactProgramDef *def, Vec3 *force, Error *err);

#endif
