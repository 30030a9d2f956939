/* The problem of ground contact as a quadratic program over frames, filled from a ContactProblem and solved.
 *
 * The cost is a sum of equations, weight (row . f - target)^2 / 2 each, on the forces f of the candidate points. Bodies
 * with feet are solved by limbs (solve/limb_qp.h): the points of a foot share one horizontal force and one couple about
 * the vertical, f_i = (a_i (X - tau z_i), y_i, a_i (Z + tau x_i)), with parts a_i that add up to 1 and are smaller
 * where a point costs more, and x_i, z_i from the centre sum a_i p_i. Other bodies are solved by points
 * (solve/tridiagonal_qp.h), with a cone each: creatures have many limbs of one point. */
#ifndef KANE_CONTACT_CONTACT_PROGRAM_H
#define KANE_CONTACT_CONTACT_PROGRAM_H

#include "analysis/base/status.h"
#include "analysis/contact/contact_problem.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/vec.h"
#include "analysis/solve/tridiagonal_qp.h"

/* Every step-th frame from `begin` on, `count` of them. */
typedef struct FrameSpan {
    int begin, count, step;
} FrameSpan;

typedef struct ContactProgramDef {
    double friction;
    double tolerance; /* body weights, of the forces; 0: as exact as can be */
    LaneWidth lanes;
    int held_count;   /* frames at the span's beginning whose forces are given */
} ContactProgramDef;

/* Memory of programs, kept from span to span. destroy accepts NULL. */
typedef struct ContactProgram ContactProgram;
Status contact_program_create(ContactProgram **program, Error *err);
void contact_program_destroy(ContactProgram *program);

/* force[frame][point] of all frames, body weights: in, a start and the held forces; out, those of the span's frames.
 * The best forces found serve where the last digits will not settle, up to 1e-3 body weights: the confidence measures
 * what they explain. STATUS_NO_RESULT beyond that. */
Status contact_program_solve(ContactProgram *program, const ContactProblem *problem, FrameSpan span,
                             const ContactProgramDef *def, Vec3 *force, Error *err);

/* 1: the body is solved by limbs. */
int contact_program_has_limbs(const ContactPoints *points);

/* The equations of a frame that bind all candidates alike. */

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

WholeEquations contact_whole_equations(const ContactProblem *p, size_t frame);

/* Least torque in the joints that carry the limb of a point, proximal (joint 0) and distal (1). 0: there is none. */
int contact_effort_equation(const ContactProblem *p, size_t frame, const ContactPoint *point, int joint,
                            MomentEquation *out);

/* Weights of the change of a force from frame to frame of the span, horizontal and vertical. */
void contact_smoothing(const ContactProblem *p, FrameSpan span, double *horizontal, double *vertical);

TridiagonalQpDef contact_solver_def(const ContactProgramDef *def);

/* By limbs (limb_program.c), with memory of its own. */
typedef struct LimbProgram LimbProgram;
Status limb_program_create(LimbProgram **program, Error *err);
void limb_program_destroy(LimbProgram *program);
Status limb_program_solve(LimbProgram *program, const ContactProblem *problem, FrameSpan span,
                          const ContactProgramDef *def, Vec3 *force, Error *err);

#endif
