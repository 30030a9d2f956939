/* Ground reaction forces from motion alone.
 *
 * In every frame the contact forces should supply the force and moment that the whole body needs (Newton and Euler,
 * six equations), push and not pull inside their friction cones, act where skin is near the ground and slow, need
 * little joint torque, and change little from frame to frame. All frames together are one convex program
 * (solve/tridiagonal_qp.h) with one minimum. What the contacts cannot explain stays in the residual of the root. */
#ifndef KANE_CONTACT_CONTACT_ESTIMATE_H
#define KANE_CONTACT_CONTACT_ESTIMATE_H

#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/contact/contact_problem.h"
#include "analysis/contact/ground.h"
#include "analysis/math/lane_width.h"

/* What a clip makes of the problem of ground contact: the ground, where contacts could act, what the motion needs,
 * seats and rails that nobody recorded, what each contact would cost. */

/* Without points (a body without height, a mechanism that hangs from a root that stays in place) nothing else is
 * filled. *clip, with body and kinematics, must outlive *out. Free with contact_problem_free. */
Status contact_setup(const ClipView *clip, const ContactConstants *constants, const GroundDef *ground, LaneWidth lanes,
                     ContactProblem *out, Error *err);

typedef struct ContactEstimateDef {
    double friction;   /* mu; default 0.8: docs/decisions.md "The ground's friction is 0.8" */
    GroundDef ground;  /* default: from the clip */
    LaneWidth lanes;   /* default LANES_AUTO; every width gives the same bits */
    int stretch;       /* frames solved together; default 1024: bounds the memory */
    const ContactConstants *constants; /* not owned; default &contact_constants */
    const RollOver *roll_over;         /* not owned; default &roll_over */
    volatile float *progress; /* 0 .. 1, where somebody watches; NULL: nobody. Not owned */
    double overlap;    /* s solved after a stretch and dropped; default 5: forces of the whole clip to 1e-6 weights */
    double tolerance;  /* body weights, of the forces; default 0: as exact as can be */
} ContactEstimateDef;

ContactEstimateDef contact_estimate_default_def(void);

/* Fills *out from the whole clip. A body without height, or a mechanism that hangs from a root that stays in place,
 * gets no contact points. STATUS_BAD_INPUT where the body weighs nothing. */
Status contact_estimate(const ClipView *clip, const ContactEstimateDef *def, Contact *out, Error *err);

#endif
