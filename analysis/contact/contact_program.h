/* The problem of ground contact as a quadratic program over frames. */
#ifndef KANE_CONTACT_CONTACT_PROGRAM_H
#define KANE_CONTACT_CONTACT_PROGRAM_H

#include "analysis/base/status.h"
#include "analysis/contact/contact_points.h"
#include "analysis/contact/contact_problem.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/vec.h"

/* Every step-th frame from `begin` on, `count` of them. */
typedef struct ContactSpan {
    int begin, count, step;
} ContactSpan;

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
Status contact_program_solve(ContactProgram *program, const ContactProblem *problem, ContactSpan span,
                             const ContactProgramDef *def, Vec3 *force, Error *err);

/* 1: the body is solved by limbs. */
int contact_program_has_limbs(const ContactPoints *points);

#endif
