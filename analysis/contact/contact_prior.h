/* What motion cannot tell and people are alike in: how the load passes from foot to foot, how two feet push against
 * each other, and where under a foot the pressure lies. Learned from force plates (data/contact.tsv).
 *
 * It needs a first estimate of the forces: the loads of that say when one foot takes over from the other and how like
 * gait a stretch is. The less it is, the less is presumed: what stays is the least effort of the cost. */
#ifndef KANE_CONTACT_CONTACT_PRIOR_H
#define KANE_CONTACT_CONTACT_PRIOR_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/contact/contact_problem.h"
#include "analysis/solve/tridiagonal_qp.h"

struct ContactPrior {
    int first[FOOT_COUNT];   /* first of the points of a foot: two of the heel, two of the ball, the toe */
    double *share;           /* [frame] part of the load that the left foot carries, 0 .. 1 */
    double *sure;            /* [frame] 1: the share is that of a passing load, 0: only the first estimate's */
    double *load;            /* [frame] body weights that both carry, 1 at most */
    double *run;             /* [frame] likeness to running: 0 some foot always carries .. 1 */
    double offset[2];        /* L: of the pressure in this clip, along and across the foot */
    Vec3 *row;               /* [point] scratch */
};

/* From the first estimate force[frame][point], body weights; closes the points of a foot that has not taken over or
 * has handed over (penalty), and sets gait. *out is NULL where the body has no two feet. All is the arena's. */
Status contact_prior_find(ContactProblem *problem, Vec3 *force, Arena *arena, ContactPrior **out);

/* Adds what the prior asks of the chain's frame t to its program. */
void contact_prior_add(const ContactPrior *prior, const ContactProblem *problem, TridiagonalQp *qp, int t,
                       size_t frame);

#endif
