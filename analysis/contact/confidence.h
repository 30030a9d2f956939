/* How far the contact forces explain the motion, frame by frame. */
#ifndef KANE_CONTACT_CONFIDENCE_H
#define KANE_CONTACT_CONFIDENCE_H

#include "analysis/base/status.h"
#include "analysis/clip/body.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/kinematics.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/lane_width.h"

/* Fills confidence: 1 / (1 + 100 (f^2 + m^2)), f the force in body weights and m the moment about the COM in body
 * weights times half a stature that inverse dynamics with these forces leaves to the floating base. So it is 1/2 where
 * a tenth of a body weight stays unexplained. */
Status confidence_rate(const Skeleton *skeleton, const Body *body, const Motion *motion, const Kinematics *kinematics,
                       LaneWidth lanes, Contact *contact, Error *err);

#endif
