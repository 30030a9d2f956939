/* Ground reaction forces from motion alone.
 *
 * In every frame the contact forces should supply the force and moment that the whole body requires (Newton and Euler,
 * six equations), push within their friction cones, act where skin is near the ground and slow, require little joint
 * torque, and change little from frame to frame. All frames together form one convex program (solve/tridiagonal_qp.h)
 * with one minimum. What the contacts cannot explain remains as the residual at the root. */
#ifndef KANE_CONTACT_CONTACT_ESTIMATE_H
#define KANE_CONTACT_CONTACT_ESTIMATE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/contact.h"
#include "analysis/contact/contact_constants.h"
#include "analysis/contact/ground.h"
#include "analysis/contact/roll_over.h"
#include "analysis/math/lane_width.h"

typedef struct ContactEstimateDef {
    double friction;   /* mu; default 0.8: docs/decisions.md "Ground forces" */
    GroundDef ground;  /* default: detected from the clip */
    LaneWidth lanes;   /* default LANES_AUTO; every width gives the same bits */
    int interval;      /* frames solved together; default 1024, which bounds the memory */
    const ContactConstants *constants; /* not owned; default &contact_constants */
    const RollOver *roll_over;         /* not owned; default &roll_over */
    volatile float *progress; /* progress, 0 .. 1; NULL: not reported. Not owned */
    double overlap;    /* s solved beyond an interval and discarded; default 5: the forces of the whole clip to 1e-6
                          body weights */
    double tolerance;  /* body weights, tolerance of the forces; default 0: to rounding */
} ContactEstimateDef;

ContactEstimateDef contact_estimate_default_def(void);

/* Computes *out for the whole clip. A body without height, or a mechanism that hangs from a fixed root, has no contact
 * points. STATUS_BAD_INPUT if the body has no mass. */
Status contact_estimate(const ClipView *clip, const ContactEstimateDef *def, Contact *out, Error *err);

#endif
