/* The two points across a heel or a ball as one: for an estimate that is only asked which foot carries when.
 *
 * A force f on both is shared so that it costs least, q1 / (q0 + q1) of it on the one with penalty q0, and acts between
 * them accordingly. So the joint point costs q0 q1 / (q0 + q1) |f|^2; what is given up is the freedom of the pressure
 * across the foot. Levers and penalties as in contact_problem.h. */
#ifndef KANE_CONTACT_CONTACT_PAIRS_H
#define KANE_CONTACT_CONTACT_PAIRS_H

#include "analysis/contact/contact_problem.h"

typedef struct ContactPairs {
    Vec3 *lever;     /* [frame][point] L: owned; those of the problem while it has these */
    double *penalty; /* [frame][point] owned; likewise */
} ContactPairs;

/* The problem gets levers and penalties of joined pairs: the first point stands for both, also where only the second
 * is a candidate, and the second is none. *pairs keeps the problem's own until contact_pairs_part, which is called also
 * where solving fails. */
Status contact_pairs_join(ContactProblem *p, ContactPairs *pairs, Error *err);

/* The problem has its own levers and penalties again; force ([frame][point]) is shared between the points of
 * each joined pair. */
void contact_pairs_part(ContactProblem *p, ContactPairs *pairs, Vec3 *force);

#endif
