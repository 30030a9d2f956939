/* What contact forces leave unexplained of a motion: how little that is, and how to make it less.
 *
 * Residual reduction: small changes of the trunk's accelerations so that the momentum of the body and the contact
 * forces agree, after the residual reduction of OpenSim (Delp et al. 2007, IEEE Trans Biomed Eng 54:1940-1950).
 *
 * In each frame the whole body takes one more linear acceleration and the trunk one more angular acceleration, about
 * the joint at its base, arms and head riding on it. Poses and velocities stay. */
#ifndef KANE_CONTACT_RESIDUAL_H
#define KANE_CONTACT_RESIDUAL_H

#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/math/lane_width.h"

typedef struct ResidualReductionDef {
    double most_linear;  /* m/s2, bound of the added linear acceleration; default 1 */
    double most_angular; /* rad/s2, bound of the added angular acceleration; default 10 */
    LaneWidth lanes;     /* default LANES_AUTO */
} ResidualReductionDef;

ResidualReductionDef residual_reduction_default_def(void);

/* Changes acceleration and angular_acceleration of kinematics, which is that of the clip, and fills linear_reduction
 * and angular_reduction (RMS of what was added) of contact. A body without a spine takes the linear part alone. */
Status residual_reduce(const ClipView *clip, const ResidualReductionDef *def, Contact *contact, Kinematics *kinematics,
                       Error *err);

/* Fills confidence: 1 / (1 + 100 (f^2 + m^2)), f the force in body weights and m the moment about the COM in body
 * weights times half a stature that inverse dynamics with these forces leaves to the floating base. So it is 1/2 where
 * a tenth of a body weight stays unexplained. */
Status confidence_rate(const ClipView *clip, LaneWidth lanes, Contact *contact, Error *err);

#endif
