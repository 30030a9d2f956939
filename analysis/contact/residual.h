/* The part of a motion that contact forces do not explain: its size, and its reduction.
 *
 * Residual reduction changes the trunk's accelerations slightly, so that the momentum of the body and the contact
 * forces agree, after the method of OpenSim (Delp et al. 2007, IEEE Trans Biomed Eng 54:1940-1950).
 *
 * In each frame the whole body gets an additional linear acceleration, and the trunk an additional angular
 * acceleration about the joint at its base, with arms and head moving along. Poses and velocities stay. */
#ifndef KANE_CONTACT_RESIDUAL_H
#define KANE_CONTACT_RESIDUAL_H

#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/joint_kinematics.h"
#include "analysis/math/lane_width.h"

typedef struct ResidualReductionDef {
    double max_linear;   /* m/s2, bound of the additional linear acceleration; default 1 */
    double max_angular;  /* rad/s2, bound of the additional angular acceleration; default 10 */
    LaneWidth lanes;     /* default LANES_AUTO */
} ResidualReductionDef;

ResidualReductionDef residual_reduction_default_def(void);

/* Changes acceleration and angular_acceleration of kinematics, which must be those of the clip, and sets
 * linear_reduction and angular_reduction (RMS of the additions) of contact. A body without a spine gets the linear part
 * alone. */
Status residual_reduce(const ClipView *clip, const ResidualReductionDef *def, Contact *contact, Kinematics *kinematics,
                       Error *err);

/* Sets confidence: 1 / (1 + 100 (f^2 + m^2)), with f the residual force at the floating base in body weights, and m the
 * residual moment about the COM in body weights times half the stature. It is 1/2 for a residual of a tenth of a body
 * weight. */
Status confidence_rate(const ClipView *clip, LaneWidth lanes, Contact *contact, Error *err);

#endif
